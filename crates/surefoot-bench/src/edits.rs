//! What it takes a space to free or block a cell, beside finding its components anew.

use std::path::Path;

use surefoot::formats;
use surefoot::space::{CellWeights, CostModel, GridComponents, GridSpace, MoveRule, TerrainMap, TerrainSet};
use surefoot_lab::maps::{MapKind, generate, scale_blocks, scale_smooth};
use surefoot_lab::random::Rng;

use crate::repair::{draw_cell, micros};

type Failure = Box<dyn std::error::Error>;

/// Edits `edits` random cells of maps of 512 × 512 and of about ten million states, with weights and without,
/// and prints what an edit took.
///
/// # Errors
/// If maps cannot be read, or the components of an edited space are not those of a new one.
pub fn measure(benchmarks: &Path, edits: usize) -> Result<(), Failure> {
    println!("{edits} edits a map; times in microseconds");
    println!(
        "{:<34} {:>10} {:>8} {:>8} {:>8} {:>8} {:>10} {:>8}",
        "map", "states", "mean", "median", "99 %", "worst", "weights", "anew"
    );
    if benchmarks.is_dir() {
        for (map, factor) in
            [("bg512/AR0011SR", 9), ("sc1/BigGameHunters", 8), ("wc3maps512/thecrucible", 12)]
        {
            let original = formats::read_any_map(benchmarks.join(format!("{map}.map")))?;
            edit_map(map, &original, edits)?;
            edit_map(&format!("{map} x{factor}"), &scale_blocks(&original, factor)?, edits)?;
            edit_map(&format!("{map} x{factor} smooth"), &scale_smooth(&original, factor, 1)?, edits)?;
        }
    } else {
        println!("no benchmarks in {}: generated maps only\n", benchmarks.display());
    }
    for (name, kind) in [("game", MapKind::Game), ("random", MapKind::Random)] {
        for side in [512, 4000] {
            edit_map(&format!("{name} {side}"), &generate(kind, side, side, 1)?, edits)?;
        }
    }
    println!("weights: the mean where cells have weights; anew: all components of the map");
    Ok(())
}

fn edit_map(name: &str, map: &TerrainMap, edits: usize) -> Result<(), Failure> {
    let (rule, costs) = (MoveRule::NoCut, CostModel::Sqrt2);
    let grid = map.grid(TerrainSet::GROUND);
    let weights = CellWeights::from_fn(grid.width(), grid.height(), |cell| 1 + (cell.x + cell.y) as u8 % 16)?;
    let mut weighted = GridSpace::weighted(grid.clone(), rule, costs, weights)?;
    let mut space = GridSpace::new(grid, rule, costs);
    let mut rng = Rng::new(1, 0);
    let (mut times, mut with_weights) = (Vec::with_capacity(edits), 0.0);
    for _ in 0..edits {
        let cell = draw_cell(&space, &mut rng);
        let free = !space.grid().is_free(cell);
        times.push(micros(|| space.set(cell, free)).0);
        with_weights += micros(|| weighted.set(cell, free)).0;
    }
    let (anew, components) = micros(|| GridComponents::new(space.grid(), rule));
    if components != *space.components() || components != *weighted.components() {
        return Err(format!("{name}: the components are not those of a new space").into());
    }
    let mean = times.iter().sum::<f64>() / edits as f64;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{name:<34} {:>10} {mean:>8.2} {:>8.2} {:>8.1} {:>8.0} {:>10.2} {anew:>8.0}",
        space.grid().free_count(),
        at(0.5),
        at(0.99),
        at(1.0),
        with_weights / edits as f64,
    );
    Ok(())
}
