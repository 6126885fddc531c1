//! How much the order of directions matters to LRTA*: what ties are left go to the neighbour that is looked
//! at first.
//!
//! Instead of changing the order, the map is turned and mirrored: in each of the eight ways to lay a square
//! map, the same order of directions is another order on the original.

use std::path::Path;

use surefoot::formats::read_map;
use surefoot::search::JumpPoints;
use surefoot::space::{CostModel, GridSpace, MoveRule, TerrainSet};
use surefoot_classics::ROSTER;
use surefoot_lab::episode::walk;
use surefoot_lab::maps::Symmetry;
use surefoot_lab::problem_files::{maps_with_problems, read_scen};

/// Prints suboptimality and expansions a move of LRTA*(3) over the problems of `knn2009` for each lay and tie
/// rule.
///
/// # Errors
/// If the maps cannot be read.
pub fn measure(benchmarks: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let sets = maps_with_problems(&benchmarks.join("knn2009"))?
        .into_iter()
        .map(|(map, scen)| Ok((read_map(map)?.grid(TerrainSet::GROUND), read_scen(scen)?.problems)))
        .collect::<Result<Vec<_>, surefoot::formats::FileError>>()?;
    println!("{:<34} {:>22} {:>22}", "LRTA*(d=3) on knn2009", "ties to the lower g", "ties to the higher g");
    for symmetry in Symmetry::all() {
        let mut cells = Vec::new();
        for spec in ["lrta*(d=3,ties=low-g)", "lrta*(d=3,ties=high-g)"] {
            let mut agent = ROSTER.agent(&spec.parse()?)?;
            let mut search = JumpPoints::new();
            let (mut problems, mut suboptimality, mut expansions) = (0.0, 0.0, 0.0);
            for (grid, set) in &sets {
                let space = GridSpace::new(symmetry.lay(grid)?, MoveRule::Squeeze, CostModel::Diagonal14);
                for problem in set {
                    let end = |cell| symmetry.place(cell, (grid.width(), grid.height()));
                    let (start, goal) = space.locate_ends(end(problem.start), end(problem.goal))?;
                    let optimal =
                        search.find(&space, start, goal)?.cost().ok_or("a problem without a way")?;
                    let episode = walk(&space, &mut *agent, start, goal, None, false)?;
                    problems += 1.0;
                    suboptimality += 100.0 * (episode.travel_cost as f64 / optimal as f64 - 1.0);
                    expansions += episode.expansions_total as f64 / episode.moves.max(1) as f64;
                }
            }
            cells.push(format!("{:.2} %, {:.2}", suboptimality / problems, expansions / problems));
        }
        let name = symmetry.to_string();
        println!("{name:<34} {:>22} {:>22}", cells[0], cells[1]);
    }
    Ok(())
}
