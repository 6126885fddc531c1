//! What the game takes, minute by minute: it has to stay flat.

use std::fs;
use std::path::{Path, PathBuf};

use surefoot_lab::full_play::{FullPlay, Rules};

use super::MINUTE;
use super::sides::Minute;
use crate::campaign::ledger::write;

const FILE: &str = "memory.csv";
const HEAD: &str = "minute,run,held_bytes,held_states,native_bytes,wasm_bytes";
/// Fewer minutes tell nothing.
const LEAST: usize = 40;

/// What was taken in a minute; 0 is what nobody could tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    minute: u64,
    /// The run of the program: processes begin anew with it.
    run: u64,
    held_bytes: u64,
    held_states: u64,
    native_bytes: u64,
    wasm_bytes: u64,
}

/// What was taken so far.
pub(super) struct Memory {
    file: PathBuf,
    rows: Vec<Row>,
    run: u64,
    /// The first minute that counts: all kinds are there.
    from: u64,
}

impl Memory {
    /// What was kept in a folder.
    pub(super) fn open(folder: &Path, rules: Rules) -> Result<Self, String> {
        let file = folder.join(FILE);
        let text = if file.exists() {
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?
        } else {
            String::new()
        };
        let rows = text.lines().skip(1).map(Row::parse).collect::<Option<Vec<_>>>();
        let rows = rows.ok_or_else(|| format!("{} is damaged; remove it", file.display()))?;
        let run = rows.last().map_or(0, |row| row.run + 1);
        Ok(Self { file, rows, run, from: FullPlay::all_have_come(rules) / MINUTE + 1 })
    }

    /// Adds a minute of all sides.
    pub(super) fn add(&mut self, minute: u64, sides: &[Result<Minute, String>]) -> Result<(), String> {
        let mut row = Row { minute, run: self.run, ..Row::default() };
        for side in sides.iter().flatten() {
            match side.held {
                Some((bytes, states)) => {
                    row.held_bytes = row.held_bytes.max(bytes);
                    row.held_states = row.held_states.max(states);
                    row.native_bytes = row.native_bytes.max(side.process.unwrap_or(0));
                }
                None => row.wasm_bytes = side.process.unwrap_or(0),
            }
        }
        // A run that was stopped may have played it before, and not counted it.
        self.rows.retain(|known| known.minute < minute);
        self.rows.push(row);
        Ok(())
    }

    /// Writes all down.
    pub(super) fn keep(&self) -> Result<(), String> {
        let mut text = format!("{HEAD}\n");
        for Row { minute, run, held_bytes, held_states, native_bytes, wasm_bytes } in &self.rows {
            text.push_str(&format!(
                "{minute},{run},{held_bytes},{held_states},{native_bytes},{wasm_bytes}\n"
            ));
        }
        write(&self.file, text)
    }

    /// Nothing grows.
    pub(super) fn is_flat(&self) -> Result<(), String> {
        let rows: Vec<Row> = self.rows.iter().filter(|row| row.minute >= self.from).copied().collect();
        let of = |take: fn(&Row) -> u64| rows.iter().map(take).collect::<Vec<u64>>();
        flat("bytes that units share", &of(|row| row.held_bytes), 200_000)?;
        flat("states that units hold", &of(|row| row.held_states), 100_000)?;
        // Processes grow while they warm up.
        let rows: Vec<Row> = rows.into_iter().filter(|row| row.run == self.run).collect();
        let of = |take: fn(&Row) -> u64| rows.iter().map(take).collect::<Vec<u64>>();
        flat("bytes of the native process", &of(|row| row.native_bytes), 32_000_000)?;
        flat("bytes of the module", &of(|row| row.wasm_bytes), 32_000_000)
    }
}

impl Row {
    fn parse(line: &str) -> Option<Self> {
        let numbers = line.split(',').map(|cell| cell.parse().ok()).collect::<Option<Vec<u64>>>()?;
        let [minute, run, held_bytes, held_states, native_bytes, wasm_bytes] = numbers[..] else {
            return None;
        };
        Some(Self { minute, run, held_bytes, held_states, native_bytes, wasm_bytes })
    }
}

/// The most in the last quarter is no more than a quarter above the most in the second one, and some.
fn flat(what: &str, values: &[u64], some: u64) -> Result<(), String> {
    if values.len() < LEAST {
        return Ok(());
    }
    let quarter = values.len() / 4;
    let most = |values: &[u64]| values.iter().copied().max().unwrap_or(0);
    let (early, late) = (most(&values[quarter..2 * quarter]), most(&values[values.len() - quarter..]));
    if late > early + early / 4 + some {
        return Err(format!("{what} have grown from {early} to {late} in {} minutes", values.len()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_is_seen() {
        let flat_for = |values: &[u64]| flat("x", values, 10);
        let noise = |n: u64| 1_000 + n * 7_919 % 100;
        assert_eq!(flat_for(&(0..100).map(noise).collect::<Vec<_>>()), Ok(()));
        assert_eq!(flat_for(&(0..100).map(|n| 5_000 - 10 * n).collect::<Vec<_>>()), Ok(()));
        let growing: Vec<u64> = (0..100).map(|n| 1_000 + 10 * n).collect();
        assert!(flat_for(&growing).unwrap_err().contains("from 1490 to 1990 in 100 minutes"));
        assert_eq!(flat_for(&growing[..LEAST - 1]), Ok(()), "too early to tell");
        // What warms up at the beginning does not count.
        let warm: Vec<u64> = (0..100).map(|n| if n < 20 { n * 50 } else { 1_000 }).collect();
        assert_eq!(flat_for(&warm), Ok(()));
    }

    #[test]
    fn rows_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let rules = Rules {
            side: 9,
            units: 1,
            budget: 1,
            are_units_obstacles: false,
            season: 10,
            wall_every: 1,
            seed: 1,
        };
        let minute = Minute { held: Some((5, 6)), process: Some(7), ..Minute::default() };
        let node = Minute { process: Some(8), ..Minute::default() };
        let mut memory = Memory::open(folder.path(), rules).unwrap();
        for number in 0..3 {
            memory.add(number, &[Ok(minute.clone()), Err(String::new()), Ok(node.clone())]).unwrap();
        }
        memory.keep().unwrap();
        let mut again = Memory::open(folder.path(), rules).unwrap();
        assert_eq!((again.run, &again.rows), (1, &memory.rows));
        again.add(1, &[Ok(minute)]).unwrap();
        let last = Row { minute: 1, run: 1, held_bytes: 5, held_states: 6, native_bytes: 7, wasm_bytes: 0 };
        assert_eq!(again.rows[1..], [last]);
        fs::write(folder.path().join(FILE), "x\n1,2\n").unwrap();
        assert!(Memory::open(folder.path(), rules).is_err());
    }
}
