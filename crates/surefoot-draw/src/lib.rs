//! Pictures of surefoot's maps, and of what happens on them.
//!
//! | what | in code |
//! | --- | --- |
//! | a map with paths, marks and coloured cells | [`Picture`] |
//! | several of them side by side, with words | [`Sheet`] |
//! | as SVG | [`write_svg`], [`Sheet::to_svg`], [`svg_cells`] for drawings of your own |
//! | as PNG | [`write_png`], [`pixels_to_png`] |
//! | as pixels | [`Picture::to_pixels`], [`Sheet::to_pixels`] |
//!
//! A game does not need this crate: it draws its own maps. It is for looking at what an algorithm did.

#![forbid(unsafe_code)]

mod lettering;
mod picture;
mod pixels;
mod png;
mod sheet;
mod svg;

pub use picture::{Colour, Picture};
pub use pixels::Pixels;
pub use png::{pixels_to_png, write_png};
pub use sheet::Sheet;
pub use svg::{svg_cells, write_svg};

/// The examples of the page on PRA* are tests. They are here because one of them draws.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/pra.md")]
struct Pra;
