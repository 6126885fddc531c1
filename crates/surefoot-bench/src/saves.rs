//! What it takes to save a crowd whose map was edited for long, and to load it again.

use std::collections::VecDeque;
use std::path::Path;

use surefoot::crowd::{Crowd, FrameBudget, Kind};
use surefoot::formats;
use surefoot::space::{CostModel, MoveRule, TerrainMap, TerrainSet};
use surefoot_classics::ROSTER;
use surefoot_lab::maps::{MapKind, generate};
use surefoot_lab::measures::Sample;
use surefoot_lab::play::{Game, Play};
use surefoot_lab::random::Rng;

use crate::repair::{draw_cell, micros};

type Failure = Box<dyn std::error::Error>;

/// So many units walk meanwhile.
const UNITS: u32 = 1_000;
/// The crowd is saved so many times, ...
const SAVES: usize = 40;
/// ... so many frames apart.
const APART: usize = 17;
/// What a frame may take, and how many cells differ from the map at most: walls come and go, or all edits
/// stay, so that the map becomes cluttered.
const PLAYS: [(u64, usize); 4] =
    [(20_000, 1_000), (1_000_000, 1_000), (20_000, usize::MAX), (1_000_000, usize::MAX)];

/// Makes `edits` edits, one a frame, on a generated map of 512 × 512 cells and on another one, if it is
/// given. Then the crowd is saved and loaded a few times, in the middle of whatever it is at.
///
/// # Errors
/// If the map cannot be read, or a crowd that was loaded is another one.
pub fn measure(map: Option<&Path>, algorithm: &str, edits: usize) -> Result<(), Failure> {
    println!(
        "{UNITS} units by {algorithm}, {edits} edits, one a frame; then {SAVES} saves, {APART} frames apart: \
         the largest in kilobytes, and times in milliseconds: least, median, worst"
    );
    println!("{:<24} {:>9} {:>6} {:>9} {:>24} {:>24}", "map", "budget", "differ", "KB", "save", "load");
    let generated = generate(MapKind::Game, 512, 512, 1)?;
    for play in PLAYS {
        save("generated 512 x 512", &generated, algorithm, edits, play)?;
    }
    if let Some(path) = map {
        let read = formats::read_any_map(path)?;
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        for play in PLAYS {
            save(&name, &read, algorithm, edits, play)?;
        }
    }
    Ok(())
}

fn save(
    name: &str,
    map: &TerrainMap,
    algorithm: &str,
    edits: usize,
    (budget, most): (u64, usize),
) -> Result<(), Failure> {
    let mut crowd = Crowd::new(map.grid(TerrainSet::GROUND));
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    kind.algorithm = ROSTER.algorithm(&algorithm.parse()?)?;
    let kind = crowd.add_kind(kind)?;
    let mut play = Play::new(crowd, kind, Game { sample: 0, ..Game::of(UNITS, 1) })?;
    let (mut random, mut edited) = (Rng::new(1, 0), VecDeque::new());
    let (mut largest, mut saved, mut loaded) = (0, Vec::new(), Vec::new());
    for frame in 0..edits + SAVES * APART {
        let oldest = if edited.len() >= most { edited.pop_front() } else { None };
        let cell = match oldest {
            Some(cell) => cell,
            None => draw_cell(play.crowd.space(kind)?, &mut random),
        };
        if oldest.is_none() {
            edited.push_back(cell);
        }
        let free = !play.crowd.map().is_free(cell);
        play.crowd.set_cell(cell, free)?;
        play.frame(FrameBudget::Work(budget))?;
        if frame >= edits && (frame - edits).is_multiple_of(APART) {
            let (time, bytes) = micros(|| play.crowd.save());
            saved.push(time / 1e3);
            let (time, again) = micros(|| Crowd::load_with(&bytes, &ROSTER));
            loaded.push(time / 1e3);
            largest = largest.max(bytes.len());
            if again?.checksum() != play.crowd.checksum() {
                return Err(format!("{name}: the crowd that was loaded in frame {frame} is another").into());
            }
        }
    }
    let text = |times: Vec<f64>| {
        let sample: Sample = times.into_iter().collect();
        let at = |percent: f64| sample.spread().percentile(percent).unwrap_or(0.0);
        format!("{:.1} {:.1} {:.1}", at(0.0), at(50.0), at(100.0))
    };
    let differ = edited.len();
    let (largest, saved, loaded) = (largest / 1024, text(saved), text(loaded));
    println!("{name:<24} {budget:>9} {differ:>6} {largest:>9} {saved:>24} {loaded:>24}");
    Ok(())
}
