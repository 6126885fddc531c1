//! Ways that begin and end with other beacons than those nearby.
//!
//! The two ends of a way are chosen one after the other, each for the other as it is. Where both had better be others, ones that lie
//! between start and goal, neither choice alone finds them. So beacons around both ends, and those that legs lead to from there, are looked at
//! once more: for a way over a single one of them, and for a pair, one at either end.

use alloc::vec::Vec;

use super::walker::{BeaconWalker, Exit, Guide};
use crate::search::Budget;
use crate::space::{Cost, GridSpace, Heuristic, State};

/// The most beacons that climbs are made to and from, for a single one or at either end.
const TRIED_THROUGH: usize = 6;
/// The most steps of all these climbs together: most that arrive are short, and those along walls that do not are long.
pub(super) const STEPS_THROUGH: u64 = 1200;
/// The same where the goal is not [`NEAR`]: there a detour matters less, and climbs are longer.
const STEPS_TO_FAR: u64 = 800;
/// A goal within so many straight moves.
const NEAR: u64 = 600;
/// The most beacons whose legs are followed, at either end.
const FOLLOWED: usize = 4;
/// The most beacons that are looked at, at either end.
const MOST_THROUGH: usize = 128;
/// Goals within so many straight moves are looked for at once.
const AT_ONCE: u64 = 128;
/// Goals farther off than so many straight moves are not looked for: what is lost at the ends of a long way is little.
const TOO_FAR: u64 = 1200;

/// What a way over a beacon costs at least, in the costs of the map, and the beacon.
type Thought = (Cost, u32);

/// The best of some beacons, in order, each of them once.
struct Best<const MOST: usize> {
    thoughts: [Thought; MOST],
    count: usize,
}

impl<const MOST: usize> Best<MOST> {
    const NONE: Self = Self { thoughts: [(0, 0); MOST], count: 0 };

    fn put(&mut self, thought: Thought) {
        let place = self.get().partition_point(|&known| known < thought);
        if place == MOST || self.get().get(place) == Some(&thought) {
            return;
        }
        self.count = (self.count + 1).min(MOST);
        self.thoughts[place..self.count].rotate_right(1);
        self.thoughts[place] = thought;
    }

    fn get(&self) -> &[Thought] {
        &self.thoughts[..self.count]
    }
}

impl BeaconWalker {
    /// Whether the goal is so near that a detour of a few moves would matter.
    pub(super) fn is_near_goal(&self, space: &GridSpace) -> bool {
        self.is_within(space, AT_ONCE)
    }

    /// Whether the goal is within so many straight moves.
    pub(super) fn is_within(&self, space: &GridSpace, moves: u64) -> bool {
        space.estimate(self.errand.position, self.errand.goal) < space.units().of_steps(moves, 0)
    }

    fn steps_through(&self, space: &GridSpace) -> u64 {
        if self.is_within(space, NEAR) { STEPS_THROUGH } else { STEPS_TO_FAR }
    }

    /// What the way at hand costs.
    pub(super) fn whole(&self, guide: Guide<'_>, budget: &mut Budget) -> Option<u32> {
        let first = guide.climb_cost(self.errand.position, guide.database.state(self.target), budget)?;
        Some(first.saturating_add(self.ahead).saturating_add(self.exit().cost))
    }

    /// Takes a way that begins with one beacon and ends with another, from which the goal costs `last`.
    fn take(
        &mut self,
        guide: Guide<'_>,
        [first, exit]: [u32; 2],
        ahead: u32,
        last: u32,
        budget: &mut Budget,
    ) {
        self.set_exit(Exit { beacon: exit, twig: None, last: exit, cost: last });
        self.ahead = ahead;
        let left = self.look_left;
        self.follow(guide, None, first, budget);
        self.look_on(first, left);
    }

    /// Goes to the goal over a single beacon, if that is better than the way at hand.
    pub(super) fn look_through(&mut self, guide: Guide<'_>, budget: &mut Budget) {
        let (position, goal) = (self.errand.position, self.errand.goal);
        if !self.is_within(guide.space, TOO_FAR) {
            return;
        }
        let Some(whole) = self.whole(guide, budget) else { return };
        let mut thought_of = guide.around(position, (position, goal), whole);
        for &thought in guide.around(goal, (position, goal), whole).get() {
            thought_of.put(thought);
        }
        let mut best: Option<(u32, u32, u32)> = None;
        let mut steps = self.steps_through(guide.space);
        for &(least, beacon) in thought_of.get() {
            if best.is_some_and(|(known, ..)| known <= guide.database.in_units(least)) {
                break;
            }
            let state = guide.database.state(beacon);
            let Some(there) = guide.climb_within(position, state, &mut steps, budget) else { continue };
            let Some(on) = guide.climb_within(state, goal, &mut steps, budget) else { continue };
            let cost = there.saturating_add(on);
            if cost < best.map_or(whole, |(known, ..)| known) {
                best = Some((cost, beacon, on));
            }
        }
        if let Some((_, beacon, last)) = best {
            self.take(guide, [beacon, beacon], 0, last, budget);
        }
    }

    /// Goes over two beacons that are chosen at once, if that is better than the way at hand.
    pub(super) fn look_for_pair(&mut self, guide: Guide<'_>, budget: &mut Budget) {
        let (position, goal) = (self.errand.position, self.errand.goal);
        if !self.is_within(guide.space, TOO_FAR) {
            return;
        }
        let Some(whole) = self.whole(guide, budget) else { return };
        let mut steps = self.steps_through(guide.space);
        let mut reached = |end: State| -> Vec<(u32, u32)> {
            let thought_of = guide.around(end, (position, goal), whole);
            let climbed = thought_of.get().iter().filter_map(|&(_, beacon)| {
                let state = guide.database.state(beacon);
                let (from, to) = if end == position { (position, state) } else { (state, goal) };
                Some((beacon, guide.climb_within(from, to, &mut steps, budget)?))
            });
            climbed.collect()
        };
        let (starts, ends) = (reached(position), reached(goal));
        let mut best: Option<(u32, [u32; 2], u32, u32)> = None;
        for &(exit, last) in &ends {
            let costs = guide.database.costs_to(exit);
            for &(first, there) in &starts {
                budget.charge_probes(1);
                let Some(ahead) = costs.from(first) else { continue };
                let cost = there.saturating_add(ahead).saturating_add(last);
                if cost < best.map_or(whole, |(known, ..)| known) {
                    best = Some((cost, [first, exit], ahead, last));
                }
            }
        }
        if let Some((_, ends, ahead, last)) = best {
            self.take(guide, ends, ahead, last, budget);
        }
    }
}

impl Guide<'_> {
    /// The best beacons of the trunk around one of two states, by what a way over each costs at least, where that is less than so many units.
    fn around(self, end: State, (start, goal): (State, State), limit: u32) -> Best<TRIED_THROUGH> {
        let (space, database) = (self.space, self.database);
        let limit = Cost::from(limit) * database.unit();
        let (mut nearest, mut best, mut looked_at) = (Best::<FOLLOWED>::NONE, Best::NONE, 0);
        let mut thought = |beacon: u32| {
            let state = database.state(beacon);
            looked_at += 1;
            let least = space.estimate(start, state) + space.estimate(state, goal);
            let is_good = looked_at <= MOST_THROUGH && least < limit && state != start && state != goal;
            is_good.then_some((least, beacon))
        };
        let views = database.region(end).into_iter().flat_map(|region| database.views(region));
        let own = database.beacon(end);
        let legs = own.map_or(&[][..], |own| database.legs(own)).iter().map(|leg| leg.to());
        let own = own.filter(|&own| database.out(own).is_none());
        for thought in own.into_iter().chain(legs).chain(views).filter_map(&mut thought) {
            nearest.put(thought);
            best.put(thought);
        }
        for &(_, beacon) in nearest.get() {
            for thought in database.legs(beacon).iter().filter_map(|leg| thought(leg.to())) {
                best.put(thought);
            }
        }
        best
    }
}
