//! Search kernels. They know states and costs, not maps; they read no clock and print nothing.
//!
//! Each search object owns its scratch memory and is used again for query after query: what one query wrote
//! is forgotten by the next in constant time, never by clearing the whole map.

mod a_star;
mod best_first;
mod climb;
mod dijkstra;
mod growing;
mod jump_points;
mod local_a_star;
mod lookahead;
mod meter;
mod path;
mod planner;
mod queue;
mod state_index;
mod state_table;

pub use a_star::{AStar, Gamma, GammaError};
pub use climb::climb_run;
pub use climb::{Climb, climb, climb_step, climb_to, reachable};
pub use dijkstra::{Dijkstra, DistanceField, ShortestPaths};
pub use jump_points::JumpPoints;
pub use lookahead::{Horizon, Lookahead, Outlook, Ties};
pub use meter::{Meter, Work};
pub use path::{Answer, PathError, SearchCounts, StatePath};
pub use planner::{GridPlanner, Paths, Planner};

pub use best_first::{Run, Scratch, SearchArea, Whole};
pub use growing::{GrowingHeap, GrowingList};
pub use local_a_star::LocalAStar;
pub use queue::CalendarQueue;
pub use state_table::StateTable;

use alloc::vec::Vec;

use crate::space::{Cost, QueryError, Role, State, StateSpace};

/// Refuses a start or goal that is no state of `space`.
pub fn check_ends(space: &impl StateSpace, start: State, goal: State) -> Result<(), QueryError> {
    for (role, state) in [(Role::Start, start), (Role::Goal, goal)] {
        if state.index() >= space.state_limit() {
            return Err(QueryError::NoState { role, state: state.0, limit: space.state_limit() });
        }
        if !space.contains(state) {
            return Err(QueryError::Blocked { role, state: space.describe(state) });
        }
    }
    Ok(())
}

/// The states from `place` back to the start of a search tree, which has place 0 and is left out. `node`
/// gives the state at a place and the place of its parent.
fn way_back(place: u32, node: impl Fn(u32) -> (State, u32)) -> Vec<State> {
    let mut way = Vec::new();
    let mut at = place;
    while at != 0 {
        let (state, parent) = node(at);
        way.push(state);
        at = parent;
    }
    way
}

/// So many millionths of a cost: parameters are given as multiples of the cheapest move, whatever its units.
pub fn millionths_of(cost: Cost, millionths: u64) -> Cost {
    Cost::try_from(u128::from(cost) * u128::from(millionths) / 1_000_000).unwrap_or(Cost::MAX)
}
