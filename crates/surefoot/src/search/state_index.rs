//! Places of states in a list, for searches that touch few states of a large space.

use alloc::vec;
use alloc::vec::Vec;

/// A hash table from states to numbers: open addressing with linear probing, at most half full. A slot
/// belongs to the current round if its round does; a new round forgets all slots at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateIndex {
    slots: Vec<Slot>,
    round: u32,
    len: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    state: u32,
    place: u32,
    round: u32,
}

impl StateIndex {
    const FIRST_SLOTS: usize = 64;

    /// Forgets all states.
    pub(crate) fn clear(&mut self) {
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); Self::FIRST_SLOTS];
        }
        if self.round == u32::MAX {
            self.slots.fill(Slot::default());
            self.round = 0;
        }
        self.round += 1;
        self.len = 0;
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

    /// The place of `state`, if it has one.
    #[inline]
    pub(crate) fn get(&self, state: u32) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.slot_of(state)];
        (slot.round == self.round).then_some(slot.place)
    }

    /// The place of `state`, which becomes `next` if it has none yet; and whether that was so.
    #[inline]
    pub(crate) fn place_or(&mut self, state: u32, next: u32) -> (u32, bool) {
        let slot = self.slot_of(state);
        if self.slots[slot].round == self.round {
            return (self.slots[slot].place, false);
        }
        self.slots[slot] = Slot { state, place: next, round: self.round };
        self.len += 1;
        if self.len * 2 > self.slots.len() {
            self.grow();
        }
        (next, true)
    }

    fn grow(&mut self) {
        let larger = vec![Slot::default(); self.slots.len() * 2];
        let old = core::mem::replace(&mut self.slots, larger);
        for entry in old.into_iter().filter(|entry| entry.round == self.round) {
            let slot = self.slot_of(entry.state);
            self.slots[slot] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_kept_while_it_grows_and_forgotten_at_once() {
        let mut index = StateIndex::default();
        assert_eq!(index.get(5), None);
        for round in 0..3 {
            index.clear();
            assert_eq!(index.get(7 * round), None);
            for state in 0..500 {
                assert_eq!(index.place_or(state * 7, state), (state, true));
            }
            for state in 0..500 {
                assert_eq!(index.get(state * 7), Some(state));
                assert_eq!(index.place_or(state * 7, 9999), (state, false));
            }
            assert_eq!(index.get(1), None);
        }
    }
}
