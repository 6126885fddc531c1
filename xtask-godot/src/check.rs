//! What can be said of the extension without an engine.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::project::EXTENSION;
use crate::{Places, cargo, project};

/// The oldest minor version of the compiler 1 that the crate `godot` builds with.
const OLDEST_COMPILER: u32 = 94;

pub(crate) fn run(places: &Places) -> Result<(), String> {
    let said = Command::new("rustc").arg("--version").output();
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    let said = said.map_err(|error| format!("rustc could not be started: {error}"))?;
    if minor_version(&said).is_some_and(|minor| minor < OLDEST_COMPILER) {
        println!("SKIPPED: the Godot extension takes Rust 1.{OLDEST_COMPILER} or later, and this is {said}.");
        return Ok(());
    }
    cargo(places, &["fmt", "--check"])?;
    cargo(places, &["clippy", "--all-targets", "--", "-D", "warnings"])?;
    let project = project::make(places, false)?;
    check_extension(&project)?;
    cargo(places, &["test", "--quiet"])?;
    println!("NOT RUN in an engine: the extension was built, and what needs no engine was tried.");
    println!("`cargo xtask godot --run` runs it in one.");
    Ok(())
}

/// The second number of what a compiler says of itself.
fn minor_version(said: &str) -> Option<u32> {
    said.split_whitespace().nth(1)?.split('.').nth(1)?.parse().ok()
}

/// The project's file has to name the library that was built, and the function that is in it.
fn check_extension(project: &Path) -> Result<(), String> {
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let text = String::from_utf8_lossy(&read(&project.join(EXTENSION))?).into_owned();
    let (os, arch) = match (std::env::consts::OS, std::env::consts::ARCH) {
        (os, "aarch64") => (os, "arm64"),
        other => other,
    };
    let library = value(&text, &format!("{os}.{arch}")).or_else(|| value(&text, os));
    let library = library.ok_or_else(|| format!("{EXTENSION} names no library for {os}.{arch}"))?;
    let inside = library.strip_prefix("res://").ok_or_else(|| format!("{library} is not in the project"))?;
    let bytes = read(&project.join(inside))?;
    let symbol = value(&text, "entry_symbol").ok_or_else(|| format!("{EXTENSION} has no entry_symbol"))?;
    match bytes.windows(symbol.len()).any(|window| window == symbol.as_bytes()) {
        true => Ok(()),
        false => Err(format!("{inside} has no function {symbol}")),
    }
}

/// What a line gives a key.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let lines = text.lines().filter_map(|line| line.split_once('='));
    let found = lines.map(|(name, value)| (name.trim(), value)).find(|&(name, _)| name == key);
    found.map(|(_, value)| value.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_compilers_are_read() {
        assert_eq!(minor_version("rustc 1.89.0 (29483883e 2025-08-04)"), Some(89));
        assert_eq!(minor_version("rustc 1.99.0-nightly (29483883e 2026-10-04)"), Some(99));
        assert_eq!(minor_version("no compiler"), None);
    }

    #[test]
    fn keys_are_found_as_a_whole() {
        let text = "[libraries]\nlinux.x86_64 = \"res://a.so\"\nmacos = \"res://b.dylib\"\n";
        assert_eq!(value(text, "linux.x86_64"), Some("res://a.so"));
        assert_eq!(value(text, "macos"), Some("res://b.dylib"));
        assert_eq!(value(text, "linux"), None);
    }
}
