//! Questions about many goals at once.

use alloc::vec::Vec;

use super::BeaconDatabase;
use crate::space::{Cost, GridSpace, State, StateSpace as _};

impl BeaconDatabase {
    /// What the cheapest paths from one state to many cost, in their order; `None` for those that no way
    /// leads to. What the start sees is looked at once for all of them.
    #[must_use]
    pub fn costs(&self, space: &GridSpace, from: State, goals: &[State]) -> Vec<Option<Cost>> {
        if !space.contains(from) {
            return goals.iter().map(|_| None).collect();
        }
        let mut decision = self.new_decision();
        decision.begin_from(self, space, space.cell(from));
        let cost = |&goal: &State| {
            if !space.contains(goal) {
                return None;
            }
            decision.turn_to(space.cell(goal));
            decision.complete(self, space);
            decision.way().map(|way| way.cost)
        };
        let costs = goals.iter().map(cost).collect();
        self.recycle(decision);
        costs
    }
}
