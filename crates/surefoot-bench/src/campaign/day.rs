//! `day`: a crowd with all that it can do, at ten frames a second. What is counted are minutes of play that
//! came out the same on one thread, on two, and in wasm, frame by frame and in the bytes that are saved.

mod memory;
mod sides;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

use surefoot_lab::full_play::{FullPlay, Rules};

use self::memory::Memory;
use self::sides::{Minute, Native, Node, Side, same_course};
use super::ledger::write;
use super::run::Watch;
use super::{Campaign, Case, Found, Setup};

/// Frames of a minute.
pub const MINUTE: u64 = 600;

/// What is played. The budget is small enough that units have to wait for their turn, and that a day is
/// played in hours.
const RULES: Rules = Rules {
    side: 192,
    units: 300,
    budget: 20_000,
    are_units_obstacles: false,
    season: 1_500,
    wall_every: 20,
    seed: 1,
};

/// A game on several sides.
struct Day {
    folder: PathBuf,
    rules: Rules,
    module: Option<PathBuf>,
    /// The game as it was saved last, and the frame.
    saved: Vec<u8>,
    sides: Vec<Box<dyn Side>>,
    memory: Memory,
}

/// Opens the campaign: with all sides.
///
/// # Errors
/// If there is no module for wasm, or what was kept cannot be read.
pub fn open(setup: &Setup) -> Result<Box<dyn Campaign>, String> {
    let module =
        setup.wasm.clone().ok_or("`day` needs the module for node: `cargo xtask campaign day` makes it")?;
    // By turns units are in each other's way: one seed is one game.
    let rules = Rules { seed: setup.seed, are_units_obstacles: setup.seed.is_multiple_of(2), ..RULES };
    open_with(setup, rules, Some(module)).map(|day| Box::new(day) as Box<dyn Campaign>)
}

/// Opens a smaller game, without wasm.
///
/// # Errors
/// If what was kept cannot be read.
pub fn open_quick(setup: &Setup) -> Result<Box<dyn Campaign>, String> {
    let rules = Rules { side: 64, units: 60, budget: 20_000, season: 100, seed: setup.seed, ..RULES };
    open_with(setup, rules, None).map(|day| Box::new(day) as Box<dyn Campaign>)
}

fn open_with(setup: &Setup, rules: Rules, module: Option<PathBuf>) -> Result<Day, String> {
    let saved = match setup.next {
        0 => FullPlay::new(rules, true).map_err(|fault| fault.to_string())?.save(),
        next => {
            let found = found_file(&setup.kept, next);
            let file = if found.exists() { found } else { game_file(&setup.kept, next) };
            fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?
        }
    };
    let memory = Memory::open(&setup.folder, rules)?;
    let mut day = Day { folder: setup.folder.clone(), rules, module, saved, sides: Vec::new(), memory };
    day.begin()?;
    Ok(day)
}

fn game_file(folder: &Path, next: u64) -> PathBuf {
    folder.join(format!("game-{next}.bin"))
}

/// The game before a minute with a finding: for who repeats it.
fn found_file(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("found-{number}.bin"))
}

/// A minute on all sides, at the same time.
fn play_side_by_side(sides: &mut [Box<dyn Side>]) -> Vec<Result<Minute, String>> {
    thread::scope(|scope| {
        let players: Vec<_> = sides.iter_mut().map(|side| scope.spawn(|| side.play(MINUTE))).collect();
        let minutes = players.into_iter().map(ScopedJoinHandle::join);
        minutes.map(|minute| minute.unwrap_or_else(|_| Err("it panicked".to_owned()))).collect()
    })
}

impl Day {
    /// All sides begin from what was saved last.
    fn begin(&mut self) -> Result<(), String> {
        self.sides.clear();
        for (name, threads) in [("one thread", 1), ("two threads", 2)] {
            self.sides.push(Box::new(Native::open(name, threads, &self.saved)?));
        }
        if let Some(module) = &self.module {
            let file = self.folder.join("game-of-wasm.bin");
            self.sides.push(Box::new(Node::open(module, file, &self.saved)?));
        }
        Ok(())
    }
}

impl Campaign for Day {
    fn case(&mut self, number: u64, watch: &Watch) -> Result<Case, String> {
        watch.say("on all sides");
        let minutes = play_side_by_side(&mut self.sides);
        let mut findings = Vec::new();
        for (side, minute) in self.sides.iter().zip(&minutes) {
            if let Err(what) = minute {
                let text = format!("minute {number}, on {}: {what}", side.name());
                findings.push(Found { key: format!("fault on {}", side.name()), text });
            }
        }
        if let Some(Ok(first)) = minutes.first() {
            for (side, minute) in self.sides.iter().zip(&minutes).skip(1) {
                let Ok(minute) = minute else { continue };
                if let Err(what) = same_course(first, minute) {
                    let text = format!("minute {number}, on {}: {what}", side.name());
                    findings.push(Found { key: format!("another course on {}", side.name()), text });
                }
            }
            self.memory.add(number, &minutes)?;
            if let Err(what) = self.memory.is_flat() {
                let text = format!("minute {number}: {what}");
                findings.push(Found { key: "memory grows".to_owned(), text });
            }
        }
        if !findings.is_empty() {
            write(&found_file(&self.folder, number), &self.saved)?;
        }
        match (minutes.into_iter().next(), findings.is_empty()) {
            (Some(Ok(first)), is_fine) => {
                self.saved = first.saved;
                if !is_fine {
                    // Those that went another way go on with the others.
                    self.begin()?;
                }
            }
            // The game itself is at fault: it cannot go on, and another one begins.
            _ => {
                let rules = Rules { seed: self.rules.seed.wrapping_add(1_000 + number), ..self.rules };
                self.saved = FullPlay::new(rules, true).map_err(|fault| fault.to_string())?.save();
                self.begin()?;
            }
        }
        Ok(Case { count: u64::from(findings.is_empty()), findings })
    }

    fn again(&self, seed: u64, number: u64) -> String {
        format!(
            "cargo xtask campaign day --seed {seed} --case {number}, with what is kept in target/campaigns"
        )
    }

    fn keep(&mut self, next: u64) -> Result<(), String> {
        let file = game_file(&self.folder, next);
        write(&file, &self.saved)?;
        self.memory.keep()?;
        // The one before may be what the account still speaks of.
        let mut games: Vec<(u64, PathBuf)> = fs::read_dir(&self.folder)
            .map_err(|error| format!("{}: {error}", self.folder.display()))?
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let number = path.file_name()?.to_str()?.strip_prefix("game-")?.strip_suffix(".bin")?;
                Some((number.parse().ok()?, path))
            })
            .collect();
        games.sort();
        games.reverse();
        for (_, path) in games.iter().skip(2) {
            fs::remove_file(path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }
}
