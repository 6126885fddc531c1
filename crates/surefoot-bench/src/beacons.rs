//! What it takes to repair beacons when a cell is edited, beside building them anew, and what they are worth afterwards.

use std::path::Path;
use std::sync::Arc;

use surefoot::agents::{Step, roster};
use surefoot::database::{BeaconConfig, BeaconDatabase, Database};
use surefoot::formats;
use surefoot::search::{Budget, JumpPoints};
use surefoot::space::{CostModel, GridSpace, Heuristic, MoveRule, TerrainMap, TerrainSet};
use surefoot_lab::maps::{MapKind, generate, scale_blocks, scale_smooth};
use surefoot_lab::random::Rng;

use crate::repair::{draw_cell, micros};

type Failure = Box<dyn std::error::Error>;

/// Walks for the length of ways, on repaired beacons and on fresh ones.
const WALKS: usize = 200;
/// On large maps so many times fewer edits are made.
const LARGE: usize = 10;

/// Edits `edits` random cells of maps of `bg512` and of a generated one, and a tenth as many of maps of about ten million states.
///
/// # Errors
/// If maps cannot be read, a repair fails, or an agent does not arrive.
pub fn measure(benchmarks: &Path, edits: usize) -> Result<(), Failure> {
    println!(
        "times in microseconds, an edit without the map's own change of the cell; edits that made hub labels anew are among them"
    );
    println!(
        "{:<30} {:>9} {:>7} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>10} {:>15}",
        "map",
        "states",
        "edits",
        "median",
        "99 %",
        "worst",
        "relabel",
        "first",
        "rebuild",
        "memory",
        "subopt. %"
    );
    if benchmarks.is_dir() {
        for map in ["AR0011SR", "AR0300SR", "AR0602SR"] {
            let map_file = benchmarks.join(format!("bg512/{map}.map"));
            edit(map, &formats::read_any_map(map_file)?, edits)?;
        }
    } else {
        println!("no benchmarks in {}: a generated map only", benchmarks.display());
    }
    edit("game 512", &generate(MapKind::Game, 512, 512, 1)?, edits)?;
    if benchmarks.is_dir() {
        let original = formats::read_any_map(benchmarks.join("bg512/AR0011SR.map"))?;
        edit("AR0011SR x9", &scale_blocks(&original, 9)?, edits / LARGE)?;
        let original = formats::read_any_map(benchmarks.join("wc3maps512/thecrucible.map"))?;
        edit("thecrucible x12 smooth", &scale_smooth(&original, 12, 1)?, edits / LARGE)?;
    }
    println!(
        "relabel: edits after which hub labels were made anew, since the map fell apart or grew together"
    );
    println!("subopt.: mean length of walks over the optimum, on the repaired beacons and on fresh ones");
    Ok(())
}

fn edit(name: &str, map: &TerrainMap, edits: usize) -> Result<(), Failure> {
    let mut space = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2);
    let config = BeaconConfig::default();
    let mut beacons = BeaconDatabase::build(&space, config)?;
    let (first, repaired) = micros(|| beacons.repair(&space, []));
    repaired?;
    let mut rng = Rng::new(1, 0);
    let (mut times, mut relabelled) = (Vec::with_capacity(edits), 0);
    for _ in 0..edits {
        let cell = draw_cell(&space, &mut rng);
        space.set(cell, !space.grid().is_free(cell));
        let (time, repaired) = micros(|| beacons.repair(&space, [cell]));
        relabelled += u32::from(repaired?.is_relabelled);
        times.push(time);
    }
    times.sort_by(f64::total_cmp);
    let at =
        |share: f64| times.get(((times.len().max(1) - 1) as f64 * share) as usize).copied().unwrap_or(0.0);
    let (rebuild, fresh) = micros(|| BeaconDatabase::build(&space, config));
    let memory = beacons.memory_bytes();
    let ours = suboptimality(&space, beacons, &mut rng.clone())?;
    let theirs = suboptimality(&space, fresh?, &mut rng)?;
    println!(
        "{name:<30} {:>9} {:>7} {:>8.1} {:>8.1} {:>8.1} {relabelled:>8} {first:>9.0} {rebuild:>9.0} {memory:>10} {ours:>7.3} {theirs:>7.3}",
        space.grid().free_count(),
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0),
    );
    Ok(())
}

/// By how many per cent random walks are longer than the cheapest ones, in the mean.
fn suboptimality(space: &GridSpace, beacons: BeaconDatabase, rng: &mut Rng) -> Result<f64, Failure> {
    let mut agent = roster::agent_with(&"beacon*".parse()?, Some(&Database::Beacons(Arc::new(beacons))))?;
    let mut optimal = JumpPoints::new();
    let (mut total, mut walks) = (0.0, 0);
    while walks < WALKS {
        let mut draw = || loop {
            let cell = draw_cell(space, rng);
            if space.grid().is_free(cell) {
                return space.state(cell);
            }
        };
        let (start, goal) = (draw(), draw());
        let Some(best) = optimal.find(space, start, goal)?.cost().filter(|&cost| cost > 0) else { continue };
        agent.begin(space, start, goal)?;
        let (mut at, mut cost) = (start, 0);
        loop {
            match agent.step(space, &mut Budget::unlimited()) {
                Step::Moved(next) => {
                    cost += space.estimate(at, next);
                    at = next;
                }
                Step::Waiting => {}
                Step::Arrived => break,
                other => return Err(format!("{other:?} between {start:?} and {goal:?}").into()),
            }
        }
        if agent.fallbacks() > 0 {
            return Err(format!("lost between {start:?} and {goal:?}").into());
        }
        total += cost as f64 / best as f64 - 1.0;
        walks += 1;
    }
    Ok(total / walks as f64 * 100.0)
}
