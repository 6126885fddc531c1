//! `cargo xtask bevy`: the plug-in for Bevy and its game. It is no part of `ci`, since it builds all of Bevy.

use std::process::ExitCode;

use super::{Step, follow, program};

const USAGE: &str = "usage: cargo xtask bevy [--check | --game | --screenshot | --web | --northstar]
  --check       lints, tests, documentation, and the plug-in for wasm: also without an option
  --game        the game
  --screenshot  its picture, docs/pictures/bevy.png; needs Vulkan (mesa-vulkan-drivers) and Xvfb
  --web         the game for browsers, into web/game, tried in one
  --northstar   beside bevy_northstar: what a frame, an edit and a unit take";

/// The profile is that of the game, so that Bevy is built once for all of it.
const CHECK: &[Step] = &[
    (
        "lints of the plug-in alone, as games link it",
        &["cargo", "clippy", "-p", "bevy_surefoot", "--lib", "--all-features", "--", "-D", "warnings"],
        &[],
    ),
    ("the wasm target", &["rustup", "target", "add", "wasm32-unknown-unknown"], &[]),
    (
        "the plug-in for wasm",
        &["cargo", "check", "-p", "bevy_surefoot", "--lib", "--target", "wasm32-unknown-unknown"],
        &[],
    ),
    (
        "lints of tests and game",
        &["cargo", "clippy", "-p", "bevy_surefoot", "--all-targets", "--", "-D", "warnings"],
        &[],
    ),
    (
        "tests, and the game without a window",
        &["cargo", "test", "--profile", "dev", "-p", "bevy_surefoot", "--", "--nocapture"],
        &[],
    ),
    (
        "documentation",
        &["cargo", "doc", "-p", "bevy_surefoot", "--all-features", "--no-deps"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
];

const GAME: &[Step] = &[("the game", &["cargo", "run", "-p", "bevy_surefoot", "--example", "game"], &[])];

const SCREENSHOT: &[Step] = &[
    ("the game", &["cargo", "build", "-p", "bevy_surefoot", "--example", "game"], &[]),
    (
        "its picture",
        &[
            "xvfb-run",
            "-a",
            "-s",
            "-screen 0 1024x768x24",
            "cargo",
            "run",
            "-p",
            "bevy_surefoot",
            "--example",
            "game",
            "--",
            "--screenshot",
            "docs/pictures/bevy.png",
        ],
        &[],
    ),
];

const NORTHSTAR: &[Step] = &[(
    "beside bevy_northstar",
    &["cargo", "run", "--release", "--manifest-path", "crates/bevy_surefoot/northstar/Cargo.toml"],
    &[],
)];

/// Does what the option says.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | ["--check"] => follow(CHECK),
        ["--game"] => follow(GAME),
        ["--screenshot"] => follow(SCREENSHOT),
        ["--web"] => program("xtask-web", &["--game".to_string()]),
        ["--northstar"] => follow(NORTHSTAR),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
