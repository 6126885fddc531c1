//! Benchmarks: what is measured ([`workload`]), who runs it ([`rivals`]), what a move costs
//! ([`realtime`]), how long walks on large maps are ([`walks`]), how much the order of directions matters ([`order`]), and what edits cost the map itself ([`edits`]) and an abstraction ([`repair`]).
//!
//! Speed is told as ratios of times taken in one run on the same problems, because machines are noisy and differ;
//! and as instruction counts, which repeat exactly.

#![forbid(unsafe_code)]

pub mod beacons;
pub mod crowd;
pub mod edits;
pub mod order;
pub mod pra;
pub mod realtime;
pub mod repair;
pub mod rivals;
pub mod walks;
pub mod workload;
