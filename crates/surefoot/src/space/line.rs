//! Line of sight: whether a unit can go straight from one position to another, at any angle.
//!
//! What is asked is whether the unit's *body*, which sweeps from one position to the other, keeps out of
//! walls. All of it is whole numbers, and it does not matter which end is asked.
//!
//! - **No-cut and cardinal**: the body of a unit of size k is the whole square of k × k cells. It may touch
//!   walls, and never overlaps one. So a diagonal move is a clear line just if no-cut allows it.
//! - **Squeeze and one-free** let units cut corners: so half a cell of the body is left out on each side. Of
//!   size 1 that is a point, which may touch a wall's corner, as a diagonal move does. Where it slips through
//!   between two cells that meet at a corner, squeeze asks nothing of these two. One-free wants one of them
//!   free.
//!
//! **Size.** A kind of units of size k has a grid of positions of its own: one is free if all k × k cells
//! from there on are. The square of a unit of size 1 that goes over that grid overlaps a blocked position
//! just if the unit's own square overlaps a blocked cell. For if cell c is blocked, the unit overlaps it
//! where its position p has c − k < p < c + 1, along x and along y. The positions that c blocks are c − k + 1
//! to c, and a square of size 1 at p overlaps one of these, i, where i − 1 < p < i + 1. All of these
//! intervals together are the one before, along x and along y. With half a cell less on each side the
//! intervals are shorter by ½ at both ends. Then they leave out single points between them, which no line
//! between two positions runs along. So this file knows of size 1 only.

use super::rays::straight_run;
use super::{BitLines, Cell, Grid, GridSpace, MoveRule};

impl GridSpace {
    /// Whether a unit can go straight from one cell to the other, at any angle, and back. Under the rules
    /// no-cut and cardinal its whole square keeps out of walls; under the others its middle does. What ground
    /// weighs makes no difference. `false` if a cell is blocked or lies outside.
    ///
    /// It takes about as many steps as there are rows between the two, or columns if these are fewer.
    ///
    /// ```
    /// use surefoot::{Cell, Map};
    ///
    /// let map = Map::from_art("......\n...#..\n......")?;
    /// assert!(map.space().line_of_sight(Cell::new(0, 0), Cell::new(2, 1)));
    /// assert!(!map.space().line_of_sight(Cell::new(0, 0), Cell::new(5, 2)));
    /// # Ok::<(), surefoot::MapError>(())
    /// ```
    #[must_use]
    pub fn line_of_sight(&self, from: Cell, to: Cell) -> bool {
        self.grid.is_free(from)
            && self.grid.is_free(to)
            && Line::new(from, to).is_clear(&self.grid, self.rule())
    }

    /// Whether a unit can go straight from one cell to the other, and all that it goes over weighs the same.
    pub(super) fn is_even_line(&self, from: Cell, to: Cell) -> bool {
        let Some(weights) = self.weights() else { return self.line_of_sight(from, to) };
        let line = Line::new(from, to);
        let weight = weights.at(from);
        self.line_of_sight(from, to)
            && line.all_runs(self.rule(), |run| run.cells().all(|cell| weights.at(cell) == weight))
    }
}

/// A straight line between two positions, seen along its longer side: it has *rows*, which are columns of the
/// map where the line is steep, and *places* in them.
#[derive(Clone, Copy)]
struct Line {
    from: Cell,
    to: Cell,
    is_steep: bool,
    /// How many places and how many rows the ends are apart.
    long: i64,
    short: i64,
}

/// A run of cells that lie under a line, all in one row of it.
#[derive(Clone, Copy)]
struct Run {
    row: u32,
    first: u32,
    last: u32,
    is_steep: bool,
}

impl Run {
    fn is_free(self, grid: &Grid) -> bool {
        let free = |lines: &BitLines| {
            let more = self.last - self.first;
            lines.get(self.row, self.first) && straight_run(lines, self.row, self.first, true, more) == more
        };
        free(if self.is_steep { grid.columns() } else { grid.rows() })
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        let Self { row, is_steep, .. } = self;
        (self.first..=self.last).map(move |at| if is_steep { Cell::new(row, at) } else { Cell::new(at, row) })
    }
}

impl Line {
    fn new(from: Cell, to: Cell) -> Self {
        let (dx, dy) = (i64::from(from.x.abs_diff(to.x)), i64::from(from.y.abs_diff(to.y)));
        Self { from, to, is_steep: dy > dx, long: dx.max(dy), short: dx.min(dy) }
    }

    fn is_clear(self, grid: &Grid, rule: MoveRule) -> bool {
        self.all_runs(rule, |run| run.is_free(grid))
            && (rule != MoveRule::OneFree
                || self.all_corners(|cells| cells.iter().any(|&cell| grid.is_free(cell))))
    }

    /// Whether all runs of cells under the line are so, row by row.
    ///
    /// Let the line go from (0, 0) to (long, short). The body overlaps cell (x, j) just if a point of the
    /// line is nearer to it than h, along both axes. h is 1 for a whole square, and ½ for one that is smaller
    /// by ½ on each side. Row j is so near for points between (j − h) · long ÷ short and (j + h) · long ÷
    /// short, as far as the line goes. The cells in that row are those nearer than h to one of these points.
    /// Everything is multiplied by 2 · short here. A side is below 2³⁰, and rows times places are too:
    /// nothing overflows.
    fn all_runs(self, rule: MoveRule, mut is_so: impl FnMut(Run) -> bool) -> bool {
        let Self { long, short, .. } = self;
        if short == 0 {
            return is_so(self.run(0, 0, long));
        }
        let twice_h = if matches!(rule, MoveRule::NoCut | MoveRule::Cardinal) { 2 } else { 1 };
        (0..=short).all(|row| {
            let nearest = i64::max((2 * row - twice_h) * long, 0) - twice_h * short;
            let farthest = i64::min((2 * row + twice_h) * long, 2 * short * long) + twice_h * short;
            // The first whole number above, and the last one below.
            let first = nearest.div_euclid(2 * short) + 1;
            let last = (farthest - 1).div_euclid(2 * short);
            is_so(self.run(row, first, last))
        })
    }

    /// Whether all pairs of cells are so that meet at a corner which the line leads through.
    fn all_corners(self, mut are_so: impl FnMut([Cell; 2]) -> bool) -> bool {
        let Self { long, short, .. } = self;
        (0..short).all(|row| {
            // Where the line is half-way between this row and the next, in half places.
            let at = (2 * row + 1) * long;
            let is_corner = at % short == 0 && at / short % 2 == 1;
            let place = at / short / 2;
            !is_corner || are_so([self.cell(row, place + 1), self.cell(row + 1, place)])
        })
    }

    fn run(self, row: i64, first: i64, last: i64) -> Run {
        let is_steep = self.is_steep;
        let [first, last] = [first, last].map(|place| {
            let Cell { x, y } = self.cell(row, place);
            if is_steep { (x, y) } else { (y, x) }
        });
        Run { row: first.0, first: first.1.min(last.1), last: first.1.max(last.1), is_steep }
    }

    /// The cell at a place of a row.
    fn cell(self, row: i64, place: i64) -> Cell {
        let (dx, dy) = if self.is_steep { (row, place) } else { (place, row) };
        // Between the two ends, so it fits.
        let on = |from: u32, to: u32, by: i64| if to < from { from - by as u32 } else { from + by as u32 };
        Cell::new(on(self.from.x, self.to.x, dx), on(self.from.y, self.to.y, dy))
    }
}
