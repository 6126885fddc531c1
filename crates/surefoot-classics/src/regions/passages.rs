//! Which legs pass where: the map in squares, and for each the pieces of climbs that lie in it. So an edit
//! looks at those legs only that come to the cell or next to it.
//!
//! A climb looks at the moves of every state that it comes to, and a cell has a say in the moves of its eight
//! neighbours. So an edit can change a climb only where one of its moves begins on the cell or beside it.

use alloc::vec;
use alloc::vec::Vec;

use surefoot::search::{Ties, climb_run, climb_step};
use surefoot::space::{Cell, Cost, Direction, Grid, GridSpace, State};

/// A straight piece of a climb: so many moves in a direction, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClimbLine {
    pub(crate) from: Cell,
    pub(crate) direction: Direction,
    pub(crate) steps: u32,
}

impl ClimbLine {
    /// What a climb costs; its pieces are added to others. Where it does not arrive, a move from the state
    /// that it gets stuck in is one of them.
    pub(crate) fn climb(
        space: &GridSpace,
        (from, to): (State, State),
        ties: Ties,
        lines: &mut Vec<Self>,
    ) -> Option<Cost> {
        let (mut at, mut cost) = (from, 0);
        while at != to {
            let from = space.cell(at);
            let Some((direction, steps)) = climb_run(space, at, to, ties) else {
                lines.push(Self { from, direction: Direction::East, steps: 1 });
                return None;
            };
            let line = Self { from, direction, steps };
            cost += space.step_cost(at, direction) * Cost::from(steps);
            at = space.state_of(line.after(steps));
            lines.push(line);
        }
        Some(cost)
    }

    /// The cell after so many of its moves.
    fn after(&self, steps: u32) -> Cell {
        self.from.after(self.direction, steps)
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
    pub(crate) fn is_still_climbed(&self, space: &GridSpace, to: State, ties: Ties) -> bool {
        let mut at = space.state_of(self.from);
        (0..self.steps).all(|_| {
            let next = space.step(at, self.direction);
            let is_next = climb_step(space, at, to, ties).is_some_and(|(best, _)| best == next);
            at = next;
            is_next
        })
    }
}

/// A line that lies in one square, and the number of its leg. From the lowest bit on: the direction, the
/// place in the square, one less than the steps; the number is the upper half.
#[derive(Clone, Copy, Debug)]
struct Piece(u64);

/// The largest shift with which a piece can be written.
const MOST_SHIFT: u32 = 9;

impl Piece {
    fn new(number: u32, line: &ClimbLine, shift: u32) -> Self {
        let mask = (1 << shift) - 1;
        let parts = [line.from.x & mask, line.from.y & mask, line.steps - 1];
        let place = parts.iter().rev().fold(0, |place, part| place << shift | part);
        Self(u64::from(number) << 32 | u64::from(place << 3 | line.direction as u32))
    }

    #[inline]
    fn number(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The line, in a square with this first cell.
    #[inline]
    fn line(self, first: Cell, shift: u32) -> ClimbLine {
        let (place, mask) = (self.0 as u32 >> 3, (1 << shift) - 1);
        ClimbLine {
            from: Cell::new(first.x + (place & mask), first.y + (place >> shift & mask)),
            direction: Direction::ALL[self.0 as usize & 7],
            steps: (place >> (2 * shift) & mask) + 1,
        }
    }
}

/// What is known of a number.
#[derive(Clone, Copy, Debug)]
struct Passage<T> {
    /// Its leg. `None` if there is none any more, and the number waits for the pieces to be taken out.
    leg: Option<T>,
    /// The pieces in the lists.
    pieces: u32,
}

/// Legs by their numbers, and their pieces by the squares of the map.
#[derive(Clone, Debug)]
pub(crate) struct Passages<T> {
    /// The side of a square is a power of two.
    shift: u32,
    columns: u32,
    /// Each may have pieces of legs that there are no more: they are taken out when a list would have to
    /// grow.
    squares: Vec<Vec<Piece>>,
    legs: Vec<Passage<T>>,
    /// Numbers that can be used again.
    free: Vec<u32>,
}

impl<T: Copy> Passages<T> {
    /// A map that no leg passes, in squares of about this side.
    pub(crate) fn new(grid: &Grid, side: u32) -> Self {
        let shift = side.max(1).ilog2().min(MOST_SHIFT);
        let columns = (grid.width() >> shift) + 1;
        let rows = (grid.height() >> shift) + 1;
        let squares = vec![Vec::new(); columns as usize * rows as usize];
        Self { shift, columns, squares, legs: Vec::new(), free: Vec::new() }
    }

    /// Adds a leg that passes along these lines. Its number.
    pub(crate) fn add(&mut self, leg: T, lines: &[ClimbLine]) -> u32 {
        let entry = Passage { leg: Some(leg), pieces: 0 };
        let number = match self.free.pop() {
            Some(number) => {
                self.legs[number as usize] = entry;
                number
            }
            None => {
                self.legs.push(entry);
                self.legs.len() as u32 - 1
            }
        };
        lines.iter().for_each(|line| self.add_line(number, line));
        number
    }

    /// Takes a leg out, if there is one of this number. The number is given to another some time.
    pub(crate) fn take(&mut self, number: u32) -> Option<T> {
        let entry = &mut self.legs[number as usize];
        let leg = entry.leg.take()?;
        if entry.pieces == 0 {
            self.free.push(number);
        }
        Some(leg)
    }

    fn add_line(&mut self, number: u32, line: &ClimbLine) {
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
            self.push(number, &ClimbLine { steps, ..rest });
            rest = ClimbLine { from: rest.after(steps), steps: rest.steps - steps, ..rest };
        }
    }

    fn push(&mut self, number: u32, line: &ClimbLine) {
        let Cell { x, y } = line.from;
        let square = (y >> self.shift) as usize * self.columns as usize + (x >> self.shift) as usize;
        let list = &mut self.squares[square];
        if list.len() == list.capacity() {
            let (legs, free) = (&mut self.legs, &mut self.free);
            list.retain(|piece| {
                let entry = &mut legs[piece.number() as usize];
                let is_there = entry.leg.is_some();
                entry.pieces -= u32::from(!is_there);
                if !is_there && entry.pieces == 0 {
                    free.push(piece.number());
                }
                is_there
            });
            // By so much that the work is little for each piece that comes.
            list.reserve_exact(list.len() / 2 + 2);
        }
        list.push(Piece::new(number, line, self.shift));
        self.legs[number as usize].pieces += 1;
    }

    /// Hands out the legs with moves that begin on a cell or beside it, by number, and those moves. A leg may
    /// come more than once.
    pub(crate) fn near(&self, cell: Cell, mut found: impl FnMut(u32, T, ClimbLine)) {
        let range = |at: u32| at.saturating_sub(1) >> self.shift..=(at + 1) >> self.shift;
        for y in range(cell.y) {
            for x in range(cell.x) {
                let first = Cell::new(x << self.shift, y << self.shift);
                for piece in &self.squares[y as usize * self.columns as usize + x as usize] {
                    if let Some(line) = piece.line(first, self.shift).near(cell)
                        && let Some(leg) = self.legs[piece.number() as usize].leg
                    {
                        found(piece.number(), leg, line);
                    }
                }
            }
        }
    }

    /// All legs, by number.
    #[cfg(test)]
    pub(crate) fn legs(&self) -> impl Iterator<Item = (u32, T)> {
        (0..).zip(&self.legs).filter_map(|(number, entry)| Some((number, entry.leg?)))
    }

    /// The bytes that they take.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        let pieces: usize = self.squares.iter().map(Vec::capacity).sum();
        pieces * size_of::<Piece>()
            + size_of_val(&self.squares[..])
            + self.legs.capacity() * size_of::<Passage<T>>()
            + self.free.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIDE: u32 = 60;

    fn found(passages: &Passages<u8>, cell: Cell) -> Vec<(u8, ClimbLine)> {
        let mut found = Vec::new();
        passages.near(cell, |_, leg, line| found.push((leg, line)));
        found
    }

    /// A line within the map; of a direction that leads out of it at once another one.
    fn lines() -> impl Strategy<Value = ClimbLine> {
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
            ClimbLine { from: Cell::new(x, y), direction, steps: steps.min(room(direction)) }
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
            let mut legs: Vec<(u32, u8, ClimbLine)> = Vec::new();
            for (leg, &line) in (0..).zip(&lines) {
                legs.push((passages.add(leg, &[line]), leg, line));
            }
            for (leg, index) in (100..).zip(closed) {
                let (number, before, _) = legs.swap_remove(index.index(legs.len()));
                prop_assert_eq!(passages.take(number), Some(before));
                // Another takes its place, perhaps with its number.
                let line = lines[index.index(lines.len())];
                legs.push((passages.add(leg, &[line]), leg, line));
            }
            prop_assert_eq!(passages.legs().count(), legs.len());
            for (x, y) in cells {
                let is_near = |at: Cell| at.x.abs_diff(x) <= 1 && at.y.abs_diff(y) <= 1;
                let moves = |leg: u8, line: ClimbLine| (0..line.steps).map(move |step| (leg, line.after(step), line.direction as u8));
                let mut expected: Vec<_> = legs.iter().flat_map(|&(_, leg, line)| moves(leg, line)).filter(|&(_, at, _)| is_near(at)).collect();
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
        let line = ClimbLine { from: Cell::new(1, 1), direction: Direction::SouthEast, steps: 50 };
        let mut bytes = 0;
        for round in 0..2000 {
            let number = passages.add(7, &[line]);
            passages.take(number);
            if round == 100 {
                bytes = passages.bytes();
            }
        }
        assert_eq!(passages.bytes(), bytes);
        assert!(found(&passages, Cell::new(20, 20)).is_empty());
    }
}
