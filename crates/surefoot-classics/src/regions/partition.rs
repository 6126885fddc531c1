//! How a map is divided into regions, each with a state that stands for it.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use surefoot::search::{Ties, climb, climb_step};
use surefoot::space::{Cell, Direction, GridSpace, State, StateSpace, sorting};
use surefoot::store::parallel::in_parallel;

use super::RegionId;
use super::region_list::RegionList;

/// The climb does not arrive, or is not known.
const NO_STEPS: u32 = u32::MAX;

/// How a map is divided into regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Partition {
    /// A region has the states from which a climb gets to the one that stands for them, and to which one gets
    /// from there: HCDPS.
    Climbs {
        /// The most steps of such a climb.
        cutoff: u32,
    },
    /// A region has the states of a square sector that are connected there: DBA*.
    Sectors {
        /// The side of a sector in cells.
        side: u32,
    },
}

/// The regions of a map. Those of one component are numbered in a row.
#[derive(Clone, Debug)]
pub(crate) struct Regions {
    /// The region of each state; [`RegionId::NONE`] of cells that are no states, and of states that have none
    /// yet.
    pub(crate) labels: Vec<RegionId>,
    pub(crate) list: RegionList,
}

impl Regions {
    pub(crate) fn new(space: &GridSpace, partition: Partition, ties: Ties) -> Self {
        let labels = vec![RegionId::NONE; space.state_limit()];
        let mut regions = Self { labels, list: RegionList::default() };
        match partition {
            Partition::Climbs { cutoff } => regions.divide_by_climbs(space, cutoff, ties),
            Partition::Sectors { side } => regions.divide_by_sectors(space, side),
        }
        regions.number_by_component(space);
        regions
    }

    /// Seeds are taken from a lattice first, so that open ground is covered by large regions, and then in
    /// order from what is left. What climbs to a seed is centred: the state in its middle takes its place,
    /// and the region grows from there. A state that no region got asks those around it whether it may join
    /// before it begins one.
    fn divide_by_climbs(&mut self, space: &GridSpace, cutoff: u32, ties: Ties) {
        let (width, height) = (space.grid().width(), space.grid().height());
        let spacing = cutoff.max(1);
        let places = |side: u32| (spacing / 2..side).step_by(spacing as usize);
        // What grows from one seed does not touch what grows from another that is so many places away: all
        // such grow at once.
        let apart = (u64::from(cutoff) * 4 + 2).div_ceil(u64::from(spacing)) as usize;
        for (row, column) in (0..apart).flat_map(|row| (0..apart).map(move |column| (row, column))) {
            let rows = places(height).skip(row).step_by(apart);
            let seeds: Vec<State> = rows
                .flat_map(|y| places(width).skip(column).step_by(apart).map(move |x| Cell::new(x, y)))
                .map(|cell| space.state_of(cell))
                .filter(|&state| self.labels[state.index()] == RegionId::NONE && space.contains(state))
                .collect();
            let scratch = || Growth::new(space, cutoff, ties);
            let grown = in_parallel(&seeds, scratch, |growth, &seed| {
                growth.region(|state| self.labels[state.index()] == RegionId::NONE, seed)
            });
            for (members, centre) in grown {
                self.add(&members, centre);
            }
        }
        let mut growth = Growth::new(space, cutoff, ties);
        for state in (0..self.labels.len() as u32).map(State) {
            if self.labels[state.index()] == RegionId::NONE
                && space.contains(state)
                && !self.join(&growth, state)
            {
                let labels = &self.labels;
                let (members, centre) = growth.region(|state| labels[state.index()] == RegionId::NONE, state);
                self.add(&members, centre);
                // What grows from the middle need not get back to where it began.
                if self.labels[state.index()] == RegionId::NONE {
                    let labels = &self.labels;
                    let members = growth.members(|state| labels[state.index()] == RegionId::NONE, state);
                    self.add(&members, state);
                }
            }
        }
    }

    /// Puts a state into the first region around it whose state climbs lead to and back.
    fn join(&mut self, growth: &Growth<'_>, state: State) -> bool {
        let mut joined = RegionId::NONE;
        growth.space.for_each_successor(state, |next, _| {
            let region = self.labels[next.index()];
            if joined == RegionId::NONE && region != RegionId::NONE {
                let seed = self.list.representatives[region.index()];
                if growth.belongs(state, seed) {
                    joined = region;
                }
            }
        });
        self.labels[state.index()] = joined;
        joined != RegionId::NONE
    }

    /// A region for each part of a square sector whose states are connected there.
    fn divide_by_sectors(&mut self, space: &GridSpace, side: u32) {
        let (width, height) = (space.grid().width(), space.grid().height());
        for top in (0..height).step_by(side as usize) {
            for left in (0..width).step_by(side as usize) {
                let sector = Sector::with_corner(space, Cell::new(left, top), side);
                for cell in sector.cells() {
                    let state = space.state_of(cell);
                    if self.labels[state.index()] == RegionId::NONE && space.contains(state) {
                        let members = self.connected(space, &sector, state);
                        self.add(&members, nearest_to_centroid(space, &members));
                    }
                }
            }
        }
    }

    /// The states of a sector that can be reached there.
    fn connected(&mut self, space: &GridSpace, sector: &Sector, first: State) -> Vec<State> {
        // Marked as they are met, with the number that the region will have.
        let region = RegionId::from_index(self.list.representatives.len());
        let labels = &mut self.labels;
        labels[first.index()] = region;
        let mut members = Vec::from([first]);
        let mut at = 0;
        while let Some(&state) = members.get(at) {
            at += 1;
            space.for_each_successor(state, |next, _| {
                if labels[next.index()] == RegionId::NONE && sector.contains(space.cell(next)) {
                    labels[next.index()] = region;
                    members.push(next);
                }
            });
        }
        members
    }

    fn add(&mut self, members: &[State], representative: State) {
        let region = RegionId::from_index(self.list.representatives.len());
        self.list.representatives.push(representative);
        for state in members {
            self.labels[state.index()] = region;
        }
    }

    /// Numbers the regions anew, component by component.
    fn number_by_component(&mut self, space: &GridSpace) {
        let count = self.list.representatives.len() as u32;
        let mut order: Vec<(u32, RegionId)> = RegionId::first(count)
            .zip(&self.list.representatives)
            .map(|(region, &state)| (space.components().of(space.cell(state)).unwrap_or(u32::MAX), region))
            .collect();
        sorting::sort(&mut order);
        let mut new_numbers = vec![RegionId::NONE; order.len()];
        for (number, &(_, region)) in RegionId::first(count).zip(&order) {
            new_numbers[region.index()] = number;
        }
        let old = core::mem::take(&mut self.list.representatives);
        self.list.representatives = order.iter().map(|&(_, region)| old[region.index()]).collect();
        self.list.components =
            order.chunk_by(|a, b| a.0 == b.0).map(|component| component.len() as u32).collect();
        for label in self.labels.iter_mut().filter(|label| **label != RegionId::NONE) {
            *label = new_numbers[label.index()];
        }
    }
}

/// The pairs of regions that a move leads between, each once, the lower number first, in order.
pub(crate) fn neighbours(space: &GridSpace, labels: &[RegionId]) -> Vec<(RegionId, RegionId)> {
    let width = space.grid().width() as usize;
    let rows = labels.len() / width;
    let of_rows = |rows: Range<usize>| {
        let mut pairs = Vec::new();
        for state in rows.start * width..rows.end * width {
            let own = labels[state];
            if own == RegionId::NONE {
                continue;
            }
            let state = State(state as u32);
            let moves = space.moves(state);
            for direction in [Direction::East, Direction::South, Direction::SouthEast, Direction::SouthWest] {
                if moves.contains(direction) {
                    let other = labels[space.step(state, direction).index()];
                    let pair = (own.min(other), own.max(other));
                    // Borders are long: most pairs come again and again.
                    if own != other && pairs.last() != Some(&pair) {
                        pairs.push(pair);
                    }
                }
            }
        }
        sorting::sort(&mut pairs);
        pairs.dedup();
        pairs
    };
    let pieces: Vec<Range<usize>> = (0..rows).step_by(64).map(|row| row..(row + 64).min(rows)).collect();
    let mut pairs: Vec<(RegionId, RegionId)> =
        in_parallel(&pieces, || (), |(), rows| of_rows(rows.clone())).concat();
    sorting::sort(&mut pairs);
    pairs.dedup();
    pairs
}

/// Grows regions of states from which a climb gets to the state in the middle, and to which one gets from
/// there.
pub(crate) struct Growth<'a> {
    pub(crate) space: &'a GridSpace,
    cutoff: u32,
    ties: Ties,
    /// The cells that a region can touch.
    window: Sector,
    /// For each cell of the window the round in which it was last asked whether it belongs to the region, and
    /// how many steps it climbs to the seed; [`NO_STEPS`] if it does not belong.
    marks: Vec<(u32, u32)>,
    round: u32,
}

impl<'a> Growth<'a> {
    pub(crate) fn new(space: &'a GridSpace, cutoff: u32, ties: Ties) -> Self {
        let window = Sector { corner: Cell::new(0, 0), width: 0, height: 0 };
        Self { space, cutoff, ties, window, marks: Vec::new(), round: 0 }
    }

    /// The region of some states that begins with one of them, and the state in its middle.
    pub(crate) fn region(&mut self, has: impl Fn(State) -> bool, first: State) -> (Vec<State>, State) {
        // The middle is up to the cutoff away, the region reaches as far again, and one looks at neighbours
        // of neighbours.
        let reach = self.cutoff.saturating_mul(2).saturating_add(2);
        self.window = Sector::within(self.space, self.space.cell(first), reach);
        if self.marks.len() < self.window.len() {
            self.marks.resize(self.window.len(), (0, NO_STEPS));
        }
        let climbing = self.grow(&has, first, |_, _| true);
        let centre = nearest_to_centroid(self.space, &climbing);
        (self.members(&has, centre), centre)
    }

    /// Those of some states that climb to a seed in the window, and that it climbs to.
    pub(crate) fn members(&mut self, has: impl Fn(State) -> bool, seed: State) -> Vec<State> {
        self.grow(&has, seed, |growth, state| growth.climb(seed, state).is_some())
    }

    /// Those of some states that climb to a seed and belong to it, the seed first: found outwards from it,
    /// over states that belong to it.
    fn grow(
        &mut self,
        has: &impl Fn(State) -> bool,
        seed: State,
        belongs: impl Fn(&Self, State) -> bool,
    ) -> Vec<State> {
        self.round += 1;
        let (space, round) = (self.space, self.round);
        self.mark(seed, 0);
        let mut members = Vec::from([seed]);
        let mut at = 0;
        while let Some(&state) = members.get(at) {
            at += 1;
            space.for_each_successor(state, |next, _| {
                if !has(next) || self.mark_of(next).0 == round {
                    return;
                }
                let steps = self.steps_to(seed, next).filter(|_| belongs(self, next));
                self.mark(next, steps.unwrap_or(NO_STEPS));
                if steps.is_some() {
                    members.push(next);
                }
            });
        }
        members
    }

    /// How many steps a state climbs to the seed, if it gets there. Mostly the next state on its way is known
    /// to.
    fn steps_to(&self, seed: State, state: State) -> Option<u32> {
        let (next, _) = climb_step(self.space, state, seed, self.ties)?;
        match self.mark_of(next) {
            (round, steps) if round == self.round && steps != NO_STEPS => {
                Some(steps + 1).filter(|&steps| steps <= self.cutoff)
            }
            _ => self.climb(state, seed),
        }
    }

    /// The steps of a climb that arrives.
    fn climb(&self, from: State, to: State) -> Option<u32> {
        let climb = climb(self.space, from, to, u64::from(self.cutoff), self.ties);
        (climb.end == to).then_some(climb.steps as u32)
    }

    /// Whether climbs lead from a state to a seed and back.
    pub(crate) fn belongs(&self, state: State, seed: State) -> bool {
        self.climb(state, seed).is_some() && self.climb(seed, state).is_some()
    }

    fn mark_of(&self, state: State) -> (u32, u32) {
        self.window.slot(self.space.cell(state)).map_or((0, NO_STEPS), |slot| self.marks[slot])
    }

    fn mark(&mut self, state: State, steps: u32) {
        if let Some(slot) = self.window.slot(self.space.cell(state)) {
            self.marks[slot] = (self.round, steps);
        }
    }
}

/// The one of some states that lies nearest to their centroid; of equally near ones the one with the lowest
/// number.
fn nearest_to_centroid(space: &GridSpace, states: &[State]) -> State {
    let (mut x, mut y) = (0_u64, 0_u64);
    for &state in states {
        let cell = space.cell(state);
        (x, y) = (x + u64::from(cell.x), y + u64::from(cell.y));
    }
    let count = states.len() as u64;
    let distance = |state: State| {
        let cell = space.cell(state);
        let square = |at: u32, sum: u64| u128::from((u64::from(at) * count).abs_diff(sum)).pow(2);
        square(cell.x, x) + square(cell.y, y)
    };
    states.iter().copied().min_by_key(|&state| (distance(state), state)).unwrap_or(State(0))
}

/// A square part of a map, or what the map has of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sector {
    corner: Cell,
    width: u32,
    height: u32,
}

impl Sector {
    fn with_corner(space: &GridSpace, corner: Cell, side: u32) -> Self {
        let (width, height) = (space.grid().width(), space.grid().height());
        Self { corner, width: side.min(width - corner.x), height: side.min(height - corner.y) }
    }

    /// The cells within so many of a cell, along either axis.
    fn within(space: &GridSpace, cell: Cell, reach: u32) -> Self {
        let span = |at: u32, side: u32| {
            let first = at.saturating_sub(reach);
            (first, at.saturating_add(reach).saturating_add(1).min(side) - first)
        };
        let (x, width) = span(cell.x, space.grid().width());
        let (y, height) = span(cell.y, space.grid().height());
        Self { corner: Cell::new(x, y), width, height }
    }

    /// The sector of a cell, of those with this side that begin at the first cell of the map.
    pub(crate) fn around(space: &GridSpace, cell: Cell, side: u32) -> Self {
        Self::with_corner(space, Cell::new(cell.x / side * side, cell.y / side * side), side)
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        let Self { corner, width, height } = self;
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(corner.x + x, corner.y + y)))
    }

    fn contains(&self, cell: Cell) -> bool {
        self.slot(cell).is_some()
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The place of a cell in it, from 0.
    #[inline]
    pub(crate) fn slot(&self, cell: Cell) -> Option<usize> {
        let (x, y) = (cell.x.wrapping_sub(self.corner.x), cell.y.wrapping_sub(self.corner.y));
        (x < self.width && y < self.height).then(|| y as usize * self.width as usize + x as usize)
    }
}
