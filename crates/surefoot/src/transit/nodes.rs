//! Where the transit nodes are.

use alloc::vec;
use alloc::vec::Vec;

use crate::space::{State, sorting};

/// The cells of transit nodes. Nodes keep their numbers when others come to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Nodes {
    /// The state of each node: ascending as far as they were there first.
    states: Vec<State>,
    /// How many were.
    first: usize,
    /// The places of the others, by state.
    later: Vec<(State, u32)>,
    /// A bit for each state.
    bits: Vec<u64>,
}

impl Nodes {
    /// The nodes at some states, which are all below `limit`.
    pub(super) fn new(limit: usize, mut states: Vec<State>) -> Self {
        sorting::sort(&mut states);
        states.dedup();
        let mut nodes =
            Self { first: states.len(), later: Vec::new(), bits: vec![0; limit.div_ceil(64)], states };
        for place in 0..nodes.states.len() {
            nodes.mark(nodes.states[place]);
        }
        nodes
    }

    /// Those of which the first so many were there first. `None` if these do not ascend, or one comes twice.
    pub(super) fn of_parts(limit: usize, mut states: Vec<State>, first: usize) -> Option<Self> {
        let others = states.split_off(Some(first).filter(|&first| first <= states.len())?);
        let mut later: Vec<(State, u32)> = others.iter().copied().zip(first as u32..).collect();
        sorting::sort(&mut later);
        let is_in_order = states.windows(2).all(|pair| pair[0] < pair[1])
            && later.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let mut nodes = Self::new(limit, states);
        if !is_in_order || others.iter().any(|&state| nodes.is_at(state)) {
            return None;
        }
        others.iter().for_each(|&state| nodes.mark(state));
        nodes.states.extend(others);
        Some(Self { later, ..nodes })
    }

    /// Those that were there first.
    pub(super) fn first_ones(&self) -> &[State] {
        &self.states[..self.first]
    }

    fn mark(&mut self, state: State) {
        self.bits[state.index() / 64] |= 1 << (state.0 % 64);
    }

    /// How many there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn states(&self) -> &[State] {
        &self.states
    }

    /// Where a node is.
    #[inline]
    pub(super) fn state(&self, node: u32) -> Option<State> {
        self.states.get(node as usize).copied()
    }

    /// Whether there is a node at a state.
    #[inline]
    pub(super) fn is_at(&self, state: State) -> bool {
        self.bits[state.index() / 64] >> (state.0 % 64) & 1 != 0
    }

    /// The node at a state.
    pub(super) fn at(&self, state: State) -> Option<u32> {
        if !self.is_at(state) {
            return None;
        }
        match self.states[..self.first].binary_search(&state) {
            Ok(place) => Some(place as u32),
            Err(_) => {
                let place = self.later.binary_search_by_key(&state, |entry| entry.0).ok()?;
                Some(self.later[place].1)
            }
        }
    }

    /// Makes a node of a state that is none.
    pub(super) fn add(&mut self, state: State) {
        if self.is_at(state) {
            return;
        }
        let number = self.states.len() as u32;
        self.states.push(state);
        let place = self.later.partition_point(|entry| entry.0 < state);
        self.later.insert(place, (state, number));
        self.mark(state);
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.states[..]) + size_of_val(&self.later[..]) + size_of_val(&self.bits[..])
    }
}
