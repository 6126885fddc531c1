//! Files of navigators. They are replaced as a whole: whoever reads one finds the old file or the new one.

use alloc::vec::Vec;
use std::fs;
use std::io;
use std::path::Path;

use super::NavigatorError;
use crate::files;

fn of(path: &Path) -> impl FnOnce(io::Error) -> NavigatorError {
    let path = path.to_path_buf();
    move |error| NavigatorError::Io { path, error }
}

/// The bytes of a file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, NavigatorError> {
    files::read(path).map_err(of(path))
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

/// Writes a file, whole or not at all.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), NavigatorError> {
    files::write(path, bytes).map_err(of(path))
}
