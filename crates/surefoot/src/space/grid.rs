//! A rectangle of free and blocked cells.

use core::fmt;

use xxhash_rust::xxh3::Xxh3;

use super::bits::BitLines;
use super::{Direction, DirectionSet, SpaceError};

/// The largest number of cells in a grid: about a thousand million. Exact costs hold up to here.
pub const MAX_CELLS: u64 = 1 << 30;

/// A place on a grid: x grows to the right, y grows down, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

impl Cell {
    /// The cell in column `x` of row `y`.
    #[inline]
    #[must_use]
    pub const fn new(x: u32, y: u32) -> Self {
        Self { x, y }
    }

    /// How many moves lead to another cell over free ground.
    #[inline]
    pub(crate) const fn moves_to(self, other: Self) -> u32 {
        let (dx, dy) = (self.x.abs_diff(other.x), self.y.abs_diff(other.y));
        if dx > dy { dx } else { dy }
    }

    /// The cell after so many moves in a direction, which must not lead off the map.
    #[inline(always)]
    #[must_use]
    pub const fn after(self, direction: Direction, moves: u32) -> Self {
        let (dx, dy) = direction.delta();
        let moves = moves as i32;
        Self { x: self.x.wrapping_add_signed(dx * moves), y: self.y.wrapping_add_signed(dy * moves) }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// Column and row.
impl From<(u32, u32)> for Cell {
    fn from((x, y): (u32, u32)) -> Self {
        Self { x, y }
    }
}

/// Column and row.
impl From<[u32; 2]> for Cell {
    fn from([x, y]: [u32; 2]) -> Self {
        Self { x, y }
    }
}

/// Column and row.
impl From<Cell> for (u32, u32) {
    fn from(Cell { x, y }: Cell) -> Self {
        (x, y)
    }
}

/// Column and row.
impl From<Cell> for [u32; 2] {
    fn from(Cell { x, y }: Cell) -> Self {
        [x, y]
    }
}

/// Which cells an agent can be in, one bit each.
///
/// The bits are kept twice, by rows and by columns: scans along either run over whole words. An edit keeps
/// both in step at the price of two bit writes.
#[derive(Clone, PartialEq, Eq)]
pub struct Grid {
    width: u32,
    height: u32,
    rows: BitLines,
    columns: BitLines,
}

impl Grid {
    /// A grid of blocked cells.
    ///
    /// # Errors
    /// If a side is 0 or there are more than [`MAX_CELLS`] cells.
    pub fn new(width: u32, height: u32) -> Result<Self, SpaceError> {
        check_size(width, height)?;
        Ok(Self { width, height, rows: BitLines::new(height, width), columns: BitLines::new(width, height) })
    }

    /// A grid in which the cells are free that `is_free` says so of.
    ///
    /// # Errors
    /// As for [`Grid::new`].
    pub fn from_fn(
        width: u32,
        height: u32,
        mut is_free: impl FnMut(Cell) -> bool,
    ) -> Result<Self, SpaceError> {
        let mut grid = Self::new(width, height)?;
        for y in 0..height {
            for x in 0..width {
                if is_free(Cell::new(x, y)) {
                    grid.set(Cell::new(x, y), true);
                }
            }
        }
        Ok(grid)
    }

    /// The number of columns.
    #[inline]
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    #[inline]
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The number of cells, free or not.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The number of free cells.
    #[must_use]
    pub fn free_count(&self) -> u64 {
        self.rows.count_ones()
    }

    /// Whether `cell` lies inside the rectangle.
    #[inline]
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// Whether an agent can be in `cell`; cells outside are blocked.
    #[inline]
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.contains(cell) && self.rows.get(cell.y, cell.x)
    }

    /// Frees or blocks `cell`.
    ///
    /// # Panics
    /// If `cell` lies outside.
    #[inline]
    pub fn set(&mut self, cell: Cell, free: bool) {
        assert!(self.contains(cell), "cell {cell} is outside a grid of {} x {}", self.width, self.height);
        self.rows.set(cell.y, cell.x, free);
        self.columns.set(cell.x, cell.y, free);
    }

    /// The directions in which the neighbouring cell is free.
    #[must_use]
    pub fn free_neighbours(&self, cell: Cell) -> DirectionSet {
        let mut set = DirectionSet::NONE;
        for direction in Direction::ALL {
            if self.neighbour(cell, direction).is_some_and(|neighbour| self.is_free(neighbour)) {
                set = set.with(direction);
            }
        }
        set
    }

    /// The cell next to `cell`, if it lies inside.
    #[must_use]
    pub fn neighbour(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let (dx, dy) = direction.delta();
        let next = Cell::new(cell.x.checked_add_signed(dx)?, cell.y.checked_add_signed(dy)?);
        self.contains(next).then_some(next)
    }

    /// The free cells, row by row.
    pub fn free_cells(&self) -> impl Iterator<Item = Cell> {
        (0..self.height).flat_map(|y| {
            self.rows.runs(y).flat_map(move |(from, to)| (from..to).map(move |x| Cell::new(x, y)))
        })
    }

    /// The free cells of row `y` as runs (first column, one past the last); none if there is no such row.
    pub fn row_runs(&self, y: u32) -> impl Iterator<Item = (u32, u32)> {
        // The row below the last is margin, and so has no free cells.
        self.rows.runs(y.min(self.height))
    }

    /// A number that tells this grid from others: equal for equal grids, on every machine and in every
    /// version, and almost surely different for different ones. Files that belong to a map carry it.
    ///
    /// It is XXH3 of the width, the height, and each row's runs of free cells (first column, one past the
    /// last) ended by `u32::MAX`, all as four bytes, little-endian.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Xxh3::new();
        let mut add = |number: u32| hash.update(&number.to_le_bytes());
        add(self.width);
        add(self.height);
        for y in 0..self.height {
            for (from, to) in self.rows.runs(y) {
                add(from);
                add(to);
            }
            add(u32::MAX);
        }
        hash.digest()
    }

    pub(crate) fn rows(&self) -> &BitLines {
        &self.rows
    }

    pub(crate) fn columns(&self) -> &BitLines {
        &self.columns
    }
}

/// Draws small grids; large ones are described by their size.
impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Grid {} x {}", self.width, self.height)?;
        if self.width > 200 || self.height > 200 {
            return Ok(());
        }
        for y in 0..self.height {
            for x in 0..self.width {
                f.write_str(if self.is_free(Cell::new(x, y)) { "." } else { "@" })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Refuses sizes that no grid can have.
pub(crate) fn check_size(width: u32, height: u32) -> Result<(), SpaceError> {
    if width == 0 || height == 0 {
        Err(SpaceError::EmptyGrid { width, height })
    } else if u64::from(width) * u64::from(height) > MAX_CELLS {
        Err(SpaceError::TooManyCells { width, height })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked() {
        assert!(matches!(Grid::new(0, 5), Err(SpaceError::EmptyGrid { .. })));
        assert!(matches!(Grid::new(u32::MAX, u32::MAX), Err(SpaceError::TooManyCells { .. })));
        assert_eq!(Grid::new(1, 1).unwrap().free_count(), 0);
    }

    #[test]
    fn sides_are_not_limited_to_16_bits() {
        let mut grid = Grid::new(1_000_000, 3).unwrap();
        grid.set(Cell::new(999_999, 2), true);
        assert!(grid.is_free(Cell::new(999_999, 2)));
        assert_eq!(grid.free_cells().collect::<alloc::vec::Vec<_>>(), [Cell::new(999_999, 2)]);
    }

    #[test]
    fn rows_outside_have_no_free_cells() {
        let grid = Grid::from_fn(3, 2, |cell| cell.x != 1).unwrap();
        assert_eq!(grid.row_runs(1).collect::<alloc::vec::Vec<_>>(), [(0, 1), (2, 3)]);
        for y in [2, 3, u32::MAX] {
            assert_eq!(grid.row_runs(y).count(), 0);
        }
    }

    #[test]
    fn fingerprints_tell_grids_apart() {
        let grid = Grid::from_fn(3, 2, |cell| cell.x != 1).unwrap();
        // Fixed for ever: files have it in them.
        assert_eq!(grid.fingerprint(), 11_857_046_881_521_487_879);
        let row = [0, 1, 2, 3, u32::MAX];
        let numbers = [&[3, 2][..], &row, &row].concat();
        let bytes: alloc::vec::Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        assert_eq!(grid.fingerprint(), xxhash_rust::xxh3::xxh3_64(&bytes));
        let others = [(3, 2), (2, 3), (6, 1)].map(|(width, height)| Grid::new(width, height).unwrap());
        let mut seen = alloc::vec![grid.fingerprint()];
        seen.extend(others.iter().map(Grid::fingerprint));
        for cell in [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 1)] {
            let mut edited = grid.clone();
            edited.set(cell, cell.x == 1);
            seen.push(edited.fingerprint());
        }
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count);
    }

    #[test]
    fn neighbours_stop_at_the_edge() {
        let grid = Grid::from_fn(3, 2, |_| true).unwrap();
        let corner = grid.free_neighbours(Cell::new(0, 0));
        assert_eq!(
            corner.iter().collect::<alloc::vec::Vec<_>>(),
            [Direction::East, Direction::South, Direction::SouthEast]
        );
        assert_eq!(grid.neighbour(Cell::new(0, 0), Direction::West), None);
    }
}
