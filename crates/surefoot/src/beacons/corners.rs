//! The corners of a map, found line by line.

use alloc::vec;
use alloc::vec::Vec;

use super::BeaconId;
use super::turns::{Corner, Turns};
use crate::space::{BitLines, Cell, DirectionSet, Grid, sorting};

/// Corners by row or by column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    /// Where the corners of each line begin, and one past the last.
    starts: Vec<u32>,
    places: Vec<CornerPlace>,
    /// Where there are corners in each band of a few lines, and in each band of many.
    bands: [Bands; 2],
}

/// The positions at which some line of a band has a corner, one bit each. They tell which lines need not be
/// looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bands {
    /// A band has two to the power of this lines.
    shift: u32,
    /// The positions of a line.
    length: u32,
    /// The words of a band.
    words: usize,
    bits: Vec<u64>,
}

impl Bands {
    fn new(shift: u32, lines: u32, length: u32) -> Self {
        let words = length.div_ceil(64) as usize;
        Self { shift, length, words, bits: vec![0; words * lines.div_ceil(1 << shift) as usize] }
    }

    fn set(&mut self, line: u32, position: u32, is_there: bool) {
        let word = &mut self.bits[(line >> self.shift) as usize * self.words + position as usize / 64];
        let bit = 1 << (position % 64);
        *word = if is_there { *word | bit } else { *word & !bit };
    }

    /// Whether some line of the band of this one has a corner, from one position to another.
    #[inline]
    fn has_between(&self, line: u32, (first, last): (u32, u32)) -> bool {
        let begin = (line >> self.shift) as usize * self.words;
        let band = &self.bits[begin..begin + self.words];
        let last = last.min(self.length - 1);
        let (from, to) = (first as usize / 64, last as usize / 64);
        let head = band[from] >> (first % 64);
        if from == to {
            return head << (63 - (last - first)) != 0;
        }
        head != 0 || band[from + 1..to].iter().any(|&word| word != 0) || band[to] << (63 - last % 64) != 0
    }

    /// How many lines a band has, if this is its first; none, if not.
    #[inline]
    fn lines_from(&self, line: u32, grows: bool) -> u32 {
        let height = 1 << self.shift;
        let first = if grows { 0 } else { height - 1 };
        if line & (height - 1) == first { height } else { 0 }
    }
}

/// A corner on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CornerPlace {
    /// Where on the line.
    pub(super) position: u32,
    /// Its number.
    pub(super) corner: BeaconId,
}

impl Lines {
    /// Those of corners given as (line, position, number), in order.
    fn new(lines: u32, length: u32, corners: impl Iterator<Item = (u32, u32, BeaconId)>) -> Self {
        let mut made = Self {
            starts: vec![0; lines as usize + 1],
            places: Vec::new(),
            bands: [3, 6].map(|shift| Bands::new(shift, lines, length)),
        };
        for (line, position, corner) in corners {
            made.starts[line as usize + 1] += 1;
            made.places.push(CornerPlace { position, corner });
            made.bands.iter_mut().for_each(|bands| bands.set(line, position, true));
        }
        for line in 0..lines as usize {
            made.starts[line + 1] += made.starts[line];
        }
        made
    }

    #[inline]
    fn of(&self, line: u32) -> &[CornerPlace] {
        let line = line as usize;
        &self.places[self.starts[line] as usize..self.starts[line + 1] as usize]
    }

    /// Those on a line from one position on, itself included, in one direction.
    #[inline]
    pub(super) fn along(
        &self,
        line: u32,
        from: u32,
        grows: bool,
    ) -> impl Iterator<Item = CornerPlace> + use<'_> {
        let all = self.of(line);
        let (mut next, left) = if grows {
            let first = first_from(all, from);
            (first, all.len() - first)
        } else {
            let left = first_from(all, from.saturating_add(1));
            (left.wrapping_sub(1), left)
        };
        (0..left).map(move |_| {
            let place = all[next];
            next = if grows { next + 1 } else { next.wrapping_sub(1) };
            place
        })
    }

    /// Whether there is one on a line, from one position to another.
    #[inline]
    pub(super) fn has_between(&self, line: u32, (first, last): (u32, u32)) -> bool {
        let all = self.of(line);
        all.get(first_from(all, first)).is_some_and(|place| place.position <= last)
    }

    /// How many lines from one on, itself included, are known to have no corner in a stretch, which is told
    /// of how many lines; zero if that is not known.
    #[inline]
    pub(super) fn empty_lines(&self, line: u32, grows: bool, stretch: impl Fn(u32) -> (u32, u32)) -> u32 {
        let mut empty = 0;
        for bands in &self.bands {
            let lines = bands.lines_from(line, grows);
            if lines == 0 || bands.has_between(line, stretch(lines)) {
                break;
            }
            empty = lines;
        }
        empty
    }

    /// Adds a corner, or takes one away.
    fn change(&mut self, line: u32, place: CornerPlace, is_there: bool) {
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
        for level in 0..self.bands.len() {
            let shift = self.bands[level].shift;
            let lines = (line >> shift << shift..).take(1 << shift).take_while(|&line| line < self.lines());
            let has = |line: u32| {
                let place_of = |other: &CornerPlace| other.position;
                self.of(line).binary_search_by_key(&place.position, place_of).is_ok()
            };
            let is_there = is_there || lines.into_iter().any(has);
            self.bands[level].set(line, place.position, is_there);
        }
    }

    fn lines(&self) -> u32 {
        self.starts.len() as u32 - 1
    }
}

/// The first of some places, in order, that is not before a position.
#[inline]
fn first_from(places: &[CornerPlace], position: u32) -> usize {
    if places.len() > 8 {
        places.partition_point(|place| place.position < position)
    } else {
        places.iter().filter(|place| place.position < position).count()
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
    retired: Vec<BeaconId>,
    /// Those that nobody knows any more.
    unused: Vec<BeaconId>,
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

    /// Those of all numbers, in use or not.
    pub(super) fn of_slots(
        grid: &Grid,
        (cells, around): (Vec<Cell>, Vec<DirectionSet>),
        retired: Vec<BeaconId>,
        unused: Vec<BeaconId>,
    ) -> Self {
        let (rows, columns) = (Lines::default(), Lines::default());
        let mut corners = Self { cells, around, rows, columns, retired, unused };
        corners.reline(grid);
        corners
    }

    fn from_parts(grid: &Grid, cells: Vec<Cell>, around: Vec<DirectionSet>) -> Self {
        let numbered =
            || BeaconId::first(cells.len()).zip(&cells).map(|(number, cell)| (cell.y, cell.x, number));
        let rows = Lines::new(grid.height(), grid.width(), numbered());
        let mut by_column: Vec<_> = numbered().map(|(y, x, number)| (x, y, number)).collect();
        sorting::sort(&mut by_column);
        Self {
            rows,
            columns: Lines::new(grid.width(), grid.height(), by_column.into_iter()),
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
    pub(super) fn retired_ones(&self) -> &[BeaconId] {
        &self.retired
    }

    /// Numbers that nobody knows any more.
    pub(super) fn unused_ones(&self) -> &[BeaconId] {
        &self.unused
    }

    /// Those that are there, row by row.
    pub(super) fn by_row(&self) -> impl Iterator<Item = BeaconId> {
        self.rows.places.iter().map(|place| place.corner)
    }

    /// The first so many of them are known to nobody any more.
    pub(super) fn release(&mut self, count: usize) {
        self.unused.extend(self.retired.drain(..count.min(self.retired.len())));
    }

    /// A cell has become a corner.
    pub(super) fn add(&mut self, cell: Cell, around: DirectionSet) {
        let corner = self.add_unlined(cell, around);
        self.rows.change(cell.y, CornerPlace { position: cell.x, corner }, true);
        self.columns.change(cell.x, CornerPlace { position: cell.y, corner }, true);
    }

    /// The same, but lines do not know it before [`reline`](Self::reline). Its number.
    pub(super) fn add_unlined(&mut self, cell: Cell, around: DirectionSet) -> BeaconId {
        match self.unused.pop() {
            Some(corner) => {
                (self.cells[corner.index()], self.around[corner.index()]) = (cell, around);
                corner
            }
            None => {
                self.cells.push(cell);
                self.around.push(around);
                BeaconId::from_index(self.cells.len() - 1)
            }
        }
    }

    /// Other neighbours of a corner are free.
    pub(super) fn turn_into(&mut self, corner: BeaconId, around: DirectionSet) {
        self.around[corner.index()] = around;
    }

    /// A cell is a corner no more.
    pub(super) fn remove(&mut self, corner: BeaconId) {
        let cell = self.cell(corner);
        self.remove_unlined(corner);
        self.rows.change(cell.y, CornerPlace { position: cell.x, corner }, false);
        self.columns.change(cell.x, CornerPlace { position: cell.y, corner }, false);
    }

    /// The same, but lines know it until [`reline`](Self::reline).
    pub(super) fn remove_unlined(&mut self, corner: BeaconId) {
        self.around[corner.index()] = DirectionSet::NONE;
        self.retired.push(corner);
    }

    /// Finds out anew which corners lie on each line: where many came and went that is faster.
    pub(super) fn reline(&mut self, grid: &Grid) {
        let all = || BeaconId::first(self.cells.len()).zip(&self.cells);
        let there = || all().filter(|&(corner, _)| self.is_there(corner));
        let mut by_row: Vec<_> = there().map(|(corner, cell)| (cell.y, cell.x, corner)).collect();
        let mut by_column: Vec<_> = there().map(|(corner, cell)| (cell.x, cell.y, corner)).collect();
        sorting::sort(&mut by_row);
        sorting::sort(&mut by_column);
        self.rows = Lines::new(grid.height(), grid.width(), by_row.into_iter());
        self.columns = Lines::new(grid.width(), grid.height(), by_column.into_iter());
    }

    /// Whether there is a corner of this number. After edits some numbers are out of use.
    #[inline]
    pub(super) fn is_there(&self, corner: BeaconId) -> bool {
        self.around.get(corner.index()).is_some_and(|&around| around != DirectionSet::NONE)
    }

    /// Where a corner is.
    #[inline(always)]
    pub(super) fn cell(&self, corner: BeaconId) -> Cell {
        self.cells[corner.index()]
    }

    /// Its free neighbours.
    #[inline]
    pub(super) fn around(&self, corner: BeaconId) -> DirectionSet {
        self.around[corner.index()]
    }

    /// What it does to paths.
    #[inline]
    pub(super) fn turn(&self, turns: &Turns, corner: BeaconId) -> Corner {
        turns.corner(self.around[corner.index()])
    }

    /// The corner in a cell.
    pub(super) fn at(&self, cell: Cell) -> Option<BeaconId> {
        let row = self.rows.of(cell.y);
        row.binary_search_by_key(&cell.x, |place| place.position).ok().map(|at| row[at].corner)
    }

    /// Those by row, or by column.
    #[inline]
    pub(super) fn lines(&self, by_rows: bool) -> &Lines {
        if by_rows { &self.rows } else { &self.columns }
    }

    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        let lines = |lines: &Lines| {
            let bands = lines.bands.iter().map(|bands| size_of_val(&bands.bits[..])).sum::<usize>();
            size_of_val(&lines.starts[..]) + size_of_val(&lines.places[..]) + bands
        };
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
