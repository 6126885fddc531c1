//! What a frame of a crowd takes, beside a bare look at the neighbours of the same units, and what edits of
//! the map cost it.

use std::path::Path;

use surefoot::crowd::{Crowd, FrameBudget, Kind, KindId};
use surefoot::formats;
use surefoot::space::{CostModel, Grid, MoveRule, State, TerrainMap, TerrainSet};
use surefoot_classics::ROSTER;
use surefoot_lab::maps::{MapKind, generate, scale_blocks, scale_smooth};
use surefoot_lab::measures::Sample;
use surefoot_lab::play::{Game, Play};
use surefoot_lab::random::Rng;

use crate::realtime::bare_scan;
use crate::repair::{draw_cell, micros};

type Failure = Box<dyn std::error::Error>;

/// First frames are measured so many times. The fastest counts, for the machine may be busy.
const PASSES: usize = 5;
/// So many units choose their ways at once.
const CHOOSERS: u32 = 10_000;
/// So many frames follow, on maps that are not edited and on maps that are.
const FRAMES: usize = 300;
/// What frames with edits and units may take: half of it is enough for everyone on his way.
const EDIT_BUDGET: u64 = 40_000;

/// Plays with 10,000 and 100,000 units on maps of about ten million states, everyone moving in every frame,
/// on one thread; then edits a map of 512 × 512 cells. With `only` "choices" it is measured only what first
/// frames and edits take with 10,000 units.
///
/// # Errors
/// If maps cannot be read.
pub fn measure(benchmarks: &Path, edits: usize, only: Option<&str>) -> Result<(), Failure> {
    measure_choices(benchmarks)?;
    if only == Some("choices") {
        return Ok(());
    }
    println!("one thread, a move for everyone in every frame; times of a frame in microseconds");
    println!(
        "{:<32} {:>8} {:>7} {:>7} {:>9} {:>8} {:>9} {:>8} {:>9} {:>9}",
        "map", "units", "frames", "mean", "median", "99 %", "worst", "scan", "scans", "ns/move"
    );
    let mut small = None;
    if benchmarks.is_dir() {
        for (map, factor) in
            [("bg512/AR0011SR", 9), ("sc1/BigGameHunters", 8), ("wc3maps512/thecrucible", 12)]
        {
            let original = formats::read_any_map(benchmarks.join(format!("{map}.map")))?;
            play(&format!("{map} x{factor}"), &scale_blocks(&original, factor)?, &[(10_000, 2_000)])?;
            let smooth = scale_smooth(&original, factor, 1)?;
            play(&format!("{map} x{factor} smooth"), &smooth, &[(10_000, 2_000), (100_000, 300)])?;
            small.get_or_insert(original);
        }
    } else {
        println!("no benchmarks in {}: generated maps only\n", benchmarks.display());
    }
    let generated = generate(MapKind::Game, 512, 512, 1)?;
    play("generated 512 x 512", &generated, &[(10_000, 2_000)])?;
    println!(
        "scan: the median of a bare look at all neighbours of all units; scans: the median frame, in such scans\n"
    );
    println!(
        "{edits} edits a map, times in microseconds: one cell, and a frame without units that brings the database up to date"
    );
    for (name, map) in
        small.iter().map(|map| ("bg512/AR0011SR", map)).chain([("generated 512 x 512", &generated)])
    {
        for algorithm in ["beacon*", "pra*", "knn-lrta*(n=10000)"] {
            edit(name, map, algorithm, edits)?;
        }
    }
    Ok(())
}

/// All units choose their ways in the first frame: to random goals, and to one place.
fn measure_choices(benchmarks: &Path) -> Result<(), Failure> {
    println!(
        "{CHOOSERS} units, one thread, a move for everyone in every frame; the fastest of {PASSES} first frames, in milliseconds, to random goals and to one place; \
         then {FRAMES} frames, and as many with an edit before each, in microseconds: the edit and a frame of {EDIT_BUDGET} work; the same without units, and with no time \
         for more than has to be"
    );
    println!(
        "{:<24} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "map", "states", "random", "one place", "median", "99 %", "edit 50 %", "99 %", "no units", "99 %"
    );
    let mut maps = Vec::new();
    if benchmarks.is_dir() {
        let original = formats::read_any_map(benchmarks.join("bg512/AR0011SR.map"))?;
        maps.push(("AR0011SR x9", scale_blocks(&original, 9)?));
        maps.push(("AR0011SR x9 smooth", scale_smooth(&original, 9, 1)?));
        maps.push(("AR0011SR", original));
    }
    maps.push(("generated 512 x 512", generate(MapKind::Game, 512, 512, 1)?));
    for (name, map) in maps {
        choose(name, &map)?;
    }
    println!();
    Ok(())
}

fn choose(name: &str, map: &TerrainMap) -> Result<(), Failure> {
    let (empty, kind) = crowd_on(map.grid(TerrainSet::GROUND), "beacon*")?;
    let game = Game { sample: 0, ..Game::of(CHOOSERS, 1) };
    let mut play = Play::new(empty.clone(), kind, game)?;
    let mut together = play.crowd.clone();
    // All of them can get there.
    let place = play.crowd.goal(play.units()[0])?;
    for &unit in play.units() {
        together.set_goal(unit, place)?;
    }
    let first = |crowd: &Crowd| {
        let pass = |_| {
            let mut crowd = crowd.clone();
            micros(|| crowd.frame(FrameBudget::Everyone).frame).0
        };
        (0..PASSES).map(pass).fold(f64::INFINITY, f64::min) / 1e3
    };
    let (random, one) = (first(&play.crowd), first(&together));
    let frames: Result<Vec<f64>, _> = (0..FRAMES)
        .map(|_| play.frame(FrameBudget::Everyone).map(|times| times.planning.as_secs_f64() * 1e6))
        .collect();
    let frames: Sample = frames?.into_iter().skip(1).collect();
    let edited = edit_frames(&mut play.crowd, kind, FrameBudget::Work(EDIT_BUDGET))?;
    let mut empty = empty;
    let without = edit_frames(&mut empty, kind, FrameBudget::Work(1))?;
    let at = |sample: &Sample, percent: f64| sample.spread().percentile(percent).unwrap_or(0.0);
    println!(
        "{name:<24} {:>9} {random:>9.1} {one:>9.1} {:>9.0} {:>9.0} {:>9.0} {:>9.0} {:>9.0} {:>9.0}",
        play.crowd.space(kind)?.grid().free_count(),
        at(&frames, 50.0),
        at(&frames, 99.0),
        at(&edited, 50.0),
        at(&edited, 99.0),
        at(&without, 50.0),
        at(&without, 99.0),
    );
    Ok(())
}

/// Edits a random cell before each of some frames. What an edit and its frame take, in microseconds.
fn edit_frames(crowd: &mut Crowd, kind: KindId, budget: FrameBudget<'_>) -> Result<Sample, Failure> {
    let mut random = Rng::new(2, 0);
    let mut times = Vec::with_capacity(FRAMES);
    for _ in 0..FRAMES {
        let cell = draw_cell(crowd.space(kind)?, &mut random);
        let free = !crowd.map().is_free(cell);
        let (time, done) = micros(|| {
            let done = crowd.set_cell(cell, free);
            crowd.frame(budget);
            done
        });
        done?;
        times.push(time);
    }
    Ok(times.into_iter().collect())
}

fn crowd_on(map: Grid, algorithm: &str) -> Result<(Crowd, KindId), Failure> {
    let mut crowd = Crowd::new(map);
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    kind.algorithm = ROSTER.algorithm(&algorithm.parse()?)?;
    let kind = crowd.add_kind(kind)?;
    Ok((crowd, kind))
}

/// Plays so many frames with so many units, for each of some pairs.
fn play(name: &str, map: &TerrainMap, games: &[(u32, u32)]) -> Result<(), Failure> {
    let (empty, kind) = crowd_on(map.grid(TerrainSet::GROUND), "beacon*")?;
    for &(units, frames) in games {
        let game = Game { sample: 0, ..Game::of(units, 1) };
        let mut play = Play::new(empty.clone(), kind, game)?;
        let (mut times, mut scans) = (Vec::new(), Vec::new());
        for _ in 0..frames {
            times.push(play.frame(FrameBudget::Everyone)?.planning.as_secs_f64() * 1e6);
            scans.push(scan(&play, kind)?);
        }
        let moves = play.moves() as f64;
        let nanoseconds = times.iter().sum::<f64>() * 1e3 / moves;
        let [times, scans] = [times, scans].map(|times| times.into_iter().collect::<Sample>());
        let at = |sample: &Sample, percent: f64| sample.spread().percentile(percent).unwrap_or(0.0);
        println!(
            "{name:<32} {units:>8} {frames:>7} {:>7.0} {:>9.0} {:>8.0} {:>9.0} {:>8.0} {:>9.2} {nanoseconds:>9.1}",
            times.mean().unwrap_or(0.0),
            at(&times, 50.0),
            at(&times, 99.0),
            at(&times, 100.0),
            at(&scans, 50.0),
            at(&times, 50.0) / at(&scans, 50.0),
        );
    }
    Ok(())
}

/// What it takes to look at the neighbours of all units, in microseconds.
fn scan(play: &Play, kind: KindId) -> Result<f64, Failure> {
    let space = play.crowd.space(kind)?;
    let mut ends: Vec<(State, State)> = Vec::with_capacity(play.units().len());
    for &unit in play.units() {
        let [start, goal] =
            [play.crowd.position(unit)?, play.crowd.goal(unit)?].map(|cell| space.state_at(cell));
        ends.extend(start.zip(goal));
    }
    let (time, _) = micros(|| {
        let look =
            |&(state, goal): &(State, State)| std::hint::black_box(bare_scan(space, state, goal)).is_some();
        ends.iter().filter(|ends| look(ends)).count()
    });
    Ok(time)
}

/// Edits random cells of a map.
fn edit(name: &str, map: &TerrainMap, algorithm: &str, edits: usize) -> Result<(), Failure> {
    let (mut crowd, kind) = crowd_on(map.grid(TerrainSet::GROUND), algorithm)?;
    let mut random = Rng::new(1, 0);
    let (mut cells, mut frames) = (Vec::with_capacity(edits), Vec::with_capacity(edits));
    for _ in 0..edits {
        let cell = draw_cell(crowd.space(kind)?, &mut random);
        let free = !crowd.map().is_free(cell);
        let (time, done) = micros(|| crowd.set_cell(cell, free));
        done?;
        cells.push(time);
        frames.push(micros(|| crowd.frame(FrameBudget::Everyone).frame).0);
    }
    let text = |times: Vec<f64>| {
        let sample: Sample = times.into_iter().collect();
        let at = |percent: f64| sample.spread().percentile(percent).unwrap_or(0.0);
        format!("median {:.1}, 99 % {:.0}, worst {:.0}", at(50.0), at(99.0), at(100.0))
    };
    println!("{name:<22} {algorithm:<20} cell: {}; database: {}", text(cells), text(frames));
    Ok(())
}
