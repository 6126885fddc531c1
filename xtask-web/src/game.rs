//! The game of the Bevy plug-in for browsers, and whether it plays in one.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::build;
use crate::check::{serve, start_browser};
use crate::file_server::FileServer;

/// The profile that it is built with, and the name of its folder: small, and in minutes.
const PROFILE: &str = "web-game";

const PAGE: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>surefoot: 5,000 soldiers</title>
<style>html, body { margin: 0; height: 100%; background: #111; overflow: hidden }</style>
<canvas id="game"></canvas>
<script type="module" src="start.js"></script>
</html>
"#;

/// The server allows no scripts within pages.
const START: &str = "import start from \"./game.js\";\nstart();\n";

/// Builds it into `web/game`, and plays it in a browser until its clock has gone on.
///
/// # Errors
/// What could not be built, or does not play.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    build::command(root, "rustup", &["target", "add", build::TARGET])?;
    let example =
        ["-p", "bevy_surefoot", "--example", "game", "--target", build::TARGET, "--profile", PROFILE];
    build::command(root, "cargo", &[&["build"], &example[..]].concat())?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let module = target.join(build::TARGET).join(PROFILE).join("examples/game.wasm");
    let into = root.join("web/game");
    build::bind(&module, "game", &into)?;
    let problem = |error: std::io::Error| format!("{}: {error}", into.display());
    std::fs::write(into.join("index.html"), PAGE).map_err(problem)?;
    std::fs::write(into.join("start.js"), START).map_err(problem)?;
    let bytes = std::fs::metadata(into.join("game_bg.wasm")).map_err(problem)?.len();
    println!("the game for browsers: {:.1} MB in {}", bytes as f64 / 1e6, into.display());

    let Some(mut browser) = start_browser(root)? else { return Ok(()) };
    let began = Instant::now();
    let server = FileServer::bind("127.0.0.1", 0, &into).map_err(|error| format!("no server: {error}"))?;
    let url = serve(server);
    let mut page = browser.open()?;
    page.set_viewport(1024, 768, 1.0, false)?;
    page.goto(&url)?;
    // Its title tells how far it is.
    let tick =
        "Number(/tick (\\d+)/.exec(document.querySelector('#game')?.getAttribute('alt') ?? '')?.[1] ?? 0)";
    let result = page.wait_for(&format!("{tick} >= 128"), 120);
    page.screenshot(&root.join("target/web/game.png"))?;
    let errors = page.console_errors()?;
    result.map_err(|words| format!("the game does not go on: {words}\n  {}", errors.join("\n  ")))?;
    println!("the game played in a browser within {:.1} s", began.elapsed().as_secs_f64());
    Ok(())
}
