//! How `cover*` chooses its way: by what it costs.
//!
//! Not from a paper; it grew out of HCDPS. The published agent goes over the middle of its own region and of its goal's, though the
//! way over a neighbour's is often shorter; it takes every subgoal although a climb might get farther; and it never
//! looks again. This one
//! - weighs the regions around its own against those around its goal's: a climb to the middle of the one, the chain of paths to the
//!   other, a climb from there;
//! - leaves out subgoals that it can climb past at a lower cost, at both ends of the chain and on the way;
//! - looks again now and then, and changes to another way only if that costs less than what is left of its own.
//!
//! What is left of a way is known exactly while it is walked: paths between regions are stored so that nothing is lost, and
//! climbs are made before they are walked. So it falls with every move and with every change, and an agent arrives.

use alloc::vec::Vec;

use super::CoverAgent;
use crate::database::Trail;
use crate::search::{Budget, climb_to};
use crate::space::{Cost, GridSpace, State};

/// A region that a way may begin or end with, and what it costs from the agent to its middle, or from there to the goal.
pub(super) type End = (u32, Cost);

/// A way that is not begun yet.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Nothing for the climb to the goal.
    trail: Option<Trail>,
    /// What it costs up to where the trail stands, or up to the goal.
    to_first: Cost,
    /// What all of it costs.
    cost: Cost,
}

impl CoverAgent {
    fn climb_cost(&self, space: &GridSpace, from: State, to: State, budget: &mut Budget) -> Option<Cost> {
        let ties = self.database.config().ties;
        climb_to(space, from, to, self.settings.check, ties, budget).map(|climb| climb.cost)
    }

    /// The regions around a state whose middles climbs lead to from there, or from which they lead there.
    fn ends_around(&self, space: &GridSpace, state: State, is_goal: bool, budget: &mut Budget) -> Vec<End> {
        let Some(own) = self.database.region(state) else { return Vec::new() };
        let around = self.database.around(own).iter().copied().take(self.settings.candidates - 1);
        let mut ends = Vec::with_capacity(self.settings.candidates);
        for region in core::iter::once(own).chain(around) {
            let middle = self.database.representative(region);
            let (from, to) = if is_goal { (middle, state) } else { (state, middle) };
            ends.extend(self.climb_cost(space, from, to, budget).map(|cost| (region, cost)));
        }
        ends
    }

    /// The cheapest way from here.
    fn best_way(&self, space: &GridSpace, budget: &mut Budget) -> Option<Way> {
        let goal = self.errand.goal;
        let direct = self.climb_cost(space, self.errand.position, goal, budget);
        let mut best = direct.map(|cost| Way { trail: None, to_first: cost, cost });
        let starts = self.ends_around(space, self.errand.position, false, budget);
        for &(from, to_first) in &starts {
            for &(to, last) in &self.ends {
                budget.charge_probes(1);
                let Some(chain) = self.database.chain_cost(from, to) else { continue };
                let cost = to_first + chain + last;
                if best.is_none_or(|best| cost < best.cost) {
                    best = Some(Way { trail: Some(self.database.trail(from, to)), to_first, cost });
                }
            }
        }
        best
    }

    /// Decides how to begin; nothing if it cannot.
    pub(super) fn choose_by_cost(&mut self, space: &GridSpace, budget: &mut Budget) -> bool {
        self.ends = self.ends_around(space, self.errand.goal, true, budget);
        match self.best_way(space, budget) {
            Some(way) => {
                self.take(space, way, budget);
                true
            }
            None => false,
        }
    }

    /// Changes to another way if that costs less.
    pub(super) fn look_again(&mut self, space: &GridSpace, budget: &mut Budget) {
        if let Some(way) = self.best_way(space, budget).filter(|way| way.cost < self.remaining) {
            self.take(space, way, budget);
        }
    }

    fn take(&mut self, space: &GridSpace, way: Way, budget: &mut Budget) {
        self.remaining = way.cost;
        match way.trail {
            Some(trail) => self.shorten(space, trail, way.to_first, budget),
            None => self.head_for_goal(budget),
        }
    }

    /// Heads for the stop of the trail that saves most: the one where it stands, which costs `to_first` from here, or one of the next,
    /// or the goal.
    pub(super) fn shorten(&mut self, space: &GridSpace, trail: Trail, to_first: Cost, budget: &mut Budget) {
        let Self { settings, .. } = *self;
        let (position, goal) = (self.errand.position, self.errand.goal);
        let (mut at, mut along) = (trail, to_first);
        let mut best = (0, Some(trail), position != trail.at());
        for _ in 0..settings.skip.max(1) {
            let (from, is_last) = (at.at(), at.is_over());
            let stop = if is_last { goal } else { self.next_stop(&mut at, budget).unwrap_or(goal) };
            let Some(leg) = self.climb_cost(space, from, stop, budget) else {
                // Too far to look; but who stands on a stop has to go on to the next.
                if from == position {
                    best = (0, (!is_last).then_some(at), true);
                }
                break;
            };
            along += leg;
            let here =
                if from == position { Some(leg) } else { self.climb_cost(space, position, stop, budget) };
            if let Some(saving) = here.and_then(|here| along.checked_sub(here))
                && (saving > best.0 || !best.2)
            {
                best = (saving, (!is_last).then_some(at), true);
            }
            if is_last {
                break;
            }
        }
        self.remaining = self.remaining.saturating_sub(best.0);
        match best.1 {
            Some(trail) => self.follow(trail, budget),
            None => self.head_for_goal(budget),
        }
    }
}
