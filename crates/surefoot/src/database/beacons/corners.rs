//! The corners of a map, found line by line.

use alloc::vec;
use alloc::vec::Vec;

use super::turns::{Corner, Turns};
use crate::space::{BitLines, Cell, DirectionSet, Grid};

/// Corners by row or by column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Lines {
    /// Where the corners of each line begin, and one past the last.
    starts: Vec<u32>,
    places: Vec<Place>,
    /// For each line how many lines before it and after it the next one with a corner is; far, if there is none.
    away: [Vec<u32>; 2],
}

/// A corner on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Where on the line.
    pub(super) position: u32,
    /// Its number.
    pub(super) corner: u32,
}

impl Lines {
    /// Those of corners given as (line, position, number), in order.
    fn new(lines: u32, corners: impl Iterator<Item = (u32, u32, u32)>) -> Self {
        let mut made =
            Self { starts: vec![0; lines as usize + 1], places: Vec::new(), away: Default::default() };
        for (line, position, corner) in corners {
            made.starts[line as usize + 1] += 1;
            made.places.push(Place { position, corner });
        }
        for line in 0..lines as usize {
            made.starts[line + 1] += made.starts[line];
        }
        made.find_next();
        made
    }

    /// Finds the next line with a corner, for all of them.
    fn find_next(&mut self) {
        const FAR: u32 = u32::MAX / 2;
        let lines = self.starts.len() - 1;
        let has_corner = |line: usize| self.starts[line] < self.starts[line + 1];
        let mut away = [vec![FAR; lines], vec![FAR; lines]];
        for line in 1..lines {
            away[0][line] = if has_corner(line - 1) { 1 } else { away[0][line - 1] + 1 };
        }
        for line in (1..lines).rev() {
            away[1][line - 1] = if has_corner(line) { 1 } else { away[1][line] + 1 };
        }
        self.away = away;
    }

    #[inline]
    fn of(&self, line: u32) -> &[Place] {
        let line = line as usize;
        &self.places[self.starts[line] as usize..self.starts[line + 1] as usize]
    }

    /// Adds a corner, or takes one away.
    fn change(&mut self, line: u32, place: Place, is_there: bool) {
        let first = self.starts[line as usize] as usize;
        let at = first + self.of(line).partition_point(|other| other.position < place.position);
        if is_there {
            self.places.insert(at, place);
        } else {
            self.places.remove(at);
        }
        for start in &mut self.starts[line as usize + 1..] {
            *start = if is_there { *start + 1 } else { *start - 1 };
        }
        let count = self.of(line).len();
        if is_there && count == 1 || !is_there && count == 0 {
            self.find_next();
        }
    }
}

/// The corners of a map. Numbers go row by row on a map that was not edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Corners {
    cells: Vec<Cell>,
    /// The free neighbours of each.
    around: Vec<DirectionSet>,
    rows: Lines,
    columns: Lines,
    /// Numbers that are out of use since the map was edited, but that legs and labels still know.
    retired: Vec<u32>,
    /// Those that nobody knows any more.
    unused: Vec<u32>,
}

impl Corners {
    /// Finds the corners of a map.
    pub(super) fn new(grid: &Grid, turns: &Turns) -> Self {
        let (mut cells, mut around) = (Vec::new(), Vec::new());
        for y in 0..grid.height() {
            for_each_beside_wall(grid.rows(), y, |x| {
                let cell = Cell::new(x, y);
                let free = grid.free_neighbours(cell);
                if turns.corner(free).stops != 0 {
                    cells.push(cell);
                    around.push(free);
                }
            });
        }
        Self::from_parts(grid, cells, around)
    }

    fn from_parts(grid: &Grid, cells: Vec<Cell>, around: Vec<DirectionSet>) -> Self {
        let numbered = || (0..).zip(&cells).map(|(number, cell)| (cell.y, cell.x, number));
        let rows = Lines::new(grid.height(), numbered());
        let mut by_column: Vec<_> = numbered().map(|(y, x, number)| (x, y, number)).collect();
        by_column.sort_unstable();
        Self {
            rows,
            columns: Lines::new(grid.width(), by_column.into_iter()),
            cells,
            around,
            retired: Vec::new(),
            unused: Vec::new(),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.cells.len() - self.unused.len() - self.retired.len()
    }

    /// All numbers are below this one.
    pub(super) fn slots(&self) -> usize {
        self.cells.len()
    }

    /// How many numbers are out of use that legs and labels still know.
    pub(super) fn retired(&self) -> usize {
        self.retired.len()
    }

    /// Those numbers.
    pub(super) fn retired_ones(&self) -> &[u32] {
        &self.retired
    }

    /// The first so many of them are known to nobody any more.
    pub(super) fn release(&mut self, count: usize) {
        self.unused.extend(self.retired.drain(..count.min(self.retired.len())));
    }

    /// A cell has become a corner.
    pub(super) fn add(&mut self, cell: Cell, around: DirectionSet) {
        let corner = self.add_unlined(cell, around);
        self.rows.change(cell.y, Place { position: cell.x, corner }, true);
        self.columns.change(cell.x, Place { position: cell.y, corner }, true);
    }

    /// The same, but lines do not know it before [`reline`](Self::reline). Its number.
    pub(super) fn add_unlined(&mut self, cell: Cell, around: DirectionSet) -> u32 {
        match self.unused.pop() {
            Some(corner) => {
                (self.cells[corner as usize], self.around[corner as usize]) = (cell, around);
                corner
            }
            None => {
                self.cells.push(cell);
                self.around.push(around);
                self.cells.len() as u32 - 1
            }
        }
    }

    /// Other neighbours of a corner are free.
    pub(super) fn turn_into(&mut self, corner: u32, around: DirectionSet) {
        self.around[corner as usize] = around;
    }

    /// A cell is a corner no more.
    pub(super) fn remove(&mut self, corner: u32) {
        let cell = self.cell(corner);
        self.remove_unlined(corner);
        self.rows.change(cell.y, Place { position: cell.x, corner }, false);
        self.columns.change(cell.x, Place { position: cell.y, corner }, false);
    }

    /// The same, but lines know it until [`reline`](Self::reline).
    pub(super) fn remove_unlined(&mut self, corner: u32) {
        self.around[corner as usize] = DirectionSet::NONE;
        self.retired.push(corner);
    }

    /// Finds out anew which corners lie on each line: where many came and went that is faster.
    pub(super) fn reline(&mut self, grid: &Grid) {
        let there = || (0..).zip(&self.cells).filter(|&(corner, _)| self.is_there(corner));
        let mut by_row: Vec<_> = there().map(|(corner, cell)| (cell.y, cell.x, corner)).collect();
        let mut by_column: Vec<_> = there().map(|(corner, cell)| (cell.x, cell.y, corner)).collect();
        by_row.sort_unstable();
        by_column.sort_unstable();
        self.rows = Lines::new(grid.height(), by_row.into_iter());
        self.columns = Lines::new(grid.width(), by_column.into_iter());
    }

    /// Whether there is a corner of this number. After edits some numbers are out of use.
    #[inline]
    pub(super) fn is_there(&self, corner: u32) -> bool {
        self.around.get(corner as usize).is_some_and(|&around| around != DirectionSet::NONE)
    }

    /// Where a corner is.
    #[inline]
    pub(super) fn cell(&self, corner: u32) -> Cell {
        self.cells[corner as usize]
    }

    /// Its free neighbours.
    #[inline]
    pub(super) fn around(&self, corner: u32) -> DirectionSet {
        self.around[corner as usize]
    }

    /// What it does to paths.
    #[inline]
    pub(super) fn turn(&self, turns: &Turns, corner: u32) -> Corner {
        turns.corner(self.around[corner as usize])
    }

    /// The corner in a cell.
    pub(super) fn at(&self, cell: Cell) -> Option<u32> {
        let row = self.rows.of(cell.y);
        row.binary_search_by_key(&cell.x, |place| place.position).ok().map(|at| row[at].corner)
    }

    /// Those on a line from one position on, itself included, in one direction.
    #[inline]
    pub(super) fn along(
        &self,
        by_rows: bool,
        line: u32,
        from: u32,
        grows: bool,
    ) -> impl Iterator<Item = Place> {
        let all = if by_rows { self.rows.of(line) } else { self.columns.of(line) };
        let (mut next, mut left) = (0, 0);
        if !all.is_empty() {
            if grows {
                next = all.partition_point(|place| place.position < from);
                left = all.len() - next;
            } else {
                left = all.partition_point(|place| place.position <= from);
                next = left.wrapping_sub(1);
            }
        }
        core::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let place = all[next];
            next = if grows { next + 1 } else { next.wrapping_sub(1) };
            Some(place)
        })
    }

    /// How many lines farther the next one with a corner is.
    #[inline]
    pub(super) fn lines_to_next(&self, by_rows: bool, line: u32, grows: bool) -> u32 {
        let lines = if by_rows { &self.rows } else { &self.columns };
        lines.away[usize::from(grows)][line as usize]
    }

    /// Whether there is one on a line, from one position to another.
    #[inline]
    pub(super) fn has_between(&self, by_rows: bool, line: u32, (first, last): (u32, u32)) -> bool {
        let all = if by_rows { self.rows.of(line) } else { self.columns.of(line) };
        let after = if all.len() > 8 { all.partition_point(|place| place.position < first) } else { 0 };
        all[after..].iter().find(|place| place.position >= first).is_some_and(|place| place.position <= last)
    }

    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        let lines = |lines: &Lines| 3 * size_of_val(&lines.starts[..]) + size_of_val(&lines.places[..]);
        core::mem::size_of_val(&self.cells[..]) + self.around.len() + lines(&self.rows) + lines(&self.columns)
    }
}

/// Visits the free cells of a row that have a blocked cell around them.
fn for_each_beside_wall(rows: &BitLines, y: u32, mut visit: impl FnMut(u32)) {
    let lines = [-1, 0, 1].map(|dy| rows.line(i64::from(y) + dy));
    let words = lines[0].len();
    // Where all three cells of a column are free.
    let column = |at: usize| lines[0][at] & lines[1][at] & lines[2][at];
    let mut before = 0;
    let mut here = column(0);
    for (at, &row) in lines[1].iter().enumerate() {
        let after = if at + 1 < words { column(at + 1) } else { 0 };
        let open = here & (here << 1 | before >> 63) & (here >> 1 | after << 63);
        let mut rest = row & !open;
        while rest != 0 {
            // Bit p + 1 is column p.
            visit((at * 64) as u32 + rest.trailing_zeros() - 1);
            rest &= rest - 1;
        }
        (before, here) = (here, after);
    }
}
