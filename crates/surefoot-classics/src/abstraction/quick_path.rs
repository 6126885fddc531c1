//! QuickPath: a plausible path without a search (PRA* paper, 2005, section "Pathing Through Refinement",
//! Figure 3).
//!
//! From the level where both ends have one ancestor down to the ground: each node of a path is replaced by
//! the way through its children to the first child with an edge to the next node. Where the paper relies on
//! cliques, the way through the children is looked for breadth-first: orphans, and groups that were repaired,
//! need more than one step. Whatever is found is a way; how long it is, nobody asked.

use alloc::vec;
use alloc::vec::Vec;

use surefoot::search::StatePath;
use surefoot::space::{Cost, State, World};

use super::Abstraction;
use super::cliques::Lower;
use super::ground::Moves;
use super::level::Level;

impl Abstraction {
    /// A path from `start` to `goal`, found in time proportional to its length. `None` if there is none. The
    /// abstraction must be one of `world` as it is now.
    #[must_use]
    pub fn quick_path(&self, world: &impl World, start: State, goal: State) -> Option<StatePath> {
        let limit = world.state_limit();
        if start.index().max(goal.index()) >= limit || limit != self.level(0).count() {
            return None;
        }
        if start == goal && world.contains(start) {
            return Some(StatePath { states: vec![start], cost: 0 });
        }
        let (mut starts, mut goals) = (vec![start.0], vec![goal.0]);
        while starts.last() != goals.last() {
            let top = starts.len() - 1;
            starts.push(self.parent(top, starts[top])?);
            goals.push(self.parent(top, goals[top])?);
        }
        let mut path = vec![*starts.last()?];
        for below in (0..starts.len() - 1).rev() {
            let (lower, upper) = (self.level(below), self.level(below + 1));
            let ends = (starts[below], goals[below]);
            path = match below {
                0 => through_children(&Moves(world), &lower, &upper, &path, ends),
                _ => through_children(&lower, &lower, &upper, &path, ends),
            }?;
        }
        let states: Vec<State> = path.into_iter().map(State).collect();
        let mut cost: Cost = 0;
        for pair in states.windows(2) {
            let mut cheapest = Cost::MAX;
            world.for_each_successor(pair[0], |next, step| {
                if next == pair[1] {
                    cheapest = cheapest.min(step);
                }
            });
            cost = cost.saturating_add(cheapest);
        }
        Some(StatePath { states, cost })
    }
}

/// Refines a path by one level.
fn through_children(
    graph: &impl Lower,
    lower: &Level<'_>,
    upper: &Level<'_>,
    path: &[u32],
    (start, goal): (u32, u32),
) -> Option<Vec<u32>> {
    let mut refined = vec![start];
    let (mut members, mut parents, mut queue): (Vec<u32>, Vec<usize>, Vec<usize>) = Default::default();
    const UNSEEN: usize = usize::MAX;
    for (index, &node) in path.iter().enumerate() {
        let next_node = path.get(index + 1);
        let from = *refined.last()?;
        members.clear();
        members.extend(upper.children(node));
        parents.clear();
        parents.resize(members.len(), UNSEEN);
        let first = members.binary_search(&from).ok()?;
        parents[first] = first;
        queue.clear();
        queue.push(first);
        let (mut done, mut exit) = (0, None);
        while exit.is_none() && done < queue.len() {
            let at = queue[done];
            done += 1;
            if next_node.is_none() && members[at] == goal {
                exit = Some((at, None));
                break;
            }
            graph.for_each_neighbour(members[at], |next, _| {
                if exit.is_none() && next_node.is_some_and(|&node| lower.parent(next) == node) {
                    exit = Some((at, Some(next)));
                }
                if let Ok(place) = members.binary_search(&next)
                    && parents[place] == UNSEEN
                {
                    parents[place] = at;
                    queue.push(place);
                }
            });
        }
        let (mut at, beyond) = exit?;
        let inside = refined.len();
        while at != first {
            refined.push(members[at]);
            at = parents[at];
        }
        refined[inside..].reverse();
        refined.extend(beyond);
    }
    Some(refined)
}
