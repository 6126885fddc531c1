//! surefoot as an entry of the grid path planning competition, for both of its tracks.
//!
//! [`Entry`] is what an entry does, in safe Rust. [`border`] is where C calls it. [`entry!`] makes a library
//! of it with the names that the dynamic track looks for: `entries/whole.rs` gives whole cheapest paths,
//! `entries/realtime.rs` gives them piece by piece. `cpp/Entry.cpp` is the classic track's face
//! of the same static library.
//!
//! `cargo xtask gppc` builds and checks all of them. `docs/reproduce/gppc.md` has what was measured.

#![deny(unsafe_code)]

#[allow(unsafe_code)]
pub mod border;
mod changes;
mod entry;
mod small;
#[cfg(test)]
mod tests;

pub use changes::{Bits, Changes, is_build_faster};
pub use entry::{Entry, EntryError, Part, Variant, Way};

use std::ffi::CStr;

/// Whole cheapest paths.
#[derive(Clone, Copy, Debug)]
pub struct Whole;

/// The next piece of a path in every call, each within a constant amount of planning.
#[derive(Clone, Copy, Debug)]
pub struct RealTime;

impl Variant for Whole {
    const WAY: Way = Way::Whole;
    const NAME: &'static CStr = c"surefoot";
}

impl Variant for RealTime {
    const WAY: Way = Way::InPieces;
    const NAME: &'static CStr = c"surefoot-realtime";
}
