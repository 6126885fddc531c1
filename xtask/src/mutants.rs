//! `cargo xtask mutants`: small faults are put into the code, one at a time, and the tests have to notice.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::tidy;

/// What is tried: the folders of the library whose faults would go unseen for longest.
const FOLDERS: [&str; 3] = ["beacons", "search", "space"];

const USAGE: &str = "\
usage: cargo xtask mutants [--every N] [--first K] [FOLDER...]
  puts small faults into beacons/, search/ and space/ of the library, or the folders that are named,
  and runs the library's tests on each
  --every N  only every Nth fault of each folder: a sample; 1, which is all, if nothing is said
  --first K  which of the N samples, from 0 on

faults that no test notices are told, and kept in target/mutants";

/// What came of the faults of a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    caught: u64,
    missed: u64,
    /// Tests that go on for ever are noticed, too.
    timed_out: u64,
    /// Faults that the compiler noticed: they are none.
    unviable: u64,
}

impl Tally {
    /// Reads what cargo-mutants wrote down.
    fn read(text: &str) -> Option<Self> {
        let outcomes: serde_json::Value = serde_json::from_str(text).ok()?;
        let count = |name: &str| outcomes.get(name)?.as_u64();
        Some(Self {
            caught: count("caught")?,
            missed: count("missed")?,
            timed_out: count("timeout")?,
            unviable: count("unviable")?,
        })
    }

    fn noticed(self) -> u64 {
        self.caught + self.timed_out
    }

    fn tried(self) -> u64 {
        self.noticed() + self.missed
    }

    fn and(self, other: Self) -> Self {
        Self {
            caught: self.caught + other.caught,
            missed: self.missed + other.missed,
            timed_out: self.timed_out + other.timed_out,
            unviable: self.unviable + other.unviable,
        }
    }

    /// A line of the table.
    fn line(self, name: &str) -> String {
        let share = match self.tried() {
            0 => "–".to_owned(),
            tried => format!("{:.1} %", 100.0 * self.noticed() as f64 / tried as f64),
        };
        let Self { missed, timed_out, unviable, .. } = self;
        let (tried, noticed) = (self.tried(), self.noticed());
        format!("| {name} | {tried} | {noticed} | {timed_out} | {missed} | {unviable} | {share} |")
    }
}

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    every: u64,
    first: u64,
    folders: Vec<String>,
}

impl Asked {
    fn read(arguments: &[String]) -> Result<Self, String> {
        let mut asked = Self { every: 1, first: 0, folders: Vec::new() };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut number = |least: u64| {
                let text = rest.next().ok_or_else(|| format!("{argument} needs a number"))?;
                let number = text.parse::<u64>().ok().filter(|&number| number >= least);
                number.ok_or_else(|| {
                    format!("{argument}: expected a whole number from {least} on, found {text}")
                })
            };
            match argument.as_str() {
                "--every" => asked.every = number(1)?,
                "--first" => asked.first = number(0)?,
                folder if FOLDERS.contains(&folder) => asked.folders.push(folder.to_owned()),
                other => return Err(format!("there is no {other}; the folders are {}", FOLDERS.join(", "))),
            }
        }
        if asked.first >= asked.every {
            return Err(format!(
                "--first {}: with --every {} the last one is {}",
                asked.first,
                asked.every,
                asked.every - 1
            ));
        }
        if asked.folders.is_empty() {
            asked.folders = FOLDERS.map(str::to_owned).to_vec();
        }
        Ok(asked)
    }
}

/// Runs the command with what comes after its name.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let asked = match Asked::read(arguments) {
        Ok(asked) => asked,
        Err(problem) => {
            eprintln!("xtask mutants: {problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    for (tool, version) in
        [("cargo-mutants", ["mutants", "--version"]), ("cargo-nextest", ["nextest", "--version"])]
    {
        let is_there =
            Command::new("cargo").args(version).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !is_there.is_ok_and(|status| status.success()) {
            eprintln!("xtask mutants: {tool} is not installed: `cargo install {tool} --locked`");
            return ExitCode::FAILURE;
        }
    }
    let mut tallies = BTreeMap::new();
    for folder in &asked.folders {
        match try_folder(folder, &asked) {
            Ok(tally) => tallies.insert(folder.clone(), tally),
            Err(problem) => {
                eprintln!("xtask mutants: {folder}: {problem}");
                return ExitCode::FAILURE;
            }
        };
    }
    println!("| folder | faults | noticed | of these by time | missed | did not build | noticed |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    tallies.iter().for_each(|(folder, tally)| println!("{}", tally.line(&format!("`{folder}/`"))));
    println!("{}", tallies.values().copied().fold(Tally::default(), Tally::and).line("all"));
    ExitCode::SUCCESS
}

/// Tries the faults of a folder, and counts what came of them.
fn try_folder(folder: &str, asked: &Asked) -> Result<Tally, String> {
    let out = tidy::root().join("target/mutants").join(folder);
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let status = Command::new("cargo")
        .args(["mutants", "--package", "surefoot", "--sharding", "round-robin", "--no-shuffle"])
        .arg("--file")
        .arg(format!("crates/surefoot/src/{folder}/**"))
        .arg("--shard")
        .arg(format!("{}/{}", asked.first, asked.every))
        .arg("--output")
        .arg(&out)
        .current_dir(tidy::root())
        .status()
        .map_err(|error| error.to_string())?;
    let file: PathBuf = out.join("mutants.out/outcomes.json");
    read_tally(&file)
        .ok_or_else(|| format!("cargo mutants ended with {status}, and {} has no outcomes", file.display()))
}

fn read_tally(file: &Path) -> Option<Tally> {
    Tally::read(&fs::read_to_string(file).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_that_did_not_build_are_none() {
        let text = r#"{"outcomes":[],"total_mutants":10,"missed":1,"caught":6,"timeout":2,"unviable":1,"success":0}"#;
        let tally = Tally::read(text).unwrap();
        assert_eq!((tally.tried(), tally.noticed()), (9, 8));
        assert_eq!(tally.line("`space/`"), "| `space/` | 9 | 8 | 2 | 1 | 1 | 88.9 % |");
        assert_eq!(tally.and(tally).tried(), 18);
        assert_eq!(Tally::default().line("all"), "| all | 0 | 0 | 0 | 0 | 0 | – |");
        assert_eq!(Tally::read("{}"), None);
    }

    #[test]
    fn what_is_asked_for_is_checked() {
        let read = |text: &str| Asked::read(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let all = read("").unwrap();
        assert_eq!((all.every, all.first, all.folders.len()), (1, 0, FOLDERS.len()));
        let some = read("--every 10 --first 3 space").unwrap();
        assert_eq!(some, Asked { every: 10, first: 3, folders: vec!["space".to_owned()] });
        for wrong in ["--every", "--every 0", "--every x", "--first 1", "--every 3 --first 3", "crowd"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
