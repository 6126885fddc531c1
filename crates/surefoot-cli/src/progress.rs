//! How far a long job has come, on standard error: a bar on a terminal, elsewhere a plain line now and then.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Without a terminal, the time between two lines. Short jobs end before the first.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// A job under way.
pub(crate) struct Progress {
    label: String,
    total: u64,
    /// Nothing if standard error is no terminal.
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl Progress {
    /// A job of `total` pieces.
    pub(crate) fn new(label: impl Into<String>, total: u64) -> Self {
        let label = label.into();
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_message(label.clone());
            bar
        });
        Self { label, total, bar, last_line: Instant::now() }
    }

    /// The job goes on under another name.
    pub(crate) fn label(&mut self, label: &str) {
        if self.label != label {
            self.label = label.to_string();
            if let Some(bar) = &self.bar {
                bar.set_message(self.label.clone());
            }
        }
    }

    /// `done` of `total` pieces are done.
    pub(crate) fn set(&mut self, done: u64, total: u64) {
        self.total = total;
        match &self.bar {
            Some(bar) => {
                bar.set_length(total);
                bar.set_position(done);
            }
            None if self.last_line.elapsed() >= BETWEEN_LINES => {
                self.last_line = Instant::now();
                crate::output::tell(&format!("{}: {done} of {total}", self.label));
            }
            None => {}
        }
    }

    /// `done` pieces are done.
    pub(crate) fn done(&mut self, done: u64) {
        self.set(done, self.total);
    }
}

/// The bar leaves the screen with the job: what stays is the result.
impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
