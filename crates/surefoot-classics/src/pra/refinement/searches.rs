//! The searches of one level each, within the corridor.

use surefoot::search::{Run, SearchArea, Whole};
use surefoot::space::{Cost, State, StateSpace, World};

use super::{Allowance, Phase, Refinement, Target};
use crate::abstraction::corridor::{Corridor, Outcome, UpperSpace, drive};

impl Refinement {
    /// Searches a level, within the corridor if there is one.
    pub(super) fn search(
        &mut self,
        world: &impl World,
        allowance: &mut Allowance,
        note: &mut impl FnMut(usize, u32),
    ) -> Outcome {
        // The corridor is lent out while the rest changes.
        let corridor = core::mem::replace(&mut self.corridor, Corridor::WHOLE);
        let outcome = match (corridor.part(), self.level) {
            (None, 0) => self.search_ground(world, Whole, allowance, note),
            (None, _) => self.search_upper(world, Whole, allowance, note),
            (Some(part), 0) => self.search_ground(world, part, allowance, note),
            (Some(part), _) => self.search_upper(world, part, allowance, note),
        };
        self.corridor = corridor;
        outcome
    }

    /// Searches a level above the ground.
    fn search_upper(
        &mut self,
        world: &impl World,
        corridor: impl SearchArea,
        allowance: &mut Allowance,
        note: &mut impl FnMut(usize, u32),
    ) -> Outcome {
        let level = self.abstraction.level(self.level);
        let metric = self.abstraction.metric();
        let aim = level.place(self.aim);
        let space = UpperSpace::new(&self.abstraction, self.level, world.cheapest_move());
        // Keys lie further apart than on a grid: wider buckets of the queue hold a few of them each, and the
        // order is the same.
        let space = space.with_cheapest(space.cheapest_move().saturating_mul(8));
        let key = |state: State, g: Cost| match level.place(state.0).zip(aim) {
            Some((place, aim)) => g + metric.distance(place, aim),
            None => g,
        };
        let start = State(self.starts[self.level]);
        let run = match self.phase {
            Phase::Searching => Run::resume(&space, corridor, &mut self.upper, key),
            _ => Run::within(&space, corridor, &mut self.upper, start, key),
        };
        let target = self.target;
        let is_target = |node: State| match target {
            Target::Node(wanted) => node.0 == wanted,
            Target::ChildOf(wanted) => level.parent(node.0) == wanted,
        };
        let index = self.level;
        drive(run, is_target, &mut allowance.expansions, &mut self.current, |run, node, g| {
            note(index, node.0);
            match level.place(node.0) {
                Some(place) => run.expand_to(node, g, level.neighbours(node.0).map(State), |next| {
                    level.place(next.0).map_or(1, |next| metric.distance(place, next).max(1))
                }),
                None => run.expand(node, g),
            }
        })
    }

    /// Searches the ground.
    fn search_ground(
        &mut self,
        world: &impl World,
        corridor: impl SearchArea,
        allowance: &mut Allowance,
        note: &mut impl FnMut(usize, u32),
    ) -> Outcome {
        let level = self.abstraction.level(0);
        let (aim, is_consistent) = (State(self.aim), world.is_consistent());
        // With an inconsistent estimate the first child of the target that comes out need not be the best
        // one.
        let key = |state: State, g: Cost| {
            if is_consistent { g.saturating_add(world.estimate(state, aim)) } else { g }
        };
        let run = match self.phase {
            Phase::Searching => Run::resume(world, corridor, &mut self.ground, key),
            _ => Run::within(world, corridor, &mut self.ground, State(self.starts[0]), key),
        };
        let target = self.target;
        let is_target = |state: State| match target {
            Target::Node(wanted) => state.0 == wanted,
            Target::ChildOf(wanted) => level.parent(state.0) == wanted,
        };
        drive(run, is_target, &mut allowance.expansions, &mut self.current, |run, state, g| {
            note(0, state.0);
            run.expand(state, g);
        })
    }
}
