//! Levels of the editors Tiled and LDtk as maps.

mod ldtk;
#[cfg(test)]
mod tests;
mod tiled;

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::path::Path;

pub use self::ldtk::parse_ldtk;
pub use self::tiled::parse_tmx;
use super::files::{FileError, read_within};
use super::{FormatError, Place, quoted, within};
use crate::space::{Limits, MAX_CELLS, TerrainMap};

/// What of a level is taken, and what in it can be walked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelOptions {
    /// The layer, by its name. Without it there has to be only one.
    pub layer: Option<String>,
    /// The level of an LDtk project, by its name. Without it there has to be only one.
    pub level: Option<String>,
    /// The values that can be walked on: numbers of an `IntGrid`, or global numbers of Tiled's tiles. 0 is a
    /// cell without any. Only that, unless something else is said.
    pub walkable: Vec<u32>,
    /// A property of Tiled's tiles, true or false, that says it of each tile that has it.
    pub property: String,
    /// How much the files may ask for.
    pub limits: Limits,
}

/// The only layer of the only level. Cells without a tile are free, and those whose tile is `walkable`.
impl Default for LevelOptions {
    fn default() -> Self {
        let (walkable, property) = (Vec::from([0]), "walkable".to_owned());
        Self { layer: None, level: None, walkable, property, limits: Limits::default() }
    }
}

/// Reads a level: Tiled's `.tmx`, with the tilesets that it names, or an LDtk project, `.ldtk`, with the
/// level if that is in a file of its own. Their names begin at the folder of the file, as in the editors.
///
/// # Errors
/// If there is no such file, it cannot be read, it has no such layer, or something in the layer is wrong.
/// Then the error names the layer and the cell.
pub fn read_level(path: impl AsRef<Path>, options: &LevelOptions) -> Result<TerrainMap, FileError> {
    let path = path.as_ref();
    let is_ldtk = |bytes: &[u8]| match extension(path).as_deref() {
        Some("ldtk") => true,
        Some("tmx") => false,
        _ => bytes.trim_ascii_start().starts_with(b"{"),
    };
    let beside = |what: &str, name: &str| {
        let beside = path.parent().unwrap_or(Path::new("")).join(name);
        // A device or a pipe may never end.
        if beside.exists() && !beside.is_file() {
            return Err(whole(format!("{what} in a file"), quoted(name.as_bytes())));
        }
        let bytes = read_within(&beside, &options.limits, |bytes| Ok(bytes.to_vec()));
        bytes.map_err(|error| whole(format!("{what} that can be read"), format!("{error}")))
    };
    read_within(path, &options.limits, |bytes| {
        if is_ldtk(bytes) {
            return parse_ldtk(bytes, options, &mut |name| beside("a level", name));
        }
        parse_tmx(bytes, options, &mut |name| beside("a tileset", name))
    })
}

/// Whether a file is a level, by its name.
#[must_use]
pub fn is_level(path: impl AsRef<Path>) -> bool {
    matches!(extension(path.as_ref()).as_deref(), Some("tmx" | "ldtk"))
}

fn extension(path: &Path) -> Option<String> {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase())
}

fn whole(expected: impl Into<String>, found: impl Into<String>) -> FormatError {
    FormatError::new(Place::Whole, expected.into(), found.into())
}

/// The one that is asked for, or the only one. If two have its name, nobody knows which is meant.
fn choose<T>(
    what: &str,
    asked: Option<&str>,
    all: impl IntoIterator<Item = (String, T)>,
) -> Result<(String, T), FormatError> {
    let all: Vec<(String, T)> = all.into_iter().collect();
    let names: Vec<String> = all.iter().take(20).map(|(name, _)| quoted(name.as_bytes())).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let mut meant: Vec<(String, T)> =
        all.into_iter().filter(|(name, _)| asked.is_none_or(|asked| name == asked)).collect();
    match (meant.pop(), asked) {
        (Some(one), _) if meant.is_empty() => Ok(one),
        (None, Some(asked)) => Err(whole(format!("the {what} {}", quoted(asked.as_bytes())), names)),
        (_, Some(asked)) => {
            let expected = format!("only one {what} {}", quoted(asked.as_bytes()));
            Err(whole(expected, format!("{}; give them names of their own", meant.len() + 1)))
        }
        (_, None) => Err(whole(format!("one {what}, or to be told which (--{what} NAME)"), names)),
    }
}

/// A map of cells that are free or not, row by row.
fn terrain(width: u32, height: u32, free: &[bool], limits: &Limits) -> Result<TerrainMap, FormatError> {
    let letters = free.iter().map(|&is_free| if is_free { b'.' } else { b'@' }).collect();
    let map = TerrainMap::new(width, height, letters).map_err(|error| {
        whole(format!("a level of 1 to {MAX_CELLS} cells"), format!("{width} x {height} cells: {error}"))
    })?;
    within(map, limits)
}

/// A place in a layer, for messages.
fn cell_of(layer: &str, at: usize, width: u32) -> String {
    let width = width.max(1) as usize;
    format!("layer {}, cell ({}, {})", quoted(layer.as_bytes()), at % width, at / width)
}
