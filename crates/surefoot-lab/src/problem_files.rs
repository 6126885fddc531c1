//! Where the problems of a map are: beside it, under its name with `.scen` behind it.

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
    let mut pairs = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let map = entry?.path();
        let scen = scen_beside(&map);
        if map.extension().is_some_and(|extension| extension == "map") && scen.is_file() {
            pairs.push((map, scen));
        }
    }
    pairs.sort();
    Ok(pairs)
}
