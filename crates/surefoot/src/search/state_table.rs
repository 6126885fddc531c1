//! A number for each of some states of a large space, in a table that never makes one move wait while it
//! grows.
//!
//! Real-time means that no move may stop to copy or clear a table that has grown large. So the table grows in
//! small pieces: when it is half full, every few new states make a piece of a table twice as large; when that
//! is complete, each number that is set carries a few old ones over. Nothing is freed on the way: to free
//! thousands of pieces at once takes longer than a move, so pieces that are done with are kept, and used
//! again.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::space::State;
use crate::store::codec::{CodecError, Reader, put_number, put_signed};

/// A hash table from states to numbers.
#[derive(Clone, Debug, Default)]
pub struct StateTable {
    table: Table,
    /// The larger table while its memory is being made.
    next: Option<Table>,
    /// The smaller table while its values are carried over, and how far that has got.
    old: Option<(Table, usize)>,
    spare: Spare,
    len: usize,
}

/// A hash table with open addressing and linear probing, in pieces of at most [`PIECE`] slots.
#[derive(Clone, Debug, Default)]
struct Table {
    pieces: Vec<Box<[Slot]>>,
    /// The number of slots, once all pieces are made: a power of two.
    slots: usize,
}

/// A state's number plus 1, so that 0 is an empty slot; and its value.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u32,
    value: u64,
}

/// Slots in a piece: 4 KB.
const PIECE: usize = 256;
/// Slots of the first table.
const FIRST: usize = 16;
/// New values for each piece of the next table. For a table of n slots that is done after n / 32 of them.
const VALUES_A_PIECE: usize = 4;
/// Old slots that each value carries over. A table of n slots is done after n / 4 values, before the next
/// one, which has room for as many again, is half full. The fewer, the less a move takes while tables grow.
const CARRIED: usize = 4;

/// Pieces of tables that are done with, for tables to come. A list for each such table: to join them would
/// copy them.
#[derive(Debug, Default)]
struct Spare {
    lists: Vec<Vec<Box<[Slot]>>>,
}

/// Spare pieces are not worth a copy.
impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Spare {
    fn keep(&mut self, table: Table) {
        // The first tables are smaller than a piece; one that was to come may have none yet.
        if table.slots >= PIECE && !table.pieces.is_empty() {
            self.lists.push(table.pieces);
        }
    }

    fn take(&mut self) -> Option<Box<[Slot]>> {
        let list = self.lists.last_mut()?;
        let piece = list.pop();
        // At once: else empty lists would pile up, walk by walk, and be freed in one move.
        if list.is_empty() {
            self.lists.pop();
        }
        piece
    }
}

impl Table {
    fn with_slots(slots: usize) -> Self {
        Self { pieces: Vec::with_capacity(slots.div_ceil(PIECE)), slots }
    }

    fn is_complete(&self) -> bool {
        self.pieces.len() * PIECE >= self.slots
    }

    fn make_piece(&mut self, spare: &mut Spare) {
        let used = if self.slots >= PIECE { spare.take() } else { None };
        self.pieces.push(match used {
            Some(mut piece) => {
                piece.fill(Slot::default());
                piece
            }
            None => vec![Slot::default(); self.slots.min(PIECE)].into_boxed_slice(),
        });
    }

    #[inline]
    fn slot(&self, place: usize) -> &Slot {
        &self.pieces[place / PIECE][place % PIECE]
    }

    /// The place of a key, or the empty one that it would take; nothing in a table without slots.
    #[inline]
    fn find(&self, key: u32) -> Option<usize> {
        if self.slots == 0 {
            return None;
        }
        let shift = 64 - self.slots.trailing_zeros();
        let mut place = (u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize;
        loop {
            let slot = self.slot(place);
            if slot.key == key || slot.key == 0 {
                return Some(place);
            }
            place = (place + 1) & (self.slots - 1);
        }
    }

    #[inline]
    fn get(&self, key: u32) -> Option<u64> {
        let slot = self.slot(self.find(key)?);
        (slot.key == key).then_some(slot.value)
    }

    fn set(&mut self, key: u32, value: u64) {
        if let Some(place) = self.find(key) {
            self.pieces[place / PIECE][place % PIECE] = Slot { key, value };
        }
    }
}

impl StateTable {
    /// The number of `state`, if it has one.
    #[inline]
    pub fn get(&self, state: State) -> Option<u64> {
        let key = state.0 + 1;
        self.table.get(key).or_else(|| self.old.as_ref()?.0.get(key))
    }

    /// How many states have a number.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no state has one.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Gives `state` a number.
    pub fn set(&mut self, state: State, value: u64) {
        if self.get(state).is_none() {
            self.len += 1;
            self.grow_a_little();
        }
        self.carry_a_little();
        // Of a state in both tables the number in the new one counts.
        self.table.set(state.0 + 1, value);
    }

    /// Forgets all states, however many there are, in the time that a few take.
    pub fn clear(&mut self) {
        let old = self.old.take().map(|(old, _)| old);
        let tables = [Some(core::mem::take(&mut self.table)), self.next.take(), old];
        tables.into_iter().flatten().for_each(|table| self.spare.keep(table));
        self.len = 0;
    }

    /// Gets the memory that `other` has to spare.
    pub fn take_spare(&mut self, other: &mut Self) {
        self.spare.lists.append(&mut other.spare.lists);
    }

    /// Writes states in their order, as the gaps between them, and numbers as differences: neighbours have
    /// similar ones.
    pub fn save(&self, out: &mut Vec<u8>) {
        put_number(out, self.len as u64);
        let (mut next, mut before) = (0, 0);
        for (state, value) in self.to_sorted() {
            put_number(out, u64::from(state.0) - next);
            put_signed(out, value as i64 - before);
            (next, before) = (u64::from(state.0) + 1, value as i64);
        }
    }

    /// Reads what was saved, for a space whose states are numbered below `state_limit`, and numbers up to
    /// `most`.
    pub fn restore(state_limit: usize, most: u64, saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        let mut table = Self::default();
        let (mut next, mut before) = (0_u64, 0_i64);
        for _ in 0..saved.count(2)? {
            let state = saved.state_from(next, state_limit)?;
            let value = saved.signed()?.checked_add(before).filter(|value| (0..=most as i64).contains(value));
            let value = value.ok_or_else(|| saved.malformed("no such number belongs to a state"))?;
            table.set(state, value as u64);
            (next, before) = (u64::from(state.0) + 1, value);
        }
        Ok(table)
    }

    fn grow_a_little(&mut self) {
        if self.table.slots == 0 {
            self.table = Table::with_slots(FIRST);
            self.table.make_piece(&mut self.spare);
        }
        if self.next.is_none() && self.old.is_none() && self.len * 2 > self.table.slots {
            self.next = Some(Table::with_slots(self.table.slots * 2));
        }
        if self.len.is_multiple_of(VALUES_A_PIECE)
            && let Some(mut next) = self.next.take()
        {
            next.make_piece(&mut self.spare);
            if next.is_complete() {
                self.old = Some((core::mem::replace(&mut self.table, next), 0));
            } else {
                self.next = Some(next);
            }
        }
    }

    /// Whatever is set, so that few states are looked for in two tables.
    fn carry_a_little(&mut self) {
        if let Some((old, done)) = &mut self.old {
            let upto = (*done + CARRIED).min(old.slots);
            for place in *done..upto {
                let Slot { key, value } = *old.slot(place);
                if key != 0 && self.table.get(key).is_none() {
                    self.table.set(key, value);
                }
            }
            *done = upto;
            if upto == old.slots
                && let Some((old, _)) = self.old.take()
            {
                self.spare.keep(old);
            }
        }
    }

    /// All numbers, in the order of their states.
    pub fn to_sorted(&self) -> Vec<(State, u64)> {
        let tables = self.old.iter().map(|(old, _)| old).chain([&self.table]);
        let all: BTreeMap<u32, u64> = tables
            .flat_map(|table| table.pieces.iter().flat_map(|piece| piece.iter()))
            .filter(|slot| slot.key != 0)
            .map(|slot| (slot.key - 1, slot.value))
            .collect();
        all.into_iter().map(|(state, value)| (State(state), value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl StateTable {
        /// All pieces of memory that it has, in use or spare, but for those of the first small tables.
        fn pieces(&self) -> usize {
            let old = self.old.iter().map(|(old, _)| old);
            let tables =
                [&self.table].into_iter().chain(&self.next).chain(old).filter(|table| table.slots >= PIECE);
            tables.map(|table| &table.pieces).chain(&self.spare.lists).map(Vec::len).sum()
        }

        fn carried(&self) -> usize {
            self.old.as_ref().map_or(0, |(_, done)| *done)
        }
    }

    #[test]
    fn no_state_takes_longer_because_there_are_many() {
        let mut table = StateTable::default();
        for (round, count) in [60_000, 3, 60_000, 2000, 0, 60_000].into_iter().enumerate() {
            let before = table.pieces();
            table.clear();
            assert_eq!((table.pieces(), table.len()), (before, 0), "nothing is freed");
            for state in 0..count {
                let (pieces, carried) = (table.pieces(), table.carried());
                assert_eq!(table.get(State(state)), None, "what was cleared is gone");
                table.set(State(state), u64::from(state) + 7);
                assert!((pieces..=pieces + 1).contains(&table.pieces()), "one piece is made, none is freed");
                assert!(table.carried() <= carried + CARRIED);
            }
            assert!((0..count).all(|state| table.get(State(state)) == Some(u64::from(state) + 7)));
            assert!(round == 0 || table.pieces() == before, "what was cleared is used again");
        }
        assert_eq!(table.clone().pieces(), table.table.pieces.len(), "a copy has nothing to spare");
    }

    #[test]
    fn walks_of_one_size_leave_nothing_behind() {
        for count in [100, 200, 500] {
            let (mut table, mut pieces) = (StateTable::default(), None);
            for _ in 0..50 {
                (0..count).for_each(|state| table.set(State(state), 1));
                table.clear();
                assert!(table.spare.lists.iter().all(|list| !list.is_empty()));
                let first = *pieces.get_or_insert(table.pieces());
                assert_eq!(table.pieces(), first, "as many as the first walk took");
            }
        }
    }

    proptest! {
        #[test]
        fn numbers_are_those_of_a_plain_map(
            sets in prop::collection::vec((0_u32..3000, 1_u64..100), 1..4000)
        ) {
            let (mut table, mut plain) = (StateTable::default(), BTreeMap::new());
            for (state, value) in sets {
                table.set(State(state), value);
                plain.insert(state, value);
                prop_assert_eq!(table.get(State(state)), Some(value));
                prop_assert_eq!(table.len(), plain.len());
            }
            let sorted: Vec<_> = plain.into_iter().map(|(state, value)| (State(state), value)).collect();
            for &(state, value) in &sorted {
                prop_assert_eq!(table.get(state), Some(value));
            }
            prop_assert_eq!(table.to_sorted(), sorted);
        }
    }
}
