//! Real-time pathfinding: each agent gets its next move within a constant amount of planning, whatever the
//! map's size.

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod agents;
pub mod formats;
pub mod search;
pub mod space;
