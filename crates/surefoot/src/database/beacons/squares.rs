//! Beacons by where they stand.

use alloc::vec;
use alloc::vec::Vec;

use crate::space::Cell;

/// Numbers of beacons by the square of the map that they stand in.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    side: u32,
    columns: u32,
    rows: u32,
    beacons: Vec<Vec<u32>>,
}

impl Squares {
    pub(super) fn new((width, height): (u32, u32), side: u32) -> Self {
        let (columns, rows) = (width.div_ceil(side), height.div_ceil(side));
        Self { side, columns, rows, beacons: vec![Vec::new(); columns as usize * rows as usize] }
    }

    pub(super) fn add(&mut self, cell: Cell, number: u32) {
        let square = cell.y / self.side * self.columns + cell.x / self.side;
        self.beacons[square as usize].push(number);
    }

    /// The beacons in the squares that cells within `span` of a cell, along both axes, lie in.
    #[inline]
    pub(super) fn around(&self, cell: Cell, span: u32) -> impl Iterator<Item = u32> {
        let squares = |at: u32, count: u32| {
            let last = at.saturating_add(span) / self.side;
            at.saturating_sub(span) / self.side..last.saturating_add(1).min(count)
        };
        let columns = squares(cell.x, self.columns);
        squares(cell.y, self.rows)
            .flat_map(move |row| columns.clone().map(move |column| row * self.columns + column))
            .flat_map(|square| &self.beacons[square as usize])
            .copied()
    }
}
