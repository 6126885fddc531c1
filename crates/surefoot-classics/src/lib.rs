//! The real-time pathfinding algorithms of the papers, for [surefoot](https://docs.rs/surefoot): one folder
//! for each technique, with its database, its agent and its entry in the [`ROSTER`].
//!
//! ```
//! use surefoot::formats::grid_from_art;
//! use surefoot::search::Meter;
//! use surefoot::space::{Cell, CostModel, GridSpace, MoveRule};
//! use surefoot_classics::ROSTER;
//!
//! let space = GridSpace::new(grid_from_art("......\n.####.\n......")?, MoveRule::NoCut, CostModel::Sqrt2);
//! let mut agent = ROSTER.agent_for(&"knn-lrta*(n=50)".parse()?, &space, 1)?;
//! let (start, goal) = space.locate_ends(Cell::new(1, 0), Cell::new(3, 2))?;
//! agent.begin(&space, start, goal)?;
//! while !agent.step(&space, &mut Meter::new()).is_over() {}
//! assert_eq!(space.cell(agent.position()), Cell::new(3, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod abstraction;
pub mod cover;
pub mod d_lrta;
pub mod depth;
mod hill_climbing;
pub mod knn;
mod local_search;
mod lrts;
mod p_lrta;
mod plan_once;
pub mod pr_lrta;
pub mod pra;
mod problems;
mod regions;
mod roster;
// The same maps as the library tests itself with.
#[cfg(test)]
#[path = "../../surefoot/src/test_maps.rs"]
#[allow(dead_code)]
mod test_maps;
mod trials;

pub(crate) use self::problems::draw_problems;
pub use self::roster::ROSTER;
pub use self::trials::trial_specs;
