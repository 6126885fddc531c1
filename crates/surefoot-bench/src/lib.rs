//! Benchmarks: what is measured ([`workload`]) and who runs it ([`rivals`]).
//!
//! Speed is told as ratios of times taken in one run on the same problems, because machines are noisy and differ;
//! and as instruction counts, which repeat exactly.

pub mod rivals;
pub mod workload;
