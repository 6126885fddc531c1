//! Few nodes that many ways lead over: a greedy cover of trees of cheapest ways.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;

use super::ball::{Ball, NONE};
use super::nodes::Nodes;
use super::walks::{Extent, WalkGraph};
use crate::space::{State, sorting};

/// What the ways of a tree weigh together.
const WEIGHT: u64 = 1 << 16;

/// The cheapest ways from a place to whatever lies farther than a ball around it.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Those of the nearest states that such ways lead over, nearest first.
    states: Vec<State>,
    /// For each the place of the one before.
    parents: Vec<u32>,
    /// What the ways over it weigh that are not covered.
    weights: Vec<u32>,
    /// So many of them are too near to be nodes.
    near: usize,
}

impl Tree {
    /// The tree around a state; the ways are those that lead farther than `outer`, and what of them lies
    /// within `inner` is kept. What lies within `near` is too near to be nodes.
    pub(super) fn new(
        ball: &mut Ball,
        space: &impl WalkGraph,
        nodes: &Nodes,
        root: State,
        (near, inner, outer): (Extent, Extent, Extent),
    ) -> Self {
        ball.begin_at(space, root);
        ball.grow(space, None, outer);
        // Ways are covered by nodes that a ball around their end finds.
        let mut is_covered = vec![false; ball.reached().len()];
        for (number, &place) in ball.order().iter().enumerate() {
            let entry = ball.at(place);
            let is_node = number > 0 && inner.has(number, entry.cost) && nodes.is_at(entry.state);
            is_covered[place as usize] =
                is_node || (entry.parent != NONE && is_covered[entry.parent as usize]);
        }
        let (mut open, mut all) = (vec![0_u32; ball.reached().len()], 0_u64);
        for entry in ball.reached().iter().filter(|entry| !entry.is_settled() && entry.parent != NONE) {
            all += 1;
            open[entry.parent as usize] += u32::from(!is_covered[entry.parent as usize]);
        }
        if all == 0 {
            return Self::default();
        }
        let share = |count: u32| (u64::from(count) * WEIGHT / all) as u32;
        open.iter_mut().for_each(|count| *count = share(*count));
        for &place in ball.order().iter().rev() {
            let parent = ball.at(place).parent;
            if parent != NONE {
                open[parent as usize] += open[place as usize];
            }
        }
        let mut tree = Self::default();
        let mut local = vec![NONE; ball.reached().len()];
        let mut is_near = true;
        for (number, &place) in ball.order().iter().enumerate() {
            let entry = ball.at(place);
            let is_inside = inner.has(number, entry.cost);
            if !is_inside || (open[place as usize] == 0 && entry.parent != NONE) {
                continue;
            }
            is_near = is_near && near.has(number, entry.cost);
            tree.near += usize::from(is_near);
            local[place as usize] = tree.states.len() as u32;
            tree.states.push(entry.state);
            tree.parents.push(if entry.parent == NONE { NONE } else { local[entry.parent as usize] });
            tree.weights.push(open[place as usize]);
        }
        tree
    }
}

/// The nodes that cover all but `left` ten-thousandths of the ways of some trees.
pub(super) fn cover(trees: &[Tree], left: u64) -> Vec<State> {
    let mut weights: Vec<Vec<u32>> = trees.iter().map(|tree| tree.weights.clone()).collect();
    // Where each state is in which tree.
    let mut places: Vec<(State, u32, u32)> = Vec::new();
    let mut uncovered = 0_u64;
    for (number, tree) in (0..).zip(trees.iter()) {
        uncovered += u64::from(tree.weights.first().copied().unwrap_or(0));
        places.extend((0..).zip(&tree.states).map(|(place, &state)| (state, number, place)));
    }
    sorting::sort(&mut places);
    let states: Vec<State> = {
        let mut states: Vec<State> = places.iter().map(|place| place.0).collect();
        states.dedup();
        states
    };
    let starts: Vec<usize> = {
        let mut starts = vec![0];
        starts.extend((1..places.len()).filter(|&at| places[at].0 != places[at - 1].0));
        starts.push(places.len());
        starts
    };
    let index = |state: State| states.binary_search(&state).unwrap_or(0);
    // For each state of each tree its place among all.
    let numbers: Vec<Vec<u32>> =
        trees.iter().map(|tree| tree.states.iter().map(|&state| index(state) as u32).collect()).collect();
    let mut gains = vec![0_u64; states.len()];
    for (tree, numbers) in trees.iter().zip(&numbers) {
        for (&weight, &number) in tree.weights.iter().zip(numbers).skip(tree.near) {
            gains[number as usize] += u64::from(weight);
        }
    }
    let enough = trees.len() as u64 * WEIGHT * left / 10_000;
    let mut heap: BinaryHeap<(u64, core::cmp::Reverse<u32>)> = (0..)
        .zip(&gains)
        .filter(|(_, gain)| **gain > 0)
        .map(|(number, &gain)| (gain, core::cmp::Reverse(number)))
        .collect();
    let mut chosen = Vec::new();
    while uncovered > enough {
        let Some((gain, core::cmp::Reverse(number))) = heap.pop() else { break };
        let now = gains[number as usize];
        if now < gain {
            if now > 0 {
                heap.push((now, core::cmp::Reverse(number)));
            }
            continue;
        }
        chosen.push(states[number as usize]);
        for &(_, tree, place) in &places[starts[number as usize]..starts[number as usize + 1]] {
            let tree = tree as usize;
            uncovered -= trees[tree].take_off(&mut weights[tree], place as usize, &numbers[tree], &mut gains);
        }
    }
    chosen
}

impl Tree {
    /// All ways over a place are covered now: what they weigh is taken off everywhere. How much that is.
    fn take_off(&self, weights: &mut [u32], place: usize, numbers: &[u32], gains: &mut [u64]) -> u64 {
        let weight = weights[place];
        if weight == 0 {
            return 0;
        }
        let mut take = |at: usize, weight: u32| {
            if at >= self.near {
                gains[numbers[at] as usize] -= u64::from(weight);
            }
        };
        let mut at = place;
        while self.parents[at] != NONE {
            at = self.parents[at] as usize;
            weights[at] -= weight;
            take(at, weight);
        }
        // What lies beyond comes after it.
        let mut is_beyond = vec![false; self.states.len() - place];
        is_beyond[0] = true;
        take(place, core::mem::take(&mut weights[place]));
        for at in place + 1..self.states.len() {
            let parent = self.parents[at] as usize;
            if parent >= place && is_beyond[parent - place] {
                is_beyond[at - place] = true;
                take(at, core::mem::take(&mut weights[at]));
            }
        }
        u64::from(weight)
    }
}
