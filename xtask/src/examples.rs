//! `cargo xtask examples`: every example of every crate runs, and checks itself.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Runs them all, in the order of their names.
pub(crate) fn run() -> ExitCode {
    let examples = match find(Path::new("crates")) {
        Ok(examples) if !examples.is_empty() => examples,
        Ok(_) => {
            eprintln!(
                "xtask: there are no examples in crates/*/examples; run this at the root of the project"
            );
            return ExitCode::FAILURE;
        }
        Err(error) => {
            eprintln!("xtask: crates could not be read: {error}");
            return ExitCode::FAILURE;
        }
    };
    // All at once, as the tests have built them: one by one each package would be built with features of its
    // own.
    let build = ["build", "--workspace", "--exclude", "bevy_surefoot", "--all-features", "--examples"];
    if !Command::new("cargo").args(build).status().is_ok_and(|status| status.success()) {
        return ExitCode::FAILURE;
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    for (package, example) in &examples {
        println!("-- {package}: {example}");
        let mut command = Command::new(target.join("debug/examples").join(example));
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(status) => {
                eprintln!("xtask: the example {example} of {package} failed ({status})");
                return ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("xtask: the example {example} could not be started: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{} examples ran", examples.len());
    ExitCode::SUCCESS
}

/// The examples of all crates in a folder, each with its crate.
fn find(crates: &Path) -> std::io::Result<Vec<(String, String)>> {
    let entries = |folder: &Path| -> std::io::Result<Vec<PathBuf>> {
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect()
    };
    let mut found = Vec::new();
    for folder in entries(crates)? {
        let examples = folder.join("examples");
        // Its example has a window: `cargo xtask bevy`.
        let is_game = folder.file_name().is_some_and(|name| name == "bevy_surefoot");
        if is_game || !examples.is_dir() {
            continue;
        }
        for file in entries(&examples)? {
            if file.extension().is_some_and(|extension| extension == "rs")
                && let (Some(package), Some(example)) = (folder.file_name(), file.file_stem())
            {
                found.push((package.to_string_lossy().into_owned(), example.to_string_lossy().into_owned()));
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_all_crates_are_found() {
        let found = find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates")).unwrap();
        for (package, example) in [("surefoot", "crowd"), ("surefoot-classics", "one_agent")] {
            assert!(found.contains(&(package.to_owned(), example.to_owned())), "{found:?}");
        }
        assert!(find(Path::new("no such folder")).is_err());
    }
}
