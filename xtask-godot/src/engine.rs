//! A real engine: the one on the PATH, or one that is made for the purpose.

use std::path::Path;
use std::process::Command;

use crate::{Places, call, project};

/// What the project's test says last if all is right. A script that cannot be read ends without it.
const LAST_WORDS: &str = "surefoot: all checks passed";
/// The oldest version that the extension works with.
const OLDEST: (u32, u32) = (4, 4);
/// The suite of Debian that has a new engine.
const SUITE: &str = "forky";

/// Runs the project's test.
pub(crate) fn run(places: &Places, project: &Path) -> Result<(), String> {
    if let Some((program, version)) = ["godot", "godot4"].iter().find_map(|program| installed(program)) {
        println!("in Godot {version}, {program}");
        let mut command = Command::new(program);
        return judge(command.arg("--headless").arg("--path").arg(project).args(TEST));
    }
    let engine = places.made.join("engine");
    if !engine.join("usr/bin/godot").exists() {
        make(&engine)?;
    }
    let inside = engine.join("project");
    project::remove(&inside)?;
    project::copy_folder(project, &inside)?;
    let mut command = Command::new("chroot");
    println!("in Godot of Debian {SUITE}, {}", engine.display());
    judge(
        command
            .arg(&engine)
            .args(["godot", "--headless", "--path", "/project"])
            .args(TEST)
            .env("HOME", "/root"),
    )
}

const TEST: [&str; 2] = ["--script", "res://test.gd"];

fn judge(command: &mut Command) -> Result<(), String> {
    // Cargo has told this program where its own libraries are.
    command.env_remove("LD_LIBRARY_PATH");
    let output = command.output().map_err(|error| format!("the engine could not be started: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    if output.status.success() && said.lines().any(|line| line == LAST_WORDS) {
        return Ok(());
    }
    // Errors that the test makes on purpose are among these.
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Err(format!("the test failed in the engine ({})", output.status))
}

/// A program on the PATH and its version, if it is new enough.
fn installed(program: &'static str) -> Option<(&'static str, String)> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_string();
    is_new_enough(&version).then_some((program, version))
}

fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.split('.').map_while(|number| number.parse::<u32>().ok());
    matches!((numbers.next(), numbers.next()), (Some(major), Some(minor)) if (major, minor) >= OLDEST && major == 4)
}

/// Makes a small system with an engine in it.
fn make(engine: &Path) -> Result<(), String> {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|said| said.stdout.trim_ascii() == b"0");
    if !is_root {
        return Err("there is no godot 4.4 or later on the PATH, and only root can make one from Debian; \
                    install Godot, or run this as root"
            .to_string());
    }
    let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !is_there("debootstrap") {
        let apt = |arguments: &[&str]| call(Command::new("apt-get").args(arguments));
        apt(&["update"]).and_then(|()| apt(&["install", "-y", "debootstrap"])).map_err(|problem| {
            format!("there is no godot 4.4 or later on the PATH, and no debootstrap to make one: {problem}")
        })?;
    }
    println!("making an engine in {}: some minutes, 1 GB", engine.display());
    project::remove(engine)?;
    // Older versions of the program do not know the suite. All of Debian since is made in the same way.
    call(Command::new("debootstrap").args(["--variant=minbase", SUITE]).arg(engine).args(["", "sid"]))?;
    call(
        Command::new("chroot")
            .arg(engine)
            .args(["apt-get", "install", "-y", "--no-install-recommends", "godot"])
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_versions_will_do() {
        for version in ["4.4.stable.official.4c311cbee", "4.6.3.stable.debian4.6.3+ds-2", "4.10.1.stable"] {
            assert!(is_new_enough(version), "{version}");
        }
        for version in ["4.3.stable", "3.6.stable", "5.0.dev", "", "no"] {
            assert!(!is_new_enough(version), "{version}");
        }
    }
}
