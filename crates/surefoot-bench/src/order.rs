//! How much the order of directions matters to LRTA*: what ties are left go to the neighbour that is looked
//! at first.
//!
//! Instead of changing the order, the map is turned and mirrored: in each of the eight ways to lay a square
//! map, the same order of directions is another order on the original.

use std::path::Path;

use surefoot::formats::read_map;
use surefoot::search::JumpPoints;
use surefoot::space::{Cell, CostModel, Grid, GridSpace, MoveRule, TerrainSet};
use surefoot_classics::ROSTER;
use surefoot_lab::episode::walk;
use surefoot_lab::problem_files::{maps_with_problems, read_scen};

/// One of the eight ways to lay a map: mirrored left to right, top to bottom, along the diagonal.
#[derive(Clone, Copy, Debug)]
struct Lay {
    across: bool,
    down: bool,
    along: bool,
}

impl Lay {
    fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self { across: bits & 1 != 0, down: bits & 2 != 0, along: bits & 4 != 0 })
    }

    /// Where a cell of a map of this size comes to lie.
    fn place(self, cell: Cell, width: u32, height: u32) -> Cell {
        let x = if self.across { width - 1 - cell.x } else { cell.x };
        let y = if self.down { height - 1 - cell.y } else { cell.y };
        if self.along { Cell::new(y, x) } else { Cell::new(x, y) }
    }

    fn grid(self, grid: &Grid) -> Result<Grid, surefoot::space::SpaceError> {
        let (width, height) = (grid.width(), grid.height());
        let (new_width, new_height) = if self.along { (height, width) } else { (width, height) };
        let mut laid = Grid::new(new_width, new_height)?;
        for cell in grid.free_cells() {
            laid.set(self.place(cell, width, height), true);
        }
        Ok(laid)
    }
}

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
    for lay in Lay::all() {
        let mut cells = Vec::new();
        for spec in ["lrta*(d=3,ties=low-g)", "lrta*(d=3,ties=high-g)"] {
            let mut agent = ROSTER.agent(&spec.parse()?)?;
            let mut search = JumpPoints::new();
            let (mut problems, mut suboptimality, mut expansions) = (0.0, 0.0, 0.0);
            for (grid, set) in &sets {
                let space = GridSpace::new(lay.grid(grid)?, MoveRule::Squeeze, CostModel::Diagonal14);
                for problem in set {
                    let end = |cell| lay.place(cell, grid.width(), grid.height());
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
        let name = [(lay.across, "left-right"), (lay.down, "top-bottom"), (lay.along, "diagonal")]
            .into_iter()
            .filter(|part| part.0)
            .map(|part| part.1)
            .collect::<Vec<_>>()
            .join(", ");
        let name = if name.is_empty() { "as it is".to_owned() } else { format!("mirrored {name}") };
        println!("{name:<34} {:>22} {:>22}", cells[0], cells[1]);
    }
    Ok(())
}
