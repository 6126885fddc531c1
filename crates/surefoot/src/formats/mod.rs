//! Maps as files have them: bytes in, [`TerrainMap`] out. `surefoot-draw` draws pictures of them.
//!
//! | format | in | out |
//! | --- | --- | --- |
//! | `MovingAI` `.map` | [`parse_map`] | [`write_map`] |
//! | ASCII art | [`parse_art`], [`grid_from_art`] | [`write_art`] |
//! | PNG and BMP images (feature `images`) | `parse_image` | |
//! | Tiled's `.tmx`, LDtk's `.ldtk` (feature `levels`) | `parse_tmx`, `parse_ldtk` | |
//! | weights of cells: rows of numbers | [`parse_weights`] | [`write_weights`] |
//! | weights of cells: grey PNG and BMP images (feature `images`) | `parse_weights_image` | |
//!
//! Every reader takes a slice of bytes that may hold anything. What is not in the format is a
//! [`FormatError`], which says where and what was expected instead; no reader panics, and none allocates more
//! than a small multiple of the bytes that it was given, whatever sizes a header claims. What is compressed
//! may come to a quarter of a gigabyte, or to what [`Limits`] say. With the feature
//! `std` there are readers by path too (`read_map`, `read_any_map`, `read_weights`), and their errors name
//! the file as well.
//!
//! Text formats share their tools, and those of other crates may use them: [`Lines`], their [`Line`]s and
//! [`Word`]s, which know their places; [`quoted`] and [`first_character`] for messages; `read_with` for
//! files.
//!
//! [`TerrainMap`]: crate::space::TerrainMap
//! [`Limits`]: crate::space::Limits

mod ascii;
mod error;
#[cfg(feature = "std")]
mod files;
#[cfg(feature = "images")]
mod image;
#[cfg(feature = "levels")]
mod levels;
mod map;
mod text;
mod weights;

pub use ascii::{grid_from_art, parse_art, write_art};
pub use error::{FormatError, Place, first_character, quoted};
#[cfg(feature = "std")]
pub use files::{
    FileError, FileProblem, read_any_map, read_any_map_within, read_map, read_weights, read_with,
};
#[cfg(feature = "images")]
pub use image::{parse_image, parse_image_within, parse_weights_image, parse_weights_image_within};
#[cfg(feature = "levels")]
pub use levels::{LevelOptions, is_level, parse_ldtk, parse_tmx, read_level};
pub use map::{parse_map, parse_map_within, write_map};
pub use text::{Line, Lines, Word};
pub use weights::{parse_weights, write_weights};

use crate::space::{Limits, MAX_CELLS, TerrainMap};

/// The map, if it has no more cells than it may have.
pub(crate) fn within(map: TerrainMap, limits: &Limits) -> Result<TerrainMap, FormatError> {
    if limits.allow(map.width(), map.height()) {
        return Ok(map);
    }
    let expected = alloc::format!("at most {} cells", limits.cells.min(MAX_CELLS));
    Err(FormatError::new(Place::Whole, expected, alloc::format!("{} x {}", map.width(), map.height())))
}
