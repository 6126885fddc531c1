//! `cargo xtask ci`: everything that a change has to pass, in the order in which it fails fastest.

#![forbid(unsafe_code)]

use std::process::{Command, ExitCode};

/// A check: what it is for, the command, and variables for its environment.
type Step = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const STEPS: &[Step] = &[
    ("format", &["cargo", "fmt", "--all", "--check"], &[]),
    (
        "lints",
        &["cargo", "clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
        &[],
    ),
    ("library without std", &["cargo", "check", "-p", "surefoot", "--no-default-features"], &[]),
    ("the wasm target", &["rustup", "target", "add", "wasm32-unknown-unknown"], &[]),
    (
        "library for wasm",
        &["cargo", "check", "-p", "surefoot", "--target", "wasm32-unknown-unknown", "--no-default-features"],
        &[],
    ),
    (
        "library for wasm, all features",
        &["cargo", "check", "-p", "surefoot", "--target", "wasm32-unknown-unknown", "--all-features"],
        &[],
    ),
    ("tests and doc tests", &["cargo", "test", "--workspace", "--all-features"], &[]),
    (
        "documentation",
        &["cargo", "doc", "--workspace", "--all-features", "--no-deps"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
    (
        "a minute of random worlds",
        &[
            "cargo",
            "run",
            "--release",
            "-p",
            "surefoot-bench",
            "--",
            "stress",
            "--seconds",
            "60",
            "--seed",
            "2026",
        ],
        &[],
    ),
    (
        "a sample of the conformance data",
        &["cargo", "run", "--release", "--", "conformance", "--every", "40", "--if-present"],
        &[],
    ),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments != ["ci"] {
        eprintln!("usage: cargo xtask ci");
        return ExitCode::from(2);
    }
    for (name, command, variables) in STEPS {
        println!("\n== {name}: {}", command.join(" "));
        let status = Command::new(command[0]).args(&command[1..]).envs(variables.iter().copied()).status();
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => {
                eprintln!("xtask: {name} failed ({status})");
                return ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("xtask: {} could not be started: {error}", command[0]);
                return ExitCode::FAILURE;
            }
        }
    }
    println!("\nall checks passed");
    ExitCode::SUCCESS
}
