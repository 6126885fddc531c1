//! `cargo xtask c`: the header and the libraries of `crates/surefoot-c`. With `--check` the header is compared, and
//! programs in C, C++ and C# are compiled, linked and run.

#![forbid(unsafe_code)]

mod bench;
mod check;
mod declarations;
mod header;
mod install;
mod programs;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask c [--check [--long] | --bench | --install PREFIX]
  writes crates/surefoot-c/include/surefoot.h anew, and builds the libraries
  --check    compares the header instead; compiles, links and runs examples and tests, also with sanitizers
  --long     with 1,000,000 hostile calls instead of 100,000
  --bench    what a call costs through C, beside Rust
  --install  copies headers, libraries and surefoot.pc below PREFIX";

/// Where everything is.
pub(crate) struct Places {
    /// `crates/surefoot-c`.
    pub(crate) crate_folder: PathBuf,
    /// The folder of the libraries.
    pub(crate) libraries: PathBuf,
    /// What is compiled goes here.
    pub(crate) made: PathBuf,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => places().and_then(|places| header::write(&places).and_then(|()| build(&[]))),
        ["--check"] => places().and_then(|places| check::run_all(&places, false)),
        ["--check", "--long"] => places().and_then(|places| check::run_all(&places, true)),
        ["--bench"] => places().and_then(|places| bench::run(&places)),
        ["--install", prefix] => places().and_then(|places| install::run(&places, Path::new(prefix))),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask c: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn places() -> Result<Places, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("there is no folder above xtask-c")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let made = target.join("c");
    std::fs::create_dir_all(&made).map_err(|error| format!("{}: {error}", made.display()))?;
    let full =
        |path: PathBuf| std::path::absolute(&path).map_err(|error| format!("{}: {error}", path.display()));
    Ok(Places {
        crate_folder: root.join("crates/surefoot-c"),
        libraries: full(target.join("release"))?,
        made: full(made)?,
    })
}

/// Builds the libraries.
pub(crate) fn build(more: &[&str]) -> Result<(), String> {
    call(Command::new("cargo").args(["build", "--release", "-p", "surefoot-c"]).args(more))
}

/// A program that was compiled. Cargo has told this one where libraries for debugging are: what it starts would
/// find those before the ones that it was linked with.
pub(crate) fn program(path: &Path) -> Command {
    let mut command = Command::new(path);
    command.env_remove("LD_LIBRARY_PATH").env_remove("DYLD_FALLBACK_LIBRARY_PATH");
    command
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

/// Whether a program is there.
pub(crate) fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|said| said.status.success())
}
