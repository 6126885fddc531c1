//! Database files that are used where they lie: the system reads the pages that are asked for, and all
//! programs that map a file share them.

use std::io;
use std::path::Path;

use crate::files::OpenFile;

/// A file as a slice of bytes. It stays open until this is dropped.
#[derive(Debug)]
pub struct Mapped(memmap2::Mmap);

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Maps a file into memory, for [`Roster::open`](crate::agent::Roster::open).
///
/// The file must not be changed or cut short for as long as it is mapped: what was checked when the database
/// was opened would no longer hold, and where a page is gone the system ends the program. To replace a
/// database that may be in use, write the new one under another name and rename it: whoever has the old one
/// mapped keeps the old one. If others may write into the file, read it into a `Vec<u8>` instead.
///
/// # Errors
/// If the file cannot be opened or mapped.
#[allow(unsafe_code)]
pub fn open_mapped(path: impl AsRef<Path>) -> io::Result<Mapped> {
    let file = OpenFile::open(path)?;
    // SAFETY: the map is read-only and never handed out as writable, so nothing in this program changes the
    // bytes. That no other program does is what the caller has to see to, as the documentation says; there is
    // no way to check it.
    let map = unsafe { memmap2::Mmap::map(file.as_file())? };
    Ok(Mapped(map))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::CORE;
    use crate::beacons::BeaconConfig;
    use crate::space::{CostModel, Grid, GridSpace, MoveRule};
    use crate::store::DatabaseConfig;

    #[test]
    fn a_mapped_file_is_the_database_that_was_written() {
        let grid = Grid::from_fn(30, 20, |cell| cell.x % 7 != 3 || cell.y % 5 == 0).unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        let config: &dyn DatabaseConfig = &BeaconConfig::default();
        let built = config.build_quietly(&space).unwrap();
        let path = std::env::temp_dir().join(std::format!("surefoot-mapped-{}.sfdb", std::process::id()));
        std::fs::write(&path, built.to_bytes()).unwrap();
        let opened = CORE.open(&space, open_mapped(&path).unwrap()).unwrap();
        assert!(opened.to_bytes() == built.to_bytes() && opened.states() == built.states());
        drop(opened);
        std::fs::write(&path, b"").unwrap();
        let empty = open_mapped(&path).unwrap();
        assert!(empty.as_ref().is_empty() && CORE.open(&space, empty).is_err());
        std::fs::remove_file(&path).unwrap();
        assert!(open_mapped(&path).is_err());
    }
}
