//! Problem files: what is in them, and where they are.
//!
//! The problems of a map are beside it, under its name with `.scen` behind it ([`scen_beside`]).
//! [`read_scen`] and [`parse_scen`] read them, [`write_scen`] writes them. No bytes make a reader panic: what
//! is not in the format is an error with line and column.

mod length;
mod scen;
mod scen_row;

pub use length::Length;
pub use scen::{Problem, Scenario, parse_scen, read_scen, write_scen};

use std::io;
use std::path::{Path, PathBuf};

/// The problem file that belongs to a map.
#[must_use]
pub fn scen_beside(map: &Path) -> PathBuf {
    let mut name = map.as_os_str().to_owned();
    name.push(".scen");
    name.into()
}

/// The `.map` files of a folder that have problems beside them, by name, each with its problem file.
///
/// # Errors
/// If the folder cannot be read.
pub fn maps_with_problems(folder: &Path) -> io::Result<Vec<(PathBuf, PathBuf)>> {
    let pairs = maps_in(folder)?.into_iter().map(|map| (scen_beside(&map), map));
    Ok(pairs.filter(|(scen, _)| scen.is_file()).map(|(scen, map)| (map, scen)).collect())
}

/// The `.map` files of a folder, by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn maps_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let files = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let is_map = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "map");
    let mut maps: Vec<PathBuf> =
        files.filter(|path| path.as_ref().map_or(true, is_map)).collect::<Result<_, _>>()?;
    maps.sort();
    Ok(maps)
}
