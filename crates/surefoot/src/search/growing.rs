//! A list and a heap that grow in small pieces: no push copies what is there already.

use alloc::vec::Vec;

/// A list in pieces of `PIECE` items. Only the list of pieces, a pointer for each, is ever copied. A piece
/// that was made once stays for items to come: to free a thousand at once takes longer than a move.
#[derive(Clone, Debug)]
pub struct GrowingList<T> {
    /// All pieces but the last one in use are full; what lies beyond `len` is left from before.
    pieces: Vec<Vec<T>>,
    len: usize,
}

const PIECE: usize = 512;

impl<T> Default for GrowingList<T> {
    fn default() -> Self {
        Self { pieces: Vec::new(), len: 0 }
    }
}

impl<T: Copy> GrowingList<T> {
    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        if self.len == self.pieces.len() * PIECE {
            self.pieces.push(Vec::with_capacity(PIECE));
        }
        let piece = &mut self.pieces[self.len / PIECE];
        piece.truncate(self.len % PIECE);
        piece.push(item);
        self.len += 1;
    }

    /// Takes the last item. `None` if there is none.
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        Some(self.get(self.len))
    }

    /// Forgets all items, however many there are, in the time that one takes.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The item at a place, which there must be.
    #[must_use]
    #[inline]
    pub fn get(&self, place: usize) -> T {
        self.pieces[place / PIECE][place % PIECE]
    }

    /// The same, to be changed.
    #[inline]
    pub fn get_mut(&mut self, place: usize) -> &mut T {
        &mut self.pieces[place / PIECE][place % PIECE]
    }

    /// All items in their order.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.pieces.iter().flatten().copied().take(self.len)
    }
}

/// A heap, the smallest item first. Whoever keeps items in it is told where each of them is (`placed`), and
/// can replace one there: items that are out of date need not wait in it, where thousands of them would come
/// out in one move.
#[derive(Clone, Debug)]
pub struct GrowingHeap<T> {
    items: GrowingList<T>,
}

/// Items below each item. With more than two the heap is less deep, and fewer items are moved.
const BELOW: usize = 4;

impl<T> Default for GrowingHeap<T> {
    fn default() -> Self {
        Self { items: GrowingList::default() }
    }
}

impl<T: Copy + Ord> GrowingHeap<T> {
    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Forgets all items, however many there are, in the time that one takes.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item at a place in the heap, which there must be.
    #[must_use]
    pub fn get(&self, at: usize) -> T {
        self.items.get(at)
    }

    /// The smallest item. `None` if there is none.
    #[must_use]
    pub fn peek(&self) -> Option<T> {
        (!self.items.is_empty()).then(|| self.items.get(0))
    }

    /// Adds an item.
    pub fn push(&mut self, item: T, placed: impl FnMut(T, usize)) {
        self.items.push(item);
        self.rise(self.items.len() - 1, item, placed);
    }

    /// Takes the smallest item. `None` if there is none.
    pub fn pop(&mut self, placed: impl FnMut(T, usize)) -> Option<T> {
        let first = self.peek()?;
        let last = self.items.pop()?;
        if !self.items.is_empty() {
            self.sink(0, last, placed);
        }
        Some(first)
    }

    /// Puts `item` in the place of another one.
    pub fn replace(&mut self, at: usize, item: T, placed: impl FnMut(T, usize)) {
        if item < self.items.get(at) {
            self.rise(at, item, placed);
        } else {
            self.sink(at, item, placed);
        }
    }

    /// Puts `item` at a place or above it.
    fn rise(&mut self, mut at: usize, item: T, mut placed: impl FnMut(T, usize)) {
        while at > 0 {
            let above = self.items.get((at - 1) / BELOW);
            if above <= item {
                break;
            }
            *self.items.get_mut(at) = above;
            placed(above, at);
            at = (at - 1) / BELOW;
        }
        *self.items.get_mut(at) = item;
        placed(item, at);
    }

    /// Puts `item` at a place or below it.
    fn sink(&mut self, mut at: usize, item: T, mut placed: impl FnMut(T, usize)) {
        loop {
            let below = BELOW * at + 1..(BELOW * at + 1 + BELOW).min(self.items.len());
            let smallest = below.map(|place| (self.items.get(place), place)).min();
            let Some((below, place)) = smallest.filter(|&(below, _)| below < item) else { break };
            *self.items.get_mut(at) = below;
            placed(below, at);
            at = place;
        }
        *self.items.get_mut(at) = item;
        placed(item, at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use proptest::prelude::*;

    #[test]
    fn a_list_that_was_cleared_keeps_its_pieces_and_not_its_items() {
        let (mut list, mut pieces) = (GrowingList::default(), 0);
        for count in [5000_usize, 700, 0, 512, 1, 5000] {
            list.clear();
            (0..count).for_each(|item| list.push(item * 3));
            assert!(list.iter().eq((0..count).map(|item| item * 3)));
            assert_eq!((list.len(), list.pop()), (count, count.checked_sub(1).map(|last| last * 3)));
            assert_eq!(list.iter().count(), count.saturating_sub(1));
            pieces = pieces.max(list.pieces.len());
            assert_eq!(list.pieces.len(), pieces, "nothing is freed");
        }
        assert_eq!(pieces, 5000_usize.div_ceil(PIECE), "pieces are used again");
    }

    proptest! {
        /// Items are numbered, and each has a key that changes. A plain list tells which is the smallest.
        #[test]
        fn the_heap_pops_the_smallest(steps in prop::collection::vec((0_u32..500, 0_usize..1500, 0_usize..4), 1..1500)) {
            let mut heap = GrowingHeap::default();
            let (mut keys, mut places) = (BTreeMap::new(), BTreeMap::new());
            let pop = |heap: &mut GrowingHeap<_>, places: &mut BTreeMap<_, _>, keys: &mut BTreeMap<usize, u32>| {
                let smallest = keys.iter().map(|(&number, &key)| (key, number)).min();
                prop_assert_eq!(heap.peek(), smallest);
                prop_assert_eq!(heap.pop(|(_, number), at| { places.insert(number, at); }), smallest);
                keys.retain(|&number, _| smallest.is_none_or(|it| it.1 != number));
                Ok(())
            };
            for (number, (key, other, what)) in steps.into_iter().enumerate() {
                if what == 0 {
                    pop(&mut heap, &mut places, &mut keys)?;
                } else if what == 1 && keys.contains_key(&other) {
                    let at = places[&other];
                    heap.replace(at, (key, other), |(_, number), at| { places.insert(number, at); });
                    keys.insert(other, key);
                } else {
                    heap.push((key, number), |(_, number), at| { places.insert(number, at); });
                    keys.insert(number, key);
                }
                prop_assert_eq!(heap.len(), keys.len());
            }
            for _ in 0..=keys.len() {
                pop(&mut heap, &mut places, &mut keys)?;
            }
            prop_assert_eq!((heap.len(), keys.len()), (0, 0));
        }
    }
}
