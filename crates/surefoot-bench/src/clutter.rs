//! Maps that are full of corners: woods and buildings, obstacles at random, mazes. What the database takes
//! there, and what walks by it are worth.

use std::time::Instant;

use surefoot::agent::Spec;
use surefoot::space::{Cell, CostModel, Grid, GridSpace, MoveRule, TerrainSet};
use surefoot_classics::ROSTER;
use surefoot_lab::maps::{MapKind, generate};
use surefoot_lab::random::Rng;

use crate::tables::spread;
use crate::walks::{first_times, lengths, some_problems};

type Failure = Box<dyn std::error::Error>;

/// Problems on every map.
const PROBLEMS: usize = 100;

/// A map, by its name.
type Make = fn() -> Result<Grid, Failure>;
const MAPS: [(&str, Make); 7] = [
    ("game-2048", || game(2048)),
    ("game-4000", || game(4000)),
    ("random-10", || random(10)),
    ("random-20", || random(20)),
    ("random-30", || random(30)),
    ("random-40", || random(40)),
    ("maze-1", || Ok(generate(MapKind::Maze, 513, 513, 1)?.grid(TerrainSet::GROUND))),
];

fn game(side: u32) -> Result<Grid, Failure> {
    Ok(generate(MapKind::Game, side, side, 1)?.grid(TerrainSet::GROUND))
}

/// 512 × 512 cells, so many of a hundred blocked, each for itself.
fn random(percent: u64) -> Result<Grid, Failure> {
    let mut random = Rng::new(1, percent);
    Ok(Grid::from_fn(512, 512, |_: Cell| random.below(100) >= percent)?)
}

/// Prints a line for each map, or for those whose name begins with `only`. One that no database can be built
/// for is a line, too.
///
/// # Errors
/// If no map has such a name.
pub fn measure(spec: &str, only: Option<&str>) -> Result<(), Failure> {
    let spec = ROSTER.with_star(&spec.parse()?);
    let chosen: Vec<_> =
        MAPS.iter().filter(|(name, _)| only.is_none_or(|only| name.starts_with(only))).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = MAPS.iter().map(|(name, _)| *name).collect();
        return Err(format!("no map is called {}; there are {}", only.unwrap_or(""), names.join(", ")).into());
    }
    println!("{spec}: {PROBLEMS} random problems a map, no-cut with sqrt2; first: the first decision, us");
    println!(
        "{:<12} {:>9} {:>8} {:>10} {:>10} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8}",
        "map", "states", "build s", "file", "memory", "mean %", "99 %", "worst %", "first", "99 %", "worst"
    );
    for (name, make) in chosen {
        let row = make().and_then(|grid| measure_map(grid, &spec));
        println!("{name:<12} {}", row.unwrap_or_else(|problem| format!("failed: {problem}")));
    }
    Ok(())
}

fn measure_map(grid: Grid, spec: &Spec) -> Result<String, Failure> {
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let begin = Instant::now();
    let database = ROSTER
        .build_database(spec, &space, 1)
        .map_err(|error| format!("{error}, after {:.1} s", begin.elapsed().as_secs_f64()))?;
    let build = begin.elapsed().as_secs_f64();
    let file = database.as_ref().map_or(0, |database| database.to_bytes().len());
    let memory = database.as_ref().map_or(0, |database| database.memory_bytes());
    let mut agent = ROSTER.agent_with(spec, database.as_ref())?;
    let problems = some_problems(&space, PROBLEMS, 0.0, f64::INFINITY);
    let walks = lengths(&mut *agent, &space, &problems)?;
    let (mean, rare, worst) = spread(&walks.over);
    let first = spread(&first_times(&mut *agent, &space, &problems));
    Ok(format!(
        "{:>9} {build:>8.2} {file:>10} {memory:>10} {mean:>7.3} {rare:>7.2} {worst:>8.2} {:>8.1} {:>8.1} {:>8.1}",
        space.grid().free_count(),
        first.0,
        first.1,
        first.2,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn obstacles_are_as_many_as_asked() {
        let free = random(40).unwrap().free_count() as f64 / (512.0 * 512.0);
        assert!((0.59..0.61).contains(&free), "{free}");
    }

    #[test]
    fn names_that_nothing_has_are_told() {
        assert!(measure("beacon*", Some("swamp")).unwrap_err().to_string().contains("there are game-2048"));
    }
}
