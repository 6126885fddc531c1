//! Real-time pathfinding: each agent gets its next move within a constant amount of planning, whatever the
//! map's size.
//!
//! ```no_run
//! use surefoot::{Cell, Map};
//!
//! # fn draw(_: Cell) {}
//! let map = Map::open("arena.map")?;
//! let nav = map.navigator()?; // builds; navigator_cached("arena.sfdb") opens, or builds and saves
//! let path = nav.path(Cell::new(3, 4), Cell::new(60, 41))?; // cells, cost, turning points; or None
//! let mut walker = nav.walker(Cell::new(3, 4), Cell::new(60, 41))?;
//! while let Some(cell) = walker.next_move()? {
//!     draw(cell); // one move a frame
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | what | for |
//! | --- | --- |
//! | [`Map`] | cells, a move rule, costs, weights: from a file, an image, ASCII art, a function |
//! | [`Navigator`] | what is computed once per map: paths, costs, what is nearest; files; [edits](Edit) |
//! | [`Path`], [`PathCost`], [`SmoothPath`] | whole ways, cell by cell and at any angle |
//! | [`Walker`] | a unit on its way, one move per call |
//! | [`Crowd`] | thousands of units, one budget a frame |
//!
//! Beneath that there is a library of search. A map becomes a [`Grid`](space::Grid), a grid with a move rule
//! and a cost model becomes a [`GridSpace`](space::GridSpace), and every search and every agent works on
//! that:
//!
//! ```
//! use surefoot::Map;
//! use surefoot::search::JumpPoints;
//!
//! let map = Map::from_art(
//!     "......
//!      .####.
//!      ......",
//! )?;
//! let space = map.space();
//! let (start, goal) = space.locate_ends((1, 0).into(), (1, 2).into())?;
//! let mut search = JumpPoints::new(); // keep it: its memory is used again by every query
//! let path = search.find(space, start, goal)?.path.expect("the goal can be reached");
//! assert_eq!(path.moves(), 4);
//! assert_eq!(space.path_cost(path.cost).to_f64(), 4.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`files`] | files read, and written whole or not at all |
//! | [`space`] | states, integer costs, grids, graphs, move rules, heuristics, components |
//! | [`formats`] | maps from files and images |
//! | [`store`] | how anything computed once per map is kept: files, journals, numbers as bytes |
//! | [`tape`] | walks recorded and replayed |
//! | [`search`] | exact search: A*, Dijkstra's algorithm, jump points; lookahead, hill-climbing, meters |
//! | [`agent`] | the contract of algorithms that walk, one move per call, and rosters that name them |
//! | [`lrta`], [`tba`] | walkers that need nothing computed |
//! | [`transit`] | nearly optimal walks over ground with weights and through clutter |
//! | [`beacons`] | optimal walks from corner to corner: the default |
//! | [`crowd`] | many agents, one map that changes, one budget a frame |
//!
//! A module uses only the modules above it. None reads a clock, prints, or draws a random number without a
//! seed; only [`files`] opens files, for what takes a path.
//!
//! | feature | what it adds | default |
//! | --- | --- | --- |
//! | `std` | maps from files, errors as `std::error::Error`; without it the crate needs `alloc` only | yes |
//! | `images` | maps from PNG and BMP images | no |
//! | `levels` | maps from levels of the editors Tiled (`.tmx`) and LDtk (`.ldtk`) | no |
//! | `rayon` | navigators are built and crowds served on all cores | no |
//! | `mmap` | database files are used where they lie, without being read into memory first | no |

#![no_std]
#![cfg_attr(not(feature = "mmap"), forbid(unsafe_code))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;
// Test maps are shared with other crates, to which the library has this name.
#[cfg(test)]
extern crate self as surefoot;

pub mod agent;
pub mod beacons;
pub mod crowd;
#[cfg(feature = "std")]
pub mod files;
pub mod formats;
#[allow(dead_code, unused_imports)]
pub(crate) mod hub_labels;
mod links;
pub mod lrta;
mod map;
mod navigator;
pub mod search;
pub mod space;
pub mod store;
pub mod tape;
pub mod tba;
#[cfg(test)]
mod test_maps;
pub mod transit;

pub use crowd::{
    Crowd, CrowdConfig, CrowdError, FrameBudget, FrameReport, GroupId, Kind, KindId, Move, Priority,
    Progress, Speed, UnitId, UnitStatus,
};
pub use map::{Edit, Map, MapError};
pub use navigator::{Navigator, NavigatorBuilder, NavigatorError, NoWay, Walker};
pub use space::{Cell, Path, PathCost, QueryError, Role, SmoothPath};
pub use store::BuildEvent;
pub use store::codec::CodecError;
