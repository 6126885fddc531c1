//! Groups: what it takes to send 10,000 units to one place, and how long 2,000 that are obstacles take to
//! settle there.

use std::path::Path;

use surefoot::crowd::{Crowd, CrowdConfig, FrameBudget, Kind, KindId, Priority, UnitId, UnitStatus};
use surefoot::formats;
use surefoot::space::{Cell, CostModel, Grid, MoveRule, TerrainSet};
use surefoot_lab::maps::{MapKind, generate, scale_blocks, scale_smooth};
use surefoot_lab::random::Rng;

use crate::repair::micros;

type Failure = Box<dyn std::error::Error>;

/// So many units are sent at once.
const SENT: usize = 10_000;
/// It is measured so many times. The fastest counts, for the machine may be busy.
const PASSES: usize = 5;
/// So many units are in each other's way.
const OBSTACLES: usize = 2_000;
/// Whoever has not settled after so many times the longest walk never does.
const PATIENCE: usize = 20;

/// Sends units to one place: scattered ones and gathered ones on large maps, obstacles on small ones.
///
/// # Errors
/// If maps cannot be read.
pub fn measure(benchmarks: &Path) -> Result<(), Failure> {
    let (mut large, mut small) = (Vec::new(), Vec::new());
    if benchmarks.is_dir() {
        for (name, factor) in
            [("bg512/AR0011SR", 9), ("sc1/BigGameHunters", 8), ("wc3maps512/thecrucible", 12)]
        {
            let original = formats::read_any_map(benchmarks.join(format!("{name}.map")))?;
            large.push((format!("{name} x{factor}"), scale_blocks(&original, factor)?));
            large.push((format!("{name} x{factor} smooth"), scale_smooth(&original, factor, 1)?));
            small.push((name.to_owned(), original));
        }
    } else {
        println!("no benchmarks in {}: generated maps only\n", benchmarks.display());
    }
    for (kind, name) in [(MapKind::Game, "game"), (MapKind::Caves, "caves")] {
        small.push((format!("generated {name} 512 x 512"), generate(kind, 512, 512, 7)?));
    }
    large.push(("generated game 2048 x 2048".to_owned(), generate(MapKind::Game, 2048, 2048, 7)?));
    println!("{SENT} units, one thread: the call that sends them, and the frame in which all choose, in ms");
    println!("{:<36} {:>9} {:>9} {:>9} {:>9}", "map", "scattered", "frame", "gathered", "frame");
    for (name, map) in &large {
        let (crowd, kind) = crowd_on(map.grid(TerrainSet::GROUND), CrowdConfig::default())?;
        let cells = largest_area(&crowd, kind)?;
        let goal = cells[cells.len() / 3];
        let mut random = Rng::new(3, 0);
        let scattered: Vec<Cell> =
            (0..SENT).map(|_| cells[random.below(cells.len() as u64) as usize]).collect();
        // The cells around one far from the goal.
        let far = cells[cells.len() - cells.len() / 50];
        let mut gathered = cells.clone();
        gathered.sort_by_key(|cell| (cell.x.abs_diff(far.x).max(cell.y.abs_diff(far.y)), cell.y, cell.x));
        let mut figures = Vec::new();
        for starts in [&scattered[..], &gathered[..SENT]] {
            let mut crowd = crowd.clone();
            let units = add(&mut crowd, kind, starts)?;
            let passes = (0..PASSES).map(|_| {
                let mut crowd = crowd.clone();
                let (sent, done) = micros(|| crowd.send(units.iter().copied(), goal));
                done?;
                Ok((sent, micros(|| crowd.frame(FrameBudget::Everyone).frame).0))
            });
            let passes: Result<Vec<(f64, f64)>, Failure> = passes.collect();
            let best = passes?.into_iter().min_by(|a, b| (a.0 + a.1).total_cmp(&(b.0 + b.1)));
            figures.extend(best.map(|(sent, frame)| [sent / 1e3, frame / 1e3]));
        }
        let [[scattered, first], [gathered, together]] = figures[..] else { continue };
        println!("{name:<36} {scattered:>9.1} {first:>9.1} {gathered:>9.1} {together:>9.1}");
    }
    println!("\n{OBSTACLES} scattered units that are obstacles, sent to one place");
    println!(
        "{:<36} {:>8} {:>8} {:>6} {:>9} {:>8}",
        "map", "longest", "frames", "ratio", "us/frame", "blocked"
    );
    for (name, map) in &small {
        settle(name, map.grid(TerrainSet::GROUND))?;
    }
    Ok(())
}

fn settle(name: &str, grid: Grid) -> Result<(), Failure> {
    let (mut crowd, kind) = crowd_on(grid, CrowdConfig::default().with_units_as_obstacles(true))?;
    let mut cells = largest_area(&crowd, kind)?;
    let goal = cells[cells.len() / 3];
    // Each on a cell of its own.
    let mut random = Rng::new(5, 0);
    for at in 0..OBSTACLES.min(cells.len()) {
        let other = at + random.below((cells.len() - at) as u64) as usize;
        cells.swap(at, other);
    }
    let units = add(&mut crowd, kind, &cells[..OBSTACLES.min(cells.len())])?;
    let moves = cells[..units.len()].iter().map(|&cell| crowd.path_between(kind, cell, goal));
    let longest = moves.flatten().flatten().map(|path| path.moves()).max().unwrap_or(0);
    let group = crowd.send(units.iter().copied(), goal)?;
    let (mut blocked, mut time, mut settled) = (0, 0.0, None);
    for frame in 1..=PATIENCE * longest {
        let (spent, report) = micros(|| crowd.frame(FrameBudget::Everyone));
        (blocked, time) = (blocked + report.blocked.len(), time + spent);
        settled = report.settled.contains(&group).then_some(frame);
        if settled.is_some() {
            time /= frame as f64;
            break;
        }
    }
    let walking = units.iter().filter(|&&unit| crowd.status(unit) == Ok(UnitStatus::Walking)).count();
    match settled {
        Some(frames) => println!(
            "{name:<36} {longest:>8} {frames:>8} {:>6.2} {time:>9.0} {blocked:>8}",
            frames as f64 / longest.max(1) as f64
        ),
        None => println!("{name:<36} {longest:>8} {walking} have not settled after {PATIENCE} times that"),
    }
    Ok(())
}

fn crowd_on(map: Grid, config: CrowdConfig) -> Result<(Crowd, KindId), Failure> {
    let mut crowd = Crowd::with_config(map, config);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2))?;
    Ok((crowd, kind))
}

/// Units that stand where they are.
fn add(crowd: &mut Crowd, kind: KindId, starts: &[Cell]) -> Result<Vec<UnitId>, Failure> {
    let units = starts.iter().map(|&start| crowd.add(kind, start, start, Priority::Normal));
    let units = units.collect::<Result<Vec<_>, _>>()?;
    crowd.frame(FrameBudget::Everyone);
    Ok(units)
}

/// The cells of the largest component, row by row.
fn largest_area(crowd: &Crowd, kind: KindId) -> Result<Vec<Cell>, Failure> {
    let components = crowd.space(kind)?.components();
    let mut counts = std::collections::BTreeMap::new();
    for cell in crowd.map().free_cells() {
        *counts.entry(components.of(cell)).or_insert(0_usize) += 1;
    }
    let largest = counts.into_iter().max_by_key(|&(_, count)| count).and_then(|(label, _)| label);
    Ok(crowd.map().free_cells().filter(|&cell| components.of(cell) == largest).collect())
}
