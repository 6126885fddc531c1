//! Priority queues for open lists.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::space::{Cost, sorting};

/// An open list. Of entries with the lowest key the one that came last comes out first: in a grid's wide open
/// spaces, where many states tie, that goes for the goal instead of along a broad front.
pub trait Queue: Default {
    fn clear(&mut self);
    /// Tells an empty queue how close together keys are to be expected.
    fn set_cheapest_move(&mut self, _cost: Cost) {}
    fn push(&mut self, key: Cost, item: u32);
    fn pop(&mut self) -> Option<(Cost, u32)>;
    fn len(&self) -> usize;
}

/// A calendar queue: entries wait in buckets of keys that are close together, and only the bucket that comes
/// next is kept in order. In a grid nearly all of its keys are equal, so that an entry is written once, read
/// once, and compared with hardly any other. Keys too far ahead for the ring of buckets wait in a heap.
///
/// Needs keys that never fall below the last one out, as a consistent heuristic gives. A lower key is raised
/// to that one, which keeps A* optimal for any admissible heuristic.
#[derive(Clone, Debug)]
pub struct CalendarQueue {
    /// A bucket holds keys that agree but for this many low bits.
    bucket_bits: u32,
    /// The bucket that entries come out of, highest key first, so that they come off its end.
    current: Vec<(Cost, u32)>,
    current_bucket: u64,
    last: Cost,
    /// The buckets after the current one, each at its number modulo the ring's length.
    ring: Vec<Vec<(Cost, u32)>>,
    /// A bit for each bucket of the ring that has entries.
    occupied: [u64; CalendarQueue::RING / 64],
    /// Entries beyond the ring with the number of their push: of equal keys the first one in comes out first,
    /// and so lies deepest in its bucket.
    far: BinaryHeap<Reverse<(Cost, u64, u32)>>,
    far_pushed: u64,
    len: usize,
}

impl Default for CalendarQueue {
    fn default() -> Self {
        Self {
            bucket_bits: 0,
            current: Vec::new(),
            current_bucket: 0,
            last: 0,
            ring: alloc::vec![Vec::new(); Self::RING],
            occupied: [0; Self::RING / 64],
            far: BinaryHeap::new(),
            far_pushed: 0,
            len: 0,
        }
    }
}

impl CalendarQueue {
    const RING: usize = 256;

    #[inline]
    fn mark(&mut self, place: usize) {
        self.occupied[place / 64] |= 1 << (place % 64);
    }

    #[inline]
    fn put_into_ring(&mut self, bucket: u64, key: Cost, item: u32) {
        let place = bucket as usize % Self::RING;
        self.ring[place].push((key, item));
        self.mark(place);
    }

    /// The number of the next bucket in the ring that has entries.
    fn next_in_ring(&self) -> Option<u64> {
        let first = (self.current_bucket as usize).wrapping_add(1) % Self::RING;
        // The word that the ring's current place lies in is looked at twice: from that place on, and up to
        // it.
        for turn in 0..=self.occupied.len() {
            let index = (first / 64 + turn) % self.occupied.len();
            let mut word = self.occupied[index];
            if turn == 0 {
                word &= u64::MAX << (first % 64);
            }
            if word != 0 {
                let place = index * 64 + word.trailing_zeros() as usize;
                let ahead = (place + Self::RING - first) % Self::RING;
                return Some(self.current_bucket + 1 + ahead as u64);
            }
        }
        None
    }

    /// Makes the next bucket with entries the current one; says whether there is one.
    fn advance(&mut self) -> bool {
        let in_ring = self.next_in_ring();
        let far = self.far.peek().map(|Reverse((key, ..))| key >> self.bucket_bits);
        let Some(next) = in_ring.into_iter().chain(far).min() else { return false };
        self.current_bucket = next;
        while let Some(&Reverse((key, _, item))) = self.far.peek() {
            let bucket = key >> self.bucket_bits;
            if bucket - next >= Self::RING as u64 {
                break;
            }
            self.far.pop();
            self.put_into_ring(bucket, key, item);
        }
        let place = next as usize % Self::RING;
        core::mem::swap(&mut self.current, &mut self.ring[place]);
        self.occupied[place / 64] &= !(1 << (place % 64));
        // Stable, so that of equal keys the last one in stays last.
        if !self.current.is_sorted_by(|a, b| a.0 >= b.0) {
            sorting::sort_stably_by_key(&mut self.current, |entry| Reverse(entry.0));
        }
        true
    }
}

impl Queue for CalendarQueue {
    /// Chooses the width of the buckets for moves that cost at least `cheapest_move`: a good part of a
    /// hundredth of it. Then a ring reaches more than two diagonal moves ahead, which is all that keys of a
    /// grid differ by.
    fn set_cheapest_move(&mut self, cheapest_move: Cost) {
        debug_assert_eq!(self.len, 0);
        self.bucket_bits = (cheapest_move / 64).max(1).ilog2();
    }

    fn clear(&mut self) {
        self.current.clear();
        self.current_bucket = 0;
        self.last = 0;
        for word in 0..self.occupied.len() {
            while self.occupied[word] != 0 {
                self.ring[word * 64 + self.occupied[word].trailing_zeros() as usize].clear();
                self.occupied[word] &= self.occupied[word] - 1;
            }
        }
        self.far.clear();
        self.far_pushed = 0;
        self.len = 0;
    }

    #[inline]
    fn push(&mut self, key: Cost, item: u32) {
        let key = key.max(self.last);
        let ahead = (key >> self.bucket_bits) - self.current_bucket;
        self.len += 1;
        if ahead == 0 {
            if self.current.last().is_none_or(|entry| key <= entry.0) {
                self.current.push((key, item));
            } else {
                let place = self.current.partition_point(|entry| entry.0 >= key);
                self.current.insert(place, (key, item));
            }
        } else if ahead < Self::RING as u64 {
            self.put_into_ring(self.current_bucket + ahead, key, item);
        } else {
            self.far_pushed += 1;
            self.far.push(Reverse((key, self.far_pushed, item)));
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(Cost, u32)> {
        if self.current.is_empty() && !self.advance() {
            return None;
        }
        let (key, item) = self.current.pop()?;
        self.last = key;
        self.len -= 1;
        Some((key, item))
    }

    #[inline]
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
            // The last key lies beyond the calendar's ring.
            for (item, key) in [7, 3, 9000, 7, 3, 9000, 9000].into_iter().enumerate() {
                queue.push(key, item as u32);
            }
            let order = [(3, 4), (3, 1), (7, 3), (7, 0), (9000, 6), (9000, 5), (9000, 2)];
            assert_eq!(drain(&mut queue), order);
        }
        check(CalendarQueue::default());
        check(HeapQueue::default());
    }

    #[test]
    fn the_largest_key_is_a_key() {
        let mut queue = CalendarQueue::default();
        queue.set_cheapest_move(1);
        queue.push(Cost::MAX, 1);
        queue.push(5, 2);
        queue.push(Cost::MAX, 3);
        assert_eq!(drain(&mut queue).len(), 3);
        queue.push(7, 4);
        assert_eq!(queue.pop(), Some((Cost::MAX, 4)), "raised to the last one out");
    }

    proptest! {
        /// Pushes and pops interleaved; keys grow from the last one out, as in A*.
        #[test]
        fn the_calendar_pops_keys_like_a_heap(
            steps in prop::collection::vec((0_u32..40, any::<u64>(), 0_usize..3), 1..200),
            cheapest_move in 1_u64..1 << 32,
        ) {
            let (mut calendar, mut heap) = (CalendarQueue::default(), HeapQueue::default());
            calendar.set_cheapest_move(cheapest_move);
            let mut last = 0;
            for (item, (bits, random, pops)) in steps.into_iter().enumerate() {
                // Few different keys, near and far: ties count.
                let above = (random % (1 << bits)) & (!0 << bits.saturating_sub(3));
                calendar.push(last + above, item as u32);
                heap.push(last + above, item as u32);
                prop_assert_eq!(calendar.len(), heap.len());
                for _ in 0..pops {
                    let (a, b) = (calendar.pop(), heap.pop());
                    prop_assert_eq!(a, b);
                    last = a.map_or(last, |entry| entry.0);
                }
            }
            prop_assert_eq!(drain(&mut calendar), drain(&mut heap));
        }
    }
}
