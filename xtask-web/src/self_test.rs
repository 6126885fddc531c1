//! Whether the hands and eyes that the page is tried with work: each is tried on a small page of its own.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::check::{CONTROLS, look, serve, start_browser};
use crate::file_server::FileServer;
use crate::page::{Page, overlaps};

const PAGE: &str = include_str!("self_test.html");
const SCRIPT: &str = include_str!("self_test.js");

const WORKER: &str = "onmessage = () => { throw new Error('within the worker'); };";

/// Tries everything.
///
/// # Errors
/// What did not work.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let began = Instant::now();
    let Some(mut browser) = start_browser(root)? else { return Ok(()) };
    let started = began.elapsed();
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let server =
        FileServer::bind("127.0.0.1", 0, folder.path()).map_err(|error| format!("no server: {error}"))?;
    let server = server
        .with_file("/", "index.html", PAGE.into())
        .with_file("/self_test.js", "self_test.js", SCRIPT.into())
        .with_file("/worker.js", "worker.js", WORKER.into());
    let url = serve(server);
    let mut page = browser.open()?;
    page.set_viewport(800, 600, 1.0, false)?;
    page.goto(&url)?;
    look(&mut page, 800)?;
    hands(&mut page, folder.path())?;
    eyes(&mut page, folder.path())?;
    errors(&mut page)?;
    fingers(&mut page, &url)?;
    drop(browser);
    let (all, started) = (began.elapsed().as_secs_f64(), started.as_secs_f64());
    println!("the browser does as it is told: {all:.1} s, {started:.1} of them to start it");
    Ok(())
}

fn hold(is_so: bool, what: &str) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(format!("the browser does not do as it is told: {what}")) }
}

/// What the page has seen since the last look, as JSON.
fn seen(page: &mut Page<'_>) -> Result<String, String> {
    page.eval("JSON.stringify(seen.splice(0))").map(|seen| seen.as_str().unwrap_or_default().to_string())
}

fn hands(page: &mut Page<'_>, folder: &Path) -> Result<(), String> {
    page.click(10.0, 20.0)?;
    let clicked = seen(page)?;
    hold(clicked.contains(r#"["pointerdown","mouse",10,20],["pointerup","mouse",10,20]"#), &clicked)?;
    page.drag((10.0, 20.0), (130.0, 140.0))?;
    let dragged = seen(page)?;
    let is_whole = dragged.contains(r#"["pointerdown","mouse",10,20]"#)
        && dragged.contains(r#"["pointermove","mouse",70,80]"#)
        && dragged.ends_with(r#"["pointerup","mouse",130,140]]"#);
    hold(is_whole, &dragged)?;
    page.wheel(10.0, 20.0, 30.0)?;
    page.wait_for("seen.some(([kind]) => kind === 'wheel')", 10)?;
    page.click_on("#button")?;
    let pressed = seen(page)?;
    hold(pressed.contains(r#"["button"]"#), &pressed)?;
    page.key("Shift+Tab")?;
    page.key("ArrowLeft")?;
    page.click_on("#text")?;
    page.key("a")?;
    page.key("Enter")?;
    page.type_text("bc é")?;
    page.key("Control+a")?;
    let keys = seen(page)?;
    hold(
        keys.contains(r#"["key","Tab",true],["key","ArrowLeft",false]"#) && keys.contains(r#""a",false"#),
        &keys,
    )?;
    hold(page.eval("document.querySelector('#text').value")? == "abc é", "text")?;
    hold(page.eval("getSelection().toString()")? == "abc é", "Control+a selects")?;

    let (one, two) = (folder.join("one.map"), folder.join("two.map"));
    for file in [&one, &two] {
        fs::write(file, "words").map_err(|error| format!("{}: {error}", file.display()))?;
    }
    page.set_files("#files", &[&one, &two])?;
    page.wait_for("seen.length === 2", 10)?;
    page.drop_file(50.0, 50.0, &one)?;
    page.wait_for("seen.length >= 3", 10)?;
    let files = seen(page)?;
    hold(
        files.contains(r#"["file","one.map","words"],["file","two.map","words"],["file","one.map","words"]"#),
        &files,
    )?;
    page.eval("save()")?;
    let end = Instant::now() + crate::browser::PATIENCE;
    while page.saved_files().is_empty() && Instant::now() < end {
        page.wait_for("true", 1)?;
    }
    let saved: Vec<Vec<u8>> =
        page.saved_files().iter().map(|file| fs::read(file).unwrap_or_default()).collect();
    hold(saved == [b"saved"], "a file is saved")
}

fn eyes(page: &mut Page<'_>, folder: &Path) -> Result<(), String> {
    let shot = folder.join("pictures/shot.png");
    page.screenshot(&shot)?;
    let bytes = fs::read(&shot).unwrap_or_default();
    let size: Vec<u8> = [800_u32, 600].iter().flat_map(|side| side.to_be_bytes()).collect();
    hold(bytes.starts_with(b"\x89PNG") && bytes.get(16..24) == Some(&size), "a picture of 800 x 600")?;
    hold(page.eval("Promise.resolve({a: [1, 2]})")?["a"][1] == 2, "promises are waited for")?;
    let thrown = page.eval("nothing.at.all").err().unwrap_or_default();
    hold(thrown.contains("ReferenceError: nothing is not defined"), &thrown)?;
    let late = page.wait_for("1 > 2", 1).err().unwrap_or_default();
    hold(late.starts_with("waited 1 s for 1 > 2"), &late)?;
    let endless = page.wait_for("new Promise(() => {})", 1).err().unwrap_or_default();
    hold(endless.starts_with("waited 1 s for new Promise"), &endless)?;
    page.set_media("prefers-color-scheme", "dark")?;
    hold(page.eval("matchMedia('(prefers-color-scheme: dark)').matches")? == true, "dark")?;
    let long = page.find("#list button")?;
    hold(long.width <= 100.0, "what a list cuts off does not count")?;
    hold(page.boxes("[hidden] button")?.is_empty(), "what is hidden has no place")?;
    hold(
        overlaps(&page.boxes("label, label input")?).is_empty(),
        "what is within something does not cover it",
    )?;
    page.eval("document.querySelector('#button').style.cssText = 'position: relative; left: 40px'")?;
    hold(overlaps(&page.boxes(CONTROLS)?).len() == 1, "controls that cover each other are seen")?;
    let covered = look(page, 800).err().unwrap_or_default();
    hold(covered.contains("<button#button> press and <input#text>"), &covered)?;
    page.eval("document.querySelector('#button').style.cssText = ''")?;
    page.eval("document.querySelector('#field').style.cssText = 'position: relative; z-index: 1; height: 400px; margin-bottom: -100px'")?;
    let covered = look(page, 800).err().unwrap_or_default();
    hold(covered.contains("controls are covered") && covered.contains("under <div id=\"field\""), &covered)?;
    page.eval("document.querySelector('#field').style.cssText = ''")?;
    look(page, 800)?;
    page.eval("document.querySelector('#button').style.cssText = 'width: 900px'")?;
    let wide = look(page, 800).err().unwrap_or_default();
    hold(wide.contains("beside the screen") && wide.contains("<button#button> press"), &wide)
}

fn errors(page: &mut Page<'_>) -> Result<(), String> {
    page.reload()?;
    hold(page.console_errors()?.is_empty(), "no error is no error")?;
    page.eval(
        "setTimeout(() => { throw new Error('thrown'); }); console.error('said', 7); console.log('no error')",
    )?;
    page.eval("fetch('nowhere.txt').then(() => Promise.reject('rejected')) && 1")?;
    page.eval("new Worker('worker.js').postMessage(1)")?;
    let mut errors = Vec::new();
    let end = Instant::now() + crate::browser::PATIENCE;
    let all = ["Error: thrown", "console.error: said 7", "404", "rejected", "within the worker"];
    let has_all = |errors: &[String]| all.iter().all(|part| errors.iter().any(|error| error.contains(part)));
    while !has_all(&errors) && Instant::now() < end {
        errors.append(&mut page.console_errors()?);
    }
    hold(has_all(&errors), &errors.join("\n"))?;
    hold(!errors.iter().any(|error| error.contains("no error")), &errors.join("\n"))?;
    page.eval("alert('a question that waits')")?;
    page.reload()?;
    let missing = page.goto("http://127.0.0.1:1/").err().unwrap_or_default();
    hold(missing.contains("did not load"), &missing)
}

fn fingers(page: &mut Page<'_>, url: &str) -> Result<(), String> {
    page.set_viewport(390, 844, 2.0, true)?;
    page.goto(url)?;
    page.goto(&format!("{url}#here"))?;
    hold(page.eval("innerWidth")? == 390, "a phone is 390 pixels wide")?;
    page.tap(10.0, 20.0)?;
    let tapped = seen(page)?;
    hold(tapped.contains(r#"["pointerdown","touch",10,20]"#), &tapped)?;
    page.swipe((10.0, 20.0), (130.0, 140.0))?;
    let swiped = seen(page)?;
    hold(swiped.contains(r#"["pointermove","touch",70,80]"#) && swiped.contains("pointerup"), &swiped)
}
