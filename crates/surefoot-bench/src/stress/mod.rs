//! `surefoot-bench stress`: random worlds, every algorithm, every call of a crowd, and checks after every
//! step.
//!
//! A case follows from its seed alone: the same command does the same thing, on every machine. What is found
//! is told with the command that repeats just that case.
//!
//! - `world.rs`: random maps, ground, graphs and edits. `specs.rs`: parameters of algorithms.
//! - `walks.rs`: agents on maps. `graphs.rs`: agents on graphs. `large_crowds.rs`: thousands of units.
//! - `calls.rs`: what can be called on a crowd, as data. `crowds.rs`: scripts of such calls. `shrink.rs`:
//!   scripts cut down to what a finding needs. `patience.rs`: very long waits. `stage.rs`: crowds side by
//!   side that do the same.
//! - `checks.rs`: what must hold. `report.rs`: what was done and found. `face.rs`: where the library's types
//!   are taken apart.

pub mod calls;
pub mod checks;
pub mod crowds;
pub mod face;
pub mod graphs;
pub mod known_kind;
pub mod large_crowds;
pub mod patience;
pub mod report;
pub mod shrink;
pub mod specs;
pub mod stage;
pub mod walks;
pub mod world;

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, Once};
use std::thread;
use std::time::{Duration, Instant};

use surefoot_lab::random::Rng;

use self::crowds::{Course, Focus};
use self::report::{Finding, Log, Summary, finding_text};
use self::shrink::shrink;

const USAGE: &str = "usage: surefoot-bench stress [--seconds N] [--frames N] [--seed S] [--only walks|crowds|obstacles|graphs|long-walks|large-crowds] [--entry NAME] [--case SEED [--trace] [--shrink]] [--findings N]";

/// How long it runs if nothing is said.
const SECONDS: u64 = 60;
/// After so many different findings it stops.
const FINDINGS: usize = 20;
/// How often it tells how far it is.
const PROGRESS: Duration = Duration::from_secs(2);

/// What a case is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseKind {
    /// An agent on a map.
    Walks,
    /// A crowd, with every call.
    Crowds,
    /// A crowd whose units are obstacles.
    Obstacles,
    /// An agent on a graph.
    Graphs,
    /// An agent on a large map, for hundreds of thousands of moves.
    LongWalks,
    /// A crowd of thousands.
    LargeCrowds,
}

impl CaseKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Walks, Self::Crowds, Self::Obstacles, Self::Graphs, Self::LongWalks, Self::LargeCrowds];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Walks => "walks",
            Self::Crowds => "crowds",
            Self::Obstacles => "obstacles",
            Self::Graphs => "graphs",
            Self::LongWalks => "long-walks",
            Self::LargeCrowds => "large-crowds",
        }
    }

    /// The kind of the case of a number: walks are short, and come more often. Long walks and large crowds
    /// are for `campaign moves`: they are seconds of moves each.
    const fn of_number(number: u64) -> Self {
        match number % 8 {
            0 | 2 | 4 | 6 => Self::Walks,
            1 | 5 => Self::Crowds,
            3 => Self::Obstacles,
            _ => Self::Graphs,
        }
    }
}

/// Runs one case, and catches it if it panics.
///
/// # Errors
/// If there is no such algorithm, or it does not go with this kind of case.
pub fn run_case(kind: CaseKind, seed: u64, entry: Option<&str>, is_traced: bool) -> Result<Log, String> {
    let mut log = Log { is_traced, ..Log::default() };
    log.tally.cases = 1;
    let mut done = Ok(());
    let panicked = catch(|| {
        done = match kind {
            CaseKind::Walks => walks::run(seed, entry, walks::SHORT, &mut log),
            CaseKind::LongWalks => walks::run(seed, entry, walks::LONG, &mut log),
            CaseKind::LargeCrowds => large_crowds::run(seed, entry, &mut log),
            CaseKind::Crowds => crowds::run(seed, entry, Focus::Everything, &mut Course::default(), &mut log),
            CaseKind::Obstacles => {
                crowds::run(seed, entry, Focus::Obstacles, &mut Course::default(), &mut log)
            }
            CaseKind::Graphs => graphs::run(seed, entry, &mut log),
        };
    });
    if let Some((place, message)) = panicked {
        log.find("panic", &place, message);
    }
    done.map(|()| log)
}

/// Where a panic of `run` was, and what it said, if there was one.
pub(crate) fn catch(run: impl FnOnce()) -> Option<(String, String)> {
    static LAST_OF_POOLS: Mutex<Option<(String, String)>> = Mutex::new(None);
    static HOOK: Once = Once::new();
    thread_local! {
        static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
        static LAST: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
    }
    HOOK.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // Panics of others are theirs; those of a pool's threads are ours.
            if !IS_CATCHING.get() && rayon::current_thread_index().is_none() {
                return others(info);
            }
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            // A path of the machine at hand says nothing to others.
            let place = place.find("crates/").map_or(place.clone(), |at| place[at..].to_owned());
            let text = |payload: &(dyn std::any::Any + Send)| {
                let text = payload.downcast_ref::<&str>().map(ToString::to_string);
                text.or_else(|| payload.downcast_ref::<String>().cloned())
            };
            let message = text(info.payload()).unwrap_or_else(|| "a panic without a message".into());
            if IS_CATCHING.get() {
                LAST.set(Some((place, message)));
            } else if let Ok(mut last) = LAST_OF_POOLS.lock() {
                *last = Some((place, message));
            }
        }));
    });
    let is_inner = IS_CATCHING.replace(true);
    let caught = panic::catch_unwind(AssertUnwindSafe(run)).is_err();
    IS_CATCHING.set(is_inner);
    let last = LAST.take().or_else(|| LAST_OF_POOLS.lock().ok().and_then(|mut last| last.take()));
    caught.then(|| last.unwrap_or_else(|| ("somewhere".into(), "a panic without a message".into())))
}

/// What is asked for on the command line.
struct Options {
    seconds: Option<u64>,
    frames: Option<u64>,
    seed: u64,
    only: Option<CaseKind>,
    entry: Option<String>,
    case: Option<u64>,
    findings: usize,
    is_traced: bool,
    is_shrunk: bool,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self {
            seconds: None,
            frames: None,
            seed: 1,
            only: None,
            entry: None,
            case: None,
            findings: FINDINGS,
            is_traced: false,
            is_shrunk: false,
        };
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            match name.as_str() {
                "--trace" => options.is_traced = true,
                "--shrink" => options.is_shrunk = true,
                _ => {}
            }
            if ["--trace", "--shrink"].contains(&name.as_str()) {
                continue;
            }
            let value = arguments.next().ok_or_else(|| format!("{name} needs a value; {USAGE}"))?;
            let number =
                || value.parse::<u64>().map_err(|_| format!("{name} {value}: expected a whole number"));
            match name.as_str() {
                "--seconds" => options.seconds = Some(number()?),
                "--frames" => options.frames = Some(number()?),
                "--seed" => options.seed = number()?,
                "--case" => options.case = Some(number()?),
                "--findings" => options.findings = number()? as usize,
                "--entry" => options.entry = Some(value.clone()),
                "--only" => {
                    let kind = CaseKind::ALL.into_iter().find(|kind| kind.name() == value);
                    options.only = Some(kind.ok_or_else(|| {
                        let names = CaseKind::ALL.map(CaseKind::name).join(", ");
                        format!("--only {value}: expected one of {names}")
                    })?);
                }
                _ => return Err(format!("there is no option {name}; {USAGE}")),
            }
        }
        if options.case.is_some() && options.only.is_none() {
            return Err("--case needs --only, as the command that repeats a finding has it".into());
        }
        Ok(options)
    }

    /// The command that repeats a case.
    fn again(&self, kind: CaseKind, seed: u64) -> String {
        let entry = self.entry.as_ref().map_or(String::new(), |entry| format!(" --entry '{entry}'"));
        format!("cargo run --release -p surefoot-bench -- stress --only {}{entry} --case {seed}", kind.name())
    }

    /// The kind and the seed of the case of a number; none after the last.
    fn case_of(&self, number: u64) -> Option<(CaseKind, u64)> {
        match self.case {
            Some(seed) => (number == 0).then(|| (self.only.unwrap_or(CaseKind::Walks), seed)),
            None => {
                let kind = self.only.unwrap_or(CaseKind::of_number(number));
                Some((kind, Rng::new(self.seed, number).next_u64()))
            }
        }
    }
}

/// How far a run is, for whoever waits for it.
#[derive(Default)]
struct Progress {
    is_over: AtomicBool,
    cases: AtomicU64,
    steps: AtomicU64,
    frames: AtomicU64,
    findings: AtomicU64,
    seed: AtomicU64,
}

impl Progress {
    fn tell(&self) {
        let begin = Instant::now();
        let mut told = begin;
        while !self.is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(50));
            if told.elapsed() < PROGRESS {
                continue;
            }
            told = Instant::now();
            let [cases, steps, frames, findings, seed] =
                [&self.cases, &self.steps, &self.frames, &self.findings, &self.seed]
                    .map(|number| number.load(Ordering::Relaxed));
            eprintln!(
                "{:>6} s: {cases} cases, {steps} steps, {frames} frames, {findings} findings; now case {seed}",
                begin.elapsed().as_secs()
            );
        }
    }
}

/// The command: runs cases until the time is up, or enough frames were played, or enough was found.
#[must_use]
pub fn command(arguments: &[String]) -> ExitCode {
    let done = Options::parse(arguments).and_then(|options| run(&options));
    match done {
        Ok(summary) => {
            print!("{}", summary.text());
            if summary.found() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(problem) => {
            eprintln!("surefoot-bench: {problem}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<Summary, String> {
    let begin = Instant::now();
    let seconds = options.seconds.unwrap_or(if options.frames.is_some() { u64::MAX } else { SECONDS });
    let progress = Progress::default();
    thread::scope(|scope| {
        scope.spawn(|| progress.tell());
        let summary = run_cases(options, &progress, || begin.elapsed().as_secs() < seconds);
        progress.is_over.store(true, Ordering::Relaxed);
        summary
    })
}

fn run_cases(
    options: &Options,
    progress: &Progress,
    is_time_left: impl Fn() -> bool,
) -> Result<Summary, String> {
    let mut summary = Summary::default();
    let most_frames = options.frames.unwrap_or(u64::MAX);
    for number in 0.. {
        let Some((kind, seed)) = options.case_of(number) else { break };
        if !is_time_left() || summary.tally.frames >= most_frames || summary.found() >= options.findings {
            break;
        }
        progress.seed.store(seed, Ordering::Relaxed);
        let entry = options.entry.as_deref();
        let mut log = run_case(kind, seed, entry, options.is_traced)?;
        if options.case.is_none() && summary.would_keep(&log) {
            log.confirm_outliers(&run_case(kind, seed, entry, false)?);
        }
        match kind {
            CaseKind::Crowds if options.is_shrunk => print!("{}", shrink(seed, entry, Focus::Everything)?),
            CaseKind::Obstacles if options.is_shrunk => print!("{}", shrink(seed, entry, Focus::Obstacles)?),
            _ => {}
        }
        let again = options.again(kind, seed);
        let new: Vec<Finding> = summary.add(log, &again);
        for finding in &new {
            eprint!("{}", finding_text(finding, &again));
        }
        for (shown, now) in [
            (&progress.cases, summary.tally.cases),
            (&progress.steps, summary.tally.steps),
            (&progress.frames, summary.tally.frames),
            (&progress.findings, summary.found() as u64),
        ] {
            shown.store(now, Ordering::Relaxed);
        }
    }
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> Result<Options, String> {
        Options::parse(&text.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_panic_is_caught_with_its_place() {
        let (place, message) = catch(|| panic!("seven is {}", 7)).unwrap();
        assert!(place.contains("stress/mod.rs:") && message == "seven is 7", "{place}: {message}");
        assert_eq!(catch(|| {}), None);
    }

    #[test]
    fn a_panic_on_another_thread_is_caught_too() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let caught = catch(|| pool.install(|| panic!("over there")));
        assert_eq!(caught.map(|(_, message)| message).as_deref(), Some("over there"));
    }

    #[test]
    fn a_case_does_the_same_again() {
        for kind in CaseKind::ALL {
            for seed in 0..6 {
                let [a, b] = [(); 2].map(|()| run_case(kind, seed, None, false).unwrap());
                assert_eq!((a.tally, a.findings, a.step), (b.tally, b.findings, b.step), "{kind:?} {seed}");
            }
        }
    }

    #[test]
    fn the_command_that_repeats_a_case_is_understood() {
        let asked = options("--seed 7 --entry tba*").unwrap();
        let (kind, seed) = asked.case_of(3).unwrap();
        let again = asked.again(kind, seed);
        let again = again.split_once("stress ").unwrap().1.replace('\'', "");
        let repeated = options(&again).unwrap();
        assert_eq!(repeated.case_of(0), Some((kind, seed)));
        assert_eq!((repeated.case_of(1), repeated.entry.as_deref()), (None, Some("tba*")));
        assert_ne!(asked.case_of(4).unwrap().1, seed);
    }

    #[test]
    fn mistakes_are_told() {
        for wrong in ["--seconds", "--seconds x", "--only cars", "--sed 1", "--case 5"] {
            assert!(options(wrong).is_err(), "{wrong}");
        }
        assert!(run_case(CaseKind::Walks, 1, Some("b*"), false).is_err());
        assert!(run_case(CaseKind::Graphs, 1, Some("jps"), false).is_err());
    }
}
