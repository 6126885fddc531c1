//! The jump points of one query: a list, and a hash table from states to places in it.

use alloc::vec;
use alloc::vec::Vec;

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

/// Open addressing with linear probing, at most half full. A slot belongs to this query if its round does; a new
/// round forgets all slots at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    slots: Vec<Slot>,
    round: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    state: u32,
    node: u32,
    round: u32,
}

impl Nodes {
    const FIRST_SLOTS: usize = 1024;

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); Self::FIRST_SLOTS];
        }
        if self.round == u32::MAX {
            self.slots.fill(Slot::default());
            self.round = 0;
        }
        self.round += 1;
    }

    #[inline]
    pub(super) fn get(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The first node, at cost 0, with nothing waiting.
    pub(super) fn start(&mut self, state: u32) -> u32 {
        self.insert(state).0
    }

    /// The slot that holds `state` or that it would be put into.
    #[inline]
    fn slot_of(&self, state: u32) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing: neighbouring cells end up far apart.
        let shift = 64 - self.slots.len().trailing_zeros();
        let mut slot = (u64::from(state).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize;
        loop {
            let entry = &self.slots[slot & mask];
            if entry.round != self.round || entry.state == state {
                return slot & mask;
            }
            slot += 1;
        }
    }

    /// The node of `state`, and whether it is new.
    #[inline]
    fn insert(&mut self, state: u32) -> (u32, bool) {
        let slot = self.slot_of(state);
        if self.slots[slot].round == self.round {
            return (self.slots[slot].node, false);
        }
        let node = self.nodes.len() as u32;
        self.slots[slot] = Slot { state, node, round: self.round };
        self.nodes.push(Node {
            g: 0,
            state,
            parent: node,
            waiting: DirectionSet::NONE,
            settled: DirectionSet::NONE,
        });
        if self.nodes.len() * 2 > self.slots.len() {
            self.grow();
        }
        (node, true)
    }

    fn grow(&mut self) {
        self.slots = vec![Slot::default(); self.slots.len() * 2];
        self.round = 1;
        for (node, &Node { state, .. }) in self.nodes.iter().enumerate() {
            let slot = self.slot_of(state);
            self.slots[slot] = Slot { state, node: node as u32, round: self.round };
        }
    }

    /// Offers `state` a way that arrives at cost `g`. The node, if it has to be put into the open list for that.
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

    /// Takes what waits at a node: its state, its cost and the directions of arrival; nothing if all was taken
    /// before.
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
