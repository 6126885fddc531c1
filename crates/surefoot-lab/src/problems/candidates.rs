//! The cells that problems can be made of: free, and in a component that is large enough for the costs
//! wanted.

use surefoot::search::Dijkstra;
use surefoot::space::{Cell, Cost, GridSpace, Heuristic as _, StateSpace};

use crate::random::Rng;

/// The cells of all components that can have a path as long as the shortest one wanted.
pub(super) struct Candidates<'a> {
    space: &'a GridSpace,
    /// Runs of cells: how many candidates come before, and the first cell.
    runs: Vec<(u64, Cell)>,
    count: u64,
    /// The components, the largest first.
    components: Vec<u32>,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(space: &'a GridSpace, min_cost: f64) -> Self {
        let labels = space.components();
        // An optimal path visits no cell twice, and no step costs more than a diagonal one over the heaviest
        // ground.
        let heaviest = f64::from(space.weight_range().1);
        let is_long_enough =
            |size: u64| heaviest * space.units().to_f64(space.units().of_steps(0, size - 1)) >= min_cost;
        let mut components: Vec<u32> =
            (0..labels.count() as u32).filter(|&label| is_long_enough(labels.size(label))).collect();
        let mut runs = Vec::new();
        let mut count = 0;
        for y in 0..space.grid().height() {
            for (from, to, label) in labels.row(y) {
                if is_long_enough(labels.size(label)) {
                    runs.push((count, Cell::new(from, y)));
                    count += u64::from(to - from);
                }
            }
        }
        components.sort_by_key(|&label| std::cmp::Reverse(labels.size(label)));
        Self { space, runs, count, components }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The components, the largest first, each by its first cell.
    pub(super) fn components(&self) -> impl Iterator<Item = Cell> {
        let labels = self.space.components();
        self.components.iter().filter_map(move |&label| {
            self.runs.iter().map(|run| run.1).find(|&cell| labels.of(cell) == Some(label))
        })
    }

    /// A candidate, each with the same chance.
    pub(super) fn draw(&self, rng: &mut Rng) -> Cell {
        let number = rng.below(self.count);
        let run = self.runs.partition_point(|&(before, _)| before <= number) - 1;
        let (before, first) = self.runs[run];
        Cell::new(first.x + (number - before) as u32, first.y)
    }

    /// A cell of the same component that a path from `start` at a cost of at most `reach` may lead to, as far
    /// as the octile distance can tell. `None` if a few draws miss.
    pub(super) fn draw_goal(&self, rng: &mut Rng, start: Cell, reach: f64) -> Option<Cell> {
        let area = Area::around(self.space, start, reach);
        (0..DRAWS).find_map(|_| {
            let goal = Cell::new(rng.between(area.left, area.right), rng.between(area.top, area.bottom));
            let octile = self.space.estimate(self.space.state_at(start)?, self.space.state_at(goal)?);
            let fits =
                self.space.units().to_f64(octile) <= reach && self.space.components().same(start, goal);
            fits.then_some(goal)
        })
    }
}

/// Draws for a goal before another start is taken.
const DRAWS: usize = 16;

/// Columns and rows that a path of a given cost can get to, all included.
struct Area {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
}

impl Area {
    fn around(space: &GridSpace, cell: Cell, reach: f64) -> Self {
        // A step costs at least 1 and goes one column or row; the cast saturates.
        let reach = reach as u32;
        Self {
            left: cell.x.saturating_sub(reach),
            right: cell.x.saturating_add(reach).min(space.grid().width() - 1),
            top: cell.y.saturating_sub(reach),
            bottom: cell.y.saturating_add(reach).min(space.grid().height() - 1),
        }
    }

    fn width(&self) -> u32 {
        self.right - self.left + 1
    }

    fn height(&self) -> u32 {
        self.bottom - self.top + 1
    }

    fn cells(&self) -> usize {
        self.width() as usize * self.height() as usize
    }
}

/// How many cells there are around `cell` that a path at a cost of at most `reach` may lead to.
pub(super) fn cells_within(space: &GridSpace, cell: Cell, reach: f64) -> usize {
    Area::around(space, cell, reach).cells()
}

/// Calls `visit` with each cell that can be reached from `start` at a cost of at most `limit`, and the cost.
/// `reach` is the same limit as a number, or a little more.
///
/// A field of distances takes memory for the whole map. Where the limit keeps paths within a small part of a
/// large map, that part is cut out first: a path within the limit cannot leave it, so no distance changes.
pub(super) fn for_each_distance(
    space: &GridSpace,
    start: Cell,
    (limit, reach): (Cost, f64),
    dijkstra: &mut Dijkstra,
    mut visit: impl FnMut(Cell, Cost),
) {
    let area = Area::around(space, start, reach);
    let corner = Cell::new(area.left, area.top);
    let part = if area.cells() < space.state_limit() / 4 {
        space.part(corner, area.width(), area.height()).ok()
    } else {
        None
    };
    let (searched, corner) = part.as_ref().map_or((space, Cell::new(0, 0)), |part| (part, corner));
    let source = searched.state_at(Cell::new(start.x - corner.x, start.y - corner.y));
    if let Some(Ok(field)) = source.map(|source| dijkstra.field_within(searched, source, limit)) {
        for (state, cost) in field.iter() {
            let cell = searched.cell(state);
            visit(Cell::new(corner.x + cell.x, corner.y + cell.y), cost);
        }
    }
}
