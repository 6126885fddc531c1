//! How `beacon*` chooses its way: the beacon to begin with, and the one to end with, by what the whole way costs.
//!
//! What a way costs between beacons is known, and what it costs to get to the first and from the last is never less than the estimate. So the beacons
//! around either end are put in the order of what the way over them costs at least, climbs make sure of the first few, and of those that can be
//! got to the cheapest pair is taken.

use alloc::vec::Vec;

use super::{BeaconAgent, Exit, Heading, Look};
use crate::search::{Budget, climb_to};
use crate::space::{Cost, GridSpace, Heuristic, State};

/// The most beacons that are thought of at either end.
pub(super) const MOST_THOUGHT_OF: usize = 64;
/// How many of them at either end are weighed against each other, and how many climbs are made to find them.
pub(super) const WEIGHED: usize = 6;
pub(super) const TRIED: usize = 12;
/// The most steps of a climb that is only thought of: more than a leg that is looked for has.
pub(super) const CHECK: u64 = 2048;

/// A goal within so many straight moves may be seen from the way.
const NEAR_GOAL: Cost = 512;
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
    /// What the way over it costs, as far as that is known.
    whole: u32,
    /// The beacon to head for first; the one to leave the trunk for.
    over: Option<u32>,
}

/// The beacons at one end that can be got to, the best first.
type Few = Vec<Candidate>;

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
    ) -> Few {
        let database = &*self.database;
        let mut thought_of = Vec::with_capacity(MOST_THOUGHT_OF);
        let stands_on_it = end == End::Start && state.is_none();
        let mut put = |mut candidate: Candidate, budget: &mut Budget| {
            if thought_of.len() < MOST_THOUGHT_OF
                && let Some(rest) = self.between(candidate.beacon, root, budget)
            {
                candidate.whole = candidate.cost.saturating_add(rest);
                thought_of.push(candidate);
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
                put(Candidate { beacon: leg.to, cost, is_certain: true, whole: 0, over }, budget);
            }
            (before, at, cost) = (Some(at), out.to, cost.saturating_add(out.cost));
        }
        let over = match end {
            End::Goal => before,
            End::Start => Some(if stands_on_it { second } else { own }),
        };
        put(Candidate { beacon: at, cost, is_certain: true, whole: 0, over }, budget);
        // What can be seen from the beacon can perhaps be seen from the state, and what is near it, too.
        if let Some(state) = state {
            let views = database.region(state).map_or(&[][..], |region| database.views(region));
            let seen = database.legs(own).iter().map(|leg| leg.to);
            let near = database.near(space.cell(state));
            for beacon in views.iter().copied().chain(near).chain(seen) {
                let cost = self.estimate(space, state, database.state(beacon));
                let over = (end == End::Start).then_some(beacon);
                put(Candidate { beacon, cost, is_certain: false, whole: 0, over }, budget);
            }
        }
        self.tried(space, end, &mut thought_of, budget)
    }

    /// The best of the beacons that were thought of that can be got to. One of them is certain: if all climbs fail there still is a way.
    fn tried(&self, space: &GridSpace, end: End, thought_of: &mut [Candidate], budget: &mut Budget) -> Few {
        thought_of
            .sort_unstable_by_key(|candidate| (candidate.whole, candidate.beacon, !candidate.is_certain));
        let certain = thought_of.iter().find(|candidate| candidate.is_certain).copied();
        let (mut few, mut climbs, mut last) = (Few::with_capacity(WEIGHED), 0, None);
        for candidate in thought_of.iter() {
            if few.len() == WEIGHED {
                break;
            }
            // Some come up more than once, one after the other.
            if !candidate.is_certain && (climbs == TRIED || last == Some(candidate.beacon)) {
                continue;
            }
            last = Some(candidate.beacon);
            let cost = if candidate.is_certain {
                Some(candidate.cost)
            } else {
                climbs += 1;
                let beacon = self.database.state(candidate.beacon);
                match end {
                    End::Start => self.climb_cost(space, self.errand.position, beacon, budget),
                    End::Goal => self.climb_cost(space, beacon, self.errand.goal, budget),
                }
            };
            few.extend(cost.map(|cost| Candidate { cost, is_certain: true, ..*candidate }));
        }
        if few.is_empty() {
            few.extend(certain);
        }
        few
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
            self.cheapest_pair(&starts, &ends, budget)
        });
        match best {
            Some((cost, start, end)) if direct.is_none_or(|direct| cost < direct) => {
                let next = start.over.unwrap_or(start.beacon);
                self.exit = Exit {
                    beacon: end.beacon,
                    twig: end.over,
                    last: last.map_or(0, |(beacon, _)| beacon),
                    cost: end.cost,
                };
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

    /// The cheapest pair of a candidate to begin with and one to end with, and what the way costs.
    fn cheapest_pair(
        &self,
        starts: &[Candidate],
        ends: &[Candidate],
        budget: &mut Budget,
    ) -> Option<(u32, Candidate, Candidate)> {
        let mut best: Option<(u32, Candidate, Candidate)> = None;
        for start in starts {
            for end in ends {
                let known = start.cost.saturating_add(end.cost);
                if best.is_none_or(|(cost, ..)| known < cost)
                    && let Some(between) = self.between(start.beacon, end.beacon, budget)
                    && best.is_none_or(|(cost, ..)| known.saturating_add(between) < cost)
                {
                    best = Some((known.saturating_add(between), *start, *end));
                }
            }
        }
        best
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
        if self.sees_goal(space, beacon, budget) {
            self.head_for_goal(budget);
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

    /// Whether a climb gets to the goal from a beacon of the trunk at a lower cost than the way over the exit; only near goals are
    /// looked for.
    fn sees_goal(&self, space: &GridSpace, beacon: u32, budget: &mut Budget) -> bool {
        let (from, goal) = (self.database.state(beacon), self.errand.goal);
        let rest = self.ahead.saturating_add(self.exit.cost);
        let estimate = space.estimate(from, goal);
        estimate < NEAR_GOAL * space.costs().cardinal()
            && self.database.in_units(estimate) < rest
            && self.climb_cost(space, from, goal, budget).is_some_and(|cost| cost < rest)
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
