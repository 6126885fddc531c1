//! The program from the outside: what it prints, which files it leaves, and what its exit code is.

#![allow(clippy::unwrap_used)]

mod beacons;
mod build;
mod clock;
mod closed_pipe;
mod compare;
mod conformance;
mod cover;
mod crowd;
mod db;
mod demo;
#[cfg(feature = "faults")]
mod faults;
mod jobs;
mod kills;
mod lab;
mod levels;
mod list;
mod map;
mod mistakes;
mod patterns;
mod problems;
mod reference;
mod replay;
mod reproduce;
mod run;
mod serve;
mod shares;
mod solve;
mod terrain;
mod train;
mod transit;
mod tune;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of its own for a test, in which the program runs.
struct Workplace {
    folder: tempfile::TempDir,
}

/// How the program ended.
struct Outcome {
    code: i32,
    stdout: String,
    stderr: String,
}

/// A map with a wall, two lakes and a locked room.
const ARENA: &str = "\
type octile
height 6
width 10
map
..........
.@@@@@@@..
.@WW....@.
.@WW.T..@.
.@@@@@@@@.
......W...
";

/// Problems on it: two that can be solved, one in water, one with no way.
const ARENA_SCEN: &str = "version 1\n\
    0\tarena.map\t10\t6\t0\t0\t9\t5\t14\n\
    0\tarena.map\t10\t6\t0\t0\t1\t0\t1\n\
    0\tarena.map\t10\t6\t2\t2\t3\t3\t1.41421356\n\
    0\tarena.map\t10\t6\t0\t0\t4\t2\t0\n";

impl Workplace {
    /// An empty folder.
    fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with the arena and its problems.
    fn with_arena() -> Self {
        let place = Self::empty();
        place.put("arena.map", ARENA);
        place.put("arena.scen", ARENA_SCEN);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The names in the folder, sorted.
    fn names(&self) -> Vec<String> {
        names_in(self.folder.path())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env_remove("SUREFOOT_BENCHMARKS");
        command
    }

    /// Runs the program.
    fn run(&self, arguments: &[&str]) -> Outcome {
        let output = self.command(arguments).output().unwrap();
        Outcome {
            code: output.status.code().unwrap_or_else(|| panic!("{arguments:?} was killed")),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the program, which must end well, and gives its standard output.
    fn succeed(&self, arguments: &[&str]) -> String {
        let outcome = self.run(arguments);
        assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
        outcome.stdout
    }

    /// Runs the program, which must fail with `code`, one line on standard error that contains `message`, nothing
    /// on standard output and no new file.
    fn fail(&self, arguments: &[&str], code: i32, message: &str) {
        let lines = self.fail_late(arguments, code, message);
        assert_eq!(lines, 1, "{arguments:?}");
    }

    /// The same with more lines before, about what was done until then. How many lines there are.
    fn fail_late(&self, arguments: &[&str], code: i32, message: &str) -> usize {
        let before = self.names();
        let outcome = self.run(arguments);
        assert_eq!(outcome.code, code, "{arguments:?}: {}", outcome.stderr);
        let last = outcome.stderr.lines().last().unwrap_or_default();
        assert!(last.starts_with("surefoot: "), "{arguments:?}: {}", outcome.stderr);
        assert!(last.contains(message), "{arguments:?}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        assert_eq!(self.names(), before, "{arguments:?}");
        outcome.stderr.lines().count()
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A JSON text as a value.
fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
