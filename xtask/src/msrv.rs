//! `cargo xtask msrv`: whether the oldest compiler that the crates promise to work with does.

use std::process::{Command, ExitCode};

/// Checks the crates that are published with the compiler that the workspace names as `rust-version`, if it
/// is installed.
pub(crate) fn run() -> ExitCode {
    let manifest = include_str!("../../Cargo.toml");
    let Some(version) = oldest_compiler(manifest) else {
        eprintln!("xtask: Cargo.toml names no rust-version");
        return ExitCode::FAILURE;
    };
    let installed = Command::new("rustup").args(["toolchain", "list"]).output();
    let installed = installed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let Some(toolchain) = installed.ok().and_then(|list| toolchain_of(&list, &version)) else {
        println!(
            "SKIPPED: Rust {version} is not installed (`rustup toolchain install {version} --profile minimal`),"
        );
        println!(
            "so that the crates build with it was not checked. Clippy's incompatible_msrv is all that looked."
        );
        return ExitCode::SUCCESS;
    };
    let check = Command::new("rustup")
        .args(["run", &toolchain, "cargo", "check", "--workspace", "--all-features"])
        .args(["--exclude", "surefoot-bench", "--exclude", "xtask"])
        // Bevy asks for a newer one.
        .args(["--exclude", "bevy_surefoot"])
        // One folder for two compilers would make each build everything anew.
        .args(["--target-dir", "target/msrv"])
        .env_remove("RUSTUP_TOOLCHAIN")
        .status();
    match check {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => {
            eprintln!("xtask: the crates do not build with Rust {version} ({status})");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("xtask: rustup could not be started: {error}");
            ExitCode::FAILURE
        }
    }
}

/// `rust-version` of the workspace.
fn oldest_compiler(manifest: &str) -> Option<String> {
    let manifest: toml::Table = manifest.parse().ok()?;
    let package = manifest.get("workspace")?.get("package")?;
    Some(package.get("rust-version")?.as_str()?.to_string())
}

/// The toolchain of that version, or of a patch of it, from rustup's list.
fn toolchain_of(list: &str, version: &str) -> Option<String> {
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    let mut fitting = names.filter(|name| {
        name.strip_prefix(version).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
    });
    fitting.next().map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_workspace() {
        let manifest = "[workspace.package]\nrust-version = \"1.89\"\n";
        assert_eq!(oldest_compiler(manifest).as_deref(), Some("1.89"));
        assert_eq!(oldest_compiler("[workspace]\n"), None);
    }

    #[test]
    fn only_that_version_will_do() {
        let list = "stable-x86_64 (active, default)\n1.8-x86_64\n1.895-x86_64\n1.89.0-x86_64\n";
        assert_eq!(toolchain_of(list, "1.89").as_deref(), Some("1.89.0-x86_64"));
        assert_eq!(toolchain_of("stable-x86_64\n1.95.0-x86_64\n", "1.89"), None);
    }
}
