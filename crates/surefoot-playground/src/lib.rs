//! Every algorithm of the roster, for the page: maps, databases, walks with all that happened on them,
//! sketches.
//!
//! What it does is plain Rust, in modules that any program can call. [`face`] is the thin layer that
//! JavaScript sees: it takes what JavaScript passes, checks it, and turns errors into `Error`s.

pub mod databases;
#[cfg(feature = "day")]
pub mod day;
pub mod face;
pub mod json;
pub mod maps;
pub mod numbers;
pub mod recording;
pub mod roster;
pub mod sketch;
pub mod walk;
pub mod world;
