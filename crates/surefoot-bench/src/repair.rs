//! What it takes to repair an abstraction when a cell is edited, beside building it anew, and what it is
//! worth afterwards.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use surefoot::formats;
use surefoot::search::{JumpPoints, Planner};
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule, State, StateSpace, TerrainMap, TerrainSet};
use surefoot_classics::abstraction::{Abstraction, AbstractionConfig};
use surefoot_classics::pra::PraStar;
use surefoot_lab::maps::{MapKind, generate};
use surefoot_lab::problem_files::maps_with_problems;
use surefoot_lab::random::Rng;

type Failure = Box<dyn std::error::Error>;

/// How many maps of the benchmarks are edited.
const MAPS: usize = 10;
/// After so many edits everything is checked.
const CHECK_EVERY: usize = 100;
/// So many problems are then solved; and ten times as many in the end, for the length of paths.
const PROBLEMS: usize = 20;

/// Edits `edits` random cells of each of ten maps of `bg512`, spread over the set, and of generated ones.
/// After every hundredth edit the abstraction is held against the verifier and a flood fill, and PRA*'s paths
/// on it are checked.
///
/// # Errors
/// If maps cannot be read, or a check fails.
pub fn measure(benchmarks: &Path, edits: usize) -> Result<(), Failure> {
    let maps = maps_to_edit(benchmarks)?;
    println!("{edits} edits a map; times in microseconds, an edit without the map's own change of the cell");
    println!(
        "{:<12} {:>8} {:>7} {:>7} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>12} {:>15}",
        "map",
        "states",
        "mean",
        "median",
        "99 %",
        "worst",
        "set",
        "first",
        "copy",
        "rebuild",
        "nodes, levels",
        "subopt. %"
    );
    for (name, map) in maps {
        let space = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2);
        let row = edit_map(space, edits).map_err(|problem| format!("{name}: {problem}"))?;
        println!("{name:<12} {row}");
    }
    println!("nodes: above the ground, of a fresh build's; levels: of the repaired and of a fresh one");
    println!(
        "subopt.: mean length of PRA*'s paths over the optimum, on the repaired abstraction and on a fresh one"
    );
    Ok(())
}

/// Ten maps of `bg512`, spread over the set, and generated ones.
pub(crate) fn maps_to_edit(benchmarks: &Path) -> Result<Vec<(String, TerrainMap)>, Failure> {
    let mut maps: Vec<(String, TerrainMap)> = Vec::new();
    if benchmarks.is_dir() {
        let all = maps_with_problems(&benchmarks.join("bg512"))?;
        for (map, _) in all.iter().step_by(all.len().div_ceil(MAPS).max(1)).take(MAPS) {
            let name = map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            maps.push((name, formats::read_any_map(map)?));
        }
    } else {
        println!("no benchmarks in {}: generated maps only\n", benchmarks.display());
    }
    for (name, kind) in [
        ("game 512", MapKind::Game),
        ("rooms 512", MapKind::Rooms),
        ("maze 512", MapKind::Maze),
        ("random 512", MapKind::Random),
    ] {
        maps.push((name.to_owned(), generate(kind, 512, 512, 1)?));
    }
    Ok(maps)
}

fn edit_map(mut space: GridSpace, edits: usize) -> Result<String, Failure> {
    let mut rng = Rng::new(1, 0);
    let config = AbstractionConfig::default();
    let mut abstraction = Abstraction::build(&space, config)?;
    let first = micros(|| abstraction.repair(&space, []));
    first.1?;
    let (mut times, mut setting) = (Vec::with_capacity(edits), 0.0);
    for done in 1..=edits {
        let cell = draw_cell(&space, &mut rng);
        setting += micros(|| space.set(cell, !space.grid().is_free(cell))).0;
        let (time, repaired) = micros(|| abstraction.repair(&space, [cell]));
        repaired?;
        times.push(time);
        if done % CHECK_EVERY == 0 {
            abstraction.verify_cliques(&space)?;
            compare_with_flood_fill(&space, &abstraction)?;
            suboptimality(&space, abstraction.clone(), &mut rng.clone(), PROBLEMS)?;
        }
    }
    let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let (rebuild, fresh) = micros(|| Abstraction::build(&space, config));
    let fresh = fresh?;
    let mut copied = abstraction.clone();
    let (copy, done) = micros(|| copied.repair(&space, []));
    done?;
    let above = |abstraction: &Abstraction| (abstraction.states() - abstraction.ground_states()) as f64;
    let (nodes, levels) = (above(&abstraction) / above(&fresh), (abstraction.levels(), fresh.levels()));
    let ours = suboptimality(&space, abstraction, &mut rng.clone(), 10 * PROBLEMS)?;
    let theirs = suboptimality(&space, fresh, &mut rng, 10 * PROBLEMS)?;
    Ok(format!(
        "{:>8} {mean:>7.1} {:>7.1} {:>7.1} {:>7.1} {:>8.1} {:>8.0} {:>8.0} {:>8.0} {:>5.3}, {:>2}/{:>2} {ours:>7.3} {theirs:>7.3}",
        space.grid().free_count(),
        at(0.5),
        at(0.99),
        at(1.0),
        setting / edits as f64,
        first.0,
        copy,
        rebuild,
        nodes,
        levels.0,
        levels.1,
    ))
}

pub(crate) fn micros<T>(what: impl FnOnce() -> T) -> (f64, T) {
    let begin = Instant::now();
    let result = what();
    (begin.elapsed().as_secs_f64() * 1e6, result)
}

/// A cell that is free or has a neighbour that is: to free one in the middle of a wall changes nothing.
pub(crate) fn draw_cell(space: &GridSpace, rng: &mut Rng) -> Cell {
    let grid = space.grid();
    loop {
        let cell =
            Cell::new(rng.below(u64::from(grid.width())) as u32, rng.below(u64::from(grid.height())) as u32);
        if grid.is_free(cell) || grid.free_neighbours(cell).0 != 0 {
            return cell;
        }
    }
}

/// Two states must have the same top node if and only if a flood fill from one finds the other.
fn compare_with_flood_fill(space: &GridSpace, abstraction: &Abstraction) -> Result<(), Failure> {
    let mut is_reached = vec![false; space.state_limit()];
    let mut tops = std::collections::HashSet::new();
    for first in space.grid().free_cells().filter_map(|cell| space.state_at(cell)) {
        if std::mem::replace(&mut is_reached[first.index()], true) {
            continue;
        }
        let top = top_of(abstraction, first);
        if !tops.insert(top) {
            return Err(format!("two components have the top {top:?}").into());
        }
        let mut pending = vec![first];
        while let Some(state) = pending.pop() {
            if top_of(abstraction, state) != top {
                return Err(format!("the tops of {first:?} and {state:?} differ").into());
            }
            space.for_each_successor(state, |next, _| {
                if !std::mem::replace(&mut is_reached[next.index()], true) {
                    pending.push(next);
                }
            });
        }
    }
    Ok(())
}

/// The level and number of the highest node above a state.
fn top_of(abstraction: &Abstraction, state: State) -> (usize, u32) {
    let (mut level, mut node) = (0, state.0);
    while let Some(parent) = abstraction.parent(level, node) {
        (level, node) = (level + 1, parent);
    }
    (level, node)
}

/// Solves random problems with PRA*, and gives by how many per cent its paths are too long in the mean.
fn suboptimality(
    space: &GridSpace,
    abstraction: Abstraction,
    rng: &mut Rng,
    count: usize,
) -> Result<f64, Failure> {
    let (mut search, mut optimal) = (PraStar::new(Arc::new(abstraction)), JumpPoints::new());
    let (mut total, mut solved) = (0.0, 0);
    for _ in 0..count {
        let mut draw = || loop {
            if let Ok(state) = space.locate(draw_cell(space, rng)) {
                return state;
            }
        };
        let (start, goal) = (draw(), draw());
        let path = search.plan(space, start, goal)?.path;
        let best = optimal.find(space, start, goal)?.cost();
        match path.zip(best) {
            Some((path, best)) => {
                path.check(space)?;
                if (path.states.first(), path.states.last()) != (Some(&start), Some(&goal)) {
                    return Err(format!("a path from {start:?} does not lead to {goal:?}").into());
                }
                total += 100.0 * (path.cost as f64 / best.max(1) as f64 - 1.0);
                solved += 1;
            }
            None if best.is_some() => return Err(format!("no path from {start:?} to {goal:?}").into()),
            None => {}
        }
    }
    Ok(total / f64::from(solved.max(1)))
}
