//! Which legs pass where: so that an edit looks at few of them.

use alloc::vec;
use alloc::vec::Vec;

use crate::search::{Ties, climb_run};
use crate::space::{Cell, Cost, GridSpace, State};

/// What kind of leg it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Between two beacons of the trunk.
    Trunk,
    /// The way out of a twig, which comes first.
    Out,
    /// Another leg of a twig, which comes first.
    OfTwig,
}

/// A leg, by the beacons at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    pub(super) ends: [u32; 2],
    pub(super) kind: Kind,
}

/// The squares of the map that a walk passes, or comes within a cell of.
#[derive(Clone, Debug, Default)]
pub(super) struct Squares(Vec<u32>);

/// All legs, and those of each square of the map.
#[derive(Clone, Debug)]
pub(super) struct Crossings {
    side: u32,
    columns: u32,
    squares: Vec<Vec<u32>>,
    /// The legs by number, with their squares; of numbers that are free none.
    ways: Vec<Option<(Way, Squares)>>,
    free: Vec<u32>,
    /// Legs of which it is not known where they pass.
    unknown: Vec<Way>,
}

impl Crossings {
    /// For a map, and legs that are mostly shorter than `span`.
    pub(super) fn new(space: &GridSpace, span: u32) -> Self {
        let side = (span / 8).max(8);
        let (columns, rows) = (space.grid().width().div_ceil(side), space.grid().height().div_ceil(side));
        let squares = vec![Vec::new(); columns as usize * rows as usize];
        Self { side, columns, squares, ways: Vec::new(), free: Vec::new(), unknown: Vec::new() }
    }

    /// Adds the squares of a line of cells, and what lies within a cell of it.
    fn add_line(&self, space: &GridSpace, from: Cell, to: Cell, squares: &mut Squares) {
        let near = |at: u32, other: u32, limit: u32| {
            let (low, high) = (at.min(other), at.max(other));
            low.saturating_sub(1) / self.side..=(high + 1).min(limit - 1) / self.side
        };
        let columns = near(from.x, to.x, space.grid().width());
        for row in near(from.y, to.y, space.grid().height()) {
            for column in columns.clone() {
                let square = row * self.columns + column;
                if squares.0.last() != Some(&square) {
                    squares.0.push(square);
                }
            }
        }
    }

    /// What a climb costs; the squares that it passes are added to others.
    pub(super) fn climb(
        &self,
        space: &GridSpace,
        ties: Ties,
        (from, to): (State, State),
        squares: &mut Squares,
    ) -> Option<Cost> {
        let (mut at, mut cost) = (from, 0);
        while at != to {
            let (direction, steps) = climb_run(space, at, to, ties)?;
            // Diagonals in pieces: what lies around a long one is mostly not near it.
            let steps = steps.min(self.side);
            cost += space.step_cost(at, direction) * Cost::from(steps);
            let (dx, dy) = direction.delta();
            let here = space.cell(at);
            let there = Cell::new(
                here.x.wrapping_add_signed(dx * steps as i32),
                here.y.wrapping_add_signed(dy * steps as i32),
            );
            self.add_line(space, here, there, squares);
            at = space.state(there);
        }
        Some(cost)
    }

    /// What a leg costs, if climbs make it at the same cost both ways, and where they pass.
    pub(super) fn measure(
        &self,
        space: &GridSpace,
        ties: Ties,
        a: State,
        b: State,
    ) -> Option<(Cost, Squares)> {
        let mut squares = Squares::default();
        let there = self.climb(space, ties, (a, b), &mut squares)?;
        let back = self.climb(space, ties, (b, a), &mut squares)?;
        (there == back).then_some((there, squares))
    }

    /// Adds a leg. Without squares it is not known where it passes.
    pub(super) fn add(&mut self, way: Way, squares: Option<Squares>) {
        let Some(mut squares) = squares else { return self.unknown.push(way) };
        squares.0.sort_unstable();
        squares.0.dedup();
        squares.0.shrink_to_fit();
        let number = self.free.pop().unwrap_or_else(|| {
            self.ways.push(None);
            (self.ways.len() - 1) as u32
        });
        for &square in &squares.0 {
            self.squares[square as usize].push(number);
        }
        self.ways[number as usize] = Some((way, squares));
    }

    fn remove(&mut self, number: u32) -> Option<Way> {
        let (way, squares) = self.ways[number as usize].take()?;
        for square in squares.0 {
            self.squares[square as usize].retain(|&other| other != number);
        }
        self.free.push(number);
        Some(way)
    }

    /// Takes out the legs that may pass a cell or come within one of it, in order.
    pub(super) fn take_near(&mut self, cells: &[Cell]) -> Vec<Way> {
        let mut numbers: Vec<u32> = cells
            .iter()
            .flat_map(|cell| &self.squares[(cell.y / self.side * self.columns + cell.x / self.side) as usize])
            .copied()
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut taken = core::mem::take(&mut self.unknown);
        taken.extend(numbers.into_iter().filter_map(|number| self.remove(number)));
        taken.sort_unstable();
        taken
    }

    /// Takes out the legs that end at one of some beacons, in order.
    pub(super) fn take_ending(&mut self, is_end: impl Fn(u32) -> bool) -> Vec<Way> {
        let ends_there = |way: &Way| way.ends.iter().any(|&end| is_end(end));
        let numbers: Vec<u32> = (0..)
            .zip(&self.ways)
            .filter(|(_, way)| way.as_ref().is_some_and(|(way, _)| ends_there(way)))
            .map(|(number, _)| number)
            .collect();
        let mut taken: Vec<Way> = self.unknown.extract_if(.., |way| ends_there(way)).collect();
        taken.extend(numbers.into_iter().filter_map(|number| self.remove(number)));
        taken.sort_unstable();
        taken
    }

    /// The beacons at the other ends of the legs of one.
    pub(super) fn across(&self, beacon: u32) -> impl Iterator<Item = u32> {
        let known = self.ways.iter().flatten().map(|(way, _)| way);
        let ending = known.chain(&self.unknown).filter(move |way| way.ends.contains(&beacon));
        ending.map(move |way| way.ends[usize::from(way.ends[0] == beacon)])
    }

    /// The bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        let numbers = |lists: usize, items: usize| lists * size_of::<Vec<u32>>() + items * size_of::<u32>();
        let of_squares = numbers(self.squares.len(), self.squares.iter().map(Vec::len).sum());
        let of_ways = self.ways.iter().flatten().map(|(_, squares)| squares.0.len()).sum();
        of_squares + numbers(0, of_ways) + core::mem::size_of_val(&self.ways[..])
    }
}
