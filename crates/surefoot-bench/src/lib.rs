//! Benchmarks: what is measured ([`workload`]), who runs it ([`rivals`]), what a move costs ([`realtime`]),
//! how long walks on large maps are ([`walks`]) and on maps full of corners ([`clutter`]), whether costs are
//! exact ([`exact`]), what a database takes as the map grows ([`growth`]), how much the order of directions
//! matters ([`order`]), how much shorter smooth walks are ([`smooth`]), what edits cost the map itself
//! ([`edits`]), an abstraction ([`repair`]) and records of subgoals ([`records`]), and what it takes to load
//! a crowd after them ([`saves`]). And no benchmarks, but searches for faults: [`stress`], and
//! [`campaign`] for hours.
//!
//! Speed is told as ratios of times taken in one run on the same problems, because machines are noisy and
//! differ; and as instruction counts, which repeat exactly.

#![forbid(unsafe_code)]

pub mod beacons;
pub mod campaign;
pub mod clutter;
pub mod crowd;
pub mod edits;
pub mod exact;
pub mod gppc;
pub mod groups;
pub mod growth;
pub mod order;
pub mod pra;
pub mod questions;
pub mod realtime;
pub mod records;
pub mod repair;
pub mod rivals;
pub mod saves;
pub mod smooth;
pub mod stress;
mod tables;
pub mod walks;
pub mod workload;
