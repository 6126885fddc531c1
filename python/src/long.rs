//! What takes long: done on a thread of its own, without the interpreter. Meanwhile the caller's thread looks
//! for Ctrl-C and passes on how far the work is.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyBool;
use surefoot::BuildEvent;

/// How often signals are looked for, and progress is told.
const PULSE: Duration = Duration::from_millis(50);

/// What is told of the work.
enum Event {
    /// How far it is: the stage, how much is done, how much there is.
    Progress(String, u64, u64),
    /// What a person should know.
    Message(String),
}

/// How far the work is, for whoever does it to say.
pub(crate) struct Teller {
    stop: AtomicBool,
    told: Mutex<Told>,
}

struct Told {
    events: Sender<Event>,
    stage: String,
    at: Option<Instant>,
}

impl Teller {
    /// Whether the work is to end.
    pub(crate) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether the work goes on.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Tells of a stage of the work.
    pub(crate) fn tell(&self, stage: &str, done: u64, all: u64) -> ControlFlow<()> {
        let mut told = self.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let is_due = told.at.is_none_or(|at| at.elapsed() >= PULSE);
        if is_due || told.stage != stage || done == all {
            (told.stage, told.at) = (stage.to_string(), Some(Instant::now()));
            // Nobody listens any more once the caller has gone.
            let _ = told.events.send(Event::Progress(stage.to_string(), done, all));
        }
        self.flow()
    }

    /// Tells what a person should know: the logger "surefoot" hears of it.
    pub(crate) fn note(&self, message: &str) {
        let told = self.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let _ = told.events.send(Event::Message(message.to_string()));
    }

    /// Tells of what a build says.
    pub(crate) fn hear(&self, event: &BuildEvent) -> ControlFlow<()> {
        match event {
            BuildEvent::Progress { stage, done, all } => {
                // Behind a comma it is told what came of the stage so far.
                self.tell(stage.split(", ").next().unwrap_or_default(), *done, *all)
            }
            _ => self.flow(),
        }
    }
}

fn pass_on(py: Python<'_>, event: Event, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    match (event, progress) {
        (Event::Progress(stage, done, all), Some(progress)) => {
            progress.call1(py, (stage, done, all)).map(drop)
        }
        (Event::Progress(..), None) => Ok(()),
        (Event::Message(message), _) => {
            let logger = py.import("logging")?.call_method1("getLogger", ("surefoot",))?;
            logger.call_method1("warning", ("%s", message)).map(drop)
        }
    }
}

/// What a signal raises, if one came. For threads that are without the interpreter.
#[allow(clippy::redundant_closure_for_method_calls)] // The method itself is of one lifetime only.
pub(crate) fn signal() -> Option<PyErr> {
    Python::attach(|py| py.check_signals()).err()
}

/// What hears of progress: a bar for `True`, nobody for `False`.
fn shown(progress: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
    Ok(match progress.cast::<PyBool>() {
        Ok(wanted) if wanted.is_true() => {
            Some(progress.py().import("surefoot.progress")?.getattr("Bar")?.call0()?.unbind())
        }
        Ok(_) => None,
        Err(_) => Some(progress.clone().unbind()),
    })
}

/// Does `work` on a thread of its own. `progress` is called with the stage, how much is done, and how much
/// there is. If it raises, or a signal does, the work is told to stop, and the exception is passed on.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Teller) -> T + Send,
) -> PyResult<T> {
    let (events, heard) = channel();
    let told = Mutex::new(Told { events, stage: String::new(), at: None });
    let teller = Teller { stop: AtomicBool::new(false), told };
    let progress = progress.map(|progress| shown(progress)).transpose()?.flatten();
    let (result, finished) = channel();
    py.detach(move || {
        std::thread::scope(|scope| {
            let teller = &teller;
            let worker = scope.spawn(move || {
                let done = work(teller);
                // Whoever waits is gone only if it panicked.
                let _ = result.send(());
                done
            });
            let mut raised = None;
            loop {
                let state = finished.recv_timeout(PULSE);
                let events: Vec<_> = heard.try_iter().collect();
                if raised.is_none() {
                    raised = Python::attach(|py| {
                        py.check_signals()?;
                        events.into_iter().try_for_each(|event| pass_on(py, event, progress.as_ref()))
                    })
                    .err();
                    if raised.is_some() {
                        teller.stop.store(true, Ordering::Relaxed);
                    }
                }
                if state != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
            let done = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            raised.map_or(Ok(done), Err)
        })
    })
}
