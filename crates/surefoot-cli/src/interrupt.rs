//! Files in the making and Ctrl-C: whoever ends the program early finds no pieces of files in his folder.
//!
//! The exit code is what shells say of a program that the signal has ended: 128 and its number.

use std::io;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use surefoot::files::{self, NewFile};

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
const CTRL_C: i32 = 130;

/// Removes a file if the program is ended before this is dropped.
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes a file. There is no moment at which it is there and Ctrl-C would leave it there.
    pub(crate) fn create(make: impl FnOnce() -> io::Result<NewFile>) -> io::Result<(NewFile, Self)> {
        listen();
        let mut at_the_end = at_the_end();
        let file = make()?;
        let path = file.temporary().to_path_buf();
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

/// Makes a file that grows beyond the system's limit on files (`ulimit -f`) an error of writing like any
/// other. Else it would end the program without a word.
#[cfg(unix)]
pub(crate) fn limit_on_files_is_an_error() {
    // Nobody looks at the flag: that there is a handler is enough. If it cannot be set all is as it would
    // have been.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Elsewhere there is no such limit.
#[cfg(not(unix))]
pub(crate) fn limit_on_files_is_an_error() {}

/// Sees to it that Ctrl-C is heard.
pub(crate) fn listen() {
    HANDLER.call_once(|| {
        // Where signals are ignored, as under nohup, they stay ignored: that is no error of ours.
        let exit_code = ExitCode::default();
        let heard = exit_code.clone();
        let is_listening = ctrlc::try_set_handler(move || {
            // The lock is kept to the end, so that no further file comes into being.
            let at_the_end = at_the_end();
            at_the_end.unfinished.iter().for_each(|path| drop(files::remove(path)));
            if let Some(words) = &at_the_end.parting {
                if io::stderr().is_terminal() {
                    // A bar may be on this line.
                    crate::output::tell("");
                }
                crate::output::tell(words);
            }
            std::process::exit(heard.get());
        });
        if is_listening.is_ok() {
            exit_code.listen();
        }
    });
}

/// The exit code of the signal that came.
#[cfg(unix)]
#[derive(Clone, Default)]
struct ExitCode(std::sync::Arc<std::sync::atomic::AtomicUsize>);

#[cfg(unix)]
impl ExitCode {
    /// Hears of the signals after the handler has: it is called first, and then they are noted here.
    fn listen(&self) {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            let code = 128 + signal.unsigned_abs() as usize;
            // If that fails the code is that of Ctrl-C, and nothing else is lost.
            let _ = signal_hook::flag::register_usize(signal, std::sync::Arc::clone(&self.0), code);
        }
    }

    /// The code, once it is noted: a moment after the handler was woken.
    fn get(&self) -> i32 {
        for _ in 0..100 {
            let code = self.0.load(std::sync::atomic::Ordering::SeqCst);
            if code != 0 {
                return code as i32;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        CTRL_C
    }
}

/// Elsewhere there is only Ctrl-C.
#[cfg(not(unix))]
#[derive(Clone, Default)]
struct ExitCode;

#[cfg(not(unix))]
impl ExitCode {
    fn listen(&self) {}

    fn get(&self) -> i32 {
        CTRL_C
    }
}

fn at_the_end() -> MutexGuard<'static, AtTheEnd> {
    AT_THE_END.lock().unwrap_or_else(PoisonError::into_inner)
}
