//! What was built, tried: the page in a browser.

use std::path::Path;
use std::time::Instant;

use crate::browser::{self, Browser};
use crate::file_server::FileServer;
use crate::page::{Page, overlaps};
use crate::visit;

/// The sizes that the page is looked at in: name of the picture, width, height, pixels a CSS pixel, and whether
/// fingers are what there is to point with.
const SCREENS: [(&str, u32, u32, f64, bool); 2] =
    [("desktop", 1280, 800, 1.0, false), ("phone", 390, 844, 2.0, true)];

/// What a person points at.
pub(crate) const CONTROLS: &str =
    "a[href], button, input, select, textarea, summary, [role=tab], [role=button]";

/// Tries what is in `dist`.
///
/// # Errors
/// What did not work, in words.
pub(crate) fn run(dist: &Path) -> Result<(), String> {
    let root = dist.ancestors().nth(2).ok_or("web/dist is not where it should be")?;
    let Some(mut browser) = start_browser(root)? else { return Ok(()) };
    let scratch = root.join("target/web/files");
    std::fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let began = Instant::now();
    let server = FileServer::bind("127.0.0.1", 0, dist).map_err(|error| format!("no server: {error}"))?;
    let url = serve(server.with_file("/given-map", visit::GIVEN.0, visit::GIVEN.1.to_vec()));
    let mut page = browser.open()?;
    for (name, width, height, scale, mobile) in SCREENS {
        let problem = |problem: String| format!("{name}, {width} x {height}: {problem}");
        page.set_viewport(width, height, scale, mobile)?;
        page.goto(&url).map_err(problem)?;
        page.wait_for("document.documentElement.dataset.ready === 'yes'", 30)?;
        page.wait_for("surefoot.crowd.figures().moves > 0", 30)?;
        for tab in ["algorithms", "map", "papers", "crowd"] {
            page.click_on(&format!("#tab-{tab}"))?;
            page.wait_for("!surefoot.algorithms.isBusy()", 60)?;
            page.screenshot(&root.join(format!("target/web/{name}-{tab}.png")))?;
            look(&mut page, width).map_err(|words| problem(format!("{tab}: {words}")))?;
        }
    }
    visit::run(&mut page, &url, root, &scratch)?;
    println!("the page was tried in a browser in {:.1} s", began.elapsed().as_secs_f64());
    Ok(())
}

/// A browser, or `None` where none can be had and it is no mistake.
pub(crate) fn start_browser(root: &Path) -> Result<Option<Browser>, String> {
    match browser::find(root)? {
        Some(program) => Browser::start(&program).map(Some),
        None if std::env::var_os("CI").is_some_and(|ci| ci == "true") => {
            Err("no browser; install chromium, or name one in the variable CHROMIUM".to_string())
        }
        None => {
            println!("skipped: no browser");
            Ok(None)
        }
    }
}

/// Answers requests until the program ends. The address of the page.
pub(crate) fn serve(server: FileServer) -> String {
    let url = format!("http://{}/", server.address());
    std::thread::spawn(move || server.run());
    url
}

/// What holds of every page at every size: no errors, nothing beside the screen, no control under another one.
pub(crate) fn look(page: &mut Page<'_>, width: u32) -> Result<(), String> {
    let errors = page.console_errors()?;
    if !errors.is_empty() {
        return Err(format!("the console has errors:\n  {}", errors.join("\n  ")));
    }
    let across =
        page.eval("Math.max(innerWidth, document.documentElement.scrollWidth)")?.as_f64().unwrap_or(0.0);
    let most = f64::from(width) + 1.0;
    let mut wide: Vec<String> = Vec::new();
    for placed in page.boxes("body *")? {
        if placed.x < -1.0 || placed.x + placed.width > most {
            wide.push(format!("{} from {} to {}", placed.name, placed.x, placed.x + placed.width));
        }
    }
    if across > most || !wide.is_empty() {
        wide.truncate(10);
        return Err(format!("the page is {across} pixels wide; beside the screen:\n  {}", wide.join("\n  ")));
    }
    let controls = page.boxes(CONTROLS)?;
    let covered: Vec<String> =
        overlaps(&controls).iter().take(10).map(|(a, b)| format!("{} and {}", a.name, b.name)).collect();
    if !covered.is_empty() {
        return Err(format!("controls cover each other:\n  {}", covered.join("\n  ")));
    }
    match &page.covered(CONTROLS)?[..] {
        [] => Ok(()),
        covered => Err(format!("controls are covered:\n  {}", covered.join("\n  "))),
    }
}
