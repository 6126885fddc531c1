//! What it takes to repair beacons when a cell is edited, beside building them anew, and what they are worth afterwards.

use std::path::Path;
use std::sync::Arc;

use surefoot::agents::roster;
use surefoot::database::{BeaconConfig, BeaconDatabase, Database};
use surefoot::formats;
use surefoot::space::{CostModel, GridSpace, MoveRule, TerrainMap, TerrainSet};
use surefoot_lab::maps::{MapKind, generate, scale_blocks, scale_smooth};
use surefoot_lab::random::Rng;

use crate::repair::{draw_cell, micros};
use crate::walks::{lengths, problems};

type Failure = Box<dyn std::error::Error>;

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
    let ours = suboptimality(&space, beacons)?;
    let theirs = suboptimality(&space, fresh?)?;
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
fn suboptimality(space: &GridSpace, beacons: BeaconDatabase) -> Result<f64, Failure> {
    let mut agent = roster::agent_with(&"beacon*".parse()?, Some(&Database::Beacons(Arc::new(beacons))))?;
    let walks = lengths(&mut *agent, space, &problems(space, 0.0, f64::INFINITY))?;
    if walks.fallbacks > 0 {
        return Err("an agent was lost".into());
    }
    Ok(walks.over.iter().sum::<f64>() / walks.over.len().max(1) as f64)
}
