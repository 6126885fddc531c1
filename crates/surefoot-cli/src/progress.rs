//! How far a long job has come, on standard error: a bar on a terminal, elsewhere a plain line now and then.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::table::{span, thousands};

/// Without a terminal, the time before the first line, and between two. Short jobs end before the first.
const BEFORE_LINES: Duration = Duration::from_secs(2);
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// A job under way.
pub(crate) struct Progress {
    label: String,
    total: u64,
    /// `None` if standard error is no terminal.
    bar: Option<ProgressBar>,
    last_line: Instant,
    /// How long to wait after that before the next line.
    wait: Duration,
    rate: Option<Rate>,
}

/// How fast it goes.
struct Rate {
    /// What the pieces are; empty if it is not told how many are done a second.
    unit: &'static str,
    begin: Instant,
    /// Pieces that were done before.
    before: u64,
}

impl Rate {
    /// The pieces a second so far, in words.
    fn to_text(&self, done: u64) -> String {
        format!("{} {}/s", thousands(self.per_second(done) as u64), self.unit)
    }

    /// How long the rest will take, in words.
    fn time_left(&self, done: u64, total: u64) -> String {
        match self.per_second(done) {
            rate if rate > 0.0 => span(total.saturating_sub(done) as f64 / rate),
            _ => "unknown time".to_string(),
        }
    }

    fn per_second(&self, done: u64) -> f64 {
        done.saturating_sub(self.before) as f64 / self.begin.elapsed().as_secs_f64().max(1e-9)
    }
}

impl Progress {
    /// A job of `total` pieces.
    pub(crate) fn new(label: impl Into<String>, total: u64) -> Self {
        Self::start(label.into(), total, None)
    }

    /// A job of `total` pieces of which `before` are done already, and of which it is told how fast they are
    /// done.
    pub(crate) fn with_rate(label: impl Into<String>, unit: &'static str, total: u64, before: u64) -> Self {
        let mut progress =
            Self::start(label.into(), total, Some(Rate { unit, begin: Instant::now(), before }));
        progress.done(before);
        progress
    }

    /// A job of `total` pieces, each of which takes long, and of which `before` are done already: only the
    /// time left is told.
    pub(crate) fn with_time_left(label: impl Into<String>, total: u64, before: u64) -> Self {
        let rate = Rate { unit: "", begin: Instant::now(), before };
        let mut progress = Self::start(label.into(), total, Some(rate));
        progress.done(before);
        progress
    }

    fn start(label: String, total: u64, rate: Option<Rate>) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let template = if rate.is_some() {
                "{msg} {wide_bar} {pos}/{len}"
            } else {
                "{msg} {wide_bar} {pos}/{len} {eta}"
            };
            let style = ProgressStyle::with_template(template);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_message(label.clone());
            bar
        });
        Self { label, total, bar, last_line: Instant::now(), wait: BEFORE_LINES, rate }
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

    /// The same as [`Self::set`], for those who ask whether to go on.
    pub(crate) fn go_on(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        self.set(done, total);
        ControlFlow::Continue(())
    }

    /// `done` of `total` pieces are done.
    pub(crate) fn set(&mut self, done: u64, total: u64) {
        self.total = total;
        let is_line_due = self.bar.is_none() && self.last_line.elapsed() >= self.wait;
        if self.bar.is_none() && !is_line_due {
            return;
        }
        let speed = self.rate.as_ref().map_or_else(String::new, |rate| {
            let left = rate.time_left(done, total);
            if rate.unit.is_empty() {
                format!(", {left} left")
            } else {
                format!(", {}, {left} left", rate.to_text(done))
            }
        });
        match &self.bar {
            Some(bar) => {
                bar.set_length(total);
                bar.set_position(done);
                if !speed.is_empty() {
                    bar.set_message(format!("{}{speed}", self.label));
                }
            }
            None => {
                self.last_line = Instant::now();
                self.wait = BETWEEN_LINES;
                crate::output::tell(&format!("{}: {done} of {total}{speed}", self.label));
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_before_does_not_count_as_fast() {
        let begin = Instant::now() - Duration::from_secs(100);
        let rate = Rate { unit: "records", begin, before: 5_000 };
        assert_eq!(rate.to_text(6_000), "9 records/s");
        assert_eq!(rate.time_left(6_000, 26_000), "33 min");
        assert_eq!(rate.time_left(5_000, 26_000), "unknown time");
    }
}
