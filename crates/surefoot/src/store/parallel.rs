//! Work on all cores whose outcome does not depend on how many there are.

use alloc::vec::Vec;

/// Does a piece of work for each item, on all cores with the feature `rayon`; what comes out is in the order
/// of the items.
pub fn in_parallel<T: Sync, S, R: Send>(
    items: &[T],
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, &T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;

        items.par_iter().map_init(scratch, work).collect()
    }
    #[cfg(not(feature = "rayon"))]
    {
        let mut scratch = scratch();
        items.iter().map(|item| work(&mut scratch, item)).collect()
    }
}

/// How many threads work is done on.
pub fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// The same as [`in_parallel`] for scratch memory that is kept: at most one thread for each piece of it, and
/// at least one piece.
pub fn in_parallel_with<T: Sync, S: Send, R: Send>(
    scratch: &mut [S],
    items: &[T],
    work: impl Fn(&mut S, &T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    if scratch.len() > 1 && items.len() > 1 {
        use core::sync::atomic::{AtomicUsize, Ordering};
        use rayon::prelude::*;

        // Items take very different time: each thread fetches the next one when it is done.
        let next = AtomicUsize::new(0);
        let fetch = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&place| place < items.len());
        let done = scratch.par_iter_mut().flat_map_iter(|scratch| {
            core::iter::from_fn(fetch).map(|place| (place, work(scratch, &items[place]))).collect::<Vec<_>>()
        });
        let mut done: Vec<(usize, R)> = done.collect();
        done.sort_unstable_by_key(|&(place, _)| place);
        return done.into_iter().map(|(_, result)| result).collect();
    }
    items.iter().map(|item| work(&mut scratch[0], item)).collect()
}
