//! One run at a time in a folder of results: two would each write what the other does not know of.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use super::RunError;

/// The file that is locked. It stays behind, empty; only its lock counts.
const LOCK: &str = "run.lock";

/// As long as this lives no other run is at work in the folder. The lock is the system's: it ends with the
/// program, however that ends.
#[derive(Debug)]
pub(super) struct FolderLock {
    /// Kept open for its lock.
    _file: File,
}

impl FolderLock {
    /// Takes a folder for a run. It is made if it is not there.
    ///
    /// # Errors
    /// If another run is at work in it, or it cannot be made.
    pub(super) fn take(path: &Path) -> Result<Self, RunError> {
        let fail = |what: &str, path: &Path, error: &io::Error| {
            RunError::Write(format!("cannot {what} {}: {error}", path.display()))
        };
        fs::create_dir_all(path).map_err(|error| fail("make the folder", path, &error))?;
        let file = path.join(LOCK);
        let lock = File::options().create(true).truncate(false).write(true).open(&file);
        let lock = lock.map_err(|error| fail("write", &file, &error))?;
        match lock.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => return Err(RunError::InUse { folder: path.to_path_buf() }),
            // Some network drives have no locks. To refuse to work there would help nobody.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => (),
            Err(TryLockError::Error(error)) => return Err(fail("lock", &file, &error)),
        }
        Ok(Self { _file: lock })
    }
}
