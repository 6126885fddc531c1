//! Files in the making and Ctrl-C: whoever ends the program early finds no pieces of files in his folder.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::{fs, io};

use tempfile::NamedTempFile;

/// The files in the making. They have names that nobody asked for.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

static HANDLER: Once = Once::new();

/// What shells say of a program that Ctrl-C has ended.
const EXIT_CODE: i32 = 130;

/// Removes a file if the program is ended before this is dropped.
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes a file. There is no moment at which it is there and Ctrl-C would leave it there.
    pub(crate) fn create(
        make: impl FnOnce() -> io::Result<NamedTempFile>,
    ) -> io::Result<(NamedTempFile, Self)> {
        HANDLER.call_once(|| {
            // Where signals are ignored, as under nohup, they stay ignored: that is no error of ours.
            let _ = ctrlc::try_set_handler(|| {
                // The lock is kept to the end, so that no further file comes into being.
                let unfinished = unfinished();
                unfinished.iter().for_each(|path| drop(fs::remove_file(path)));
                std::process::exit(EXIT_CODE);
            });
        });
        let mut unfinished = unfinished();
        let file = make()?;
        let path = file.path().to_path_buf();
        unfinished.push(path.clone());
        Ok((file, Self(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
