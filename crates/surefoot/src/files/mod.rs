//! Files, read and written. This is the one place of the library that opens them, and the program and the lab
//! go by it, too.
//!
//! What is written is there whole or not at all. A [`NewFile`] takes shape under another name in the same
//! folder, and gets its own name when its bytes are on the disk. Whoever reads the file meanwhile finds the
//! old one. If anything goes wrong on the way, the old one stays, and nothing else is left.
//!
//! ```
//! # let folder = std::env::temp_dir().join(format!("surefoot-files-page-{}", std::process::id()));
//! # surefoot::files::make_folder(&folder)?;
//! let path = folder.join("crowd.sav");
//! surefoot::files::write(&path, b"what Crowd::save gave")?;
//! assert_eq!(surefoot::files::read(&path)?, b"what Crowd::save gave");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```

#[cfg(feature = "faults")]
#[doc(hidden)]
pub mod faults;
#[cfg(not(feature = "faults"))]
mod faults {
    //! Nothing goes wrong on purpose.
    use super::Operation;
    use std::fs::File;
    use std::io;
    use std::path::Path;

    #[inline]
    pub(super) fn allow(_: Operation, _: Option<&Path>, bytes: usize) -> io::Result<usize> {
        Ok(bytes)
    }

    #[inline]
    pub(super) fn sync(file: &File) -> io::Result<()> {
        file.sync_all()
    }
}
mod new_file;
mod open_file;
#[cfg(test)]
mod tests;

use alloc::string::String;
use alloc::vec::Vec;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

pub use self::new_file::{NewFile, behind_links, keep_access, write};
pub use self::open_file::OpenFile;

/// What is asked of the system.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// To open a file that is there.
    Open,
    /// To make a file.
    Create,
    /// To read some bytes.
    Read,
    /// To write some bytes.
    Write,
    /// To see to it that all bytes are on the disk.
    Sync,
    /// To cut a file off.
    Cut,
    /// To give a file its name.
    Rename,
    /// To remove a file.
    Remove,
    /// To make a folder.
    MakeFolder,
}

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read, or it is none: a device may have no end.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let path = path.as_ref();
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no file"));
    }
    let mut file = OpenFile::open(path)?;
    let mut bytes = Vec::new();
    // Where there is no room for all of it, reading says so.
    let _ = bytes.try_reserve_exact(usize::try_from(metadata.len()).unwrap_or(0));
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a file.
///
/// # Errors
/// If it cannot be read, or it is no text in UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "this is no text in UTF-8"))
}

/// Gives a file another name in the same folder. What has that name is replaced.
///
/// # Errors
/// If the system refuses it. Then both are as they were.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    faults::allow(Operation::Rename, Some(to.as_ref()), 0)?;
    fs::rename(from, to)
}

/// Removes a file.
///
/// # Errors
/// If there is none, or the system refuses it.
pub fn remove(path: impl AsRef<Path>) -> io::Result<()> {
    faults::allow(Operation::Remove, Some(path.as_ref()), 0)?;
    fs::remove_file(path)
}

/// Makes a folder, and those above it, unless they are there.
///
/// # Errors
/// If the system refuses it.
pub fn make_folder(path: impl AsRef<Path>) -> io::Result<()> {
    faults::allow(Operation::MakeFolder, Some(path.as_ref()), 0)?;
    fs::create_dir_all(path)
}
