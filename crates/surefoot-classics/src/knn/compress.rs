//! From an optimal path to the few states of it that a hill-climber needs.

use alloc::vec;
use alloc::vec::Vec;

use surefoot::search::{StatePath, Ties, climb};
use surefoot::space::{Cost, State, World};

/// Which segments of a path a climb may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fidelity {
    /// Those at whose end it arrives, by whatever way: `compress` of "Case-based subgoaling" (JAIR 2010),
    /// Figure 6.
    Arrives,
    /// Those that it walks at the same cost: nothing of the path's quality is lost.
    Lossless,
}

/// The key states of a path, its two ends included: each can be reached from the one before by a climb.
///
/// "Case-based subgoaling" (JAIR 2010), Figure 6: for each key state a binary search for the next.
/// Reachability need not fall along a path, so the search may miss a farther state; it never takes one that
/// was not tried, but for the next one.
///
/// Named deviation: on graphs with an estimate of 0 even that need not be what a climb goes to. It is kept
/// all the same, as LRTA* gets there.
pub(crate) fn compress(world: &impl World, path: &StatePath, fidelity: Fidelity, ties: Ties) -> Vec<State> {
    let states = &path.states;
    let reached = match fidelity {
        Fidelity::Arrives => None,
        Fidelity::Lossless => Some(costs_along(world, states)),
    };
    let holds = |from: usize, to: usize| {
        let most = (to - from) as u64;
        // A climb that walks longer than the segment may still arrive; one that costs the same has no more
        // steps than cheap moves fit into the cost.
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
        // Line 3: the next state always can be reached. Lines 4 to 14: the farthest that the binary search
        // finds.
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

/// The farthest state of a path that a climb from its start arrives at ("kNN LRTA*: simple subgoaling", 2009,
/// text).
pub(crate) fn farthest(world: &impl World, path: &StatePath, ties: Ties) -> Option<State> {
    let (&start, rest) = path.states.split_first()?;
    rest.iter().rev().copied().find(|&state| climb(world, start, state, u64::MAX, ties).end == state)
}

/// The state before the first that a climb from the start does not arrive at ("kNN LRTA*: simple subgoaling",
/// 2009, Figure 4). `None` if it arrives at all of them.
pub(crate) fn before_first_miss(world: &impl World, path: &StatePath, ties: Ties) -> Option<State> {
    let start = *path.states.first()?;
    let misses = |state: State| climb(world, start, state, u64::MAX, ties).end != state;
    let miss = path.states.iter().skip(2).position(|&state| misses(state))?;
    Some(path.states[miss + 1])
}

/// What it costs to get from the start of a path to each of its states.
pub(crate) fn costs_along(world: &impl World, states: &[State]) -> Vec<Cost> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use surefoot::search::JumpPoints;
    use surefoot::space::{CostModel, Grid, GridSpace, MoveRule, StateSpace};

    proptest! {
        #[test]
        fn single_subgoals_are_those_of_the_definitions(
            free in prop::collection::vec(prop::bool::weighted(0.75), 400), ends in (0_u32..400, 0_u32..400), far in any::<bool>(),
        ) {
            let grid = Grid::from_fn(20, 20, |cell| free[(cell.y * 20 + cell.x) as usize]).unwrap();
            let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14);
            let (start, goal) = (State(ends.0), State(ends.1));
            prop_assume!(space.contains(start) && space.contains(goal));
            let Some(path) = JumpPoints::new().find(&space, start, goal).unwrap().path else { return Ok(()) };
            prop_assume!(path.states.len() >= 3);
            let ties = if far { Ties::Far } else { Ties::Near };
            let reached: Vec<bool> =
                path.states.iter().map(|&state| climb(&space, start, state, u64::MAX, ties).end == state).collect();
            let last = reached.iter().rposition(|&reached| reached).map(|at| path.states[at]);
            prop_assert_eq!(farthest(&space, &path, ties), last);
            let miss = reached.iter().position(|&reached| !reached).map(|at| path.states[at - 1]);
            prop_assert_eq!(before_first_miss(&space, &path, ties), miss);
            // Figure 6, line by line: the next key state is the last one that the binary search finds.
            let keys = compress(&space, &path, Fidelity::Arrives, ties);
            let places: Vec<usize> =
                keys.iter().map(|key| path.states.iter().position(|state| state == key).unwrap()).collect();
            for pair in places.windows(2) {
                let (mut i, mut l, mut r) = (pair[0] + 1, pair[0] + 2, path.states.len() - 1);
                while l <= r {
                    let m = (l + r) / 2;
                    let target = path.states[m];
                    if climb(&space, path.states[pair[0]], target, u64::MAX, ties).end == target {
                        (i, l) = (m, m + 1);
                    } else {
                        r = m - 1;
                    }
                }
                prop_assert_eq!(pair[1], i);
            }
        }
    }
}
