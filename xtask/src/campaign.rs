//! `cargo xtask campaign NAME`: checks that take hours. They are programs of their own; here they are built,
//! started, and their table is brought up to date.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::tidy;

/// The campaigns: the name of each, and what it checks.
pub(crate) const CAMPAIGNS: [(&str, &str); 5] = [
    ("moves", "random worlds: no move is illegal, or takes more than its bound"),
    ("exact", "beacon* beside Dijkstra's algorithm, on maps of every kind, before and after edits"),
    ("day", "a day of a crowd: memory stays flat, the same on 1 and 2 threads and in wasm"),
    ("fuzz", "all fuzz targets by turns: no bytes lead to a panic, a wrong answer, or memory without end"),
    ("kills", "the program, killed at random points: nothing is half written, nothing is lost"),
];

const USAGE: &str = "\
usage: cargo xtask campaign NAME [--hours H] [--seed S] [--cases N] [--case N]
  goes on where it was stopped, until the goal is reached or the time is up
  --hours H  for so long; 0 only writes what was done so far into the table
  --seed S   which of the many rows of cases; 1 if nothing is said
  --cases N  so many cases at most
  --case N   this case alone, as a finding names it; nothing is written down

what was done is kept in target/campaigns, and what it came to in docs/understand/campaigns.csv";

/// Runs the command with what comes after its name.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let Some((name, rest)) = arguments.split_first() else {
        println!("{USAGE}\n\nthe campaigns:");
        CAMPAIGNS.iter().for_each(|(name, what)| println!("  {name:6} {what}"));
        return ExitCode::SUCCESS;
    };
    if !CAMPAIGNS.iter().any(|(own, _)| own == name) {
        let names: Vec<&str> = CAMPAIGNS.iter().map(|(name, _)| *name).collect();
        eprintln!("xtask campaign: there is no campaign {name}; there are {}", names.join(", "));
        return ExitCode::from(2);
    }
    match prepare(name) {
        Ok(more) => start(name, rest, &more),
        Err(problem) => {
            eprintln!("xtask campaign: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Builds what a campaign needs beside its own program, and says where it is.
fn prepare(name: &str) -> Result<Vec<String>, String> {
    let needs = |what: &str, arguments: &[&str]| {
        let status = Command::new("cargo").args(arguments).current_dir(tidy::root()).status();
        if status.is_ok_and(|status| status.success()) {
            Ok(())
        } else {
            Err(format!("{name} needs {what}: `cargo {}` failed", arguments.join(" ")))
        }
    };
    match name {
        "day" => {
            needs("node", &["run", "--quiet", "-p", "xtask-web", "--", "--day"])?;
            let folder = tidy::root().join("target/campaigns/wasm");
            Ok(vec!["--wasm".to_owned(), folder.display().to_string()])
        }
        "kills" => {
            needs("the program", &["build", "--release", "-p", "surefoot-cli"])?;
            Ok(vec!["--program".to_owned(), target().join("release/surefoot").display().to_string()])
        }
        "fuzz" => {
            // Nothing is checked at run time that is not Rust's own: `cargo xtask c --check` has sanitizers.
            let build = ["+nightly", "fuzz", "build", "--sanitizer", "none"];
            needs("a nightly compiler and cargo-fuzz", &build)?;
            let folder = match std::env::var_os("CARGO_TARGET_DIR") {
                Some(folder) => PathBuf::from(folder),
                None => tidy::root().join("fuzz/target"),
            };
            let folder = folder.join(host()?).join("release");
            Ok(vec!["--fuzz".to_owned(), folder.display().to_string()])
        }
        _ => Ok(Vec::new()),
    }
}

/// The machine that is built for, as the compiler names it.
fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say what it builds for".to_owned())
}

/// Where cargo puts what it builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| tidy::root().join("target"), PathBuf::from)
}

/// Starts a campaign, and brings the page up to date with its table when it has ended.
fn start(name: &str, asked: &[String], more: &[String]) -> ExitCode {
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--release", "-p", "surefoot-bench", "--", "campaign", name]);
    command.args(["--summary", tidy::CAMPAIGNS_TABLE, "--revision", &revision()]);
    let status = command.args(more).args(asked).current_dir(tidy::root()).status();
    if let Err(finding) = tidy::write_campaigns() {
        eprintln!("{finding}");
        return ExitCode::FAILURE;
    }
    if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The revision of the repository, with a `+` if there are changes beside the table that are not committed.
fn revision() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(tidy::root()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(revision) = git(&["rev-parse", "--short=10", "HEAD"]) else { return "0000000".to_owned() };
    let changed = git(&["status", "--porcelain", "--", ".", ":!docs"]).unwrap_or_default();
    if changed.is_empty() { revision } else { format!("{revision}+") }
}
