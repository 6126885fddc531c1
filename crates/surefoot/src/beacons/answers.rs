//! What beacons know of ways by themselves.

use alloc::vec::Vec;

use super::BeaconDatabase;
use crate::space::{Cell, Cost, GridSpace, State};
use crate::store::Answers;

/// So many pieces of a decision are done for a question at least: both ends look into all fans, and read some
/// labels.
const PIECES: u64 = 48;

impl BeaconDatabase {
    /// A question is not spread over moves, and the figure for decisions is that of the map before edits.
    fn question_limit(&self) -> u64 {
        self.decision_limit().max(PIECES * self.most_in_a_piece())
    }
}

impl Answers for BeaconDatabase {
    fn is_exact(&self) -> bool {
        true
    }

    fn cost(&self, space: &GridSpace, from: State, to: State) -> Option<Cost> {
        self.cost(space, from, to)
    }

    fn ask(&self, space: &GridSpace, from: State, to: State) -> (Option<Cost>, u64) {
        let mut decision = self.new_decision();
        decision.begin(space.cell(from), space.cell(to));
        let (looked_up, _) = decision.advance(self, space, self.question_limit());
        let cost = decision.way().map(|way| way.cost);
        self.recycle(decision);
        (cost, looked_up)
    }

    fn question_bound(&self) -> u64 {
        self.question_limit() + self.most_in_a_piece()
    }

    fn path(&self, space: &GridSpace, from: State, to: State) -> Option<(Vec<State>, Cost)> {
        self.path(space, from, to).map(|path| (path.states, path.cost))
    }

    fn turning_points(
        &self,
        space: &GridSpace,
        from: State,
        to: State,
        points: &mut Vec<Cell>,
    ) -> Option<Cost> {
        self.straight_runs(space, from, to, points)
    }

    fn costs(&self, space: &GridSpace, from: State, goals: &[State]) -> Vec<Option<Cost>> {
        self.costs(space, from, goals)
    }

    fn nearest_of(&self, space: &GridSpace, from: State, goals: &[State]) -> Option<(usize, Cost)> {
        self.nearest_of(space, from, goals)
    }
}
