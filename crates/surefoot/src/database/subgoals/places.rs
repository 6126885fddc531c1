//! Which records pass where: the map in squares, and for each the legs of records whose climbs come through it.

use alloc::vec;
use alloc::vec::Vec;

use crate::space::{Cell, Direction, Grid, State};

/// A leg: its record, and the state that it begins in. So it keeps its name when others of its record change.
pub(super) type Entry = (u32, State);

/// Lists grow by this factor, as legs find other ways, before they are made anew.
const MOST_GROWTH: usize = 2;
/// A few lists more do no harm.
const SLACK: usize = 1 << 14;

/// The legs of every square of the map. One may be in a list that it does not pass any more, but none is missing where it passes.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The side of a square is a power of two.
    shift: u32,
    columns: u32,
    /// Each sorted, once all are made.
    squares: Vec<Vec<Entry>>,
    entries: usize,
    /// How many entries there were when all were made; nothing until then.
    fresh: Option<usize>,
}

impl Places {
    /// Squares without legs. On larger maps they are larger: paths are longer there, and have as many entries.
    pub(super) fn new(grid: &Grid) -> Self {
        let shift = match grid.cell_count() {
            0..=0x0010_0000 => 2,
            0x0010_0001..=0x0080_0000 => 3,
            _ => 4,
        };
        let columns = (grid.width() >> shift) + 1;
        let rows = (grid.height() >> shift) + 1;
        Self {
            shift,
            columns,
            squares: vec![Vec::new(); columns as usize * rows as usize],
            entries: 0,
            fresh: None,
        }
    }

    /// All entries are made: what comes from now on is growth.
    pub(super) fn settle(&mut self) {
        for list in &mut self.squares {
            list.sort_unstable();
            list.dedup();
            list.shrink_to_fit();
        }
        self.entries = self.squares.iter().map(Vec::len).sum();
        self.fresh = Some(self.entries);
    }

    /// Whether so many were added since that most may be of no use any more.
    pub(super) fn has_outgrown(&self) -> bool {
        self.fresh.is_some_and(|fresh| self.entries > fresh * MOST_GROWTH + SLACK)
    }

    fn square(&self, cell: Cell) -> usize {
        (cell.y >> self.shift) as usize * self.columns as usize + (cell.x >> self.shift) as usize
    }

    /// Enters a leg where it passes: `steps` moves in a direction from a cell.
    pub(super) fn add(&mut self, entry: Entry, from: Cell, direction: Direction, steps: u32) {
        let (side, (dx, dy)) = (1 << self.shift, direction.delta());
        // How many steps lead from a coordinate into another square.
        let steps_out = |at: u32, delta: i32| match delta {
            0 => u32::MAX,
            1 => side - at % side,
            _ => at % side + 1,
        };
        let (mut cell, mut done) = (from, 0);
        loop {
            let square = self.square(cell);
            let list = &mut self.squares[square];
            if self.fresh.is_none() {
                list.push(entry);
            } else if let Err(at) = list.binary_search(&entry) {
                list.insert(at, entry);
                self.entries += 1;
            }
            let out = steps_out(cell.x, dx).min(steps_out(cell.y, dy));
            done += out;
            if done > steps {
                return;
            }
            let along = |at: u32, delta: i32| at.wrapping_add_signed(delta * out as i32);
            cell = Cell::new(along(cell.x, dx), along(cell.y, dy));
        }
    }

    /// Hands out the legs that may pass within one move of a cell; some of them twice.
    pub(super) fn around(&self, grid: &Grid, cell: Cell, mut found: impl FnMut(Entry)) {
        let last = Cell::new(
            cell.x.saturating_add(1).min(grid.width() - 1) >> self.shift,
            cell.y.saturating_add(1).min(grid.height() - 1) >> self.shift,
        );
        for y in cell.y.saturating_sub(1) >> self.shift..=last.y {
            for x in cell.x.saturating_sub(1) >> self.shift..=last.x {
                let square = y as usize * self.columns as usize + x as usize;
                self.squares[square].iter().for_each(|&entry| found(entry));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_leg_is_found_around_every_cell_that_it_passes(
            from in (0_u32..60, 0_u32..60), direction in 0_usize..8, steps in 0_u32..50,
        ) {
            let grid = Grid::new(60, 60).unwrap();
            let direction = Direction::ALL[direction];
            let (dx, dy) = direction.delta();
            let at = |step: u32| {
                let place = |from: u32, delta: i32| i64::from(from) + i64::from(delta) * i64::from(step);
                (place(from.0, dx), place(from.1, dy))
            };
            let is_inside = |(x, y): (i64, i64)| (0..60).contains(&x) && (0..60).contains(&y);
            prop_assume!(is_inside(at(steps)));
            let mut places = Places::new(&grid);
            places.add((7, State(1)), Cell::new(from.0, from.1), direction, steps);
            for step in 0..=steps {
                let (x, y) = at(step);
                for near in [(x - 1, y), (x + 1, y + 1), (x, y)].into_iter().filter(|&near| is_inside(near)) {
                    let mut is_found = false;
                    places.around(&grid, Cell::new(near.0 as u32, near.1 as u32), |entry| is_found |= entry == (7, State(1)));
                    prop_assert!(is_found);
                }
            }
            // Far away it is not.
            let mut found = 0;
            let far = |from: u32| if from < 30 { 59 } else { 0 };
            if steps < 20 {
                places.around(&grid, Cell::new(far(from.0), far(from.1)), |_| found += 1);
            }
            prop_assert_eq!(found, 0);
        }
    }
}
