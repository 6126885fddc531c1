//! surefoot for Godot 4: `SurefootMap` finds ways through layers of tiles, `SurefootCrowd` lets thousands of
//! units walk on them.
//!
//! - `map_node.rs`, `sources.rs`, `crowd_node.rs` and `crowd_questions.rs` are what scripts see.
//! - `ground.rs`, `troop.rs`, `region.rs`, `pixels.rs` and `build.rs` are what it is made of. They call
//!   nothing of the engine, so that `cargo test` tries them without one.

#![deny(unsafe_code)]

mod build;
mod crowd_node;
mod crowd_questions;
mod ground;
mod map_node;
mod pixels;
mod problem;
mod region;
mod sources;
mod troop;

mod entry {
    #![allow(unsafe_code, reason = "the engine is told that this is an extension")]
    use godot::prelude::*;

    struct Surefoot;

    // SAFETY: no code here relies on what the engine does not promise.
    #[gdextension]
    unsafe impl ExtensionLibrary for Surefoot {}
}
