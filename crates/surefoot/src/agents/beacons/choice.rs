//! How `beacon*` chooses its way: the beacon to begin with, and the one to end with, by what the whole way costs.
//!
//! What a way costs between beacons is known, and what it costs to get to the first and from the last is never less than the estimate. So the beacons
//! around either end are put in the order of what the way over them costs at least, climbs make sure of the first few, and of those that can be
//! got to the cheapest pair is taken.

use alloc::vec::Vec;

use super::looks::{DIRECT_AT_ONCE, LOOKS, LOOKS_AFTER_DIRECT};
use super::walker::{BeaconWalker, Exit, Guide, Heading};
use crate::search::Budget;
use crate::space::{Heuristic, State};

/// The most beacons that are thought of at either end.
pub(super) const MOST_THOUGHT_OF: usize = 64;
/// The most climbs that are made to find the best of them.
pub(super) const TRIED: usize = 12;
/// Once one was made, those that would take more steps than are left of these are not.
const STEPS_TRIED: u64 = 1200;
/// The same on the first move, which has much else to do: a better start is looked for once more.
const STEPS_AT_FIRST: u64 = 600;

/// A beacon of the trunk that a way may begin or end with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) beacon: u32,
    /// What it costs, in units, from the agent to the beacon or from there to the goal: at least this much, or exactly.
    cost: u32,
    is_certain: bool,
    /// What it costs between the beacon and the one that is thought of at the other end.
    pub(super) rest: u32,
    /// The beacon to head for first; the one to leave the trunk for.
    pub(super) over: Option<u32>,
}

impl Candidate {
    /// What the way over it costs, as far as that is known.
    pub(super) fn whole(&self) -> u32 {
        self.cost.saturating_add(self.rest)
    }
}

/// The two ends of a way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Start,
    Goal,
}

impl Guide<'_> {
    pub(super) fn estimate(self, from: State, to: State) -> u32 {
        self.database.in_units(self.space.estimate(from, to))
    }

    /// The beacon to leave a state by, or to get to it from, and what the climb costs: that of its region, or one farther on its way to the trunk
    /// where that costs no more.
    pub(super) fn first_beacon(self, end: End, state: State, budget: &mut Budget) -> Option<(u32, u32)> {
        let database = self.database;
        let climb = |beacon: u32, budget: &mut Budget| match end {
            End::Start => self.climb_cost(state, database.state(beacon), budget),
            End::Goal => self.climb_cost(database.state(beacon), state, budget),
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
    pub(super) fn between(self, from: u32, to: u32, budget: &mut Budget) -> Option<u32> {
        budget.charge_probes(1);
        self.database.cost(from, to)
    }

    /// The way from the trunk to the goal, where the beacon that the goal is got to from is known, and at what cost.
    fn way_in(self, (last, mut cost): (u32, u32)) -> Exit {
        let (mut beacon, mut twig) = (last, None);
        while let Some(out) = self.database.out(beacon) {
            (twig, beacon, cost) = (Some(beacon), out.to, cost.saturating_add(out.cost));
        }
        Exit { beacon, twig, last, cost }
    }

    /// The beacon after one of the trunk on the way to another, and what the way there costs.
    pub(super) fn next_beacon(self, beacon: u32, to: u32, budget: &mut Budget) -> Option<(u32, u32)> {
        let (leg, cost) = self.database.next_leg(beacon, to, || budget.charge_probes(1))?;
        Some((leg.to(), cost))
    }
}

impl BeaconWalker {
    /// The best beacon of the trunk to begin or end with, where one that was found first lies at a cost, and another of the trunk is the other end of the way.
    /// From `state` other beacons may be seen, too; none if the agent stands on the beacon.
    pub(super) fn best(
        &self,
        guide: Guide<'_>,
        end: End,
        (own, own_cost): (u32, u32),
        state: Option<State>,
        other_end: u32,
        budget: &mut Budget,
    ) -> Option<Candidate> {
        let database = guide.database;
        let mut thought_of = Vec::with_capacity(MOST_THOUGHT_OF);
        let stands_on_it = end == End::Start && state.is_none();
        let far_end = database.state(other_end);
        let (costs, mut looked_up) = (database.costs_to(other_end), 0);
        // What the best way costs that is certain: others need not be looked up if they cost as much at least.
        let mut certain = u32::MAX;
        let mut put = |mut candidate: Candidate, budget: &mut Budget| {
            candidate.rest = guide.estimate(database.state(candidate.beacon), far_end);
            if looked_up < MOST_THOUGHT_OF && candidate.whole() < certain {
                looked_up += 1;
                budget.charge_probes(1);
                let Some(rest) = costs.from(candidate.beacon) else { return };
                candidate.rest = rest;
                thought_of.push(candidate);
                if candidate.is_certain {
                    certain = certain.min(candidate.whole());
                }
            }
        };
        // Along the twigs to the trunk: all of it is known.
        let second = database.out(own).map_or(own, |out| out.to);
        let (mut at, mut cost, mut before) = (own, own_cost, None);
        while let Some(out) = database.out(at) {
            for leg in database.legs(at) {
                let cost = cost.saturating_add(database.leg_cost(at, leg.to()));
                // The way in leaves the trunk for the twig; the way out begins with the first one, or with what comes after it.
                let over = match end {
                    End::Goal => at,
                    End::Start if !stands_on_it => own,
                    End::Start if at == own => leg.to(),
                    End::Start => second,
                };
                let over = Some(over);
                put(Candidate { beacon: leg.to(), cost, is_certain: true, rest: 0, over }, budget);
            }
            (before, at, cost) = (Some(at), out.to, cost.saturating_add(out.cost));
        }
        let over = match end {
            End::Goal => before,
            End::Start => Some(if stands_on_it { second } else { own }),
        };
        put(Candidate { beacon: at, cost, is_certain: true, rest: 0, over }, budget);
        // What can be seen from the beacon can perhaps be seen from the state, and so can what the region's own sees, if the beacon is one farther on.
        if let Some(state) = state {
            let views = database.region(state).into_iter().flat_map(|region| database.views(region));
            let of_region = database.beacon(state).filter(|&beacon| beacon != own);
            let seen = of_region.into_iter().chain([own]).flat_map(|beacon| database.legs(beacon));
            for beacon in views.chain(seen.map(|leg| leg.to())) {
                let cost = guide.estimate(state, database.state(beacon));
                let over = (end == End::Start).then_some(beacon);
                put(Candidate { beacon, cost, is_certain: false, rest: 0, over }, budget);
            }
        }
        self.tried(guide, end, &mut thought_of, budget)
    }

    /// The best of the beacons that were thought of that can be got to. Some are certain: if all climbs fail there still is a way.
    fn tried(
        &self,
        guide: Guide<'_>,
        end: End,
        thought_of: &mut [Candidate],
        budget: &mut Budget,
    ) -> Option<Candidate> {
        thought_of
            .sort_unstable_by_key(|candidate| (candidate.whole(), candidate.beacon, !candidate.is_certain));
        let mut best: Option<Candidate> = None;
        let (mut climbs, mut last) = (0, None);
        let end_state = match end {
            End::Start => self.errand.position,
            End::Goal => self.errand.goal,
        };
        let most_steps = if self.heading == Heading::Undecided { STEPS_AT_FIRST } else { STEPS_TRIED };
        let before = budget.spent().climb_steps;
        for candidate in thought_of.iter() {
            if best.is_some_and(|best| best.whole() <= candidate.whole()) {
                break;
            }
            // Some come up more than once, one after the other. Those that are near may still be tried when climbs from afar have failed.
            let beacon = guide.database.state(candidate.beacon);
            let steps = budget.spent().climb_steps - before;
            let away = guide.space.cell(end_state).moves_to(guide.space.cell(beacon));
            let is_tired = climbs == TRIED || steps > 0 && steps + u64::from(away) > most_steps;
            if !candidate.is_certain && (is_tired || last == Some(candidate.beacon)) {
                continue;
            }
            last = Some(candidate.beacon);
            let cost = if candidate.is_certain {
                Some(candidate.cost)
            } else {
                climbs += 1;
                match end {
                    End::Start => guide.climb_cost(end_state, beacon, budget),
                    End::Goal => guide.climb_cost(beacon, end_state, budget),
                }
            };
            let found = cost.map(|cost| Candidate { cost, ..*candidate });
            if let Some(found) = found.filter(|found| best.is_none_or(|best| found.whole() < best.whole())) {
                best = Some(found);
            }
        }
        best
    }

    /// Decides how to go on: from the beacon that the agent stands on, or from where it stands. Whether it found a way.
    ///
    /// The first move is made towards the best beacon to begin with, for a way that ends with the beacon of the goal's region. The next moves look for
    /// better ends.
    pub(super) fn choose(&mut self, guide: Guide<'_>, on: Option<u32>, budget: &mut Budget) -> bool {
        let (position, goal) = (self.errand.position, self.errand.goal);
        let is_tried = self.is_within(guide.space, DIRECT_AT_ONCE);
        let direct = is_tried.then(|| guide.climb_cost(position, goal, budget)).flatten();
        if direct == Some(guide.estimate(position, goal)) {
            self.head_for_goal(budget);
            return true;
        }
        let first = match on {
            Some(beacon) => Some((beacon, 0)),
            None => guide.first_beacon(End::Start, position, budget),
        };
        let last = guide.first_beacon(End::Goal, goal, budget);
        let way = first.zip(last).and_then(|(first, last)| {
            let exit = guide.way_in(last);
            let seen_from = (guide.database.state(first.0) != position).then_some(position);
            let start = self.best(guide, End::Start, first, seen_from, exit.beacon, budget)?;
            Some((start, exit))
        });
        let Some((start, mut exit)) = way else {
            let can_climb =
                direct.is_some() || !is_tried && guide.climb_cost(position, goal, budget).is_some();
            if can_climb {
                self.head_for_goal(budget);
            }
            return can_climb;
        };
        let mut ahead = start.rest;
        if let Some(direct) = direct {
            // The goal can be got to: it is to be known at once whether a way over beacons is better.
            (exit, ahead) = self.better_exit(guide, start.beacon, (exit, ahead), budget);
            if start.cost.saturating_add(ahead).saturating_add(exit.cost) >= direct {
                self.head_for_goal(budget);
                return true;
            }
        }
        self.set_exit(exit);
        self.ahead = ahead;
        let next = start.over.unwrap_or(start.beacon);
        // From the beacon that the agent stands on it goes by a leg, from elsewhere by a climb that was tried.
        let from = first.filter(|&(first, _)| guide.database.state(first) == position);
        self.follow(guide, from.map(|(first, _)| first), next, budget);
        if guide.database.out(next).is_none() {
            self.look_on(next, if is_tried { LOOKS_AFTER_DIRECT } else { LOOKS });
        }
        if self.is_near_goal(guide.space) && guide.database.after(self.target).is_none() {
            self.look_through(guide, budget);
        }
        true
    }

    /// The best way to leave the trunk after a beacon, and what it costs from the beacon to there: the one that is given, or a better one.
    pub(super) fn better_exit(
        &self,
        guide: Guide<'_>,
        beacon: u32,
        (exit, ahead): (Exit, u32),
        budget: &mut Budget,
    ) -> (Exit, u32) {
        let goal = self.errand.goal;
        let Some(cost) = guide.climb_cost(guide.database.state(exit.last), goal, budget) else {
            return (exit, ahead);
        };
        let found = self.best(guide, End::Goal, (exit.last, cost), Some(goal), beacon, budget);
        match found.filter(|found| found.whole() < ahead.saturating_add(exit.cost)) {
            Some(Candidate { beacon, cost, over, rest, .. }) => {
                (Exit { beacon, twig: over, last: exit.last, cost }, rest)
            }
            None => (exit, ahead),
        }
    }

    /// What to head for next, where the agent stands on a beacon that it headed for. Whether it knows.
    pub(super) fn go_on(&mut self, guide: Guide<'_>, beacon: u32, budget: &mut Budget) -> bool {
        if let Some(next) = guide.database.after(beacon) {
            self.head_for(guide, next, budget);
            return true;
        }
        if self.heading == Heading::Twig {
            return self.go_in(guide, beacon, budget);
        }
        if guide.database.out(beacon).is_some() {
            return self.choose(guide, Some(beacon), budget);
        }
        if beacon == self.exit().beacon {
            match self.exit().twig {
                Some(twig) => {
                    self.follow(guide, Some(beacon), twig, budget);
                    self.heading = Heading::Twig;
                }
                None => self.head_for_goal(budget),
            }
            return true;
        }
        if self.sees_goal(guide, beacon, budget) {
            self.head_for_goal(budget);
            return true;
        }
        let Some((next, ahead)) = self.next_on_the_way(guide, beacon, budget) else { return false };
        // What lies ahead falls with every leg, or the database is not what it should be.
        if ahead >= self.ahead {
            return false;
        }
        self.ahead = ahead;
        let left = self.look_left;
        self.follow(guide, Some(beacon), next, budget);
        self.look_on_leg(next, left);
        true
    }

    /// The same on the twigs to the goal.
    fn go_in(&mut self, guide: Guide<'_>, beacon: u32, budget: &mut Budget) -> bool {
        let last = self.exit().last;
        if beacon == last {
            self.head_for_goal(budget);
            return true;
        }
        let mut at = last;
        while let Some(out) = guide.database.out(at) {
            if out.to == beacon {
                self.follow(guide, Some(beacon), at, budget);
                self.heading = Heading::Twig;
                return true;
            }
            at = out.to;
        }
        false
    }

    pub(super) fn head_for_goal(&mut self, budget: &mut Budget) {
        (self.heading, self.run_left, self.look_left) = (Heading::Goal, 0, 0);
        budget.note_subgoal(self.errand.goal);
    }

    /// Heads for a beacon of the trunk, or for a twig, by the leg from another or from where the agent stands.
    pub(super) fn follow(&mut self, guide: Guide<'_>, from: Option<u32>, beacon: u32, budget: &mut Budget) {
        let detour = from.and_then(|from| guide.database.detour(from, beacon));
        (self.heading, self.look_left) = (Heading::Beacon, 0);
        self.head_for(guide, detour.unwrap_or(beacon), budget);
    }

    fn head_for(&mut self, guide: Guide<'_>, target: u32, budget: &mut Budget) {
        (self.target, self.run_left) = (target, 0);
        budget.note_subgoal(guide.database.state(target));
    }
}
