//! Beacons and the legs between them, while they are being found.

use alloc::collections::{BTreeMap, BinaryHeap};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::file::unit_of;
use super::lessons::{Beacons, bends};
use super::squares::Squares;
use crate::database::parallel::in_parallel;
use crate::search::{Path, Ties, climb};
use crate::space::{Cost, GridSpace, Heuristic, State};

/// Where a leg leads, and what it costs.
pub(super) type Leg = (u32, Cost);

/// The most beacons that legs of one are looked for to, the nearest. On cluttered ground there are more around each, but climbs that pass so many bends seldom arrive, and ways over others
/// make up for those that do.
const MOST_NEAR: usize = 192;

/// Beacons with the legs between them.
///
/// A leg joins two beacons if a climb gets from either to the other, at the same cost both ways.
pub(super) struct Web<'a> {
    pub(super) space: &'a GridSpace,
    pub(super) ties: Ties,
    /// The longest leg that is looked for, in cells along either axis.
    pub(super) span: u32,
    most_cost: Cost,
    pub(super) states: Vec<State>,
    /// The legs of each beacon, by the number of the other.
    pub(super) legs: Vec<Vec<Leg>>,
    numbers: BTreeMap<State, u32>,
    squares: Squares,
}

impl<'a> Web<'a> {
    pub(super) fn new(space: &'a GridSpace, ties: Ties, span: u32) -> Self {
        let squares = Squares::new((space.grid().width(), space.grid().height()), (span / 4).max(1));
        let most_cost = unit_of(space) * Cost::from(u16::MAX);
        Self {
            space,
            ties,
            span,
            most_cost,
            states: Vec::new(),
            legs: Vec::new(),
            numbers: BTreeMap::new(),
            squares,
        }
    }

    /// The number of a beacon.
    pub(super) fn number(&self, state: State) -> Option<u32> {
        self.numbers.get(&state).copied()
    }

    /// What a leg between two states would cost; none is longer than a file can hold.
    pub(super) fn leg(&self, a: State, b: State) -> Option<Cost> {
        leg(self.space, self.ties, a, b).filter(|&cost| cost <= self.most_cost)
    }

    /// The bends of a path: see [`bends`].
    pub(super) fn bends(&self, path: &Path) -> Vec<State> {
        bends(self.space, path, self.span, self)
    }

    /// What a climb costs.
    pub(super) fn climb(&self, from: State, to: State) -> Option<Cost> {
        let climb = climb(self.space, from, to, u64::MAX, self.ties);
        (climb.end == to).then_some(climb.cost)
    }

    /// Adds states that are no beacons yet, with the legs to the nearest others up to the span.
    pub(super) fn add(&mut self, states: impl IntoIterator<Item = State>) {
        let first = self.states.len() as u32;
        for state in states {
            let number = self.states.len() as u32;
            if self.numbers.contains_key(&state) {
                continue;
            }
            self.numbers.insert(state, number);
            self.squares.add(self.space.cell(state), number);
            self.states.push(state);
            self.legs.push(Vec::new());
        }
        let added: Vec<u32> = (first..self.states.len() as u32).collect();
        let legs_of = |(): &mut (), &number: &u32| {
            let state = self.states[number as usize];
            // Of two new ones the later finds the leg.
            self.legs_to_near(state, self.span, |other| other < number)
        };
        let found = in_parallel(&added, || (), legs_of);
        for (number, legs) in added.into_iter().zip(found) {
            for (other, cost) in legs {
                self.put_leg(number, other, cost);
            }
        }
    }

    /// The legs from a state to the nearest beacons within so many cells, of those that may.
    pub(super) fn legs_to_near(&self, state: State, span: u32, may: impl Fn(u32) -> bool) -> Vec<Leg> {
        let here = self.space.cell(state);
        let away = |&other: &u32| (here.moves_to(self.space.cell(self.states[other as usize])), other);
        let mut near: Vec<u32> = self.near(state, span).filter(|&other| may(other)).collect();
        if near.len() > MOST_NEAR {
            near.select_nth_unstable_by_key(MOST_NEAR, away);
            near.truncate(MOST_NEAR);
        }
        near.into_iter().filter_map(|to| Some((to, self.leg(state, self.states[to as usize])?))).collect()
    }

    /// Adds a leg, however long, that was found to hold.
    pub(super) fn put_leg(&mut self, a: u32, b: u32, cost: Cost) {
        for (from, to) in [(a, b), (b, a)] {
            let legs = &mut self.legs[from as usize];
            if let Err(place) = legs.binary_search_by_key(&to, |&(to, _)| to) {
                legs.insert(place, (to, cost));
            }
        }
    }

    /// The beacons within so many cells of a state along both axes.
    pub(super) fn near(&self, state: State, span: u32) -> impl Iterator<Item = u32> {
        let here = self.space.cell(state);
        self.squares.around(here, span).filter(move |&number| {
            let there = self.space.cell(self.states[number as usize]);
            here.moves_to(there) <= span
        })
    }

    /// Removes legs that a way over another beacon makes up for at the same cost, if it is one of those that may.
    pub(super) fn leave_out_dominated(&mut self, may: impl Fn(u32) -> bool + Sync) {
        let scratch = || vec![Cost::MAX; self.legs.len()];
        self.legs = in_parallel(&self.legs, scratch, |direct, legs| self.undominated(legs, direct, &may));
    }

    /// Those of some legs from one state to beacons that no way over another of them, of those that may, makes up for at the same cost, in order. `direct` has
    /// room for every beacon, filled with the highest cost, and is left so.
    pub(super) fn undominated(
        &self,
        legs: &[Leg],
        direct: &mut [Cost],
        may: impl Fn(u32) -> bool,
    ) -> Vec<Leg> {
        for &(to, cost) in legs {
            direct[to as usize] = cost;
        }
        for &(over, first) in legs.iter().filter(|&&(over, _)| may(over)) {
            for &(to, second) in &self.legs[over as usize] {
                if direct[to as usize] == first + second {
                    direct[to as usize] = Cost::MAX;
                }
            }
        }
        let mut kept: Vec<Leg> =
            legs.iter().copied().filter(|&(to, _)| direct[to as usize] != Cost::MAX).collect();
        kept.sort_unstable();
        for &(to, _) in legs {
            direct[to as usize] = Cost::MAX;
        }
        kept
    }
}

impl Beacons for Web<'_> {
    fn leg(&self, a: State, b: State) -> Option<Cost> {
        self.leg(a, b)
    }

    fn is_beacon(&self, state: State) -> bool {
        self.number(state).is_some()
    }

    fn near(&self, state: State, span: u32) -> impl Iterator<Item = State> {
        self.near(state, span).map(|beacon| self.states[beacon as usize])
    }
}

/// What a leg between two states costs: nothing if there is none.
pub(super) fn leg(space: &GridSpace, ties: Ties, a: State, b: State) -> Option<Cost> {
    let there = climb(space, a, b, u64::MAX, ties);
    if there.end != b {
        return None;
    }
    let back = climb(space, b, a, u64::MAX, ties);
    (back.end == a && back.cost == there.cost).then_some(there.cost)
}

/// Cheapest ways over the legs of a web.
#[derive(Default)]
pub(super) struct WebSearch {
    /// For each beacon the round in which it was reached, and at what cost.
    reached: Vec<(u32, Cost)>,
    /// The same for what it costs from a beacon to the goal.
    last: Vec<(u32, Cost)>,
    round: u32,
    open: BinaryHeap<Reverse<(Cost, Cost, u32)>>,
}

impl WebSearch {
    /// What the cheapest way costs that begins and ends with one of some beacons; it is not looked for beyond `limit`.
    pub(super) fn cost(
        &mut self,
        web: &Web<'_>,
        starts: &[Leg],
        ends: &[Leg],
        goal: State,
        limit: Cost,
    ) -> Cost {
        self.round += 1;
        self.reached.resize(web.states.len(), (0, 0));
        self.last.resize(web.states.len(), (0, 0));
        self.open.clear();
        for &(beacon, cost) in ends {
            self.last[beacon as usize] = (self.round, cost);
        }
        let mut best = limit;
        for &(beacon, cost) in starts {
            self.reach(web, beacon, cost, goal, best);
        }
        while let Some(Reverse((estimate, cost, beacon))) = self.open.pop() {
            if estimate >= best {
                break;
            }
            if self.reached[beacon as usize].1 < cost {
                continue;
            }
            let (round, last) = self.last[beacon as usize];
            if round == self.round {
                best = best.min(cost + last);
            }
            for &(to, leg) in &web.legs[beacon as usize] {
                self.reach(web, to, cost + leg, goal, best);
            }
        }
        best
    }

    fn reach(&mut self, web: &Web<'_>, beacon: u32, cost: Cost, goal: State, limit: Cost) {
        let reached = &mut self.reached[beacon as usize];
        if reached.0 == self.round && reached.1 <= cost {
            return;
        }
        *reached = (self.round, cost);
        let estimate = cost + web.space.estimate(web.states[beacon as usize], goal);
        if estimate < limit {
            self.open.push(Reverse((estimate, cost, beacon)));
        }
    }
}
