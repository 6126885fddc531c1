//! Where a cheapest path leaves a region: which path decides, and there may be many.

use surefoot::search::ShortestPaths;
use surefoot::space::{Cost, State, World};

use super::Trace;

impl Trace {
    /// The first state outside a region on the cheapest path from `start` to the end of the tree.
    pub(super) fn way_out(
        self,
        world: &impl World,
        tree: &ShortestPaths<'_>,
        start: State,
        is_inside: impl Fn(State) -> bool,
    ) -> State {
        let mut state = start;
        while is_inside(state) {
            state = match self {
                // Of the neighbours on cheapest paths Dijkstra's algorithm settles the one nearest to the
                // goal first: the one behind the longest move.
                Self::DiagonalFirst => tree.next(state),
                Self::StraightFirst => shortest_move(world, tree, state).unwrap_or_else(|| tree.next(state)),
            };
        }
        state
    }
}

/// Where the shortest move leads that lies on a cheapest path, the first of equals. `None` if all of them are
/// free of cost: they might lead in circles.
fn shortest_move(world: &impl World, tree: &ShortestPaths<'_>, state: State) -> Option<State> {
    let whole = tree.distance(state)?;
    let mut best: Option<(Cost, State)> = None;
    world.for_each_successor(state, |next, cost| {
        let is_on_path =
            cost > 0 && tree.distance(next).is_some_and(|rest| rest.saturating_add(cost) == whole);
        if is_on_path && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, next));
        }
    });
    best.map(|(_, next)| next)
}
