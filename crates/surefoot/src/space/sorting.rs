//! Sorting, for surefoot's own crates: natively the standard library's.
//!
//! In a browser's module each type that the standard library sorts takes some kilobytes. There one routine
//! sorts them all, and a type adds only how two of its items compare and change places.
//!
//! Both give the same order, so databases have the same bytes and walks go the same way. For that, whoever
//! sorts by [`sort`] or [`sort_by_key`] sees to it that items with equal keys cannot be told apart, or that
//! no two have equal keys. Who cannot sorts by [`sort_stably_by_key`].

/// Sorts items. Equal ones cannot be told apart.
#[inline]
pub fn sort<T: Ord>(items: &mut [T]) {
    #[cfg(not(target_family = "wasm"))]
    items.sort_unstable();
    #[cfg(target_family = "wasm")]
    compact::sort(&mut compact::ByOrder(items));
}

/// Sorts items by a key. Those with equal keys cannot be told apart.
#[inline]
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    #[cfg(not(target_family = "wasm"))]
    items.sort_unstable_by_key(key);
    #[cfg(target_family = "wasm")]
    compact::sort(&mut compact::ByKey(items, key));
}

/// Sorts items by a key. Those with equal keys stay in their order.
#[inline]
pub fn sort_stably_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    #[cfg(not(target_family = "wasm"))]
    items.sort_by_key(key);
    #[cfg(target_family = "wasm")]
    compact::sort_stably(&mut compact::ByKey(items, key));
}

#[cfg(any(test, target_family = "wasm"))]
mod compact {
    use alloc::vec::Vec;
    use core::cmp::Ordering;

    /// So few items are sorted one by one.
    const FEW: usize = 16;

    /// What can be sorted, by the places of items.
    pub(super) trait Places {
        fn len(&self) -> usize;
        fn compare(&self, one: usize, other: usize) -> Ordering;
        fn swap(&mut self, one: usize, other: usize);
    }

    /// Items in their own order.
    pub(super) struct ByOrder<'a, T>(pub(super) &'a mut [T]);

    impl<T: Ord> Places for ByOrder<'_, T> {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn compare(&self, one: usize, other: usize) -> Ordering {
            self.0[one].cmp(&self.0[other])
        }

        fn swap(&mut self, one: usize, other: usize) {
            self.0.swap(one, other);
        }
    }

    /// Items in the order of a key.
    pub(super) struct ByKey<'a, T, F>(pub(super) &'a mut [T], pub(super) F);

    impl<T, K: Ord, F: Fn(&T) -> K> Places for ByKey<'_, T, F> {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn compare(&self, one: usize, other: usize) -> Ordering {
            (self.1)(&self.0[one]).cmp(&(self.1)(&self.0[other]))
        }

        fn swap(&mut self, one: usize, other: usize) {
            self.0.swap(one, other);
        }
    }

    /// The places of items, in the order of the items and then of the places. The items stay.
    struct Order<'a> {
        items: &'a dyn Places,
        places: Vec<usize>,
    }

    impl Places for Order<'_> {
        fn len(&self) -> usize {
            self.places.len()
        }

        fn compare(&self, one: usize, other: usize) -> Ordering {
            let (one, other) = (self.places[one], self.places[other]);
            self.items.compare(one, other).then(one.cmp(&other))
        }

        fn swap(&mut self, one: usize, other: usize) {
            self.places.swap(one, other);
        }
    }

    /// Heapsort: no memory, and never slow.
    #[inline(never)]
    pub(super) fn sort(items: &mut dyn Places) {
        let len = items.len();
        if len <= FEW {
            return insert(items);
        }
        for top in (0..len / 2).rev() {
            sift(items, top, len);
        }
        for end in (1..len).rev() {
            items.swap(0, end);
            sift(items, 0, end);
        }
    }

    /// Moves an item down a heap of the first `end` items, until none below it is greater.
    fn sift(items: &mut dyn Places, mut top: usize, end: usize) {
        loop {
            let mut child = 2 * top + 1;
            if child >= end {
                return;
            }
            if child + 1 < end && items.compare(child, child + 1).is_lt() {
                child += 1;
            }
            if items.compare(top, child).is_ge() {
                return;
            }
            items.swap(top, child);
            top = child;
        }
    }

    /// Insertion sort, which is stable.
    fn insert(items: &mut dyn Places) {
        for next in 1..items.len() {
            let mut at = next;
            while at > 0 && items.compare(at - 1, at).is_gt() {
                items.swap(at - 1, at);
                at -= 1;
            }
        }
    }

    /// Puts places in order first, and then each item where it belongs.
    #[inline(never)]
    pub(super) fn sort_stably(items: &mut dyn Places) {
        if items.len() <= FEW {
            return insert(items);
        }
        let mut order = Order { items, places: (0..items.len()).collect() };
        sort(&mut order);
        let mut places = order.places;
        for to in 0..places.len() {
            // An item from before `to` has been swapped to where that one's own came from.
            let mut from = places[to];
            while from < to {
                from = places[from];
            }
            places[to] = from;
            items.swap(to, from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Numbers with many equal ones among them, each with its place: in disorder, ascending and descending.
    fn lists() -> Vec<Vec<(u32, u32)>> {
        let scattered = |at: u32| at.wrapping_mul(0x9e37_79b9) >> 7;
        let lists = (0..70).chain([257, 1000]).flat_map(|len| {
            let keys: [&dyn Fn(u32) -> u32; 5] =
                [&scattered, &|at| scattered(at) % 5, &|at| at, &|at| len - at, &|_| 7];
            keys.map(|key| (0..len).map(|at| (key(at), at)).collect::<Vec<_>>())
        });
        lists.collect()
    }

    #[test]
    fn what_a_module_sorts_with_gives_the_same_order_as_the_standard_library() {
        for list in lists() {
            let mut expected = list.clone();
            expected.sort_by_key(|&(key, _)| core::cmp::Reverse(key));
            let mut stable = list.clone();
            compact::sort_stably(&mut compact::ByKey(&mut stable, |&(key, _): &(u32, u32)| {
                core::cmp::Reverse(key)
            }));
            assert_eq!(stable, expected, "{list:?}");

            expected.sort_unstable();
            let mut sorted = list.clone();
            compact::sort(&mut compact::ByOrder(&mut sorted));
            assert_eq!(sorted, expected, "{list:?}");
            let mut keyed = list.clone();
            compact::sort(&mut compact::ByKey(&mut keyed, |&item: &(u32, u32)| item));
            assert_eq!(keyed, expected, "{list:?}");
        }
    }
}
