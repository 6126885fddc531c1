//! How `beacon*` chooses its way: the beacon to begin with, and the one to end with, by what the whole way costs.
//!
//! What a way costs between beacons is known, and what it costs to get to the first and from the last is never less than the estimate. So pairs
//! are looked at by what they cost at least, the cheapest first, and climbs are made only to make sure of the best one.

use super::{BeaconAgent, Exit, Heading, Look};
use crate::search::{Budget, climb_to};
use crate::space::{GridSpace, Heuristic, State};

/// The most beacons that are thought of at either end.
pub(super) const MOST_THOUGHT_OF: usize = 64;
/// How many of them at either end are weighed against each other.
pub(super) const WEIGHED: usize = 8;
/// The most steps of a climb that is only thought of: more than a leg that is looked for has.
pub(super) const CHECK: u64 = 2048;

/// How many beacons farther on the way are looked at when it begins, one with each move, and how many from each beacon on.
const LOOKS: u8 = 8;
const LOOKS_ON_THE_WAY: u8 = 1;

/// A beacon of the trunk that a way may begin or end with.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    beacon: u32,
    /// What it costs, in units, from the agent to the beacon or from there to the goal: at least this much, or exactly.
    cost: u32,
    is_certain: bool,
    /// The beacon to head for first; the one to leave the trunk for.
    over: Option<u32>,
}

/// The best few of all candidates at one end, by what the way over them costs.
#[derive(Default)]
struct Few {
    candidates: [Option<(u32, Candidate)>; WEIGHED],
    /// The best one that is certain.
    certain: Option<(u32, Candidate)>,
}

impl Few {
    fn put(&mut self, key: u32, candidate: Candidate) {
        if candidate.is_certain && self.certain.is_none_or(|(known, _)| key < known) {
            self.certain = Some((key, candidate));
        }
        let place = self.candidates.iter().position(|kept| kept.is_none_or(|(kept, _)| key < kept));
        if let Some(place) = place {
            self.candidates[place..].rotate_right(1);
            self.candidates[place] = Some((key, candidate));
        }
    }

    /// The candidates, one of which is certain: if all climbs fail there still is a way.
    fn with_certain(mut self) -> [Option<Candidate>; WEIGHED] {
        if !self.candidates.iter().flatten().any(|(_, candidate)| candidate.is_certain) {
            self.candidates[WEIGHED - 1] = self.certain;
        }
        self.candidates.map(|kept| kept.map(|(_, candidate)| candidate))
    }
}

/// The two ends of a way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Start,
    Goal,
}

impl BeaconAgent {
    fn climb_cost(&self, space: &GridSpace, from: State, to: State, budget: &mut Budget) -> Option<u32> {
        let ties = self.database.config().ties;
        climb_to(space, from, to, CHECK, ties, budget).map(|climb| self.database.in_units(climb.cost))
    }

    fn estimate(&self, space: &GridSpace, from: State, to: State) -> u32 {
        self.database.in_units(space.estimate(from, to))
    }

    /// The beacon of the trunk that leads to a beacon.
    fn root(&self, mut beacon: u32) -> u32 {
        while let Some(leg) = self.database.out(beacon) {
            beacon = leg.to;
        }
        beacon
    }

    /// The beacon to leave a state by, or to get to it from, and what the climb costs: that of its region, or one farther on its way to the trunk
    /// where that costs no more.
    fn first_beacon(
        &self,
        space: &GridSpace,
        end: End,
        state: State,
        budget: &mut Budget,
    ) -> Option<(u32, u32)> {
        let database = &*self.database;
        let climb = |beacon: u32, budget: &mut Budget| match end {
            End::Start => self.climb_cost(space, state, database.state(beacon), budget),
            End::Goal => self.climb_cost(space, database.state(beacon), state, budget),
        };
        let own = database.beacon(state)?;
        let (mut best, mut best_cost) = (own, climb(own, budget)?);
        let (mut at, mut along) = (own, best_cost);
        while let Some(out) = database.out(at) {
            (at, along) = (out.to, along.saturating_add(out.cost));
            if let Some(cost) = climb(at, budget).filter(|&cost| cost <= along) {
                (best, best_cost, along) = (at, cost, cost);
            }
        }
        Some((best, best_cost))
    }

    /// What it costs from one beacon of the trunk to another.
    fn between(&self, from: u32, to: u32, budget: &mut Budget) -> Option<u32> {
        budget.charge_probes(1);
        self.database.cost(from, to)
    }

    /// The candidates at one end, where a beacon lies at a cost, and `root` of the trunk is what the other end hangs on. From `state` other beacons may be seen,
    /// too; none if the agent stands on the beacon.
    fn candidates(
        &self,
        space: &GridSpace,
        end: End,
        (own, own_cost): (u32, u32),
        state: Option<State>,
        root: u32,
        budget: &mut Budget,
    ) -> [Option<Candidate>; WEIGHED] {
        let database = &*self.database;
        let mut few = Few::default();
        let mut left = MOST_THOUGHT_OF;
        let stands_on_it = end == End::Start && state.is_none();
        let mut put = |candidate: Candidate, budget: &mut Budget| {
            if left > 0 {
                left -= 1;
                if let Some(rest) = self.between(candidate.beacon, root, budget) {
                    few.put(candidate.cost.saturating_add(rest), candidate);
                }
            }
        };
        // Along the twigs to the trunk: all of it is known.
        let second = database.out(own).map_or(own, |out| out.to);
        let (mut at, mut cost, mut before) = (own, own_cost, None);
        while let Some(out) = database.out(at) {
            for leg in database.legs(at) {
                let cost = cost.saturating_add(leg.cost);
                // The way in leaves the trunk for the twig; the way out begins with the first one, or with what comes after it.
                let over = match end {
                    End::Goal => at,
                    End::Start if !stands_on_it => own,
                    End::Start if at == own => leg.to,
                    End::Start => second,
                };
                let over = Some(over);
                put(Candidate { beacon: leg.to, cost, is_certain: true, over }, budget);
            }
            (before, at, cost) = (Some(at), out.to, cost.saturating_add(out.cost));
        }
        let over = match end {
            End::Goal => before,
            End::Start => Some(if stands_on_it { second } else { own }),
        };
        put(Candidate { beacon: at, cost, is_certain: true, over }, budget);
        // What can be seen from the beacon can perhaps be seen from the state.
        let Some(state) = state else { return few.with_certain() };
        let views = database.region(state).map_or(&[][..], |region| database.views(region));
        let seen = database.legs(own).iter().map(|leg| leg.to);
        for beacon in seen.chain(views.iter().copied()) {
            let cost = self.estimate(space, state, database.state(beacon));
            let over = (end == End::Start).then_some(beacon);
            put(Candidate { beacon, cost, is_certain: false, over }, budget);
        }
        few.with_certain()
    }

    /// Decides how to go on: from the beacon that the agent stands on, or from where it stands. Whether it found a way.
    pub(super) fn choose(&mut self, space: &GridSpace, on: Option<u32>, budget: &mut Budget) -> bool {
        let (position, goal) = (self.errand.position, self.errand.goal);
        let direct = self.climb_cost(space, position, goal, budget);
        if direct == Some(self.estimate(space, position, goal)) {
            self.head_for_goal(budget);
            return true;
        }
        let first = match on {
            Some(beacon) => Some((beacon, 0)),
            None => self.first_beacon(space, End::Start, position, budget),
        };
        let last = self.first_beacon(space, End::Goal, goal, budget);
        let best = first.zip(last).and_then(|(first, last)| {
            let (first_root, last_root) = (self.root(first.0), self.root(last.0));
            let seen_from = (self.database.state(first.0) != position).then_some(position);
            let starts = self.candidates(space, End::Start, first, seen_from, last_root, budget);
            let ends = self.candidates(space, End::Goal, last, Some(goal), first_root, budget);
            self.cheapest_pair(space, starts, ends, budget)
        });
        match best {
            Some((cost, start, end)) if direct.is_none_or(|direct| cost < direct) => {
                let next = start.over.unwrap_or(start.beacon);
                self.exit =
                    Exit { beacon: end.beacon, twig: end.over, last: last.map_or(0, |(beacon, _)| beacon) };
                self.ahead = self.database.cost(start.beacon, end.beacon).unwrap_or(0);
                self.follow(next, budget);
                if self.database.out(next).is_none() {
                    self.look = Look { from: next, left: LOOKS };
                }
            }
            _ if direct.is_some() => self.head_for_goal(budget),
            _ => return false,
        }
        true
    }

    /// The cheapest pair of a candidate to begin with and one to end with.
    fn cheapest_pair(
        &self,
        space: &GridSpace,
        mut starts: [Option<Candidate>; WEIGHED],
        mut ends: [Option<Candidate>; WEIGHED],
        budget: &mut Budget,
    ) -> Option<(u32, Candidate, Candidate)> {
        let mut between = [[None; WEIGHED]; WEIGHED];
        for (row, start) in between.iter_mut().zip(&starts) {
            for (cost, end) in row.iter_mut().zip(&ends) {
                if let (Some(start), Some(end)) = (start, end) {
                    *cost = self.between(start.beacon, end.beacon, budget);
                }
            }
        }
        loop {
            let mut best: Option<(u32, usize, usize)> = None;
            for (at, start) in starts.iter().enumerate() {
                for (to, end) in ends.iter().enumerate() {
                    if let (Some(start), Some(end), Some(cost)) = (start, end, between[at][to]) {
                        let cost = start.cost.saturating_add(cost).saturating_add(end.cost);
                        if best.is_none_or(|(known, ..)| cost < known) {
                            best = Some((cost, at, to));
                        }
                    }
                }
            }
            let (cost, at, to) = best?;
            let (start, end) = (starts[at]?, ends[to]?);
            if !start.is_certain {
                let climb =
                    self.climb_cost(space, self.errand.position, self.database.state(start.beacon), budget);
                starts[at] = climb.map(|cost| Candidate { cost, is_certain: true, ..start });
            } else if !end.is_certain {
                let climb = self.climb_cost(space, self.database.state(end.beacon), self.errand.goal, budget);
                ends[to] = climb.map(|cost| Candidate { cost, is_certain: true, ..end });
            } else {
                return Some((cost, start, end));
            }
        }
    }

    /// What to head for next, where the agent stands on a beacon that it headed for. Whether it knows.
    pub(super) fn go_on(&mut self, space: &GridSpace, beacon: u32, budget: &mut Budget) -> bool {
        if self.is_leaving_trunk {
            return self.go_in(beacon, budget);
        }
        if self.database.out(beacon).is_some() {
            return self.choose(space, Some(beacon), budget);
        }
        if beacon == self.exit.beacon {
            match self.exit.twig {
                Some(twig) => {
                    self.follow(twig, budget);
                    self.is_leaving_trunk = true;
                }
                None => self.head_for_goal(budget),
            }
            return true;
        }
        let Some(next) = self.next_beacon(beacon, budget) else { return false };
        // What lies ahead falls with every leg, or the database is not what it should be.
        let ahead = self.between(next, self.exit.beacon, budget).filter(|&ahead| ahead < self.ahead);
        let Some(ahead) = ahead else { return false };
        self.ahead = ahead;
        self.follow(next, budget);
        self.look = Look { from: next, left: LOOKS_ON_THE_WAY };
        true
    }

    /// The beacon after one of the trunk on the way to the exit.
    fn next_beacon(&self, beacon: u32, budget: &mut Budget) -> Option<u32> {
        let leg = self.database.next_leg(beacon, self.exit.beacon, || budget.charge_probes(1));
        leg.map(|leg| leg.to)
    }

    /// Looks whether a climb gets to a beacon farther on the way at a lower cost, one farther with each move: a way over beacons makes a detour
    /// where it begins.
    pub(super) fn look_ahead(&mut self, space: &GridSpace, budget: &mut Budget) {
        let Heading::Beacon(heading) = self.heading else { return };
        self.look.left -= 1;
        if self.look.from == self.exit.beacon || self.is_leaving_trunk || self.database.out(heading).is_some()
        {
            self.look.left = 0;
            return;
        }
        let Some(next) = self.next_beacon(self.look.from, budget) else { return };
        self.look.from = next;
        let position = self.errand.position;
        let Some(here) = self.climb_cost(space, position, self.database.state(next), budget) else { return };
        let over = self.climb_cost(space, position, self.database.state(heading), budget);
        let over =
            over.zip(self.between(heading, next, budget)).map(|(first, rest)| first.saturating_add(rest));
        if over.is_some_and(|over| here < over)
            && let Some(ahead) =
                self.between(next, self.exit.beacon, budget).filter(|&ahead| ahead < self.ahead)
        {
            self.ahead = ahead;
            let look = self.look;
            self.follow(next, budget);
            self.look = look;
        }
    }

    /// The same on the twigs to the goal.
    fn go_in(&mut self, beacon: u32, budget: &mut Budget) -> bool {
        let last = self.exit.last;
        if beacon == last {
            self.head_for_goal(budget);
            return true;
        }
        let mut at = last;
        while let Some(out) = self.database.out(at) {
            if out.to == beacon {
                self.follow(at, budget);
                self.is_leaving_trunk = true;
                return true;
            }
            at = out.to;
        }
        false
    }

    pub(super) fn head_for_goal(&mut self, budget: &mut Budget) {
        (self.heading, self.run, self.look.left) = (Heading::Goal, None, 0);
        budget.note_subgoal(self.errand.goal);
    }

    /// Heads for a beacon of the trunk, or for a twig on the way out.
    fn follow(&mut self, beacon: u32, budget: &mut Budget) {
        (self.heading, self.run, self.is_leaving_trunk) = (Heading::Beacon(beacon), None, false);
        self.look.left = 0;
        budget.note_subgoal(self.database.state(beacon));
    }
}
