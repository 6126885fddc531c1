//! From an optimal path to the few states of it that a hill-climber needs.

use alloc::vec;
use alloc::vec::Vec;

use crate::search::{Path, Ties, climb};
use crate::space::{Cost, State, World};

/// Which segments of a path a climb may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fidelity {
    /// Those at whose end it arrives, by whatever way: `compress` of "Case-based subgoaling" (JAIR 2010), Figure 6.
    Arrives,
    /// Those that it walks at the same cost: nothing of the path's quality is lost.
    Lossless,
}

/// The key states of a path, its two ends included: each can be reached from the one before by a climb.
///
/// "Case-based subgoaling" (JAIR 2010), Figure 6: for each key state a binary search for the next. Reachability need not
/// fall along a path, so the search may miss a farther state; it never takes one that was not tried, but for the next one.
///
/// Named deviation: on graphs even that need not be what a climb goes to (another neighbour may look better). It is kept all the
/// same, as LRTA* gets there.
pub(crate) fn compress(world: &impl World, path: &Path, fidelity: Fidelity, ties: Ties) -> Vec<State> {
    let states = &path.states;
    let reached = match fidelity {
        Fidelity::Arrives => None,
        Fidelity::Lossless => Some(costs_along(world, states)),
    };
    let holds = |from: usize, to: usize| {
        let most = (to - from) as u64;
        // A climb that walks longer than the segment may still arrive; one that costs the same has no more steps than
        // cheap moves fit into the cost.
        match &reached {
            None => climb(world, states[from], states[to], u64::MAX, ties).end == states[to],
            Some(reached) => {
                let cap = (reached[to] - reached[from]) / world.cheapest_move().max(1);
                let climb = climb(world, states[from], states[to], cap.max(most), ties);
                climb.end == states[to] && climb.cost == reached[to] - reached[from]
            }
        }
    };
    let Some(last) = states.len().checked_sub(1) else { return Vec::new() };
    let mut keys = vec![states[0]];
    let mut at = 0;
    while at < last {
        // Line 3: the next state always can be reached. Lines 4 to 14: the farthest that the binary search finds.
        let (mut next, mut low, mut high) = (at + 1, at + 2, last);
        while low <= high {
            let middle = (low + high) / 2;
            if holds(at, middle) {
                next = middle;
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        keys.push(states[next]);
        at = next;
    }
    keys
}

/// The farthest state of a path that a climb from its start arrives at ("kNN LRTA*: simple subgoaling", 2009, text).
pub(crate) fn farthest(world: &impl World, path: &Path, ties: Ties) -> Option<State> {
    let (&start, rest) = path.states.split_first()?;
    rest.iter().rev().copied().find(|&state| climb(world, start, state, u64::MAX, ties).end == state)
}

/// The state before the first that a climb from the start does not arrive at ("kNN LRTA*: simple subgoaling", 2009, Figure 4); nothing if
/// it arrives at all of them.
pub(crate) fn before_first_miss(world: &impl World, path: &Path, ties: Ties) -> Option<State> {
    let start = *path.states.first()?;
    let misses = |state: State| climb(world, start, state, u64::MAX, ties).end != state;
    let miss = path.states.iter().skip(2).position(|&state| misses(state))?;
    Some(path.states[miss + 1])
}

/// What it costs to get from the start of a path to each of its states.
fn costs_along(world: &impl World, states: &[State]) -> Vec<Cost> {
    let mut costs = Vec::with_capacity(states.len());
    let mut total = 0;
    costs.push(0);
    for pair in states.windows(2) {
        let mut cheapest = Cost::MAX;
        world.for_each_successor(pair[0], |state, cost| {
            if state == pair[1] {
                cheapest = cheapest.min(cost);
            }
        });
        total += cheapest;
        costs.push(total);
    }
    costs
}
