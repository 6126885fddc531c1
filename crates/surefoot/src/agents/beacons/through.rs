//! Ways that begin and end with other beacons than those nearby.
//!
//! The two ends of a way are chosen one after the other, each for the other as it is. Where both had better be others, ones that lie
//! between start and goal, neither choice alone finds them. So beacons around both ends, and those that legs lead to from there, are looked at
//! once more: for a way over a single one of them, and for a pair, one at either end.

use alloc::vec::Vec;

use super::walker::{BeaconWalker, Exit, Guide};
use crate::search::{Budget, climb_to};
use crate::space::{GridSpace, Heuristic, State};

/// The most beacons that climbs are made to and from, for a single one or at either end.
const TRIED_THROUGH: usize = 6;
/// The most steps of all these climbs together: most that arrive are short, and those along walls that do not are long.
pub(super) const STEPS_THROUGH: u64 = 1600;
/// The same where the goal is not [`NEAR`]: there a detour matters less, and climbs are longer.
const STEPS_TO_FAR: u64 = 800;
/// A goal within so many straight moves.
const NEAR: u64 = 600;
/// The most beacons whose legs are followed, at either end.
const FOLLOWED: usize = 4;
/// The most beacons that are thought of, at either end.
const MOST_THROUGH: usize = 128;
/// Goals within so many straight moves are looked for at once.
const AT_ONCE: u64 = 128;
/// Goals farther off than so many straight moves are not looked for: what is lost at the ends of a long way is little.
const TOO_FAR: u64 = 1200;

/// A beacon, and what a way over it costs at least.
type Thought = (u32, u32);

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
        thought_of.extend(guide.around(goal, (position, goal), whole));
        thought_of.sort_unstable();
        thought_of.dedup();
        let mut best: Option<(u32, u32, u32)> = None;
        let mut steps = self.steps_through(guide.space);
        for (least, beacon) in thought_of.into_iter().take(TRIED_THROUGH) {
            if best.is_some_and(|(known, ..)| known <= least) {
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
            let thought_of = guide.around(end, (position, goal), whole).into_iter().take(TRIED_THROUGH);
            let climbed = thought_of.filter_map(|(_, beacon)| {
                let state = guide.database.state(beacon);
                let (from, to) = if end == position { (position, state) } else { (state, goal) };
                Some((beacon, guide.climb_within(from, to, &mut steps, budget)?))
            });
            climbed.collect()
        };
        let (starts, ends) = (reached(position), reached(goal));
        let mut best: Option<(u32, [u32; 2], u32, u32)> = None;
        for &(first, there) in &starts {
            for &(exit, last) in &ends {
                let Some(ahead) = guide.between(first, exit, budget) else { continue };
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
    /// What a climb costs that takes so many steps at most, which become fewer by those that it took. One that slides along walls for long is given up.
    fn climb_within(self, from: State, to: State, steps: &mut u64, budget: &mut Budget) -> Option<u32> {
        let before = budget.spent().climb_steps;
        let (here, there) = (self.space.cell(from), self.space.cell(to));
        let distance = here.moves_to(there);
        let most = u64::from(distance + distance / 4 + 16).min(*steps);
        if u64::from(distance) > most {
            return None;
        }
        let climb = climb_to(self.space, from, to, most, self.database.config().ties, budget);
        *steps = steps.saturating_sub(budget.spent().climb_steps - before);
        climb.map(|climb| self.database.in_units(climb.cost))
    }

    /// Beacons of the trunk around one of two states, in the order of what a way over each costs at least, where that is less than `limit`.
    fn around(self, end: State, (start, goal): (State, State), limit: u32) -> Vec<Thought> {
        let database = self.database;
        let mut found: Vec<Thought> = Vec::with_capacity(MOST_THROUGH);
        let put = |beacon: u32, found: &mut Vec<Thought>| {
            let state = database.state(beacon);
            let least = self.estimate(start, state).saturating_add(self.estimate(state, goal));
            if least < limit && found.len() < MOST_THROUGH && state != start && state != goal {
                found.push((least, beacon));
            }
        };
        let views = database.region(end).into_iter().flat_map(|region| database.views(region));
        let own = database.beacon(end);
        let legs = own.map_or(&[][..], |own| database.legs(own)).iter().map(|leg| leg.to());
        let own = own.filter(|&own| database.out(own).is_none());
        for beacon in own.into_iter().chain(legs).chain(views) {
            put(beacon, &mut found);
        }
        found.sort_unstable();
        let nearest: Vec<u32> = found.iter().take(FOLLOWED).map(|&(_, beacon)| beacon).collect();
        for beacon in nearest {
            for leg in database.legs(beacon) {
                put(leg.to(), &mut found);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
