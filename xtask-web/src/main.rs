//! `cargo xtask web`: the npm package and the page, built into `web/dist` without npm. With `--check` the built
//! package is tried in node, and the page in a browser.

#![forbid(unsafe_code)]

mod build;
mod check;
mod sizes;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask web [--check]
  builds the npm package and the page into web/dist
  --check  holds what was built to its aims, and tries it in node and in a browser";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_check = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--check"] => true,
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(is_check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask web: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(is_check: bool) -> Result<(), String> {
    // Where the program is run from does not matter: the workspace is known since it was compiled.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the workspace has no folder")?;
    let dist = build::run(root)?;
    let sizes = sizes::of(&dist)?;
    sizes::print(&sizes);
    if is_check {
        sizes::hold(&sizes)?;
        check::run(&dist)?;
    }
    Ok(())
}
