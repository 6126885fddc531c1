//! Files of navigators. They are replaced as a whole: whoever reads one finds the old file or the new one.

use alloc::format;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::NavigatorError;

fn of(path: &Path) -> impl FnOnce(io::Error) -> NavigatorError {
    let path = path.to_path_buf();
    move |error| NavigatorError::Io { path, error }
}

/// The bytes of a file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, NavigatorError> {
    // A device may have no end.
    if fs::metadata(path).map_err(of(path))?.is_file() {
        fs::read(path).map_err(of(path))
    } else {
        Err(of(path)(io::Error::new(io::ErrorKind::InvalidInput, "this is no file")))
    }
}

/// The bytes of a file; `None` if there is none.
pub(super) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, NavigatorError> {
    match read(path) {
        Err(NavigatorError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some),
    }
}

/// Makes sure that there is a folder for a file, before much is done for it.
pub(super) fn check_folder(path: &Path) -> Result<(), NavigatorError> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => fs::metadata(folder).map(drop).map_err(of(folder)),
        None => Ok(()),
    }
}

/// Writes a file beside the one that it is to become, and renames it.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), NavigatorError> {
    let temporary = temporary_name(path).map_err(of(path))?;
    let written = write_new(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        // There may be none: then there is nothing to tidy up.
        let _ = fs::remove_file(&temporary);
        of(path)(error)
    })
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    // It must be there before its name is.
    file.sync_all()
}

/// A name in the same folder that nobody else has.
fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name();
    let name = name.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    Ok(path.with_file_name(temporary))
}
