//! `surefoot-bench campaign`: checks that take hours, counted, and kept from one run to the next.
//!
//! A campaign is a row of cases, each of which follows from the seed and its number. Where it stands is kept
//! in a folder, so that the next run goes on there. What all runs together came to is a line of a table that
//! is part of the repository. `cargo xtask campaign` is how people call it.
//!
//! - `moves.rs`: moves of random worlds. `exact.rs`: costs of `beacon*` beside Dijkstra's algorithm.
//!   `day.rs`: a day of a crowd. `kills.rs`: the program, killed. `fuzz.rs`: the fuzz targets.
//! - `ledger.rs`: where a campaign stands. `summary.rs`: the table. `run.rs`: one case after the other.

pub mod day;
pub mod exact;
pub mod fuzz;
pub mod kills;
pub mod ledger;
pub mod moves;
pub mod run;
pub mod summary;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use self::ledger::Ledger;
use self::run::{Limits, Watch, run};
use self::summary::Line;

/// What a case came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// How much of what the campaign counts.
    pub count: u64,
    /// What is not as it should be.
    pub findings: Vec<Found>,
}

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What makes it the same as another finding.
    pub key: String,
    /// What was seen.
    pub text: String,
}

/// Cases, one after the other.
pub trait Campaign: Send {
    /// Does the case of a number.
    ///
    /// # Errors
    /// If it cannot be done at all. What a check finds is no error.
    fn case(&mut self, number: u64, watch: &Watch) -> Result<Case, String>;

    /// The command that repeats a case, with these arguments.
    fn again(&self, seed: u64, number: u64) -> String;

    /// Is called before it is written down that `next` is the next case: for what is needed to go on there.
    ///
    /// # Errors
    /// If that cannot be kept.
    fn keep(&mut self, next: u64) -> Result<(), String> {
        let _ = next;
        Ok(())
    }
}

/// What a campaign is opened with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The folder that it keeps things in; it is there.
    pub folder: PathBuf,
    /// The folder that it finds things in: the same, unless a case is repeated.
    pub kept: PathBuf,
    /// Which of the many rows of cases.
    pub seed: u64,
    /// The case to go on with.
    pub next: u64,
    /// The program `surefoot`, for those that run it.
    pub program: Option<PathBuf>,
    /// The folder with the module for node, for those that run it.
    pub wasm: Option<PathBuf>,
    /// The folder with the programs of the fuzz targets, for those that run them.
    pub fuzz: Option<PathBuf>,
}

/// How many cases of a campaign may be done at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// One: a case goes on where the one before it ended, or takes all cores by itself.
    One,
    /// As many as there are cores.
    Many,
}

/// A campaign that there is.
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it counts.
    pub counts: &'static str,
    /// How much of that it is to come to.
    pub goal: u64,
    /// What it checks, in a line.
    pub about: &'static str,
    /// How many cases may be done at a time.
    pub lanes: Lanes,
    /// Opens it, once for each lane.
    pub open: fn(&Setup) -> Result<Box<dyn Campaign>, String>,
}

/// All of them.
pub const CAMPAIGNS: [Entry; 5] = [
    Entry {
        name: "moves",
        counts: "moves in random worlds",
        goal: 1_000_000_000,
        about: "random worlds, every algorithm, crowds: no move is illegal or takes more than its bound",
        lanes: Lanes::Many,
        open: moves::open,
    },
    Entry {
        name: "exact",
        counts: "pairs of cells, each asked and walked",
        goal: 100_000_000,
        about: "costs and walks of beacon* cost what Dijkstra's algorithm says, before and after edits",
        lanes: Lanes::Many,
        open: exact::open,
    },
    Entry {
        name: "day",
        counts: "simulated minutes, on 1 and 2 threads and in wasm",
        goal: 24 * 60,
        about: "a crowd with all that it can do: the same on threads and in wasm, and memory stays flat",
        lanes: Lanes::One,
        open: day::open,
    },
    Entry {
        name: "kills",
        counts: "kills of builds, lab runs and saves",
        goal: 1_000,
        about: "the program, killed at random points: no half-written file, and the same bytes when done again",
        lanes: Lanes::Many,
        open: kills::open,
    },
    Entry {
        name: "fuzz",
        counts: "executions of fuzz targets",
        goal: 1_000_000_000,
        about: "all fuzz targets by turns: no bytes lead to a panic, a wrong answer, or memory without end",
        lanes: Lanes::Many,
        open: fuzz::open,
    },
];

const USAGE: &str = "\
usage: surefoot-bench campaign NAME [--hours H] [--seed S] [--cases N] [--case N]
  --hours H      for so long; without it until the goal is reached. 0 only writes the summary
  --seed S       which of the many rows of cases; 1 if nothing is said
  --cases N      so many cases at most
  --case N       this case alone; nothing is written down
  --folder DIR   where campaigns are kept; target/campaigns if nothing is said
  --summary FILE the table that a run adds to; none if nothing is said
  --revision R   of the repository, for the table
  --program FILE the program surefoot, for `kills`
  --wasm DIR     the module for node, for `day`
  --fuzz DIR     the programs of the fuzz targets, for `fuzz`";

/// What is asked for on the command line.
#[derive(Clone, Debug, PartialEq)]
struct Options {
    name: String,
    hours: Option<f64>,
    cases: Option<u64>,
    case: Option<u64>,
    seed: u64,
    folder: PathBuf,
    summary: Option<PathBuf>,
    revision: String,
    program: Option<PathBuf>,
    wasm: Option<PathBuf>,
    fuzz: Option<PathBuf>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let (name, rest) = arguments.split_first().ok_or_else(list)?;
        let mut options = Self {
            name: name.clone(),
            hours: None,
            cases: None,
            case: None,
            seed: 1,
            folder: PathBuf::from("target/campaigns"),
            summary: None,
            revision: "0000000".to_owned(),
            program: None,
            wasm: None,
            fuzz: None,
        };
        let mut rest = rest.iter();
        while let Some(option) = rest.next() {
            let value = rest.next().ok_or_else(|| format!("{option} needs a value\n{USAGE}"))?;
            let number = || {
                value.parse::<u64>().map_err(|_| format!("{option} {value}: expected a whole number from 0"))
            };
            match option.as_str() {
                "--hours" => {
                    let hours = value.parse().ok().filter(|hours: &f64| hours.is_finite() && *hours >= 0.0);
                    options.hours = Some(hours.ok_or_else(|| {
                        format!("--hours {value}: expected a number from 0, such as 2 or 0.5")
                    })?);
                }
                "--seed" => options.seed = number()?,
                "--cases" => options.cases = Some(number()?),
                "--case" => options.case = Some(number()?),
                "--folder" => options.folder = value.into(),
                "--summary" => options.summary = Some(value.into()),
                "--revision" => options.revision.clone_from(value),
                "--program" => options.program = Some(value.into()),
                "--wasm" => options.wasm = Some(value.into()),
                "--fuzz" => options.fuzz = Some(value.into()),
                _ => return Err(format!("there is no option {option}\n{USAGE}")),
            }
        }
        Ok(options)
    }
}

/// The campaigns, for who asks for none.
fn list() -> String {
    let mut text = format!("{USAGE}\n\nThe campaigns:");
    for Entry { name, counts, goal, about, .. } in &CAMPAIGNS {
        text.push_str(&format!("\n  {name:6} {goal} {counts}\n         {about}"));
    }
    text
}

/// The command.
#[must_use]
pub fn command(arguments: &[String]) -> ExitCode {
    match Options::parse(arguments).and_then(|options| follow(&options)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("surefoot-bench: {problem}");
            ExitCode::from(2)
        }
    }
}

/// Runs a campaign. How many findings this run had.
fn follow(options: &Options) -> Result<u64, String> {
    let entry = CAMPAIGNS.iter().find(|entry| entry.name == options.name);
    let entry = entry.ok_or_else(|| format!("there is no campaign {}\n{}", options.name, list()))?;
    let folder = options.folder.join(format!("{}-{}", entry.name, options.seed));
    let setup = |own: &Path, next: u64| Setup {
        folder: own.to_path_buf(),
        kept: folder.clone(),
        seed: options.seed,
        next,
        program: options.program.clone(),
        wasm: options.wasm.clone(),
        fuzz: options.fuzz.clone(),
    };
    if let Some(number) = options.case {
        // Beside the campaign's own folder, which is not to be touched.
        let folder = options.folder.join(format!("{}-{}-again", entry.name, options.seed));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let case = (entry.open)(&setup(&folder, number))?.case(number, &Watch::default())?;
        println!("case {number}: {} {}, {} findings", case.count, entry.counts, case.findings.len());
        case.findings.iter().for_each(|found| println!("- {}", found.text));
        return Ok(case.findings.len() as u64);
    }
    let mut ledger = Ledger::open(&folder)?;
    let known = ledger.account().findings;
    if options.hours != Some(0.0) {
        let next = ledger.account().next;
        let mut lanes = vec![(entry.open)(&setup(&folder, next))?];
        if entry.lanes == Lanes::Many {
            for lane in 2..=rayon::current_num_threads() {
                let own = folder.join(format!("lane-{lane}"));
                std::fs::create_dir_all(&own).map_err(|error| format!("{}: {error}", own.display()))?;
                lanes.push((entry.open)(&setup(&own, next))?);
            }
        }
        let limits = Limits { hours: options.hours, cases: options.cases, goal: entry.goal };
        run(entry, &mut lanes, &mut ledger, options.seed, &limits, &options.revision)?;
    }
    let account = ledger.account();
    if account.next == 0 {
        return Err(format!("nothing was done yet: there is nothing in {}", folder.display()));
    }
    let line = Line::of(entry, account);
    println!("{}", line.sentence());
    if let Some(file) = &options.summary {
        summary::put(file, &line)?;
    }
    Ok(account.findings - known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> Result<Options, String> {
        Options::parse(&text.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_asked_for_is_understood() {
        let asked = options("exact --hours 0.5 --seed 7 --cases 3").unwrap();
        assert_eq!((asked.hours, asked.seed, asked.cases), (Some(0.5), 7, Some(3)));
        assert_eq!(options("moves").unwrap().hours, None);
    }

    #[test]
    fn mistakes_are_told() {
        for wrong in
            ["moves --hours", "moves --hours -1", "moves --hours inf", "moves --seed x", "moves --sed 1"]
        {
            assert!(options(wrong).is_err(), "{wrong}");
        }
        assert!(options("").unwrap_err().contains("moves  1000000000 moves in random worlds"));
        let nobody = options("nobody").unwrap();
        assert!(follow(&nobody).unwrap_err().starts_with("there is no campaign nobody"));
    }
}
