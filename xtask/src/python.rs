//! `cargo xtask python`: the wheel; with `--example` a first picture, with `--check` its tests. Each takes a
//! fresh environment, as a user's would be.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What builds wheels. Another version may build others.
const MATURIN: &str = "maturin==1.16.0";

/// The oldest Python that the wheel is for.
const OLDEST: (u32, u32) = (3, 10);

const USAGE: &str = "usage: cargo xtask python [--example | --check]
  builds the wheel into target/python/wheels
  --example  installs it into a fresh environment and runs an example that ends in a picture
  --check    installs it into a fresh environment and runs its tests";

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => with_python(|python| wheel(python).map(drop)),
        ["--example"] => with_python(example),
        ["--check"] => with_python(check),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask python: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Calls `act` with the Python of the variable PYTHON, or `python3`, if there is one that will do.
fn with_python(act: impl FnOnce(&str) -> Result<(), String>) -> Result<(), String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_string());
    let program = "import sys, venv, ensurepip; print(sys.version_info.major, sys.version_info.minor)";
    let version = Command::new(&python).args(["-c", program]).output();
    let version = version.ok().filter(|said| said.status.success()).and_then(|said| {
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        let (major, minor) = text.trim().split_once(' ')?;
        Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
    });
    if version.is_some_and(|version| version >= OLDEST) {
        return act(&python);
    }
    println!("SKIPPED: {python} is no Python {}.{} or newer with venv and pip, so the", OLDEST.0, OLDEST.1);
    println!("Python package was not built and not tested. The variable PYTHON names another one.");
    Ok(())
}

/// Builds the wheel.
fn wheel(python: &str) -> Result<PathBuf, String> {
    let folder = folder()?;
    let wheels = folder.join("wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
    }
    let builder = environment(python, &folder.join("builder"), false)?;
    pip(&builder, &[MATURIN])?;
    let mut build = Command::new(builder.join("bin").join("maturin"));
    call(
        build
            .args(["build", "--release", "--quiet", "--manifest-path", "python/Cargo.toml", "--out"])
            .arg(&wheels),
    )?;
    let mut found = fs::read_dir(&wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
    let wheel = found.next().and_then(Result::ok).ok_or("no wheel was built")?.path();
    let bytes = fs::metadata(&wheel).map_err(|error| format!("{}: {error}", wheel.display()))?.len();
    println!("{} ({:.2} MB)", wheel.display(), bytes as f64 / 1e6);
    Ok(wheel)
}

fn example(python: &str) -> Result<(), String> {
    let user = installed(python, "example", "plot")?;
    let program = fs::canonicalize("python/examples/first_picture.py").map_err(|error| error.to_string())?;
    call(Command::new(user.join("bin").join("python")).arg(program).current_dir(folder()?))
}

fn check(python: &str) -> Result<(), String> {
    let user = installed(python, "check", "test,plot,tables,distributed")?;
    // Pictures are drawn, not shown.
    call(
        Command::new(user.join("bin").join("pytest"))
            .args(["-p", "no:cacheprovider"])
            .current_dir("python")
            .env("MPLBACKEND", "Agg"),
    )
}

/// A fresh environment with the wheel and some of its extras.
fn installed(python: &str, name: &str, extras: &str) -> Result<PathBuf, String> {
    let wheel = wheel(python)?;
    let user = environment(python, &folder()?.join(name), true)?;
    pip(&user, &[&format!("{}[{extras}]", wheel.display())])?;
    Ok(user)
}

/// An environment in a folder, made anew if it is to be fresh.
fn environment(python: &str, folder: &Path, fresh: bool) -> Result<PathBuf, String> {
    let mut make = Command::new(python);
    make.args(["-m", "venv"]).args(fresh.then_some("--clear")).arg(folder);
    call(&mut make)?;
    Ok(folder.to_path_buf())
}

fn pip(environment: &Path, packages: &[&str]) -> Result<(), String> {
    let mut install = Command::new(environment.join("bin").join("python"));
    call(install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(packages))
}

fn call(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} failed ({status})")),
        Err(error) => Err(format!("{name} could not be started: {error}")),
    }
}

/// Where wheels and environments are.
fn folder() -> Result<PathBuf, String> {
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_string());
    let folder = Path::new(&target).join("python");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    fs::canonicalize(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}
