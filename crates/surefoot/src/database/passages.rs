//! Which legs pass where: the map in squares, and for each the pieces of climbs that lie in it. So an edit looks at those legs only that come to
//! the cell or next to it.
//!
//! A climb looks at the moves of every state that it comes to, and a cell has a say in the moves of its eight neighbours. So an edit can
//! change a climb only where one of its moves begins on the cell or beside it.

use alloc::vec;
use alloc::vec::Vec;

use crate::search::{Ties, climb_run, climb_step};
use crate::space::{Cell, Direction, Grid, GridSpace, State};

/// A straight piece of a climb: so many moves in a direction, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) from: Cell,
    pub(super) direction: Direction,
    pub(super) steps: u32,
}

impl Line {
    /// The next piece of a climb; nothing if it does not go on.
    pub(super) fn of_climb(space: &GridSpace, at: State, to: State, ties: Ties) -> Option<Self> {
        let (direction, steps) = climb_run(space, at, to, ties)?;
        Some(Self { from: space.cell(at), direction, steps })
    }

    /// The cell after so many of its moves.
    fn after(&self, steps: u32) -> Cell {
        let (dx, dy) = self.direction.delta();
        let along = |at: u32, delta: i32| at.wrapping_add_signed(delta * steps as i32);
        Cell::new(along(self.from.x, dx), along(self.from.y, dy))
    }

    /// Where it ends.
    pub(super) fn end(&self) -> Cell {
        self.after(self.steps)
    }

    /// Those of its moves that begin on a cell or beside it.
    #[inline]
    fn near(&self, cell: Cell) -> Option<Self> {
        let (dx, dy) = self.direction.delta();
        // The steps after which a coordinate is at most 1 away.
        let range = |from: u32, to: u32, delta: i32| {
            let away = to as i32 - from as i32;
            match delta {
                0 if away.abs() <= 1 => (0, i32::MAX),
                0 => (1, 0),
                _ => (away * delta - 1, away * delta + 1),
            }
        };
        let (x, y) = (range(self.from.x, cell.x, dx), range(self.from.y, cell.y, dy));
        let first = x.0.max(y.0).max(0);
        let last = x.1.min(y.1).min(self.steps as i32 - 1);
        (first <= last).then(|| Self {
            from: self.after(first as u32),
            direction: self.direction,
            steps: (last - first) as u32 + 1,
        })
    }

    /// Whether a climb still makes these moves, each from where it begins.
    #[inline]
    pub(super) fn is_still_climbed(&self, space: &GridSpace, to: State, ties: Ties) -> bool {
        let mut at = space.state(self.from);
        (0..self.steps).all(|_| {
            let next = space.step(at, self.direction);
            let is_next = climb_step(space, at, to, ties).is_some_and(|(best, _)| best == next);
            at = next;
            is_next
        })
    }
}

/// A line that lies in one square, and its leg. From the lowest bit on: the direction, the place in the square, one less than the steps; the leg is the
/// upper half.
#[derive(Clone, Copy, Debug)]
struct Piece(u64);

/// The largest shift with which a piece can be written.
const MOST_SHIFT: u32 = 9;

impl Piece {
    fn new(leg: u32, line: &Line, shift: u32) -> Self {
        let mask = (1 << shift) - 1;
        let parts = [line.from.x & mask, line.from.y & mask, line.steps - 1];
        let place = parts.iter().rev().fold(0, |place, part| place << shift | part);
        Self(u64::from(leg) << 32 | u64::from(place << 3 | line.direction as u32))
    }

    #[inline]
    fn leg(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The line, in a square with this first cell.
    #[inline]
    fn line(self, first: Cell, shift: u32) -> Line {
        let (place, mask) = (self.0 as u32 >> 3, (1 << shift) - 1);
        Line {
            from: Cell::new(first.x + (place & mask), first.y + (place >> shift & mask)),
            direction: Direction::ALL[self.0 as usize & 7],
            steps: (place >> (2 * shift) & mask) + 1,
        }
    }
}

/// What is known of a leg's number.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    /// The pieces in the lists.
    pieces: u32,
    /// Whether it is one no more: then it waits for its pieces to be taken out.
    is_closed: bool,
}

/// The pieces of all legs, by the squares of the map.
#[derive(Clone, Debug)]
pub(super) struct Passages {
    /// The side of a square is a power of two.
    shift: u32,
    columns: u32,
    /// Each may have pieces of legs that were closed: they are taken out when a list would have to grow.
    squares: Vec<Vec<Piece>>,
    uses: Vec<Use>,
    /// Numbers that can be used again.
    free: Vec<u32>,
}

impl Passages {
    /// A map that no leg passes, in squares of about this side.
    pub(super) fn new(grid: &Grid, side: u32) -> Self {
        let shift = side.max(1).ilog2().min(MOST_SHIFT);
        let columns = (grid.width() >> shift) + 1;
        let rows = (grid.height() >> shift) + 1;
        let squares = vec![Vec::new(); columns as usize * rows as usize];
        Self { shift, columns, squares, uses: Vec::new(), free: Vec::new() }
    }

    /// A number for a leg: one that nobody has.
    pub(super) fn open(&mut self) -> u32 {
        let number = self.free.pop().unwrap_or(self.uses.len() as u32);
        if number as usize == self.uses.len() {
            self.uses.push(Use::default());
        }
        self.uses[number as usize] = Use::default();
        number
    }

    /// A leg that there is no more. Its number is given to another some time.
    pub(super) fn close(&mut self, leg: u32) {
        self.uses[leg as usize].is_closed = true;
        if self.uses[leg as usize].pieces == 0 {
            self.free.push(leg);
        }
    }

    /// A leg passes along a line.
    pub(super) fn add(&mut self, leg: u32, line: &Line) {
        let (side, (dx, dy)) = (1 << self.shift, line.direction.delta());
        // How many steps lead from a coordinate into another square.
        let steps_out = |at: u32, delta: i32| match delta {
            0 => u32::MAX,
            1 => side - at % side,
            _ => at % side + 1,
        };
        let mut rest = *line;
        while rest.steps > 0 {
            let steps = steps_out(rest.from.x, dx).min(steps_out(rest.from.y, dy)).min(rest.steps);
            self.push(leg, &Line { steps, ..rest });
            rest = Line { from: rest.after(steps), steps: rest.steps - steps, ..rest };
        }
    }

    fn push(&mut self, leg: u32, line: &Line) {
        let Cell { x, y } = line.from;
        let square = (y >> self.shift) as usize * self.columns as usize + (x >> self.shift) as usize;
        let list = &mut self.squares[square];
        if list.len() == list.capacity() {
            let (uses, free) = (&mut self.uses, &mut self.free);
            list.retain(|piece| {
                let used = &mut uses[piece.leg() as usize];
                used.pieces -= u32::from(used.is_closed);
                if used.is_closed && used.pieces == 0 {
                    free.push(piece.leg());
                }
                !used.is_closed
            });
            // By so much that the work is little for each piece that comes.
            list.reserve_exact(list.len() / 2 + 2);
        }
        list.push(Piece::new(leg, line, self.shift));
        self.uses[leg as usize].pieces += 1;
    }

    /// Hands out the legs with moves that begin on a cell or beside it, and those moves. A leg may come more than once.
    pub(super) fn near(&self, cell: Cell, mut found: impl FnMut(u32, Line)) {
        let range = |at: u32| at.saturating_sub(1) >> self.shift..=(at + 1) >> self.shift;
        for y in range(cell.y) {
            for x in range(cell.x) {
                // Outside there are no lists.
                let Some(list) = self.squares.get(y as usize * self.columns as usize + x as usize) else {
                    continue;
                };
                let first = Cell::new(x << self.shift, y << self.shift);
                for piece in list {
                    if let Some(line) = piece.line(first, self.shift).near(cell)
                        && !self.uses[piece.leg() as usize].is_closed
                    {
                        found(piece.leg(), line);
                    }
                }
            }
        }
    }

    /// The bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        let pieces: usize = self.squares.iter().map(Vec::capacity).sum();
        pieces * size_of::<Piece>()
            + size_of_val(&self.squares[..])
            + self.uses.capacity() * size_of::<Use>()
            + self.free.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIDE: u32 = 60;

    fn found(passages: &Passages, cell: Cell) -> Vec<(u32, Line)> {
        let mut found = Vec::new();
        passages.near(cell, |leg, line| found.push((leg, line)));
        found
    }

    /// A line within the map; of a direction that leads out of it at once another one.
    fn lines() -> impl Strategy<Value = Line> {
        (0..SIDE, 0..SIDE, 0_usize..8, 1_u32..50).prop_map(|(x, y, direction, steps)| {
            let room = |direction: Direction| {
                let (dx, dy) = direction.delta();
                let room = |at: u32, delta: i32| match delta {
                    0 => u32::MAX,
                    1 => SIDE - 1 - at,
                    _ => at,
                };
                room(x, dx).min(room(y, dy))
            };
            let all = Direction::ALL.iter().cycle().skip(direction).take(8);
            let direction = *all.clone().find(|&&direction| room(direction) > 0).unwrap();
            Line { from: Cell::new(x, y), direction, steps: steps.min(room(direction)) }
        })
    }

    proptest! {
        #[test]
        fn the_moves_around_a_cell_are_found_and_no_others(
            lines in prop::collection::vec(lines(), 1..20),
            closed in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
            cells in prop::collection::vec((0..SIDE, 0..SIDE), 20),
            side in 1_u32..20,
        ) {
            let mut passages = Passages::new(&Grid::new(SIDE, SIDE).unwrap(), side);
            let mut legs: Vec<(u32, Line)> = Vec::new();
            for &line in &lines {
                let leg = passages.open();
                passages.add(leg, &line);
                legs.push((leg, line));
            }
            for index in closed {
                if legs.is_empty() {
                    break;
                }
                let (leg, _) = legs.remove(index.index(legs.len()));
                passages.close(leg);
                // Another takes its place, perhaps with its number.
                let (leg, line) = (passages.open(), lines[index.index(lines.len())]);
                passages.add(leg, &line);
                legs.push((leg, line));
            }
            for (x, y) in cells {
                let is_near = |at: Cell| at.x.abs_diff(x) <= 1 && at.y.abs_diff(y) <= 1;
                let moves = |leg: u32, line: Line| (0..line.steps).map(move |step| (leg, line.after(step), line.direction as u8));
                let mut expected: Vec<_> = legs.iter().flat_map(|&(leg, line)| moves(leg, line)).filter(|&(_, at, _)| is_near(at)).collect();
                let mut all: Vec<_> = found(&passages, Cell::new(x, y)).into_iter().flat_map(|(leg, line)| moves(leg, line)).collect();
                expected.sort_unstable();
                all.sort_unstable();
                prop_assert_eq!(all, expected);
            }
        }
    }

    #[test]
    fn what_comes_and_goes_for_ever_takes_no_more_room() {
        let mut passages = Passages::new(&Grid::new(SIDE, SIDE).unwrap(), 4);
        let line = Line { from: Cell::new(1, 1), direction: Direction::SouthEast, steps: 50 };
        let mut bytes = 0;
        for round in 0..2000 {
            let leg = passages.open();
            passages.add(leg, &line);
            passages.close(leg);
            if round == 100 {
                bytes = passages.bytes();
            }
        }
        assert_eq!(passages.bytes(), bytes);
        assert!(found(&passages, Cell::new(20, 20)).is_empty());
    }
}
