//! Benchmarks: what is measured ([`workload`]), who runs it ([`rivals`]), and what a move costs ([`realtime`]).
//!
//! Speed is told as ratios of times taken in one run on the same problems, because machines are noisy and differ;
//! and as instruction counts, which repeat exactly.

pub mod realtime;
pub mod rivals;
pub mod workload;
