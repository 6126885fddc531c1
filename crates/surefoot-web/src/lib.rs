//! surefoot for browsers: what the npm package `surefoot` has in it.
//!
//! The classes here are the library's own nouns, as JavaScript has them. Comments on them become comments of
//! the package's types, so they speak of JavaScript.
//!
//! - A cell is two numbers, x and y. A list of cells is a `Uint32Array`: x, y, x, y and so on.
//! - A unit, a kind, a group and a link are numbers.
//! - Whatever is wrong with an argument is an `Error` with the library's words. Nothing that a page can pass
//!   traps the module: numbers are taken as `f64` and checked, because wasm-bindgen would wrap others around.
//!
//! `cargo xtask web` makes the package of it. On other machines than browsers the crate compiles, so that its
//! checks can be tested, and has no use.

mod arguments;
mod crowd;
mod map;
mod navigator;
mod path;
mod problem;
mod progress;
pub mod types;
mod walker;

pub use crowd::Crowd;
pub use map::Map;
pub use navigator::Navigator;
pub use path::Path;
pub use problem::Problem;
pub use walker::Walker;
