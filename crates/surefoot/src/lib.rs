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
//! | [`Path`], [`PathCost`] | whole ways |
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
//! | [`space`] | states, integer costs, grids, graphs, move rules, heuristics, components |
//! | [`formats`] | maps from files and images |
//! | [`tape`] | walks recorded and replayed |
//! | [`search`] | exact search: A*, Dijkstra's algorithm, jump points; lookahead, hill-climbing, budgets |
//! | [`control`] | what agents keep between two moves: learned values |
//! | [`database`] | what is computed once per map: beacons, subgoals, abstractions, patterns, covers, and their files |
//! | [`agents`] | algorithms that walk, one move per call, and the roster that names them |
//! | [`crowd`] | many agents, one map that changes, one budget a frame |
//! | [`codec`] | numbers and states as bytes, for agents that are saved |
//!
//! A module uses only the modules above it. None reads a clock, prints, or draws a random number without a
//! seed; only the readers in [`formats`] that take a path, `open_mapped` in [`database`] and navigators open
//! files.
//!
//! Features: `std` (on by default), `images` (PNG and BMP), `rayon` (databases are built and crowds served on
//! all cores), `mmap` (database files are mapped).

#![no_std]
#![cfg_attr(not(feature = "mmap"), forbid(unsafe_code))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod agents;
pub mod codec;
pub mod control;
pub mod crowd;
pub mod database;
pub mod formats;
mod map;
mod navigator;
pub mod search;
pub mod space;
pub mod tape;
#[cfg(test)]
mod test_maps;

pub use codec::CodecError;
pub use crowd::{Crowd, CrowdConfig, CrowdError, FrameBudget, FrameReport, Kind, KindId, Priority, UnitId};
pub use map::{Edit, Map, MapError};
pub use navigator::{
    BuildProgress, BuildStage, Navigator, NavigatorBuilder, NavigatorError, NoWay, Path, Walker,
};
pub use space::{Cell, PathCost, QueryError, Role};

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// So are those of the pages on algorithms.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/knn-lrta.md")]
struct KnnLrta;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/d-lrta.md")]
struct DLrta;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/depth-control.md")]
struct DepthControl;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/beacons.md")]
struct Beacons;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/hcdps.md")]
struct Covers;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/crowd.md")]
struct Crowds;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/terrain.md")]
struct Terrain;
