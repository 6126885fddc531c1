//! Tells the program what it was made from: results say so of themselves.

use std::env;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::process::Command;

fn main() {
    // Whatever is compiled into the program: changes are told from the commit. The Python package, which has
    // this file, too, lies beside the folder of all crates. In a published package there is nothing beside it.
    let folders = ["../crates", "../../crates"];
    let all = folders.into_iter().find(|folder| std::path::Path::new(folder).is_dir()).unwrap_or("src");
    println!("cargo::rerun-if-changed={all}");
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = output(Command::new("git").args(["rev-parse", "--git-path", name])) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    if let Some(revision) = output(Command::new("git").args(["rev-parse", "--short=12", "HEAD"])) {
        let changes = output(Command::new("git").args(["diff", "HEAD", "--", all]));
        // Other changes, another program.
        let mark = changes.map_or_else(String::new, |changes| {
            let mut hasher = DefaultHasher::new();
            changes.hash(&mut hasher);
            format!(" with changes {:08x}", hasher.finish() as u32)
        });
        println!("cargo::rustc-env=SUREFOOT_REVISION={revision}{mark}");
    }
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    if let Some(version) = output(Command::new(rustc).arg("--version")) {
        println!("cargo::rustc-env=SUREFOOT_COMPILER={version}");
    }
}

/// What a command prints, if it succeeds and prints anything.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
