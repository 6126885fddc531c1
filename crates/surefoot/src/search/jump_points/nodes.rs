//! The jump points of one query: a list, and an index from states to places in it.

use alloc::vec::Vec;

use crate::search::state_index::StateIndex;
use crate::space::{Cost, Direction, DirectionSet};

/// A jump point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub g: Cost,
    pub state: u32,
    /// The node that it was reached from; its own number at the start.
    pub parent: u32,
    /// The directions of arrival at cost g that have not been expanded yet.
    waiting: DirectionSet,
    /// Those that have been.
    settled: DirectionSet,
}

/// The nodes in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    index: StateIndex,
}

impl Nodes {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.index.clear();
    }

    #[inline]
    pub(super) fn get(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline]
    pub(super) fn set_parent(&mut self, node: u32, parent: u32) {
        self.nodes[node as usize].parent = parent;
    }

    /// The first node, at cost 0, with nothing waiting.
    pub(super) fn start(&mut self, state: u32) -> u32 {
        self.insert(state).0
    }

    /// The node of `state`, and whether it is new.
    #[inline]
    fn insert(&mut self, state: u32) -> (u32, bool) {
        let next = self.nodes.len() as u32;
        let (node, is_new) = self.index.place_or(state, next);
        if is_new {
            let (waiting, settled) = (DirectionSet::NONE, DirectionSet::NONE);
            self.nodes.push(Node { g: 0, state, parent: node, waiting, settled });
        }
        (node, is_new)
    }

    /// Offers `state` a way that arrives at cost `g`. The node, if it has to be put into the open list for
    /// that.
    #[inline]
    pub(super) fn offer(&mut self, state: u32, g: Cost, parent: u32, arrival: Direction) -> Option<u32> {
        let (index, is_new) = self.insert(state);
        let node = &mut self.nodes[index as usize];
        let arrival = DirectionSet::NONE.with(arrival);
        if is_new || g < node.g {
            *node = Node { g, state, parent, waiting: arrival, settled: DirectionSet::NONE };
            return Some(index);
        }
        if g == node.g && (node.waiting.0 | node.settled.0) & arrival.0 == 0 {
            let was_waiting = node.waiting != DirectionSet::NONE;
            node.waiting.0 |= arrival.0;
            return (!was_waiting).then_some(index);
        }
        None
    }

    /// Takes what waits at a node: its state, its cost and the directions of arrival. `None` if all was
    /// taken before.
    #[inline]
    pub(super) fn settle(&mut self, node: u32) -> Option<(u32, Cost, DirectionSet)> {
        let node = &mut self.nodes[node as usize];
        if node.waiting == DirectionSet::NONE {
            return None;
        }
        let waiting = core::mem::take(&mut node.waiting);
        node.settled.0 |= waiting.0;
        Some((node.state, node.g, waiting))
    }
}
