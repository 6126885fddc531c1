//! What it takes to repair beacons when a cell is edited, beside building them anew, and what they are worth
//! afterwards.

use std::path::Path;
use std::sync::Arc;

use surefoot::beacons::{BeaconConfig, BeaconDatabase};
use surefoot::crowd::{Crowd, FrameBudget, Kind};
use surefoot::formats;
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule, TerrainMap, TerrainSet};
use surefoot::store::Database;
use surefoot_classics::ROSTER;
use surefoot_lab::maps::{MapKind, generate, scale_blocks, scale_smooth};
use surefoot_lab::measures::Sample;
use surefoot_lab::random::Rng;

use crate::repair::{draw_cell, micros};
use crate::walks::{lengths, problems};

type Failure = Box<dyn std::error::Error>;

/// On large maps so many times fewer edits are made.
const LARGE: usize = 10;

/// Edits `edits` random cells of maps of `bg512` and of a generated one, and a tenth as many of maps of about
/// ten million states. Then many cells at once; with `only` "bulk" no more than that.
///
/// # Errors
/// If maps cannot be read, a repair fails, or an agent does not arrive.
pub fn measure(benchmarks: &Path, edits: usize, only: Option<&str>) -> Result<(), Failure> {
    if only == Some("bulk") {
        return measure_bulk(benchmarks);
    }
    println!(
        "times in microseconds. now: what cannot wait, an edit of a crowd without units and a frame that has no time for more: the cell, and the corners \
         beside it; all: legs and labels, too, with BeaconDatabase::repair, until every answer is exact again"
    );
    println!(
        "{:<24} {:>9} {:>7} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>10} {:>15}",
        "map",
        "states",
        "edits",
        "now 50 %",
        "99 %",
        "worst",
        "all 50 %",
        "99 %",
        "worst",
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
    println!("first: a repair after no edit");
    measure_bulk(benchmarks)?;
    println!("subopt.: mean length of walks over the optimum, on the repaired beacons and on fresh ones");
    Ok(())
}

/// So many cells are edited at once, in squares of eight by eight.
const BULK: [usize; 6] = [1, 64, 256, 1_024, 4_096, 26_000];

/// Edits many cells at once.
fn measure_bulk(benchmarks: &Path) -> Result<(), Failure> {
    println!("\nmany cells at once, in squares; milliseconds: a repair / a build of the same map");
    print!("{:<24}", "map");
    BULK.iter().for_each(|cells| print!(" {cells:>15}"));
    println!();
    if benchmarks.is_dir() {
        for map in ["AR0011SR", "AR0602SR"] {
            let map_file = benchmarks.join(format!("bg512/{map}.map"));
            edit_bulk(map, &formats::read_any_map(map_file)?)?;
        }
        let original = formats::read_any_map(benchmarks.join("bg512/AR0011SR.map"))?;
        edit_bulk("AR0011SR x9", &scale_blocks(&original, 9)?)?;
    }
    edit_bulk("game 512", &generate(MapKind::Game, 512, 512, 1)?)?;
    println!();
    Ok(())
}

fn edit_bulk(name: &str, map: &TerrainMap) -> Result<(), Failure> {
    const SIDE: u32 = 8;
    let original = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2);
    let config = BeaconConfig::default();
    let built = BeaconDatabase::build(&original, config)?;
    print!("{name:<24}");
    for count in BULK {
        let (mut space, mut beacons, mut rng) = (original.clone(), built.clone(), Rng::new(3, 0));
        let mut cells = Vec::new();
        while cells.len() < count {
            let corner = draw_cell(&space, &mut rng);
            let free = !space.grid().is_free(corner);
            for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
                let cell = Cell::new(corner.x + x, corner.y + y);
                if cells.len() < count && space.grid().contains(cell) {
                    cells.push((cell, free));
                }
            }
        }
        space.set_all(cells.iter().copied());
        let (repair, repaired) = micros(|| beacons.repair(&space, cells.iter().map(|&(cell, _)| cell)));
        repaired?;
        let (build, fresh) = micros(|| BeaconDatabase::build(&space, config));
        fresh?;
        print!(" {:>7.1}/{:>7.1}", repair / 1e3, build / 1e3);
    }
    println!();
    Ok(())
}

fn edit(name: &str, map: &TerrainMap, edits: usize) -> Result<(), Failure> {
    let mut space = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2);
    let config = BeaconConfig::default();
    let mut beacons = BeaconDatabase::build(&space, config)?;
    let (first, repaired) = micros(|| beacons.repair(&space, []));
    repaired?;
    let mut rng = Rng::new(1, 0);
    let mut crowd = Crowd::new(map.grid(TerrainSet::GROUND));
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2))?;
    let (mut at_once, mut times) = (Vec::with_capacity(edits), Vec::with_capacity(edits));
    for _ in 0..edits {
        let cell = draw_cell(&space, &mut rng);
        let free = !space.grid().is_free(cell);
        let (time, done) = micros(|| {
            let done = crowd.set_cell(cell, free);
            // Databases hear of edits in the next frame. With so small a budget no more is done than has to
            // be.
            crowd.frame(FrameBudget::Work(1));
            done
        });
        done?;
        at_once.push(time);
        space.set(cell, free);
        let (time, repaired) = micros(|| beacons.repair(&space, [cell]));
        repaired?;
        times.push(time);
    }
    if crowd.space(kind)?.grid() != space.grid() {
        return Err("the crowd has another map".into());
    }
    let [now, all] = [at_once, times].map(|times| {
        let sample: Sample = times.into_iter().collect();
        [50.0, 99.0, 100.0].map(|percent| sample.spread().percentile(percent).unwrap_or(0.0))
    });
    let (rebuild, fresh) = micros(|| BeaconDatabase::build(&space, config));
    let memory = beacons.memory_bytes();
    let ours = suboptimality(&space, beacons)?;
    let theirs = suboptimality(&space, fresh?)?;
    println!(
        "{name:<24} {:>9} {edits:>7} {:>8.1} {:>8.1} {:>8.1} {:>9.0} {:>9.0} {:>9.0} {first:>9.0} {rebuild:>9.0} {memory:>10} {ours:>7.3} {theirs:>7.3}",
        space.grid().free_count(),
        now[0],
        now[1],
        now[2],
        all[0],
        all[1],
        all[2],
    );
    Ok(())
}

/// By how many per cent random walks are longer than the cheapest ones, in the mean.
fn suboptimality(space: &GridSpace, beacons: BeaconDatabase) -> Result<f64, Failure> {
    let database: Arc<dyn Database> = Arc::new(beacons);
    let mut agent = ROSTER.agent_with(&"beacon*".parse()?, Some(&database))?;
    let walks = lengths(&mut *agent, space, &problems(space, 0.0, f64::INFINITY))?;
    if walks.fallbacks > 0 {
        return Err("an agent was lost".into());
    }
    Ok(walks.over.iter().sum::<f64>() / walks.over.len().max(1) as f64)
}
