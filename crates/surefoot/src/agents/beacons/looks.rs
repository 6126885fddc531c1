//! What an agent looks for while it already walks: a better end of its way and a better beginning, a piece with each of the first moves, and now and then
//! whether it sees what comes later.
//!
//! Between beacons ways are nearly as short as can be. What they lose they lose at both ends: the first beacon may lie aside, and so may
//! the last. So on the first leg an agent tries now and then whether a climb gets to the beacon after the next, and on the last one whether
//! a climb gets to the goal. It changes its way only for one that costs less.

use super::choice::{Candidate, End};
use super::climbs::MOST_RUNS;
use super::walker::{BeaconWalker, Guide, Heading};
use crate::search::Budget;
use crate::space::{Heuristic as _, State};

/// A goal within so many straight moves may be seen from the way.
const NEAR_GOAL: u64 = 512;
/// A climb to a goal within so many straight moves is made at once, one to others a move later.
pub(super) const DIRECT_AT_ONCE: u64 = 600;
/// What is looked for when a way begins, a piece with each move: a climb to a goal that is farther off, a single beacon to go over, a pair of them, how
/// the trunk is left, what it begins with, and beacons farther on.
pub(super) const LOOKS: u8 = FOR_DIRECT + 1;
pub(super) const LOOKS_AFTER_DIRECT: u8 = FOR_DIRECT;
const FOR_DIRECT: u8 = FOR_SINGLE + 1;
const FOR_SINGLE: u8 = FOR_PAIR + 1;
const FOR_PAIR: u8 = FOR_EXIT + 1;
const FOR_EXIT: u8 = FOR_START + 1;
const FOR_START: u8 = 8;
/// Then the agent looks now and then, once in so many moves. They are counted down to [`NOW`], above all other looks.
const NOW_AND_THEN: u8 = 17;
pub(super) const NOW: u8 = LOOKS + 1;
const LATER: u8 = NOW + NOW_AND_THEN - 1;
/// A climb that can save no more than so many straight moves is not made: costs are rounded.
const LEAST_GAIN: u64 = 1;
/// The most straight runs of a climb that is tried now and then.
const FEW_RUNS: u32 = 32;

impl Guide<'_> {
    /// What a climb costs at least, and so much more that it would be worth its while.
    fn estimate_and_more(self, from: State, to: State) -> u32 {
        let more = self.space.units().of_steps(LEAST_GAIN, 0);
        self.database.in_units(self.space.estimate(from, to) + more)
    }
}

impl BeaconWalker {
    /// Looks at so many beacons after one of the trunk, one with each move.
    pub(super) fn look_on(&mut self, from: u32, left: u8) {
        // Beacons of the trunk are counted in two bytes.
        (self.look_from, self.look_left) = (from as u16, left);
    }

    /// Goes on with so many looks when a leg from one beacon to another begins. Those of the beginning are made in any case; after them the agent looks only on its
    /// last leg.
    pub(super) fn look_on_leg(&mut self, to: u32, left: u8) {
        let left = match left {
            1..=LOOKS => left,
            _ if to == self.exit().beacon => LATER,
            _ => 0,
        };
        self.look_on(to, left);
    }

    /// The beacon to go to from one of the trunk, and what it costs from there to where the trunk is left: the next on the way, or the one after it, if a climb gets
    /// there at a lower cost.
    pub(super) fn next_on_the_way(
        &self,
        guide: Guide<'_>,
        beacon: u32,
        budget: &mut Budget,
    ) -> Option<(u32, u32)> {
        let (database, exit) = (guide.database, self.exit().beacon);
        let (next, _) = guide.next_beacon(beacon, exit, budget)?;
        if next == exit {
            return Some((next, 0));
        }
        let Some((beyond, ahead)) = guide.next_beacon(next, exit, budget) else {
            return Some((next, guide.between(next, exit, budget)?));
        };
        let over = database.leg_cost(beacon, next).saturating_add(database.leg_cost(next, beyond));
        let is_better = |&cost: &u32| cost < over;
        let (here, there) = (database.state(beacon), database.state(beyond));
        if is_better(&guide.estimate_and_more(here, there))
            && guide.climb_in_runs(here, there, MOST_RUNS, budget).filter(is_better).is_some()
            && let Some(rest) = guide.between(beyond, exit, budget).filter(|&rest| rest < ahead)
        {
            return Some((beyond, rest));
        }
        Some((next, ahead))
    }

    /// Whether the agent looks for nothing on so many moves.
    pub(super) fn looks_for_nothing(&self, moves: u32) -> bool {
        self.look_left == 0 || u32::from(self.look_left) >= u32::from(NOW) + moves
    }

    /// Whether a climb gets to the goal from a beacon of the trunk at a lower cost than the way over the exit; only near goals are
    /// looked for.
    pub(super) fn sees_goal(&self, guide: Guide<'_>, beacon: u32, budget: &mut Budget) -> bool {
        let (from, goal) = (guide.database.state(beacon), self.errand.goal);
        let rest = self.ahead.saturating_add(self.exit().cost);
        let estimate = guide.space.estimate(from, goal);
        estimate < guide.space.units().of_steps(NEAR_GOAL, 0)
            && guide.database.in_units(estimate) < rest
            && guide.climb_cost(from, goal, budget).is_some_and(|cost| cost < rest)
    }

    /// Looks for a better end of the way and a better beginning, a piece with each move, and then whether a climb gets to a beacon farther on the
    /// way at a lower cost, one farther with each move: a way over beacons makes a detour where it begins.
    pub(super) fn look_ahead(&mut self, guide: Guide<'_>, budget: &mut Budget) {
        let heading = self.target;
        // Nothing is known of ways from a waypoint, or over twigs.
        if self.heading != Heading::Beacon || !guide.database.trunk().contains(&heading) {
            return;
        }
        if self.look_left >= NOW {
            return self.look_now(guide, budget);
        }
        self.look_left -= 1;
        match self.look_left {
            FOR_DIRECT => {
                let whole = self.whole(guide, budget).unwrap_or(u32::MAX);
                self.look_for_goal(guide, whole.saturating_add(1), MOST_RUNS, budget);
            }
            // Where the goal is near, that was done at once.
            FOR_SINGLE if self.is_near_goal(guide.space) => {}
            FOR_SINGLE => self.look_through(guide, budget),
            FOR_PAIR => self.look_for_pair(guide, budget),
            FOR_EXIT => {
                let (exit, ahead) = self.better_exit(guide, heading, (self.exit(), self.ahead), budget);
                self.set_exit(exit);
                self.ahead = ahead;
            }
            FOR_START => self.look_for_start(guide, heading, budget),
            left => {
                let has_looked = self.look_beyond(guide, u32::from(self.look_from), budget);
                if !has_looked || left == 0 {
                    self.look_on(self.target, LATER);
                }
            }
        }
    }

    /// Looks for what comes after the beacon that the agent heads for, and will do so again. The way at hand costs at least what it would over free ground.
    fn look_now(&mut self, guide: Guide<'_>, budget: &mut Budget) {
        self.look_left = LATER;
        let (position, database) = (self.errand.position, guide.database);
        let there = guide.estimate(position, database.state(self.target));
        if self.target == self.exit().beacon {
            self.look_for_goal(guide, there.saturating_add(self.exit().cost), FEW_RUNS, budget);
            return;
        }
        // Which beacon comes next is found out once.
        if u32::from(self.look_from) == self.target
            && let Some((next, _)) = guide.next_beacon(self.target, self.exit().beacon, budget)
        {
            self.look_from = next as u16;
        }
        let next = u32::from(self.look_from);
        let over = there.saturating_add(database.leg_cost(self.target, next));
        self.look_for_beacon(guide, next, over, FEW_RUNS, budget);
    }

    /// Goes to a beacon farther on the way, if a climb gets there at a lower cost than the way, which costs so much.
    fn look_for_beacon(
        &mut self,
        guide: Guide<'_>,
        next: u32,
        over: u32,
        most_runs: u32,
        budget: &mut Budget,
    ) {
        let (position, there) = (self.errand.position, guide.database.state(next));
        let is_better = |&cost: &u32| cost < over;
        // Where the agent stands on it, it goes on as it does: there is nothing to climb.
        let can_be_better = position != there && is_better(&guide.estimate_and_more(position, there));
        if can_be_better
            && guide.climb_in_runs(position, there, most_runs, budget).filter(is_better).is_some()
            && let Some(ahead) =
                guide.between(next, self.exit().beacon, budget).filter(|&ahead| ahead < self.ahead)
        {
            self.ahead = ahead;
            let left = self.look_left;
            self.follow(guide, None, next, budget);
            self.look_on(next, left);
        }
    }

    /// Goes to the goal by a climb, if that costs less than this.
    fn look_for_goal(&mut self, guide: Guide<'_>, limit: u32, most_runs: u32, budget: &mut Budget) {
        let (position, goal) = (self.errand.position, self.errand.goal);
        let is_better = |&cost: &u32| cost < limit;
        let can_be_better = is_better(&guide.estimate_and_more(position, goal));
        if can_be_better && guide.climb_in_runs(position, goal, most_runs, budget).filter(is_better).is_some()
        {
            self.head_for_goal(budget);
        }
    }

    /// Looks for a better beacon to begin with than the one that the agent heads for, now that the end of the way is known.
    fn look_for_start(&mut self, guide: Guide<'_>, heading: u32, budget: &mut Budget) {
        let position = self.errand.position;
        let over = guide.climb_cost(position, guide.database.state(heading), budget);
        let first = guide.first_beacon(End::Start, position, budget);
        let Some((over, first)) = over.zip(first) else { return };
        let seen_from = (guide.database.state(first.0) != position).then_some(position);
        let found = self.best(guide, End::Start, first, seen_from, self.exit().beacon, budget);
        let is_better = |found: &Candidate| found.whole() < over.saturating_add(self.ahead);
        if let Some(found) = found.filter(is_better) {
            let (next, left) = (found.over.unwrap_or(found.beacon), self.look_left);
            // The agent stands on it, or it is a twig: then it goes on as it does.
            if guide.database.out(next).is_none() && guide.database.state(next) != position {
                self.ahead = found.rest;
                let from = (guide.database.state(first.0) == position).then_some(first.0);
                self.follow(guide, from, next, budget);
                self.look_on(next, left);
            }
        }
    }

    /// Goes to the beacon after one that lies on the way, if a climb gets there at a lower cost than the way does. Whether there is one.
    fn look_beyond(&mut self, guide: Guide<'_>, beacon: u32, budget: &mut Budget) -> bool {
        if beacon == self.exit().beacon {
            return false;
        }
        let Some((next, _)) = guide.next_beacon(beacon, self.exit().beacon, budget) else { return true };
        self.look_from = next as u16;
        let over = guide.climb_cost(self.errand.position, guide.database.state(self.target), budget);
        let over = over.zip(guide.between(self.target, next, budget));
        let over = over.map_or(0, |(first, rest)| first.saturating_add(rest));
        self.look_for_beacon(guide, next, over, MOST_RUNS, budget);
        true
    }
}
