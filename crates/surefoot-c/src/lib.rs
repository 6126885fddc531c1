//! surefoot for C: what `include/surefoot.h` declares.
//!
//! The functions here are the library's own nouns, as C has them. Comments on them become comments of the
//! header, so they speak of C. `cargo xtask c` writes the header.
//!
//! - A handle is a number that is looked up in a table ([`table`]), never an address. So every call has a
//!   defined answer for handles that are zero, freed, of another kind or made up.
//! - What C passes by pointer arrives as [`In`](border::In), [`Out`](border::Out) or [`Text`](border::Text).
//!   Whoever has one of these has promised what they need, so nothing but [`border`] has an unsafe block.
//! - Every function goes through `problem::call`: no panic leaves the crate.

pub mod border;
pub mod bytes;
pub mod crowd;
pub mod handles;
pub mod map;
pub mod navigator;
pub mod path;
pub mod problem;
pub mod table;
pub mod values;
pub mod walker;

#[cfg(test)]
mod tests;
