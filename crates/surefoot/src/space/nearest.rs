//! The reachable state that is nearest to a cell, looked for in slices.

use super::components::CellRun;
use super::{Cell, Cost, GridSpace, State};

/// A search for the cell of a component that is nearest to a target by the octile distance. Of equally near
/// ones it is the topmost, then the leftmost.
///
/// It goes row by row, outwards from the target's row. A row that is farther away than the best cell so far
/// ends it. It keeps no reference to the space, and goes on if that is edited in between: then what it finds
/// was the nearest when its row was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NearestSearch {
    /// What is to be near.
    pub(crate) target: Cell,
    /// The nearest cell so far.
    pub(crate) best: Cell,
    /// How far the next row lies from the target's...
    pub(crate) distance: u64,
    /// ... and whether below it.
    pub(crate) is_below: bool,
    /// Where to go on in it.
    pub(crate) run: u32,
}

impl NearestSearch {
    /// A search for what is nearest to `target` and can be reached from a cell.
    pub(crate) fn new(space: &GridSpace, from: Cell, target: Cell) -> Self {
        // The target's row may lie far below the map.
        let distance = u64::from(target.y.saturating_sub(space.grid().height() - 1));
        Self { target, best: from, distance, is_below: false, run: 0 }
    }

    /// Looks at up to `most` runs of cells; a row without any counts as one. Goes on with the component of
    /// `from`, to which the states that were found before belong. The runs that it looked at, and the nearest
    /// cell once it is known.
    pub(crate) fn advance(&mut self, space: &GridSpace, from: State, most: u64) -> (u64, Option<Cell>) {
        let component = space.components().of(space.cell(from));
        self.advance_among(space, from, component.as_slice(), most)
    }

    /// The same for all of some components, of which that of `from` is one.
    pub(crate) fn advance_among(
        &mut self,
        space: &GridSpace,
        from: State,
        among: &[u32],
        most: u64,
    ) -> (u64, Option<Cell>) {
        let components = space.components();
        let here = space.cell(from);
        if !components.of(self.best).is_some_and(|label| among.contains(&label)) {
            // The map was edited. What was nearest cannot be reached any more.
            self.best = here;
        }
        let height = space.grid().height();
        let furthest = u64::from(self.target.y.max(height.saturating_sub(self.target.y)));
        let rank = |cell: Cell| (self.octile(space, cell), cell.y, cell.x);
        let (mut best, mut looked) = (rank(self.best), 0);
        let (mut distance, mut is_below, mut run) = (self.distance, self.is_below, self.run);
        let mut is_over = false;
        while looked < most {
            is_over = distance > furthest || space.costs().of_steps(distance, 0) > best.0;
            if is_over {
                break;
            }
            let row = u64::from(self.target.y);
            let row = if is_below { row.checked_add(distance) } else { row.checked_sub(distance) };
            // The target's own row is above and below at once.
            let row = row.filter(|_| !is_below || distance > 0).and_then(|y| u32::try_from(y).ok());
            let (before, mut is_row_over) = (looked, true);
            if let Some(y) = row.filter(|&y| y < height) {
                for &CellRun { from: from_x, to: to_x, label } in components.row_from(y, run as usize) {
                    if looked >= most {
                        is_row_over = false;
                        break;
                    }
                    (looked, run) = (looked + 1, run + 1);
                    if among.contains(&label) {
                        // The octile distance grows strictly with |dx|: the run's nearest column is its
                        // nearest cell.
                        best = best.min(rank(Cell::new(self.target.x.clamp(from_x, to_x - 1), y)));
                    }
                }
            }
            if is_row_over {
                looked += u64::from(looked == before);
                (distance, is_below, run) = (distance + u64::from(is_below), !is_below, 0);
            }
        }
        self.best = Cell::new(best.2, best.1);
        (self.distance, self.is_below, self.run) = (distance, is_below, run);
        (looked, is_over.then_some(self.best))
    }

    fn octile(&self, space: &GridSpace, cell: Cell) -> Cost {
        let (dx, dy) = (cell.x.abs_diff(self.target.x), cell.y.abs_diff(self.target.y));
        space.costs().of_steps(u64::from(dx.abs_diff(dy)), u64::from(dx.min(dy)))
    }
}

impl GridSpace {
    /// The state in the component of `from` that is nearest to `target` by the octile distance: what takes
    /// the place of a goal that is blocked, lies outside or cannot be reached. Equally near ones: the
    /// topmost, then the leftmost. If `from` is blocked, it is `from` itself.
    #[must_use]
    pub fn nearest_reachable(&self, from: State, target: Cell) -> State {
        let here = self.cell(from);
        if !self.grid().is_free(here) {
            return from;
        }
        let mut search = NearestSearch::new(self, here, target);
        let (_, nearest) = search.advance(self, from, u64::MAX);
        nearest.map_or(from, |cell| self.state(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{CostModel, Grid, MoveRule};
    use crate::test_maps::scattered;

    #[test]
    fn the_nearest_reachable_state_is_found_by_distance() {
        let grid = scattered(60, 45);
        for rule in [MoveRule::Squeeze, MoveRule::NoCut] {
            let space = GridSpace::new(grid.clone(), rule, CostModel::Sqrt2);
            let start = grid.free_cells().nth(400).unwrap();
            let from = space.state(start);
            let inside = [(0, 0), (59, 44), (30, 2), (13, 40)];
            // Farther away than rows can be counted one by one.
            let outside = [(60, 45), (7, u32::MAX), (u32::MAX, 7), (u32::MAX, u32::MAX)];
            for target in inside.into_iter().chain(outside).map(|(x, y)| Cell::new(x, y)) {
                let expected = grid
                    .free_cells()
                    .filter(|&cell| space.components().same(cell, start))
                    .min_by_key(|cell| {
                        let (dx, dy) = (cell.x.abs_diff(target.x), cell.y.abs_diff(target.y));
                        let octile =
                            space.costs().of_steps(u64::from(dx.abs_diff(dy)), u64::from(dx.min(dy)));
                        (octile, cell.y, cell.x)
                    })
                    .unwrap();
                assert_eq!(space.cell(space.nearest_reachable(from, target)), expected, "{rule} {target}");
                for slice in [1, 2, 3] {
                    let mut search = NearestSearch::new(&space, start, target);
                    let found = loop {
                        let (looked, found) = search.advance(&space, from, slice);
                        assert!(looked <= slice);
                        if let Some(found) = found {
                            break found;
                        }
                    };
                    assert_eq!(found, expected, "{rule} {target} in slices of {slice}");
                }
            }
        }
    }

    #[test]
    fn what_was_cut_off_meanwhile_is_not_found() {
        let mut space = GridSpace::new(
            Grid::from_fn(9, 3, |cell| cell.x != 7).unwrap(),
            MoveRule::NoCut,
            CostModel::Sqrt2,
        );
        let (start, target) = (Cell::new(0, 1), Cell::new(8, 1));
        let from = space.state(start);
        let mut search = NearestSearch::new(&space, start, target);
        assert_eq!(search.advance(&space, from, 3).1, None);
        assert_eq!(search.best, Cell::new(6, 1));
        space.set_all((0..3).map(|y| (Cell::new(3, y), false)));
        let mut found = None;
        while found.is_none() {
            found = search.advance(&space, from, 3).1;
        }
        assert!(space.components().same(start, found.unwrap()), "{found:?}");
    }
}
