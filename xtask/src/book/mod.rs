//! `cargo xtask book`: the pages in `docs` as a book of HTML, in `target/book`. What it needs is in
//! `book.toml`.

mod links;
mod markdown;
mod prose;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use self::links::BOOK;
pub(crate) use self::links::Pages;
use crate::tidy::Finding;

const VERSION: &str = "0.5.4";

/// All that is wrong with the links of the repository's pages.
pub(crate) fn check(root: &Path) -> Result<Vec<Finding>, Finding> {
    Ok(Pages::read(root)?.check())
}

/// Builds the book.
pub(crate) fn run() -> ExitCode {
    match build(&crate::tidy::root()) {
        Ok(page) => {
            println!("{}", page.display());
            ExitCode::SUCCESS
        }
        Err(what) => {
            eprintln!("xtask: {what}");
            ExitCode::FAILURE
        }
    }
}

fn build(root: &Path) -> Result<PathBuf, String> {
    let pages = Pages::read(root).map_err(|finding| finding.to_string())?;
    let findings = pages.check();
    if !findings.is_empty() {
        return Err(findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    }
    let program = mdbook(root)?;
    let book = root.join("target/book");
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let source = book.join("src");
    if source.exists() {
        fs::remove_dir_all(&source).map_err(|error| failed(&source, error))?;
    }
    copy_pictures(&root.join(BOOK), &source)?;
    for (path, text) in pages.of_book() {
        let file = source.join(path);
        fs::create_dir_all(file.parent().unwrap_or(&source)).map_err(|error| failed(&file, error))?;
        fs::write(&file, text).map_err(|error| failed(&file, error))?;
    }
    let settings = book.join("book.toml");
    fs::copy(root.join("book.toml"), &settings).map_err(|error| failed(&settings, error))?;
    let status = Command::new(&program).arg("build").arg(&book).status();
    match status {
        Ok(status) if status.success() => Ok(book.join("html/index.html")),
        Ok(status) => Err(format!("mdbook failed ({status})")),
        Err(error) => Err(format!("{} could not be started: {error}", program.display())),
    }
}

/// All files of the book but its pages.
fn copy_pictures(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let copy = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_pictures(&path, &copy)?;
        } else if path.extension().is_none_or(|extension| extension != "md") {
            fs::copy(&path, &copy).map_err(failed)?;
        }
    }
    Ok(())
}

/// mdBook: the one on the PATH, or one that is installed in the target folder.
fn mdbook(root: &Path) -> Result<PathBuf, String> {
    let says_version = |program: &Path| {
        let output = Command::new(program).arg("--version").output();
        output.is_ok_and(|output| {
            String::from_utf8_lossy(&output.stdout).trim() == format!("mdbook v{VERSION}")
        })
    };
    let folder = root.join("target/mdbook");
    let installed = folder.join(format!("bin/mdbook{}", std::env::consts::EXE_SUFFIX));
    for program in [PathBuf::from("mdbook"), installed.clone()] {
        if says_version(&program) {
            return Ok(program);
        }
    }
    println!("mdBook {VERSION} is installed in {}: this takes minutes, once", folder.display());
    let mut install = Command::new("cargo");
    install.args(["install", "--locked", "mdbook", "--version", VERSION, "--root"]).arg(&folder);
    match install.status() {
        Ok(status) if status.success() => Ok(installed),
        Ok(status) => Err(format!("mdBook could not be installed ({status})")),
        Err(error) => Err(format!("cargo could not be started: {error}")),
    }
}
