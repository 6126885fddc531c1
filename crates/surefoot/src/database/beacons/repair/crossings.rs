//! Which legs pass where: so that an edit looks at few of them.

use alloc::vec::Vec;

use crate::database::passages::{Line, Passages};
use crate::search::Ties;
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

/// All legs, and where they pass.
#[derive(Clone, Debug)]
pub(super) struct Crossings {
    ways: Passages<Way>,
    /// Legs of which it is not known where they pass.
    unknown: Vec<Way>,
}

impl Crossings {
    /// For a map, and legs that are mostly shorter than `span`.
    pub(super) fn new(space: &GridSpace, span: u32) -> Self {
        Self { ways: Passages::new(space.grid(), (span / 8).max(8)), unknown: Vec::new() }
    }

    /// What a leg costs, if climbs make it at the same cost both ways, and where they pass.
    pub(super) fn measure(space: &GridSpace, ties: Ties, a: State, b: State) -> Option<(Cost, Vec<Line>)> {
        let mut lines = Vec::new();
        let there = Line::climb(space, (a, b), ties, &mut lines)?;
        let back = Line::climb(space, (b, a), ties, &mut lines)?;
        (there == back).then_some((there, lines))
    }

    /// Adds a leg. Without lines it is not known where it passes.
    pub(super) fn add(&mut self, way: Way, lines: Option<&[Line]>) {
        match lines {
            Some(lines) => _ = self.ways.add(way, lines),
            None => self.unknown.push(way),
        }
    }

    /// Takes out the legs that pass a cell or come within one of it, in order.
    pub(super) fn take_near(&mut self, cells: &[Cell]) -> Vec<Way> {
        let mut numbers = Vec::new();
        for &cell in cells {
            self.ways.near(cell, |number, _, _| numbers.push(number));
        }
        let mut taken = core::mem::take(&mut self.unknown);
        taken.extend(numbers.into_iter().filter_map(|number| self.ways.take(number)));
        taken.sort_unstable();
        taken
    }

    /// Takes out the legs that end at one of some beacons, in order.
    pub(super) fn take_ending(&mut self, is_end: impl Fn(u32) -> bool) -> Vec<Way> {
        let ends_there = |way: &Way| way.ends.iter().any(|&end| is_end(end));
        let numbers: Vec<u32> =
            self.ways.legs().filter(|(_, way)| ends_there(way)).map(|(number, _)| number).collect();
        let mut taken: Vec<Way> = self.unknown.extract_if(.., |way| ends_there(way)).collect();
        taken.extend(numbers.into_iter().filter_map(|number| self.ways.take(number)));
        taken.sort_unstable();
        taken
    }

    /// The beacons at the other ends of the legs of one.
    pub(super) fn across(&self, beacon: u32) -> impl Iterator<Item = u32> {
        let ways = self.ways.legs().map(|(_, way)| way).chain(self.unknown.iter().copied());
        let ending = ways.filter(move |way| way.ends.contains(&beacon));
        ending.map(move |way| way.ends[usize::from(way.ends[0] == beacon)])
    }

    /// The bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        self.ways.bytes()
    }
}
