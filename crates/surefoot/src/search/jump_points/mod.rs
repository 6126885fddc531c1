//! Jump point search: cheapest paths on grids, many times faster than A*.
//!
//! After Harabor and Grastien, "Online graph pruning for pathfinding on grid maps" (2011) and "Improving jump
//! point search" (2014). Of all cheapest paths only canonical ones are followed: diagonal steps as early as
//! possible, straight steps after them. A canonical path turns only where a wall beside it ends, so the
//! search expands those few cells and jumps from one to the next, 64 cells at a time.
//!
//! Named deviations:
//! - All four move rules are served, each with its own pruning: see [`turns`].
//! - A diagonal jump does not stop where a straight jump from it succeeds; it puts the straight jump's end
//!   into the open list and goes on (2014's pruning of intermediate points). Where its f has risen well above
//!   the lowest in the open list it pauses, to go on when the open list gets there.
//! - A state that is reached at the same cost from several directions is expanded for each of them, so that
//!   the canonical paths searched are exactly all of them; no argument about ties is needed.
//! - Without diagonal moves, horizontal steps take the part of diagonal ones.

mod nodes;
mod run;
mod scan;
mod turns;

use alloc::vec::Vec;

use self::run::{Cardinal, JumpRun, NoCut, OneFree, Rule, Scratch, Squeeze};
use crate::search::{Answer, SearchCounts, StatePath, check_ends};
use crate::space::{Cell, Cost, GridSpace, MoveRule, QueryError, Reachability, Runs, State, StateSpace};

/// Jump point search with its scratch memory, which grows with the cells that a search jumps between, not
/// with the map. It needs no preparation: a map may change between two queries.
#[derive(Clone, Debug, Default)]
pub struct JumpPoints {
    scratch: Scratch,
}

impl JumpPoints {
    /// A search with no memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds a cheapest path.
    ///
    /// # Errors
    /// If `start` or `goal` is no state of `space`, or its cells have weights.
    pub fn find(&mut self, space: &GridSpace, start: State, goal: State) -> Result<Answer, QueryError> {
        self.find_noting(space, start, goal, |_| {})
    }

    /// As [`find`](Self::find); `note` hears of each state that is expanded, and of the state that a diagonal
    /// jump goes on from.
    pub(crate) fn find_noting(
        &mut self,
        space: &GridSpace,
        start: State,
        goal: State,
        note: impl FnMut(State),
    ) -> Result<Answer, QueryError> {
        let (found, counts) = self.search(space, start, goal, note)?;
        Ok(Answer { path: found.map(|node| self.path_to(space, node)), counts })
    }

    /// Fills a list with the cells at which the path that [`find`](Self::find) gives changes its direction,
    /// start and goal included, and tells what the path costs. `None` if there is no way; then the list is
    /// empty. No cell in between is looked at once more.
    ///
    /// # Errors
    /// As for [`find`](Self::find).
    pub fn turning_points(
        &mut self,
        space: &GridSpace,
        start: State,
        goal: State,
        points: &mut Vec<Cell>,
    ) -> Result<Option<Cost>, QueryError> {
        points.clear();
        let Some(goal) = self.search(space, start, goal, |_| {})?.0 else { return Ok(None) };
        let nodes = &mut self.scratch.nodes;
        // Parents are turned round: on the way back each node's is the next one.
        let (mut node, mut next) = (goal, goal);
        loop {
            let parent = nodes.get(node).parent;
            nodes.set_parent(node, next);
            if parent == node {
                break;
            }
            (next, node) = (node, parent);
        }
        let cell = |node: u32| space.cell(State(nodes.get(node).state));
        let mut runs = Runs::new(points, cell(node));
        while node != goal {
            node = nodes.get(node).parent;
            runs.go(space.rule(), cell(node));
        }
        Ok(Some(nodes.get(goal).g))
    }

    /// Searches: the goal's node, if there is a way, and what it took.
    fn search(
        &mut self,
        space: &GridSpace,
        start: State,
        goal: State,
        note: impl FnMut(State),
    ) -> Result<(Option<u32>, SearchCounts), QueryError> {
        Self::check(space)?;
        check_ends(space, start, goal)?;
        if space.reachability(start, goal) == Reachability::No {
            return Ok((None, SearchCounts::default()));
        }
        Ok(match space.rule() {
            MoveRule::Squeeze => self.run::<Squeeze>(space, start, goal, note),
            MoveRule::OneFree => self.run::<OneFree>(space, start, goal, note),
            MoveRule::NoCut => self.run::<NoCut>(space, start, goal, note),
            MoveRule::Cardinal => self.run::<Cardinal>(space, start, goal, note),
        })
    }

    /// Jumps pass over cells on the promise that a way round them costs more, which holds where all weigh the
    /// same.
    pub(super) fn check(space: &GridSpace) -> Result<(), QueryError> {
        if space.is_weighted() {
            return Err(QueryError::Weighted { algorithm: "jump point search", instead: "a*" });
        }
        Ok(())
    }

    fn run<R: Rule>(
        &mut self,
        space: &GridSpace,
        start: State,
        goal: State,
        note: impl FnMut(State),
    ) -> (Option<u32>, SearchCounts) {
        let mut run = JumpRun::<R>::new(space, &mut self.scratch, space.cell(goal));
        let found = run.search(space.cell(start), note);
        (found, run.counts)
    }

    /// The whole path, cell by cell: from each jump point to the next the diagonal steps come first (without
    /// diagonals: the horizontal ones).
    fn path_to(&self, space: &GridSpace, goal: u32) -> StatePath {
        let cost = self.scratch.nodes.get(goal).g;
        let mut states = Vec::new();
        let mut node = goal;
        loop {
            let target = self.scratch.nodes.get(node);
            let origin = self.scratch.nodes.get(target.parent);
            if node == target.parent {
                states.push(State(target.state));
                break;
            }
            let (from, to) = (space.cell(State(origin.state)), space.cell(State(target.state)));
            let first_state = states.len();
            // Backwards along the segment: collected from its origin on, then turned round.
            let (mut x, mut y) = (from.x, from.y);
            while (x, y) != (to.x, to.y) {
                states.push(space.state(Cell::new(x, y)));
                let step_x = x != to.x;
                let step_y = y != to.y && (space.rule().has_diagonals() || !step_x);
                if step_x {
                    x = if x < to.x { x + 1 } else { x - 1 };
                }
                if step_y {
                    y = if y < to.y { y + 1 } else { y - 1 };
                }
            }
            states.push(State(target.state));
            states[first_state..].reverse();
            states.pop();
            node = target.parent;
        }
        states.reverse();
        StatePath { states, cost }
    }
}
