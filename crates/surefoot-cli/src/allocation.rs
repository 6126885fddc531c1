//! Who hands out memory: the system, with a count of the bytes, so that `surefoot tune` can tell what an
//! agent takes.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The bytes that the program has asked for and not given back.
pub(crate) fn allocated_bytes() -> u64 {
    let stats = ALLOCATOR.stats();
    // What blocks have grown or shrunk by is in both figures already.
    stats.bytes_allocated.saturating_sub(stats.bytes_deallocated) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_counted() {
        // So large that what other tests do meanwhile does not matter. Memory that is not touched costs
        // nothing.
        const LARGE: usize = 1 << 30;
        let before = allocated_bytes();
        let held = || allocated_bytes().saturating_sub(before) as f64 / LARGE as f64;
        let mut block: Vec<u8> = Vec::with_capacity(LARGE);
        assert!((0.9..1.1).contains(&held()), "{}", held());
        block.reserve_exact(2 * LARGE);
        assert!((1.9..2.1).contains(&held()), "{}", held());
        block.shrink_to(0);
        assert!(held() < 0.1, "{}", held());
    }
}
