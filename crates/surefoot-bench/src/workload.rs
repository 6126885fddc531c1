//! Maps and problems to measure on.

use std::error::Error;
use std::path::Path;

use surefoot::formats;
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule, QueryError, State, TerrainMap, TerrainSet};
use surefoot_lab::maps::{MapKind, generate};
use surefoot_lab::problem_files::{read_scen, scen_beside};
use surefoot_lab::random::Rng;

/// A map with problems on it.
pub struct Workload {
    /// The map's name.
    pub name: String,
    /// The map, without corner cutting, at 1 and √2.
    pub space: GridSpace,
    /// Starts and goals.
    pub problems: Vec<(State, State)>,
}

/// A MovingAI map with every `every`-th of its problems whose length is between 100 and 512.
///
/// # Errors
/// If the map or its problems cannot be read, or a problem is none on this map.
pub fn movingai(map: &Path, every: usize) -> Result<Workload, Box<dyn Error>> {
    let space = space_of(&formats::read_any_map(map)?);
    let problems = read_scen(scen_beside(map))?
        .problems
        .iter()
        .filter(|problem| (100.0..=512.0).contains(&problem.length.value()))
        .step_by(every)
        .map(|problem| space.locate_ends(problem.start, problem.goal))
        .collect::<Result<_, QueryError>>()?;
    let name = map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Workload { name, space, problems })
}

/// `count` random problems in the largest component of a map.
#[must_use]
pub fn random_problems(name: String, map: &TerrainMap, count: usize, seed: u64) -> Workload {
    let space = space_of(map);
    let mut rng = Rng::new(seed, 0);
    let largest = space.components().largest();
    let mut draw = || loop {
        let (width, height) = (u64::from(space.grid().width()), u64::from(space.grid().height()));
        let cell = Cell::new(rng.below(width) as u32, rng.below(height) as u32);
        if largest.is_some()
            && space.components().of(cell) == largest
            && let Some(state) = space.state_at(cell)
        {
            return state;
        }
        assert!(largest.is_some(), "a map to measure on has free cells");
    };
    let problems = (0..count).map(|_| (draw(), draw())).collect();
    Workload { name, space, problems }
}

/// A game-like map of our own with random problems: for machines without the MovingAI files, and to see that
/// nothing was tuned to those.
#[must_use]
pub fn generated(side: u32, count: usize) -> Workload {
    let map = generate(MapKind::Game, side, side, 1).expect("the side is a size that maps can have");
    random_problems(format!("generated {side} x {side}"), &map, count, 1)
}

fn space_of(map: &TerrainMap) -> GridSpace {
    GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2)
}
