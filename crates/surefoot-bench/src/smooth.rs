//! How much shorter walks become when paths are pulled tight.

use std::error::Error;
use std::path::Path;

use surefoot::crowd::Kind;
use surefoot::formats::read_any_map;
use surefoot::search::JumpPoints;
use surefoot::space::{Cell, CostModel, MoveRule, TerrainSet};
use surefoot_lab::problem_files::{maps_with_problems, read_scen, scen_beside};

/// Sums over paths.
#[derive(Default)]
struct Sums {
    paths: u32,
    /// Of any-angle length ÷ length from cell to cell.
    ratios: f64,
    lowest: f64,
    turns: usize,
    points: usize,
}

/// Prints for each folder, size of units and rule by how much cheapest paths become shorter, in the mean over
/// every `every`-th problem.
///
/// # Errors
/// If maps or problems cannot be read.
pub fn measure(benchmarks: &Path, every: usize) -> Result<(), Box<dyn Error>> {
    println!(
        "{:<12} {:<8} {:>4} {:>7} {:>18} {:>8} {:>16}",
        "maps", "rule", "size", "paths", "any-angle ÷ cells", "lowest", "points ÷ turns"
    );
    for folder in ["bg512", "dao", "sc1"] {
        for (rule, size) in
            [(MoveRule::NoCut, 1), (MoveRule::NoCut, 2), (MoveRule::NoCut, 3), (MoveRule::Squeeze, 1)]
        {
            let mut kind = Kind::new(rule, CostModel::Sqrt2);
            kind.size = size;
            let mut sums = Sums { lowest: 1.0, ..Sums::default() };
            for (map, _) in maps_with_problems(&benchmarks.join(folder))?.into_iter().step_by(4) {
                add(&map, &kind, every, &mut sums)?;
            }
            let Sums { paths, ratios, lowest, turns, points } = sums;
            println!(
                "{folder:<12} {:<8} {size:>4} {paths:>7} {:>17.4} {lowest:>8.4} {:>16.3}",
                rule.name(),
                ratios / f64::from(paths.max(1)),
                points as f64 / turns.max(1) as f64
            );
        }
    }
    Ok(())
}

fn add(map: &Path, kind: &Kind, every: usize, sums: &mut Sums) -> Result<(), Box<dyn Error>> {
    let space = kind.space(&read_any_map(map)?.grid(TerrainSet::GROUND))?;
    let mut search = JumpPoints::new();
    for problem in read_scen(scen_beside(map))?.problems.iter().step_by(every) {
        // Units that are larger do not stand everywhere.
        let Ok((start, goal)) = space.locate_ends(problem.start, problem.goal) else { continue };
        let Some(path) = search.find(&space, start, goal)?.path.filter(|path| path.moves() > 0) else {
            continue;
        };
        let cells: Vec<Cell> = path.states.iter().map(|&state| space.cell(state)).collect();
        let walk = space.smooth(&cells)?;
        let ratio = walk.length() / space.path_cost(path.cost).to_f64();
        let way = |cells: &[Cell]| (cells[1].x.wrapping_sub(cells[0].x), cells[1].y.wrapping_sub(cells[0].y));
        sums.paths += 1;
        sums.ratios += ratio;
        sums.lowest = sums.lowest.min(ratio);
        sums.turns += 2 + cells.windows(3).filter(|cells| way(cells) != way(&cells[1..])).count();
        sums.points += walk.points().len();
    }
    Ok(())
}
