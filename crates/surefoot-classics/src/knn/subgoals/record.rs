//! Records on their way into a database.

use alloc::vec::Vec;

use surefoot::space::State;

/// A record on its way into a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number, from 0: what it was drawn by.
    pub number: u64,
    /// Its states: the first, the subgoals, the last.
    pub states: Vec<State>,
}

impl Record {
    /// Its pieces of two states or more, but not the whole.
    pub(super) fn fragments(&self) -> impl Iterator<Item = Self> {
        let Self { number, states } = self;
        let pieces =
            (0..states.len()).flat_map(move |from| (from + 2..=states.len()).map(move |to| from..to));
        let parts = pieces.filter(move |piece| piece.len() < states.len());
        parts.map(move |piece| Self { number: *number, states: states[piece].to_vec() })
    }
}
