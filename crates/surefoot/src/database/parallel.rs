//! Work on all cores whose outcome does not depend on how many there are.

use alloc::vec::Vec;

/// Does a piece of work for each item, on all cores with the feature `rayon`; what comes out is in the order of the items.
pub(super) fn in_parallel<T: Sync, S, R: Send>(
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
