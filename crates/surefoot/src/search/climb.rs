//! Hill-climbing: go to the neighbour that looks best, as long as something looks better than where one stands.
//!
//! `reachable` of "Case-based subgoaling" (JAIR 2010), Figure 7. Databases are built and agents steered by this one
//! function: what it promised offline holds online. Ties are broken as in LRTA* (Figure 1 there): lowest g + h, then
//! highest or lowest g, then the order of successors.
//!
//! Named deviation: Figure 7 stops only where no neighbour has a lower h, and relies on a property of the octile
//! distance, that the neighbour with the lowest g + h then has a lower h too. Where that need not hold (other
//! heuristics, graphs), the climb also stops if the chosen neighbour does not have a lower h. On grids with the octile
//! distance this never happens.

use crate::search::{Budget, Ties};
use crate::space::{Cost, State, World};

/// The next step of a climb from `from` towards `target`, and its cost; nothing at a local minimum or plateau, or at
/// the target.
#[inline]
pub fn climb_step(world: &impl World, from: State, target: State, ties: Ties) -> Option<(State, Cost)> {
    let here = world.estimate(from, target);
    let mut best: Option<((Cost, Cost), Cost, State, Cost)> = None;
    world.for_each_successor(from, |state, cost| {
        let h = world.estimate(state, target);
        let key = (cost + h, ties.rank(cost));
        if best.is_none_or(|known| key < known.0) {
            best = Some((key, h, state, cost));
        }
    });
    best.filter(|&(_, h, ..)| h < here).map(|(_, _, state, cost)| (state, cost))
}

/// Whether a climb from `from` arrives at `target` within `cap` steps. Each step is charged.
pub fn reachable(
    world: &impl World,
    from: State,
    target: State,
    cap: u64,
    ties: Ties,
    budget: &mut Budget,
) -> bool {
    let mut state = from;
    let mut steps = 0;
    while state != target {
        if steps == cap {
            return false;
        }
        steps += 1;
        budget.charge_climb_steps(1);
        match climb_step(world, state, target, ties) {
            Some((next, _)) => state = next,
            None => return false,
        }
    }
    true
}
