//! `cargo xtask ci`: everything that a change has to pass, in the order in which it fails fastest. What takes
//! long, or a nightly toolchain, has a command of its own.

#![forbid(unsafe_code)]

mod bevy;
mod book;
mod campaign;
mod deny;
mod examples;
mod gppc;
mod msrv;
mod mutants;
mod pictures;
mod python;
mod tidy;

use std::process::{Command, ExitCode};
use std::time::Instant;

/// A check: what it is for, the command, and variables for its environment.
type Step = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const STEPS: &[Step] = &[
    ("format", &["cargo", "fmt", "--all", "--check"], &[]),
    ("layers, names, lists", &["cargo", "xtask", "tidy"], &[]),
    (
        "lints",
        &[
            "cargo",
            "clippy",
            "--workspace",
            "--exclude",
            "bevy_surefoot",
            "--all-targets",
            "--all-features",
            "--",
            "-D",
            "warnings",
        ],
        &[],
    ),
    ("licences and sources", &["cargo", "xtask", "deny"], &[]),
    ("the oldest compiler", &["cargo", "xtask", "msrv"], &[]),
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
    (
        "tests and doc tests",
        &["cargo", "test", "--workspace", "--exclude", "bevy_surefoot", "--all-features"],
        &[],
    ),
    ("examples", &["cargo", "xtask", "examples"], &[]),
    ("entries of the path planning competition", &["cargo", "xtask", "gppc"], &[]),
    ("package and page, in node and in a browser", &["cargo", "xtask", "web", "--check"], &[]),
    ("the Python package", &["cargo", "xtask", "python", "--check"], &[]),
    ("the C library, in C, C++ and C#", &["cargo", "xtask", "c", "--check"], &[]),
    ("the Godot extension, without an engine", &["cargo", "xtask", "godot", "--check"], &[]),
    (
        "documentation",
        &["cargo", "doc", "--workspace", "--exclude", "bevy_surefoot", "--all-features", "--no-deps"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
    // With what the tests were built from: other features would be another build.
    (
        "a minute of random worlds, a sample of the conformance data",
        &[
            "cargo",
            "test",
            "--workspace",
            "--exclude",
            "bevy_surefoot",
            "--all-features",
            "--test",
            "minute",
            "--test",
            "program",
            "--",
            "--ignored",
            "--nocapture",
        ],
        &[],
    ),
];

/// Miri on the tests that it can run within minutes: codecs, spaces and queues. Tests that walk many states
/// would take hours.
const MIRI: &[Step] = &[
    (
        "Miri and its sources",
        &["rustup", "component", "add", "miri", "rust-src", "--toolchain", "nightly"],
        &[],
    ),
    (
        "tests under Miri",
        &[
            "cargo",
            "+nightly",
            "miri",
            "test",
            "-p",
            "surefoot",
            "--lib",
            "--",
            "codec::",
            "space::rule",
            "space::cost",
            "space::division",
            "space::bits",
            "space::graph",
            "search::queue",
        ],
        &[("MIRIFLAGS", "-Zmiri-disable-isolation"), ("PROPTEST_CASES", "2")],
    ),
    (
        "the border to C under Miri",
        &["cargo", "+nightly", "miri", "test", "-p", "surefoot-c", "--lib", "--no-default-features"],
        &[("MIRIFLAGS", "-Zmiri-disable-isolation")],
    ),
];

/// The thread sanitizer on crowds that are served on all threads, and on databases that are built on them.
const TSAN: &[Step] = &[
    (
        "sources of the standard library",
        &["rustup", "component", "add", "rust-src", "--toolchain", "nightly"],
        &[],
    ),
    (
        "crowds under the thread sanitizer",
        &[
            "cargo",
            "+nightly",
            "test",
            "-Zbuild-std",
            "--target",
            "x86_64-unknown-linux-gnu",
            "-p",
            "surefoot",
            "--features",
            "rayon",
            "--lib",
            "--",
            "crowd::tests::fairness::threads",
            "crowd::tests::load",
            "threads",
        ],
        &[("RUSTFLAGS", "-Zsanitizer=thread"), ("RUST_TEST_THREADS", "1")],
    ),
];

/// Maps of 2³⁰ cells.
const LARGEST: &[Step] = &[(
    "the largest maps",
    &["cargo", "test", "--release", "-p", "surefoot", "--test", "largest", "--", "--include-ignored"],
    &[],
)];

/// All tests, and of the longest ones all cases: CI tries a quarter of them.
const LONG: &[Step] = &[(
    "tests in full",
    &["cargo", "test", "--release", "--workspace", "--exclude", "bevy_surefoot", "--all-features"],
    &[("SUREFOOT_LONG", "1")],
)];

/// The golden walks and the lists anew: the test writes its file instead of comparing with it. Who runs this
/// reviews the diff.
const BLESS: &[Step] = &[
    ("table of algorithms and public items, written anew", &["cargo", "xtask", "tidy", "--fix"], &[]),
    (
        "golden walks, written anew",
        &["cargo", "test", "-p", "surefoot-lab", "--test", "golden"],
        &[("SUREFOOT_BLESS", "1")],
    ),
    (
        "the page of the program's commands, written anew",
        &["cargo", "test", "-p", "surefoot-cli", "--test", "program", "reference"],
        &[("SUREFOOT_BLESS", "1")],
    ),
];

/// The commands: what each is called, what it is for, and its steps.
const COMMANDS: &[(&str, &str, &[Step])] = &[
    ("ci", "everything that a change has to pass", STEPS),
    (
        "bless",
        "golden walks, public items, the table of algorithms and the page of commands anew; review the diff",
        BLESS,
    ),
    ("miri", "some tests under Miri; needs a nightly toolchain", MIRI),
    ("long", "every test with all of its cases", LONG),
    ("tsan", "crowds under the thread sanitizer; needs a nightly toolchain", TSAN),
    ("largest", "maps of 2^30 cells; takes 5 GB", LARGEST),
];

/// Commands that are no list of steps.
const OWN_COMMANDS: &[(&str, &str)] = &[
    ("tidy", "layers, names, lengths and lists; --count, --fix, --wrap"),
    ("campaign", "checks that take hours, counted; without a name it lists them"),
    ("mutants", "small faults put into the code: do the tests notice? --every N takes a sample"),
    ("book", "the pages in docs as a book, into target/book; `tidy` checks its links without building it"),
    ("pictures", "the book's pictures of walks, databases and a crowd, drawn anew"),
    ("examples", "runs every example of every crate; each checks itself"),
    ("gppc", "the entries of the grid path planning competition, into target/gppc, and their check"),
    ("web", "the page and the npm package, into web/dist; --check tries the page in a browser"),
    ("python", "the Python wheel; --example ends in a picture, --check runs its tests"),
    ("c", "the C library and its header; --check compiles and runs programs, --bench, --install PREFIX"),
    ("godot", "the Godot extension and its demo; --check without an engine, --run in one"),
    ("bevy", "the Bevy plug-in: lints, tests, its game without a window; --screenshot, --web, --northstar"),
    ("deny", "licences and sources, by cargo-deny where it is installed"),
    ("msrv", "the oldest compiler that the crates promise to work with, if it is installed"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((name, rest)) if name == "tidy" => return tidy::run(rest),
        Some((name, rest)) if name == "campaign" => return campaign::run(rest),
        Some((name, rest)) if name == "mutants" => return mutants::run(rest),
        Some((name, [])) if name == "msrv" => return msrv::run(),
        Some((name, [])) if name == "deny" => return deny::run(),
        Some((name, [])) if name == "book" => return book::run(),
        Some((name, [])) if name == "pictures" => return pictures::run(),
        Some((name, [])) if name == "examples" => return examples::run(),
        Some((name, rest)) if name == "web" => return program("xtask-web", rest),
        Some((name, rest)) if name == "c" => return program("xtask-c", rest),
        Some((name, [])) if name == "gppc" => return gppc::run(),
        Some((name, rest)) if name == "godot" => return program("xtask-godot", rest),
        Some((name, rest)) if name == "bevy" => return bevy::run(rest),
        Some((name, rest)) if name == "python" => return python::run(rest),
        _ => {}
    }
    let named = |(name, _, _): &&(&str, &str, &[Step])| arguments == [*name];
    let Some((_, _, steps)) = COMMANDS.iter().find(named) else {
        eprintln!("usage: cargo xtask COMMAND");
        COMMANDS.iter().for_each(|(name, what, _)| eprintln!("  {name:8} {what}"));
        OWN_COMMANDS.iter().for_each(|(name, what)| eprintln!("  {name:8} {what}"));
        return ExitCode::from(2);
    };
    follow_with(steps, if arguments[0] == "ci" { &IN_CI } else { &[] })
}

/// What ci builds is built in minutes, and need not be the fastest: release builds without what makes them
/// slow to build, and nothing kept for the next change.
const IN_CI: [(&str, &str); 4] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "false"),
];

/// Does one step after the other, until one fails.
fn follow(steps: &[Step]) -> ExitCode {
    follow_with(steps, &[])
}

/// The same with these variables for all of them.
fn follow_with(steps: &[Step], everywhere: &[(&str, &str)]) -> ExitCode {
    let begin = Instant::now();
    for (name, command, variables) in steps {
        println!("\n== {name}: {} (after {})", command.join(" "), minutes(begin));
        let mut run = Command::new(command[0]);
        run.args(&command[1..]).envs(everywhere.iter().chain(*variables).copied());
        let status = run.status();
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
    println!("\nall checks passed; {}", minutes(begin));
    ExitCode::SUCCESS
}

/// How long it took since then.
fn minutes(begin: Instant) -> String {
    let seconds = begin.elapsed().as_secs();
    format!("{} min {} s", seconds / 60, seconds % 60)
}

/// The page, the C library and the Godot extension have programs of their own: what these are built from
/// takes a while, and other commands do not need it.
fn program(name: &str, arguments: &[String]) -> ExitCode {
    let status = Command::new("cargo").args(["run", "--quiet", "-p", name, "--"]).args(arguments).status();
    if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
