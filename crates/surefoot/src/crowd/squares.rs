//! Units larger than a cell: a unit of size n stands on the square of n × n cells whose top left cell is its
//! position.

use alloc::vec::Vec;

use crate::space::{Cell, CellWeights, Grid};

/// The cells that a unit of this size stands on; some may lie outside.
pub(super) fn under(at: Cell, size: u32) -> impl Iterator<Item = Cell> {
    (at.y..at.y.saturating_add(size))
        .flat_map(move |y| (at.x..at.x.saturating_add(size)).map(move |x| Cell::new(x, y)))
}

/// The positions that a unit of this size can stand on.
pub(super) fn positions(map: &Grid, size: u32) -> Grid {
    let mut grid = map.clone();
    if size > 1 {
        let all = Strip { from: Cell::new(0, 0), width: map.width(), height: map.height() };
        let has_room = all.rooms(map, size);
        // A position is one of the map's free cells at least.
        for cell in map.free_cells().filter(|&cell| !all.at(&has_room, cell)) {
            grid.set(cell, false);
        }
    }
    grid
}

/// The positions over a cell that was blocked or freed, and whether a unit of this size can stand on each.
pub(super) fn positions_over(map: &Grid, cell: Cell, size: u32) -> impl Iterator<Item = (Cell, bool)> {
    let from = Cell::new(cell.x.saturating_sub(size - 1), cell.y.saturating_sub(size - 1));
    let to = |at: u32, limit: u32| at.saturating_add(size).min(limit);
    let part =
        Strip { from, width: to(cell.x, map.width()) - from.x, height: to(cell.y, map.height()) - from.y };
    let has_room = if size == 1 { Vec::from([u8::from(map.is_free(cell))]) } else { part.rooms(map, size) };
    (from.y..=cell.y)
        .flat_map(move |y| (from.x..=cell.x).map(move |x| Cell::new(x, y)))
        .map(move |at| (at, part.at(&has_room, at)))
}

/// The positions over cells that have other weights, and the heaviest cell under a unit of this size at each.
pub(super) fn heaviest_over(map: &Grid, weights: &CellWeights, cells: &[Cell], size: u32) -> Vec<(Cell, u8)> {
    let span = |side: fn(&Cell) -> u32, limit: u32| {
        let (low, high) = (cells.iter().map(side).min()?, cells.iter().map(side).max()?);
        let from = low.saturating_sub(size - 1);
        Some((from, high, high.saturating_add(size).min(limit) - from))
    };
    let spans = span(|cell| cell.x, map.width()).zip(span(|cell| cell.y, map.height()));
    let Some(((left, right, width), (top, bottom, height))) = spans else { return Vec::new() };
    let around = 4 * u64::from(size) * u64::from(size) * cells.len() as u64;
    if cells.len() > 1 && u64::from(width) * u64::from(height) > around {
        // They lie far apart.
        return cells.iter().flat_map(|&cell| heaviest_over(map, weights, &[cell], size)).collect();
    }
    let part = Strip { from: Cell::new(left, top), width, height };
    let heaviest = part.joined(|cell| weights.at(cell).unwrap_or(0), size, u8::max);
    let positions = (top..=bottom).flat_map(|y| (left..=right).map(move |x| Cell::new(x, y)));
    positions.map(|at| (at, heaviest[part.index(at)])).collect()
}

/// A part of the map.
#[derive(Clone, Copy)]
struct Strip {
    from: Cell,
    width: u32,
    height: u32,
}

impl Strip {
    /// For each cell of the part whether there is room for a unit of this size, as far as the part goes.
    fn rooms(self, map: &Grid, size: u32) -> Vec<u8> {
        self.joined(|cell| u8::from(map.is_free(cell)), size, u8::min)
    }

    /// What `join` makes of the values under a unit of this size at each cell of the part.
    fn joined(self, value: impl Fn(Cell) -> u8, size: u32, join: fn(u8, u8) -> u8) -> Vec<u8> {
        let cells = (self.from.y..self.from.y + self.height)
            .flat_map(|y| (self.from.x..self.from.x + self.width).map(move |x| Cell::new(x, y)));
        let mut values: Vec<u8> = cells.map(value).collect();
        over_squares(&mut values, self.width as usize, size, join);
        values
    }

    fn index(self, cell: Cell) -> usize {
        (cell.y - self.from.y) as usize * self.width as usize + (cell.x - self.from.x) as usize
    }

    fn at(self, values: &[u8], cell: Cell) -> bool {
        values[self.index(cell)] == 1
    }
}

/// Replaces each value by what `join` makes of all values under a unit of this size at its place, by rows of
/// `width` values. Beyond the last row and column all values are 0.
///
/// Squares are joined from smaller ones: it takes a pass for each doubling, not for each cell of a square.
pub(super) fn over_squares(values: &mut [u8], width: usize, size: u32, join: fn(u8, u8) -> u8) {
    let size = size as usize;
    // Each value has joined so many when the next offset is added.
    let mut joined = 1;
    while joined < size {
        let offset = joined.min(size - joined);
        for row in values.chunks_exact_mut(width) {
            for x in 0..width {
                row[x] = join(row[x], row.get(x + offset).copied().unwrap_or(0));
            }
        }
        for from in (0..values.len()).step_by(width) {
            let (upper, lower) = values.split_at_mut(from + width);
            let below = lower.get((offset - 1) * width..).unwrap_or_default();
            let below = below.iter().copied().chain(core::iter::repeat(0));
            upper[from..].iter_mut().zip(below).for_each(|(value, below)| *value = join(*value, below));
        }
        joined += offset;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scattered(width: u32, height: u32) -> Grid {
        Grid::from_fn(width, height, |cell| (cell.x * 31 + cell.y * 17 + cell.x * cell.y) % 23 > 1).unwrap()
    }

    #[test]
    fn positions_are_those_with_room_for_the_whole_square() {
        for (width, height) in [(1, 1), (1, 9), (13, 1), (40, 30), (7, 64)] {
            let map = scattered(width, height);
            for size in [1, 2, 3, 4, 5, 7, 8, 11, 64] {
                let grid = positions(&map, size);
                for cell in under(Cell::new(0, 0), width.max(height)).filter(|&cell| map.contains(cell)) {
                    let expected = under(cell, size).all(|cell| map.is_free(cell));
                    assert_eq!(grid.is_free(cell), expected, "{width} x {height}, size {size}, {cell}");
                }
            }
        }
    }

    #[test]
    fn positions_over_an_edit_are_those_of_the_map() {
        let mut map = scattered(30, 20);
        for (x, y) in [(0, 0), (29, 19), (15, 10), (3, 19), (29, 0), (15, 10)] {
            let cell = Cell::new(x, y);
            map.set(cell, !map.is_free(cell));
            for size in [1, 2, 3, 6, 64] {
                let grid = positions(&map, size);
                let over: Vec<_> = positions_over(&map, cell, size).collect();
                assert!(over.iter().all(|&(at, is_room)| is_room == grid.is_free(at)), "{size} {cell}");
                let expected = (x + 1).min(size) * (y + 1).min(size);
                assert_eq!(over.len(), expected as usize);
                assert!(over.iter().all(|&(at, _)| under(at, size).any(|under| under == cell)));
            }
        }
    }
}
