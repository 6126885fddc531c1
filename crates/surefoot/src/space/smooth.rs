//! Smooth walks: a path's cells pulled tight like a string, so that a unit goes straight from corner to
//! corner, at any angle.
//!
//! Points are left out, or exchanged for others of the path inside the triangle with their neighbours. Either
//! way a walk does not become longer, and no lengths are compared for it: decisions are whole numbers.

use alloc::vec;
use alloc::vec::Vec;

use super::{Cell, GridSpace, QueryError};

/// How often points are exchanged and left out again, at most.
const ROUNDS: u32 = 4;

/// A walk at any angle: points with straight lines between them, on each of which a unit has
/// [line of sight](GridSpace::line_of_sight).
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothPath {
    /// At least one.
    points: Vec<Cell>,
    length: f64,
    covered: usize,
}

impl SmoothPath {
    /// The points, from start to end: all of them cells of the path that was smoothed.
    #[must_use]
    pub fn points(&self) -> &[Cell] {
        &self.points
    }

    /// The length of all lines together, in cells: the any-angle length. It is no more than that of the path.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The place of the last point among the cells that were smoothed: to go on from there.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.covered
    }

    /// Where a unit is that has gone so far from the start, as column and row: (3.0, 4.0) is cell (3, 4).
    /// Before the start it is the start, after the end it is the end. To draw the middle of a unit, add half
    /// its size to both.
    #[must_use]
    pub fn at(&self, distance: f64) -> (f64, f64) {
        let place = |cell: Cell| (f64::from(cell.x), f64::from(cell.y));
        let mut left = if distance > 0.0 { distance } else { 0.0 };
        for line in self.points.windows(2) {
            let (length, from, to) = (length(line[0], line[1]), place(line[0]), place(line[1]));
            if left < length {
                let part = left / length;
                return (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
            }
            left -= length;
        }
        self.points.last().copied().map_or((0.0, 0.0), place)
    }
}

impl GridSpace {
    /// Pulls a path tight: the fewest points that this finds, with a clear line from each to the next, and
    /// the same ends. The cells may be those of a path, or any points each of which sees the next.
    ///
    /// What it takes is nearly proportional to the length of the path. [`smooth_ahead`](Self::smooth_ahead)
    /// takes less.
    ///
    /// Where ground has weights, only stretches over cells of one weight are pulled, over cells of the same
    /// weight: so the walk costs no more than the path. Moves from one weight to another stay as they are.
    ///
    /// ```
    /// use surefoot::{Cell, Map};
    ///
    /// let map = Map::from_art(".....\n.....")?;
    /// let cells = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 1)].map(Cell::from);
    /// let walk = map.space().smooth(&cells)?;
    /// assert_eq!(walk.points(), [Cell::new(0, 0), Cell::new(4, 1)]);
    /// assert_eq!(walk.at(walk.length() / 2.0), (2.0, 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there are no cells, if one lies outside or is blocked, or if a unit cannot go straight from one to
    /// the next: the map was edited, or they are of another map.
    pub fn smooth(&self, cells: &[Cell]) -> Result<SmoothPath, QueryError> {
        self.smooth_ahead(cells, usize::MAX)
    }

    /// The first `lines` straight lines of a smooth walk, or all if there are fewer; 0 counts as 1. It looks
    /// one line further, and no more. To bound how far it looks in cells, give it the next cells only:
    /// `&cells[..100]`.
    ///
    /// # Errors
    /// As for [`smooth`](Self::smooth), for the cells that it comes to.
    pub fn smooth_ahead(&self, cells: &[Cell], lines: usize) -> Result<SmoothPath, QueryError> {
        let lines = lines.max(1);
        let &first = cells.first().ok_or(QueryError::NoCells)?;
        self.locate(first)?;
        let string = CellString { space: self, cells, stretches: self.stretches(cells) };
        let mut points = string.pull(lines.saturating_add(1))?;
        for _ in 0..ROUNDS {
            let has_slid = string.slide(&mut points);
            string.leave_out(&mut points);
            if !has_slid {
                break;
            }
        }
        points.truncate(lines.saturating_add(1));
        let covered = points.last().copied().unwrap_or(0);
        let points: Vec<Cell> = points.into_iter().map(|place| cells[place]).collect();
        let length = points.windows(2).map(|line| length(line[0], line[1])).sum();
        Ok(SmoothPath { points, length, covered })
    }

    /// For each cell the number of the stretch of equal weight that it is in. Empty if ground has no weights.
    fn stretches(&self, cells: &[Cell]) -> Vec<u32> {
        if !self.is_weighted() {
            return Vec::new();
        }
        let mut stretch = vec![0; cells.len()];
        for at in 1..cells.len() {
            stretch[at] = stretch[at - 1] + u32::from(self.weight(cells[at - 1]) != self.weight(cells[at]));
        }
        stretch
    }
}

/// The cells of a path. Points of the walk are places among them.
struct CellString<'a> {
    space: &'a GridSpace,
    cells: &'a [Cell],
    stretches: Vec<u32>,
}

impl CellString<'_> {
    /// Whether a straight line may stand for what lies between two places.
    fn is_clear(&self, from: usize, to: usize) -> bool {
        let stretch = |place: usize| self.stretches.get(place);
        stretch(from) == stretch(to) && self.space.is_even_line(self.cells[from], self.cells[to])
    }

    /// Goes from each point to one far ahead that it sees, found by doubling and halving; so many lines at
    /// most.
    fn pull(&self, lines: usize) -> Result<Vec<usize>, QueryError> {
        let last = self.cells.len() - 1;
        let mut points = vec![0];
        let mut here = 0;
        while here < last && points.len() <= lines {
            let mut seen = here + 1;
            self.check(here, seen)?;
            let mut step = 2;
            let mut unseen = loop {
                if seen == last {
                    break last + 1;
                }
                let next = here.saturating_add(step).min(last);
                if !self.is_clear(here, next) {
                    break next;
                }
                (seen, step) = (next, step.saturating_mul(2));
            };
            while unseen - seen > 1 {
                let middle = seen + (unseen - seen) / 2;
                if self.is_clear(here, middle) {
                    seen = middle;
                } else {
                    unseen = middle;
                }
            }
            points.push(seen);
            here = seen;
        }
        Ok(points)
    }

    /// Checks that a unit can go from a cell to the next.
    fn check(&self, from: usize, to: usize) -> Result<(), QueryError> {
        let (from, to) = (self.cells[from], self.cells[to]);
        self.space.locate(to)?;
        if self.space.line_of_sight(from, to) { Ok(()) } else { Err(QueryError::NoLine { from, to }) }
    }

    /// Exchanges points for others inside the triangles with their neighbours, which sees both of these.
    /// That is how a point gets back to the corner that the path leads around. Tells whether one was.
    fn slide(&self, points: &mut [usize]) -> bool {
        let mut has_slid = false;
        for middle in 1..points.len().saturating_sub(1) {
            let (before, after) = (points[middle - 1], points[middle + 1]);
            for is_back in [true, false] {
                let room = if is_back { points[middle] - before } else { after - points[middle] };
                let mut step = room.next_power_of_two() / 2;
                while step > 0 {
                    let here = points[middle];
                    let to = if is_back { here.checked_sub(step) } else { Some(here + step) };
                    match to.filter(|&to| before < to && to < after) {
                        Some(to) if self.is_tighter([before, here, after], to) => {
                            (points[middle], has_slid) = (to, true);
                        }
                        _ => step /= 2,
                    }
                }
            }
        }
        has_slid
    }

    /// Whether another place may stand for the middle one of three, and lies inside their triangle. Its
    /// triangle is then a part of theirs, and smaller: this comes to an end.
    fn is_tighter(&self, three: [usize; 3], to: usize) -> bool {
        let triangle = three.map(|place| self.cells[place]);
        self.cells[to] != triangle[1]
            && is_inside(triangle, self.cells[to])
            && self.is_clear(three[0], to)
            && self.is_clear(to, three[2])
    }

    /// Leaves out each point whose neighbours see each other, until there is none.
    fn leave_out(&self, points: &mut Vec<usize>) {
        let mut kept: Vec<usize> = Vec::with_capacity(points.len());
        for &point in &*points {
            kept.push(point);
            while let [.., before, _, after] = kept[..]
                && self.is_clear(before, after)
            {
                let place = kept.len() - 2;
                kept.remove(place);
            }
        }
        *points = kept;
    }
}

/// Whether a cell lies inside a triangle or on its rim.
fn is_inside([a, b, c]: [Cell; 3], cell: Cell) -> bool {
    let in_box = |of: fn(Cell) -> u32| {
        let ends = [a, b, c].map(of);
        ends.iter().any(|&end| end <= of(cell)) && ends.iter().any(|&end| end >= of(cell))
    };
    let side = |from: Cell, to: Cell| {
        let along = |to: u32, from: u32| i64::from(to) - i64::from(from);
        let (x, y) = (along(to.x, from.x), along(to.y, from.y));
        // All lie on one map, as the box says of the cell: each product is below 2³⁰.
        (x * along(cell.y, from.y) - y * along(cell.x, from.x)).signum()
    };
    // The box is for three points in a line, too.
    in_box(|cell| cell.x) && in_box(|cell| cell.y) && {
        let sides = [side(a, b), side(b, c), side(c, a)];
        !sides.contains(&1) || !sides.contains(&-1)
    }
}

/// The distance of two cells, rounded once. There is no square root without `std`, so it is that of a whole
/// number, shifted so far that nothing is lost.
fn length(from: Cell, to: Cell) -> f64 {
    let square = |a: u32, b: u32| u128::from(a.abs_diff(b)).pow(2);
    let sum = square(from.x, to.x) + square(from.y, to.y);
    let shift = sum.leading_zeros().saturating_sub(2) / 2;
    if sum == 0 { 0.0 } else { (sum << (2 * shift)).isqrt() as f64 / (1_u128 << shift) as f64 }
}

#[cfg(test)]
mod tests;
