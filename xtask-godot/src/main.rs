//! `cargo xtask godot`: builds the extension of `godot/`, and assembles the demo project with it. With `--run` a real
//! engine tries it.

#![forbid(unsafe_code)]

mod check;
mod engine;
mod project;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask godot [--check | --run]
  builds the extension, and puts the demo project with it into target/godot/project
  --check  also its lints and tests that need no engine; what is ordinary for CI
  --run    also runs the project's test in a real engine, headless: godot 4.4 or later if it is on the PATH,
           else one from Debian in target/godot/engine (1 GB; needs root)";

/// Where everything is.
pub(crate) struct Places {
    /// The folder `godot`.
    pub(crate) package: PathBuf,
    /// Cargo's folder for what is built.
    pub(crate) target: PathBuf,
    /// What is assembled goes here.
    pub(crate) made: PathBuf,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => places().and_then(|places| project::make(&places, true)).map(|project| {
            println!("the project is in {}: open it with Godot 4.4 or later", project.display());
        }),
        ["--check"] => places().and_then(|places| check::run(&places)),
        ["--run"] => places().and_then(|places| {
            project::make(&places, true).and_then(|project| engine::run(&places, &project))
        }),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask godot: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn places() -> Result<Places, String> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("there is no folder above xtask-godot")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let target = std::path::absolute(&target).map_err(|error| format!("{}: {error}", target.display()))?;
    Ok(Places { package: root.join("godot"), made: target.join("godot"), target })
}

/// Cargo for the extension, which is no member of the workspace.
pub(crate) fn cargo(places: &Places, arguments: &[&str]) -> Result<(), String> {
    let (command, rest) = arguments.split_first().ok_or("cargo is to do nothing")?;
    let mut cargo = Command::new("cargo");
    cargo.arg(command).arg("--manifest-path").arg(places.package.join("Cargo.toml"));
    if *command != "fmt" {
        cargo.args(["--locked", "--target-dir"]).arg(&places.target);
    }
    call(cargo.args(rest))
}

/// Runs a program, which has to succeed.
pub(crate) fn call(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} failed ({status})")),
        Err(error) => Err(format!("{name} could not be started: {error}")),
    }
}
