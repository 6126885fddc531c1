//! One run at a time in a folder of results, and one process for each share of its units.

use std::fs::{OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use surefoot::files::{OpenFile, make_folder};

use super::RunError;

/// The file that a whole run or a merge locks. It stays behind, empty; only its lock counts.
pub(super) const RUN: &str = "run.lock";

/// The file that a share of the units locks: other shares are at work beside it.
pub(super) fn of_share(share: u32, of: u32) -> String {
    format!("run-{share}-of-{of}.lock")
}

/// As long as this lives nobody else has the lock of this name in the folder. The lock is the system's: it
/// ends with the program, however that ends.
#[derive(Debug)]
pub(super) struct FolderLock {
    /// Kept open for its lock.
    _file: OpenFile,
}

impl FolderLock {
    /// Takes a lock in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// If another one has it, or the folder it cannot be made.
    pub(super) fn take(path: &Path, name: &str) -> Result<Self, RunError> {
        let fail = |what: &str, path: &Path, error: &io::Error| {
            RunError::Write(format!("cannot {what} {}: {error}", path.display()))
        };
        make_folder(path).map_err(|error| fail("make the folder", path, &error))?;
        let file = path.join(name);
        let lock = OpenFile::with(OpenOptions::new().create(true).truncate(false).write(true), &file);
        let lock = lock.map_err(|error| fail("write", &file, &error))?;
        match lock.as_file().try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => return Err(RunError::InUse { folder: path.to_path_buf() }),
            // Some network drives have no locks. To refuse to work there would help nobody.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => (),
            Err(TryLockError::Error(error)) => return Err(fail("lock", &file, &error)),
        }
        Ok(Self { _file: lock })
    }
}
