//! A* cut off after a number of expansions: the lookahead of LSS-LRTA* and RTAA*. It keeps what learning
//! needs: the states that were expanded, those that were not, and the moves between them.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::state_index::StateIndex;
use super::{Meter, way_back};
use crate::space::{Cost, State, StateSpace, sorting};

/// A state of a local search.
#[derive(Clone, Copy, Debug)]
pub struct LocalNode {
    pub state: State,
    pub g: Cost,
    pub h: Cost,
    pub parent: u32,
    pub is_closed: bool,
}

impl LocalNode {
    pub fn f(&self) -> Cost {
        self.g + self.h
    }
}

/// A local search with its scratch memory, which grows with its limit and not with the map.
#[derive(Clone, Debug, Default)]
pub struct LocalAStar {
    /// The states that were met, in the order in which they were.
    pub nodes: Vec<LocalNode>,
    /// The moves out of expanded states, as (to, from, cost), where to and from are places in `nodes`.
    edges: Vec<(u32, u32, Cost)>,
    index: StateIndex,
    /// Lowest f first, then largest g, then the last one in.
    open: BinaryHeap<(Reverse<Cost>, Cost, u32)>,
}

impl LocalAStar {
    /// Searches from `start` until `limit` states are expanded, or the goal is next. Gives the place of the
    /// state that would be expanded next. `None` if none is left, which means that the goal cannot be
    /// reached.
    pub fn search(
        &mut self,
        space: &impl StateSpace,
        h: impl Fn(State) -> Cost,
        (start, goal): (State, State),
        limit: u64,
        meter: &mut Meter,
    ) -> Option<u32> {
        let Self { nodes, edges, index, open } = self;
        nodes.clear();
        edges.clear();
        index.clear();
        open.clear();
        index.place_or(start.0, 0);
        nodes.push(LocalNode { state: start, g: 0, h: h(start), parent: 0, is_closed: false });
        open.push((Reverse(nodes[0].f()), 0, 0));
        let mut expanded = 0;
        loop {
            let &(_, g, place) = open.peek()?;
            let node = nodes[place as usize];
            if node.is_closed || g != node.g {
                open.pop();
                continue;
            }
            if node.state == goal || expanded == limit {
                return Some(place);
            }
            open.pop();
            nodes[place as usize].is_closed = true;
            expanded += 1;
            meter.charge_expansion(node.state);
            space.for_each_successor(node.state, |state, cost| {
                let g = node.g + cost;
                let (found, is_new) = index.place_or(state.0, nodes.len() as u32);
                edges.push((found, place, cost));
                if is_new {
                    nodes.push(LocalNode { state, g, h: h(state), parent: place, is_closed: false });
                } else if g < nodes[found as usize].g {
                    // Learned values are consistent wherever this search is used, so closed states stay
                    // closed.
                    let known = &mut nodes[found as usize];
                    if known.is_closed {
                        return;
                    }
                    (known.g, known.parent) = (g, place);
                } else {
                    return;
                }
                open.push((Reverse(nodes[found as usize].f()), g, found));
            });
        }
    }

    /// The states from the start's successor to `place`, the last one first.
    pub fn path_to(&self, place: u32) -> Vec<State> {
        way_back(place, |at| (self.nodes[at as usize].state, self.nodes[at as usize].parent))
    }

    /// Gives every closed node the lowest cost of a way out: a move, then another, up to an open node, then
    /// its h (the backup of LSS-LRTA*). Each node settled is charged.
    pub fn back_up(&mut self, meter: &mut Meter) {
        let Self { nodes, edges, .. } = self;
        sorting::sort(edges);
        let mut left = nodes.iter().filter(|node| node.is_closed).count();
        let mut heap = BinaryHeap::new();
        for (place, node) in nodes.iter_mut().enumerate() {
            if node.is_closed {
                node.h = Cost::MAX;
            } else {
                heap.push((Reverse(node.h), Reverse(place as u32)));
            }
        }
        let mut settled = alloc::vec![false; nodes.len()];
        while left > 0 {
            let Some((Reverse(h), Reverse(place))) = heap.pop() else { break };
            if core::mem::replace(&mut settled[place as usize], true) {
                continue;
            }
            if nodes[place as usize].is_closed {
                left -= 1;
                meter.charge_backups(1);
            }
            let first = edges.partition_point(|edge| edge.0 < place);
            for &(_, from, cost) in edges[first..].iter().take_while(|edge| edge.0 == place) {
                let node = &mut nodes[from as usize];
                if node.is_closed && node.h > h + cost {
                    node.h = h + cost;
                    heap.push((Reverse(node.h), Reverse(from)));
                }
            }
        }
    }

    /// The numbers of states that were expanded, and that were met and not expanded.
    pub fn sizes(&self) -> (u64, u64) {
        let closed = self.nodes.iter().filter(|node| node.is_closed).count() as u64;
        (closed, self.nodes.len() as u64 - closed)
    }
}
