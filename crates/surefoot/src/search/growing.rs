//! A list and a heap that grow in small pieces: no push copies what is there already.

use alloc::vec::Vec;

/// A list in pieces of [`PIECE`] items. Only the list of pieces, a pointer for each, is ever copied.
#[derive(Clone, Debug)]
pub(crate) struct GrowingList<T> {
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
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn push(&mut self, item: T) {
        if self.len == self.pieces.len() * PIECE {
            self.pieces.push(Vec::with_capacity(PIECE));
        }
        self.pieces[self.len / PIECE].push(item);
        self.len += 1;
    }

    pub(crate) fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        self.pieces[self.len / PIECE].pop()
    }

    #[inline]
    pub(crate) fn get(&self, place: usize) -> T {
        self.pieces[place / PIECE][place % PIECE]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, place: usize) -> &mut T {
        &mut self.pieces[place / PIECE][place % PIECE]
    }

    /// All items in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = T> {
        self.pieces.iter().flatten().copied()
    }

    fn swap(&mut self, a: usize, b: usize) {
        let (item_a, item_b) = (self.get(a), self.get(b));
        *self.get_mut(a) = item_b;
        *self.get_mut(b) = item_a;
    }
}

/// A binary heap, the smallest item first.
#[derive(Clone, Debug)]
pub(crate) struct GrowingHeap<T> {
    items: GrowingList<T>,
}

impl<T> Default for GrowingHeap<T> {
    fn default() -> Self {
        Self { items: GrowingList::default() }
    }
}

impl<T: Copy + Ord> GrowingHeap<T> {
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn push(&mut self, item: T) {
        self.items.push(item);
        let mut at = self.items.len() - 1;
        while at > 0 && self.items.get(at) < self.items.get((at - 1) / 2) {
            self.items.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    /// All items, in an order of its own.
    pub(crate) fn iter(&self) -> impl Iterator<Item = T> {
        self.items.iter()
    }

    pub(crate) fn peek(&self) -> Option<T> {
        (self.items.len() > 0).then(|| self.items.get(0))
    }

    pub(crate) fn pop(&mut self) -> Option<T> {
        let first = self.peek()?;
        let last = self.items.pop()?;
        if self.items.len() > 0 {
            *self.items.get_mut(0) = last;
            let mut at = 0;
            loop {
                let children = [2 * at + 1, 2 * at + 2];
                let smallest = children
                    .into_iter()
                    .filter(|&child| child < self.items.len())
                    .min_by_key(|&child| self.items.get(child));
                match smallest {
                    Some(child) if self.items.get(child) < self.items.get(at) => {
                        self.items.swap(at, child);
                        at = child;
                    }
                    _ => break,
                }
            }
        }
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BinaryHeap;
    use core::cmp::Reverse;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_heap_pops_like_the_standard_one(steps in prop::collection::vec((0_u32..500, 0_usize..3), 1..1500)) {
            let (mut heap, mut standard) = (GrowingHeap::default(), BinaryHeap::new());
            for (item, pops) in steps {
                heap.push(item);
                standard.push(Reverse(item));
                for _ in 0..pops.saturating_sub(1) {
                    prop_assert_eq!(heap.pop(), standard.pop().map(|Reverse(item)| item));
                }
                prop_assert_eq!(heap.len(), standard.len());
                prop_assert_eq!(heap.peek(), standard.peek().map(|Reverse(item)| *item));
            }
            while let Some(Reverse(item)) = standard.pop() {
                prop_assert_eq!(heap.pop(), Some(item));
            }
            prop_assert_eq!(heap.pop(), None);
        }
    }
}
