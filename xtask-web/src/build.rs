//! The modules for the browser, and the files beside them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// The target that browsers run.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The profile that modules are built with, and the name of its folder.
const PROFILE: &str = "wasm";

/// The crates that become modules, each with its name in `web/dist`: of a folder and of the files in it.
pub(crate) const MODULES: [(&str, &str); 2] =
    [("surefoot-web", "surefoot"), ("surefoot-playground", "playground")];

/// Builds everything into `web/dist` of the workspace at `root`, and says where that is.
///
/// # Errors
/// What could not be done: a command that failed, or a file that could not be read or written.
pub(crate) fn run(root: &Path) -> Result<PathBuf, String> {
    command(root, "rustup", &["target", "add", TARGET])?;
    for (package, _) in MODULES {
        // One by one: built together, each would get the features that the other one asks the library for.
        command(root, "cargo", &["build", "--profile", PROFILE, "--target", TARGET, "-p", package])?;
    }

    let dist = root.join("web/dist");
    if dist.exists() {
        fs::remove_dir_all(&dist).map_err(|error| problem("removed", &dist, &error))?;
    }
    copy_page(root)?;
    for (package, name) in MODULES {
        bind(&built(root, package), name, &dist.join(name))?;
    }
    copy(&root.join("web/package"), &dist.join("surefoot"))?;
    Ok(dist)
}

/// Builds the module of `cargo xtask campaign day` into a folder of its own: optimised for speed, for it plays
/// for hours.
///
/// # Errors
/// What could not be done.
pub(crate) fn day(root: &Path) -> Result<(), String> {
    command(root, "rustup", &["target", "add", TARGET])?;
    let package = ["-p", "surefoot-playground", "--features", "day"];
    command(root, "cargo", &[&["build", "--release", "--target", TARGET][..], &package].concat())?;
    let folder = root.join("target/campaigns/wasm");
    bind(&built_with(root, "surefoot-playground", "release"), "day", &folder)
}

/// Copies the page into `web/dist`, and says where that is. The modules there stay as they are.
///
/// # Errors
/// If a file could not be read or written.
pub(crate) fn copy_page(root: &Path) -> Result<PathBuf, String> {
    let dist = root.join("web/dist");
    copy(&root.join("web/page"), &dist)?;
    Ok(dist)
}

/// Where cargo puts the module of a package.
fn built(root: &Path, package: &str) -> PathBuf {
    built_with(root, package, PROFILE)
}

fn built_with(root: &Path, package: &str, profile: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    target.join(TARGET).join(profile).join(package.replace('-', "_")).with_extension("wasm")
}

/// Writes the module in `input` and the JavaScript and types around it as `name` into the folder `into`.
pub(crate) fn bind(input: &Path, name: &str, into: &Path) -> Result<(), String> {
    let generate = || {
        Bindgen::new()
            .input_path(input)
            .out_name(name)
            .web(true)?
            .omit_default_module_path(false)
            // The checks of a debug build cost little, and refuse what would pass for 0 or an empty list: an object
            // that was freed, a string for a number.
            .debug(true)
            .typescript(true)
            .remove_name_section(true)
            .remove_producers_section(true)
            .generate(into)
    };
    generate().map_err(|error| format!("wasm-bindgen: {}: {error:#}", input.display()))
}

/// Copies a folder with all that is in it. A folder that is not there is an empty one: Git keeps none.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|error| problem("made", to, &error))?;
    if !from.exists() {
        return Ok(());
    }
    let entries = fs::read_dir(from).map_err(|error| problem("read", from, &error))?;
    for entry in entries {
        let from = entry.map_err(|error| problem("read", from, &error))?.path();
        let Some(name) = from.file_name() else { continue };
        let to = to.join(name);
        if from.is_dir() {
            copy(&from, &to)?;
        } else {
            fs::copy(&from, &to).map_err(|error| problem("copied", &from, &error))?;
        }
    }
    Ok(())
}

/// Runs a program, which has to succeed.
pub(crate) fn command(root: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let line = || format!("{program} {}", arguments.join(" "));
    println!("== {}", line());
    match Command::new(program).args(arguments).current_dir(root).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}` failed ({status})", line())),
        Err(error) => Err(format!("`{}` could not be started: {error}", line())),
    }
}

fn problem(done: &str, path: &Path, error: &std::io::Error) -> String {
    format!("{} could not be {done}: {error}", path.display())
}
