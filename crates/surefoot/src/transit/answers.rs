//! What transit nodes know of ways by themselves. Where they know none and there is one, an exact search
//! stands in.

use alloc::vec::Vec;

use super::TransitDatabase;
use crate::search::{Answer, GridPlanner, Planner as _};
use crate::space::{Cost, GridSpace, Reachability, State, StateSpace as _};
use crate::store::Answers;

impl Answers for TransitDatabase {
    fn is_exact(&self) -> bool {
        false
    }

    fn cost(&self, space: &GridSpace, from: State, to: State) -> Option<Cost> {
        let cost = || self.cost(space, from, to).or_else(|| search(space, from, to)?.cost());
        is_open(space, from, to).then(cost).flatten()
    }

    fn path(&self, space: &GridSpace, from: State, to: State) -> Option<(Vec<State>, Cost)> {
        let path = || self.path(space, from, to).or_else(|| search(space, from, to)?.path);
        is_open(space, from, to).then(path).flatten().map(|path| (path.states, path.cost))
    }
}

fn is_open(space: &GridSpace, from: State, to: State) -> bool {
    space.reachability(from, to) != Reachability::No
}

fn search(space: &GridSpace, from: State, to: State) -> Option<Answer> {
    GridPlanner::fastest().plan(space, from, to).ok()
}
