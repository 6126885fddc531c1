//! What beacons know of ways by themselves.

use alloc::vec::Vec;

use super::BeaconDatabase;
use crate::space::{Cost, GridSpace, State};
use crate::store::Answers;

impl Answers for BeaconDatabase {
    fn is_exact(&self) -> bool {
        true
    }

    fn cost(&self, space: &GridSpace, from: State, to: State) -> Option<Cost> {
        self.cost(space, from, to)
    }

    fn path(&self, space: &GridSpace, from: State, to: State) -> Option<(Vec<State>, Cost)> {
        self.path(space, from, to).map(|path| (path.states, path.cost))
    }

    fn costs(&self, space: &GridSpace, from: State, goals: &[State]) -> Vec<Option<Cost>> {
        self.costs(space, from, goals)
    }

    fn nearest_of(&self, space: &GridSpace, from: State, goals: &[State]) -> Option<(usize, Cost)> {
        self.nearest_of(space, from, goals)
    }
}
