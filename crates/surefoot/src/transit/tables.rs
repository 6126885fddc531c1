//! What searches keep their states in: tables and queues that are used again and again.

use alloc::vec::Vec;

use super::walks::WalkGraph;
use crate::space::{Cost, State};

/// A number for some cells, forgotten all at once. Cells near each other are near each other in memory: the
/// table is a window that is laid over the map like tiles, and cells of two tiles that fall on the same place
/// give way.
#[derive(Clone, Debug, Default)]
pub(super) struct CellTable {
    /// The state, and its number above `base`; less than that from before.
    slots: Vec<(u32, u32)>,
    base: u32,
    len: usize,
    /// The bits of the window's width.
    bits: u32,
}

impl CellTable {
    /// A window of 32 x 32 cells.
    const FIRST: u32 = 5;

    /// Forgets all. Numbers were below `count`.
    pub(super) fn clear(&mut self, count: usize) {
        self.len = 0;
        self.base = self.base.saturating_add(count as u32);
        if self.slots.is_empty() {
            self.bits = Self::FIRST;
            self.slots.resize(1 << (2 * Self::FIRST), (0, 0));
            self.base = 1;
        }
        // Numbers need room above.
        if self.base > u32::MAX / 2 {
            self.slots.fill((0, 0));
            self.base = 1;
        }
    }

    #[inline]
    fn find(&self, space: &impl WalkGraph, state: State) -> usize {
        let cell = space.cell_of(state);
        let mask = self.slots.len() - 1;
        let mut place = ((cell.y << self.bits) as usize + (cell.x & ((1 << self.bits) - 1)) as usize) & mask;
        while self.slots[place].1 >= self.base && self.slots[place].0 != state.0 {
            // An odd step leads to every place.
            place = (place + ((state.0.wrapping_mul(0x9e37_79b9) >> 16 | 1) as usize)) & mask;
        }
        place
    }

    #[inline]
    pub(super) fn get(&self, space: &impl WalkGraph, state: State) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.find(space, state)].1.checked_sub(self.base)
    }

    /// The number of a state, which is `number` if it had none.
    #[inline]
    pub(super) fn put_if_new(&mut self, space: &impl WalkGraph, state: State, number: u32) -> u32 {
        if self.len * 8 >= self.slots.len() * 5 {
            self.grow(space);
        }
        let place = self.find(space, state);
        let slot = &mut self.slots[place];
        if let Some(known) = slot.1.checked_sub(self.base) {
            return known;
        }
        *slot = (state.0, self.base + number);
        self.len += 1;
        number
    }

    #[cold]
    fn grow(&mut self, space: &impl WalkGraph) {
        // Wider and higher in turns.
        let is_square = self.slots.len() == 1 << (2 * self.bits);
        self.bits += u32::from(is_square);
        let slots = self.slots.len() * 2;
        let old = core::mem::replace(&mut self.slots, alloc::vec![(0, 0); slots]);
        for slot in old.into_iter().filter(|slot| slot.1 >= self.base) {
            let place = self.find(space, State(slot.0));
            self.slots[place] = slot;
        }
    }
}

const NONE: u32 = u32::MAX;

/// A queue of items by cost, in buckets that are no wider than the cheapest move. The bucket that items are
/// taken from gets no more of them, if none costs less than a move more than the last.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    /// A bucket holds costs that agree but for this many low bits.
    bits: u32,
    /// The bucket that items come out of.
    current: u64,
    /// The last item of each bucket, at its number modulo their count.
    heads: Vec<u32>,
    /// A bit for each bucket that has items.
    occupied: [u64; Buckets::COUNT / 64],
    /// The items, and for each the one that was put into its bucket before.
    items: Vec<(u32, u32)>,
}

impl Default for Buckets {
    fn default() -> Self {
        Self {
            bits: 0,
            current: 0,
            heads: alloc::vec![NONE; Self::COUNT],
            occupied: [0; Self::COUNT / 64],
            items: Vec::new(),
        }
    }
}

impl Buckets {
    /// A move costs as much as half of that many of the cheapest at most: the dearest is a diagonal one over
    /// ground of weight 255. Only legs cost more.
    const COUNT: usize = 1024;

    pub(super) fn clear(&mut self, cheapest_move: Cost) {
        self.bits = cheapest_move.max(1).ilog2();
        self.current = 0;
        self.items.clear();
        self.heads.fill(NONE);
        self.occupied = [0; Self::COUNT / 64];
    }

    /// How wide a bucket is.
    pub(super) fn width(&self) -> Cost {
        1 << self.bits
    }

    /// The least cost in the bucket of a cost.
    pub(super) fn floor(&self, cost: Cost) -> Cost {
        cost >> self.bits << self.bits
    }

    #[inline]
    pub(super) fn push(&mut self, cost: Cost, item: u32) {
        // What belongs into one that is too far ahead waits in the last one.
        let bucket = (cost >> self.bits).min(self.current + Self::COUNT as u64 - 1);
        let place = bucket as usize % Self::COUNT;
        let number = self.items.len() as u32;
        self.items.push((item, core::mem::replace(&mut self.heads[place], number)));
        self.occupied[place / 64] |= 1 << (place % 64);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<u32> {
        let mut place = self.current as usize % Self::COUNT;
        if self.heads[place] == NONE {
            self.occupied[place / 64] &= !(1 << (place % 64));
            place = self.advance()?;
        }
        let (item, before) = self.items[self.heads[place] as usize];
        self.heads[place] = before;
        Some(item)
    }

    /// Whether an item of this cost that came out does so in its turn; else it is put back.
    #[inline]
    pub(super) fn is_due(&mut self, cost: Cost, item: u32) -> bool {
        let is_due = cost >> self.bits <= self.current;
        if !is_due {
            self.push(cost, item);
        }
        is_due
    }

    /// Goes on to the next bucket that has items: its place.
    fn advance(&mut self) -> Option<usize> {
        let here = self.current as usize % Self::COUNT;
        // The word of the current bucket is looked at twice: from there on, and up to it.
        for turn in 0..=self.occupied.len() {
            let index = (here / 64 + turn) % self.occupied.len();
            let mut word = self.occupied[index];
            if turn == 0 {
                word &= u64::MAX << (here % 64);
            }
            if word != 0 {
                let place = index * 64 + word.trailing_zeros() as usize;
                self.current += ((place + Self::COUNT - here) % Self::COUNT) as u64;
                return Some(place);
            }
        }
        None
    }
}

/// A number for some keys, forgotten all at once.
#[derive(Clone, Debug, Default)]
pub(super) struct SparseTable {
    /// The round, the key, and its number.
    slots: Vec<(u32, u32, u32)>,
    round: u32,
    len: usize,
}

impl SparseTable {
    const FIRST: usize = 1024;

    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill((0, 0, 0));
            self.round = 1;
        }
        if self.slots.is_empty() {
            self.slots.resize(Self::FIRST, (0, 0, 0));
        }
    }

    #[inline]
    fn find(&self, key: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = (u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[place].0 == self.round && self.slots[place].1 != key {
            place = (place + 1) & mask;
        }
        place
    }

    #[inline]
    pub(super) fn get(&self, key: u32) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.find(key)];
        (slot.0 == self.round).then_some(slot.2)
    }

    /// The number of a key, which is `number` if it had none.
    #[inline]
    pub(super) fn put_if_new(&mut self, key: u32, number: u32) -> u32 {
        if self.len * 2 >= self.slots.len() {
            self.grow();
        }
        let place = self.find(key);
        let slot = &mut self.slots[place];
        if slot.0 == self.round {
            return slot.2;
        }
        *slot = (self.round, key, number);
        self.len += 1;
        number
    }

    #[cold]
    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(Self::FIRST);
        let old = core::mem::replace(&mut self.slots, alloc::vec![(0, 0, 0); slots]);
        self.round = self.round.max(1);
        for slot in old {
            if slot.0 == self.round {
                let place = self.find(slot.1);
                self.slots[place] = slot;
            }
        }
    }
}
