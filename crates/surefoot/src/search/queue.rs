//! Priority queues for open lists.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::space::Cost;

/// An open list. Of entries with the lowest key the one that came last comes out first: in a grid's wide open
/// spaces, where many states tie, that goes for the goal instead of along a broad front.
pub(crate) trait Queue: Default {
    fn clear(&mut self);
    fn push(&mut self, key: Cost, item: u32);
    fn pop(&mut self) -> Option<(Cost, u32)>;
    fn len(&self) -> usize;
}

/// A radix heap: entries wait in the bucket of the highest bit in which their key differs from the last key that
/// came out, and move down as that key approaches theirs. Constant work for each bit at most, and in practice a
/// few moves of 16 bytes; needs keys that never fall below the last one out, as a consistent heuristic gives.
/// A lower key is raised to that one, which keeps A* optimal for any admissible heuristic.
#[derive(Clone, Debug)]
pub(crate) struct RadixQueue {
    buckets: [Vec<(Cost, u32)>; 65],
    /// Bit b is set if bucket b + 1 has entries.
    occupied: u64,
    last: Cost,
    len: usize,
}

impl Default for RadixQueue {
    fn default() -> Self {
        Self { buckets: [const { Vec::new() }; 65], occupied: 0, last: 0, len: 0 }
    }
}

impl RadixQueue {
    #[inline]
    fn bucket_of(&self, key: Cost) -> usize {
        (Cost::BITS - (key ^ self.last).leading_zeros()) as usize
    }

    #[inline]
    fn place(&mut self, key: Cost, item: u32) {
        let bucket = self.bucket_of(key);
        self.buckets[bucket].push((key, item));
        if bucket > 0 {
            self.occupied |= 1 << (bucket - 1);
        }
    }
}

impl Queue for RadixQueue {
    fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Vec::clear);
        self.occupied = 0;
        self.last = 0;
        self.len = 0;
    }

    #[inline]
    fn push(&mut self, key: Cost, item: u32) {
        self.place(key.max(self.last), item);
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<(Cost, u32)> {
        if self.buckets[0].is_empty() {
            if self.occupied == 0 {
                return None;
            }
            let lowest = self.occupied.trailing_zeros() as usize + 1;
            self.occupied &= self.occupied - 1;
            let mut entries = core::mem::take(&mut self.buckets[lowest]);
            self.last = entries.iter().map(|entry| entry.0).min().unwrap_or(self.last);
            for &(key, item) in &entries {
                self.place(key, item);
            }
            entries.clear();
            self.buckets[lowest] = entries; // keeps its memory
        }
        self.len -= 1;
        self.buckets[0].pop()
    }

    fn len(&self) -> usize {
        self.len
    }
}

/// A binary heap, for keys that come in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeapQueue {
    heap: BinaryHeap<(Reverse<Cost>, u64, u32)>,
    pushed: u64,
}

impl Queue for HeapQueue {
    fn clear(&mut self) {
        self.heap.clear();
        self.pushed = 0;
    }

    fn push(&mut self, key: Cost, item: u32) {
        self.pushed += 1;
        self.heap.push((Reverse(key), self.pushed, item));
    }

    fn pop(&mut self) -> Option<(Cost, u32)> {
        self.heap.pop().map(|(Reverse(key), _, item)| (key, item))
    }

    fn len(&self) -> usize {
        self.heap.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn drain(queue: &mut impl Queue) -> Vec<(Cost, u32)> {
        core::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn ties_come_out_last_in_first_out() {
        fn check(mut queue: impl Queue) {
            for (item, key) in [7, 3, 7, 3].into_iter().enumerate() {
                queue.push(key, item as u32);
            }
            assert_eq!(drain(&mut queue), [(3, 3), (3, 1), (7, 2), (7, 0)]);
        }
        check(RadixQueue::default());
        check(HeapQueue::default());
    }

    proptest! {
        /// Pushes and pops interleaved; keys grow from the last one out, as in A*.
        #[test]
        fn the_radix_queue_pops_keys_like_a_heap(
            steps in prop::collection::vec((0_u64..1 << 40, 0_usize..3), 1..200)
        ) {
            let (mut radix, mut heap) = (RadixQueue::default(), HeapQueue::default());
            let mut last = 0;
            for (item, (above, pops)) in steps.into_iter().enumerate() {
                radix.push(last + above, item as u32);
                heap.push(last + above, item as u32);
                prop_assert_eq!(radix.len(), heap.len());
                for _ in 0..pops {
                    let (a, b) = (radix.pop(), heap.pop());
                    prop_assert_eq!(a.map(|entry| entry.0), b.map(|entry| entry.0));
                    last = a.map_or(last, |entry| entry.0);
                }
            }
            let keys = |entries: Vec<(Cost, u32)>| entries.into_iter().map(|entry| entry.0).collect::<Vec<_>>();
            prop_assert_eq!(keys(drain(&mut radix)), keys(drain(&mut heap)));
        }
    }
}
