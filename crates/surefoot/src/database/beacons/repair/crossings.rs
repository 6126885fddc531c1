//! Which legs pass where: so that an edit looks at few of them.

use alloc::vec::Vec;

use crate::database::passages::{Line, Passages};
use crate::search::Ties;
use crate::space::{Cell, Cost, Direction, GridSpace, State};

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

/// The pieces of climbs.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines(Vec<Line>);

/// All legs, and where they pass.
#[derive(Clone, Debug)]
pub(super) struct Crossings {
    passages: Passages,
    /// The legs by number; of numbers that are free none.
    ways: Vec<Option<Way>>,
    /// Legs of which it is not known where they pass.
    unknown: Vec<Way>,
}

impl Crossings {
    /// For a map, and legs that are mostly shorter than `span`.
    pub(super) fn new(space: &GridSpace, span: u32) -> Self {
        let passages = Passages::new(space.grid(), (span / 8).max(8));
        Self { passages, ways: Vec::new(), unknown: Vec::new() }
    }

    /// What a climb costs; its pieces are added to others. Where it does not arrive the state that it gets stuck in is one of them.
    pub(super) fn climb(
        space: &GridSpace,
        ties: Ties,
        (from, to): (State, State),
        lines: &mut Lines,
    ) -> Option<Cost> {
        let (mut at, mut cost) = (from, 0);
        while at != to {
            let Some(line) = Line::of_climb(space, at, to, ties) else {
                lines.0.push(Line { from: space.cell(at), direction: Direction::East, steps: 1 });
                return None;
            };
            cost += space.step_cost(at, line.direction) * Cost::from(line.steps);
            lines.0.push(line);
            at = space.state(line.end());
        }
        Some(cost)
    }

    /// What a leg costs, if climbs make it at the same cost both ways, and where they pass.
    pub(super) fn measure(space: &GridSpace, ties: Ties, a: State, b: State) -> Option<(Cost, Lines)> {
        let mut lines = Lines::default();
        let there = Self::climb(space, ties, (a, b), &mut lines)?;
        let back = Self::climb(space, ties, (b, a), &mut lines)?;
        (there == back).then_some((there, lines))
    }

    /// Adds a leg. Without lines it is not known where it passes.
    pub(super) fn add(&mut self, way: Way, lines: Option<Lines>) {
        let Some(lines) = lines else { return self.unknown.push(way) };
        let number = self.passages.open();
        lines.0.iter().for_each(|line| self.passages.add(number, line));
        match self.ways.get_mut(number as usize) {
            Some(free) => *free = Some(way),
            None => self.ways.push(Some(way)),
        }
    }

    fn remove(&mut self, number: u32) -> Option<Way> {
        let way = self.ways[number as usize].take()?;
        self.passages.close(number);
        Some(way)
    }

    /// Takes out the legs that pass a cell or come within one of it, in order.
    pub(super) fn take_near(&mut self, cells: &[Cell]) -> Vec<Way> {
        let mut numbers = Vec::new();
        for &cell in cells {
            self.passages.near(cell, |number, _| numbers.push(number));
        }
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
            .filter(|(_, way)| way.as_ref().is_some_and(ends_there))
            .map(|(number, _)| number)
            .collect();
        let mut taken: Vec<Way> = self.unknown.extract_if(.., |way| ends_there(way)).collect();
        taken.extend(numbers.into_iter().filter_map(|number| self.remove(number)));
        taken.sort_unstable();
        taken
    }

    /// The beacons at the other ends of the legs of one.
    pub(super) fn across(&self, beacon: u32) -> impl Iterator<Item = u32> {
        let ending =
            self.ways.iter().flatten().chain(&self.unknown).filter(move |way| way.ends.contains(&beacon));
        ending.map(move |way| way.ends[usize::from(way.ends[0] == beacon)])
    }

    /// The bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        self.passages.bytes() + core::mem::size_of_val(&self.ways[..])
    }
}
