//! Files in the making and Ctrl-C: whoever ends the program early finds no pieces of files in his folder.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::{fs, io};

use tempfile::NamedTempFile;

/// What is to be done when the program is ended early.
static AT_THE_END: Mutex<AtTheEnd> = Mutex::new(AtTheEnd { unfinished: Vec::new(), parting: None });

struct AtTheEnd {
    /// The files in the making. They have names that nobody asked for.
    unfinished: Vec<PathBuf>,
    /// What to say.
    parting: Option<String>,
}

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
        listen();
        let mut at_the_end = at_the_end();
        let file = make()?;
        let path = file.path().to_path_buf();
        at_the_end.unfinished.push(path.clone());
        Ok((file, Self(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        at_the_end().unfinished.retain(|path| *path != self.0);
    }
}

/// Says something if the program is ended before this is dropped: what was left undone, and how to go on.
pub(crate) struct Parting(());

impl Parting {
    pub(crate) fn new(words: String) -> Self {
        listen();
        at_the_end().parting = Some(words);
        Self(())
    }
}

impl Drop for Parting {
    fn drop(&mut self) {
        at_the_end().parting = None;
    }
}

/// Sees to it that Ctrl-C is heard.
fn listen() {
    HANDLER.call_once(|| {
        // Where signals are ignored, as under nohup, they stay ignored: that is no error of ours.
        let _ = ctrlc::try_set_handler(|| {
            // The lock is kept to the end, so that no further file comes into being.
            let at_the_end = at_the_end();
            at_the_end.unfinished.iter().for_each(|path| drop(fs::remove_file(path)));
            if let Some(words) = &at_the_end.parting {
                if io::stderr().is_terminal() {
                    // A bar may be on this line.
                    crate::output::tell("");
                }
                crate::output::tell(words);
            }
            std::process::exit(EXIT_CODE);
        });
    });
}

fn at_the_end() -> MutexGuard<'static, AtTheEnd> {
    AT_THE_END.lock().unwrap_or_else(PoisonError::into_inner)
}
