//! Pictures of surefoot's maps, and of what happens on them.
//!
//! | what | in code |
//! | --- | --- |
//! | a map with paths, marks and coloured cells | [`Picture`] |
//! | several of them side by side, with words | [`Sheet`] |
//! | as SVG | [`write_svg`], [`Sheet::to_svg`], [`svg_cells`] for drawings of your own |
//! | as PNG | [`write_png`], [`pixels_to_png`] |
//! | with words that say what its colours mean | [`svg_with_legend`], [`pixels_with_legend`] |
//! | as pixels | [`Picture::to_pixels`], [`Sheet::to_pixels`] |
//! | what a database looks like | [`sketch`] |
//! | weights of ground, in colours | [`with_weights`] |
//! | a recorded walk | [`picture_of_walk`]; as a film [`Film`]; as a search trace for the visualiser Posthoc [`write_trace`] |
//! | a crowd, with a legend and traffic | [`CrowdStage`]; as a film [`CrowdFilm`] |
//!
//! A game does not need this crate: it draws its own maps. It is for looking at what an algorithm did.

#![forbid(unsafe_code)]

mod film;
mod legend;
mod lettering;
mod picture;
mod pixels;
mod png;
mod sheet;
pub mod sketch;
mod svg;
mod trace;
mod traffic;
mod units;
mod walk;
mod weights;

pub use film::{CrowdCast, CrowdFilm, CrowdScene, CrowdStage, Film, FilmError, UnitGroup};
pub use legend::{pixels_with_legend, svg_with_legend};
pub use picture::{Colour, Picture};
pub use pixels::Pixels;
pub use png::{pixels_to_png, write_png};
pub use sheet::Sheet;
pub use svg::{svg_cells, write_svg};
pub use trace::write_trace;
pub use traffic::Traffic;
pub use walk::picture_of_walk;
pub use weights::with_weights;
