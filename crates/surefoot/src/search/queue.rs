//! Priority queues for open lists.

use alloc::boxed::Box;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::space::{Cost, sorting};

/// An open list. Of entries with the lowest key the one that came last comes out first: in a grid's wide open
/// spaces, where many states tie, that goes for the goal instead of along a broad front.
pub trait Queue: Default {
    /// Forgets all entries.
    fn clear(&mut self);
    /// Tells an empty queue how close together keys are to be expected.
    fn set_cheapest_move(&mut self, _cost: Cost) {}
    /// Adds an entry.
    fn push(&mut self, key: Cost, item: u32);
    /// Takes out the entry with the lowest key.
    fn pop(&mut self) -> Option<(Cost, u32)>;
    /// The number of entries.
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
    current_bucket: u64,
    last: Cost,
    /// This bucket and those after it, each at its number modulo the ring's length.
    ring: Box<[Bucket; CalendarQueue::RING]>,
    /// A bit for each bucket after the current one that has entries.
    occupied: [u64; CalendarQueue::RING / 64],
    /// Entries beyond the ring with the number of their push: of equal keys the first one in comes out first,
    /// and so lies deepest in its bucket.
    far: BinaryHeap<Reverse<(Cost, u64, u32)>>,
    far_pushed: u64,
    len: usize,
}

type Bucket = Vec<(Cost, u32)>;

impl Default for CalendarQueue {
    fn default() -> Self {
        Self {
            bucket_bits: 0,
            current_bucket: 0,
            last: 0,
            ring: Box::new([const { Vec::new() }; Self::RING]),
            occupied: [0; Self::RING / 64],
            far: BinaryHeap::new(),
            far_pushed: 0,
            len: 0,
        }
    }
}

impl CalendarQueue {
    const RING: usize = 256;
    /// So few entries are sorted one by one.
    const FEW: usize = 16;

    #[inline]
    fn put_into_ring(&mut self, bucket: u64, key: Cost, item: u32) {
        let place = bucket as usize % Self::RING;
        self.ring[place].push((key, item));
        self.occupied[place / 64] |= 1 << (place % 64);
    }

    /// The number of the next bucket in the ring that has entries.
    #[inline]
    fn next_in_ring(&self) -> Option<u64> {
        let first = self.current_bucket.wrapping_add(1);
        let (word, bit) = (first as usize / 64, first % 64);
        // The word that the ring's current place lies in is looked at twice: from that place on, and up to
        // it.
        let near = self.occupied[word % self.occupied.len()] >> bit;
        if near != 0 {
            return Some(first + u64::from(near.trailing_zeros()));
        }
        (1..=self.occupied.len()).find_map(|turn| {
            let bits = self.occupied[(word + turn) % self.occupied.len()];
            let ahead = turn as u64 * 64 + u64::from(bits.trailing_zeros()) - bit;
            (bits != 0).then_some(first + ahead)
        })
    }

    /// Makes the next bucket with entries the current one; says whether there is one.
    fn advance(&mut self) -> bool {
        let mut next = self.next_in_ring();
        if !self.far.is_empty() {
            next = self.next_with_far(next);
        }
        let Some(next) = next else { return false };
        self.current_bucket = next;
        let place = next as usize % Self::RING;
        self.occupied[place / 64] &= !(1 << (place % 64));
        let current = &mut self.ring[place];
        // Both are stable, so that of equal keys the last one in stays last.
        if current.len() <= Self::FEW {
            (1..current.len()).for_each(|last| sink(&mut current[..=last]));
        } else if !current.is_sorted_by(|a, b| a.0 >= b.0) {
            sorting::sort_stably_by_key(current, |entry| Reverse(entry.0));
        }
        true
    }

    /// The next bucket, of the ring or beyond. Entries that are within the ring's reach from there move into
    /// it.
    #[cold]
    fn next_with_far(&mut self, in_ring: Option<u64>) -> Option<u64> {
        let far = self.far.peek().map(|Reverse((key, ..))| key >> self.bucket_bits);
        let next = in_ring.into_iter().chain(far).min()?;
        while let Some(&Reverse((key, _, item))) = self.far.peek() {
            let bucket = key >> self.bucket_bits;
            if bucket - next >= Self::RING as u64 {
                break;
            }
            self.far.pop();
            self.put_into_ring(bucket, key, item);
        }
        Some(next)
    }

    /// Puts an entry into the current bucket, where it belongs.
    #[inline(never)]
    fn put_in_order(&mut self, key: Cost, item: u32) {
        let current = &mut self.ring[self.current_bucket as usize % Self::RING];
        if current.len() < Self::FEW {
            current.push((key, item));
            return sink(current);
        }
        let place = current.partition_point(|entry| entry.0 >= key);
        current.insert(place, (key, item));
    }

    #[cold]
    fn put_far(&mut self, key: Cost, item: u32) {
        self.far_pushed += 1;
        self.far.push(Reverse((key, self.far_pushed, item)));
    }
}

/// Moves the last entry to where it belongs among those before it, which are in order: highest key first, of
/// equal keys the last one in last.
#[inline]
fn sink(entries: &mut [(Cost, u32)]) {
    let mut at = entries.len().saturating_sub(1);
    while at > 0 && entries[at - 1].0 < entries[at].0 {
        entries.swap(at - 1, at);
        at -= 1;
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
        self.ring[self.current_bucket as usize % Self::RING].clear();
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

    #[inline(always)] // the innermost loop of every search; what is rare has functions of its own
    fn push(&mut self, key: Cost, item: u32) {
        let key = key.max(self.last);
        let bucket = key >> self.bucket_bits;
        let ahead = bucket - self.current_bucket;
        self.len += 1;
        if ahead >= Self::RING as u64 {
            return self.put_far(key, item);
        }
        let place = bucket as usize % Self::RING;
        if ahead == 0 {
            let current = &mut self.ring[place];
            if current.last().is_some_and(|entry| entry.0 < key) {
                return self.put_in_order(key, item);
            }
        } else {
            self.occupied[place / 64] |= 1 << (place % 64);
        }
        self.ring[place].push((key, item));
    }

    #[inline]
    fn pop(&mut self) -> Option<(Cost, u32)> {
        loop {
            if let Some((key, item)) = self.ring[self.current_bucket as usize % Self::RING].pop() {
                self.last = key;
                self.len -= 1;
                return Some((key, item));
            }
            if !self.advance() {
                return None;
            }
        }
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
