//! `cargo xtask web`: the npm package and the page, built into `web/dist` without npm. With `--check` the built
//! package is tried in node, and the page in a browser.

#![forbid(unsafe_code)]

mod browser;
mod build;
mod check;
// The page is tried with the server that `surefoot serve` shows it with.
#[path = "../../crates/surefoot-cli/src/file_server.rs"]
mod file_server;
mod game;
mod node;
mod page;
mod self_test;
mod sizes;
mod visit;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask web [--check | --visit | --self-test | --game | --day]
  builds the npm package and the page into web/dist
  --check  holds what was built to its aims, and tries it in node and in a browser
  --visit  copies the page only, and tries it in a browser with the modules that are there
  --self-test  builds nothing, and tries what the page would be tried with
  --game  the game of the Bevy plug-in, into web/game, tried in a browser (cargo xtask bevy --web)
  --day  the module that `cargo xtask campaign day` plays in node, into target/campaigns/wasm";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => run(false),
        ["--check"] => run(true),
        ["--visit"] => root().and_then(|root| build::copy_page(root).and_then(|dist| check::run(&dist))),
        ["--game"] => root().and_then(game::run),
        ["--day"] => root().and_then(build::day),
        ["--self-test"] => root().and_then(self_test::run),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask web: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(is_check: bool) -> Result<(), String> {
    let dist = build::run(root()?)?;
    let sizes = sizes::of(&dist)?;
    sizes::print(&sizes);
    if is_check {
        node::run(root()?)?;
        check::run(&dist)?;
        // Last: whether it works is of more interest.
        sizes::hold(&sizes)?;
    }
    Ok(())
}

/// The workspace. Where the program is run from does not matter: it is known since it was compiled.
fn root() -> Result<&'static Path, String> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or_else(|| "the workspace has no folder".to_string())
}
