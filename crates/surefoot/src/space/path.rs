//! A whole way, cell by cell.

use alloc::vec::Vec;

use super::{Cell, Cost, GridSpace, PathCost, State};

/// A way from one cell to another: every cell on it, and what it costs. Where it leads over a
/// [link](crate::space::Link), the next cell is no neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// At least one.
    cells: Vec<Cell>,
    cost: PathCost,
}

impl Path {
    pub(crate) fn new(space: &GridSpace, states: &[State], cost: Cost) -> Self {
        let cells = states.iter().map(|&state| space.cell(state)).collect();
        Self { cells, cost: space.path_cost(cost) }
    }

    /// The cells on the way, from start to goal, both included.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cells on the way, from start to goal, both included.
    #[must_use]
    pub fn into_cells(self) -> Vec<Cell> {
        self.cells
    }

    /// What all moves cost together.
    #[must_use]
    pub fn cost(&self) -> PathCost {
        self.cost
    }

    /// The number of moves: one less than there are cells.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.cells.len().saturating_sub(1)
    }

    /// The moves that lead over links, from entry to exit. They are those between cells that do not touch: a
    /// link to a cell next door shows only in the cost.
    #[must_use]
    pub fn jumps(&self) -> Vec<(Cell, Cell)> {
        let moves = self.cells.windows(2).map(|cells| (cells[0], cells[1]));
        moves.filter(|(from, to)| from.moves_to(*to) > 1).collect()
    }

    /// Where the way turns, with its start and its goal. Between two of these cells all moves have one
    /// direction, so that a straight line can be drawn.
    #[must_use]
    pub fn turning_points(&self) -> Vec<Cell> {
        bends_of(&self.cells).collect()
    }
}

/// The cells at which a way changes its direction, its first and its last one included.
pub(crate) fn bends_of(cells: &[Cell]) -> impl Iterator<Item = Cell> {
    let inner = cells.windows(3).filter(|cells| {
        let way = |from: Cell, to: Cell| (to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y));
        way(cells[0], cells[1]) != way(cells[1], cells[2])
    });
    let first = cells.first().copied();
    let last = cells.last().copied().filter(|_| cells.len() > 1);
    first.into_iter().chain(inner.map(|cells| cells[1])).chain(last)
}

impl<'a> IntoIterator for &'a Path {
    type Item = &'a Cell;
    type IntoIter = core::slice::Iter<'a, Cell>;

    fn into_iter(self) -> Self::IntoIter {
        self.cells.iter()
    }
}
