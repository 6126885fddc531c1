//! What transit nodes know of ways by themselves. Where they know none and there is one, an exact search
//! stands in.

use alloc::vec::Vec;

use super::TransitDatabase;
use crate::search::{Answer, GridPlanner, Planner as _};
use crate::space::{Cost, GridSpace, Reachability, State, StateSpace as _};
use crate::store::Answers;

/// A question is answered in so many slices, each as large as a move's, or not at all.
const MOST_SLICES: u64 = 64;

impl Answers for TransitDatabase {
    fn is_exact(&self) -> bool {
        false
    }

    fn cost(&self, space: &GridSpace, from: State, to: State) -> Option<Cost> {
        let cost = || self.cost(space, from, to).or_else(|| search(space, from, to)?.cost());
        is_open(space, from, to).then(cost).flatten()
    }

    /// Without a search: what transit nodes do not know is not found out.
    fn ask(&self, space: &GridSpace, from: State, to: State) -> (Option<Cost>, u64) {
        if !self.built_for.is_like(space) {
            return (None, 0);
        }
        let mut decision = self.new_decision();
        decision.begin(space, from, to, 0);
        let (mut took, mut is_done) = (0, false);
        for _ in 0..MOST_SLICES {
            let (work, is_over) = decision.advance(self, space);
            took += work.total();
            is_done = is_over;
            if is_done {
                break;
            }
        }
        let route = if is_done { decision.route(self) } else { None };
        self.recycle(decision);
        (route.map(|route| route.cost), took)
    }

    fn question_bound(&self) -> u64 {
        let most = self.config.expansions();
        let labels = self.hubs_a_move() + u64::from(self.figures().most_hubs) + 1;
        MOST_SLICES * (2 * most + labels)
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
