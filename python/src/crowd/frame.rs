//! Frames, and what happened in them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use numpy::{IntoPyArray as _, PyArray1, PyArray2};
use pyo3::prelude::*;
use surefoot::{Cell, FrameBudget, FrameReport, GroupId, KindId};

use super::{Crowd, numbers};
use crate::arguments;
use crate::errors::{Outcome, argument};

/// What happened in a frame. Lists of units are arrays of their numbers.
#[pyclass(frozen, module = "surefoot")]
pub(crate) struct Frame {
    report: Arc<FrameReport>,
}

#[pymethods]
impl Crowd {
    /// Lets all units walk for a frame: with so much `work` for all of them together, or for so many
    /// `seconds`; without either, as much as they need. The same work leads to the same moves on all
    /// machines.
    #[pyo3(signature = (work = None, *, seconds = None))]
    fn frame(&self, py: Python<'_>, work: Option<u64>, seconds: Option<f64>) -> Outcome<Frame> {
        if work.is_some() && seconds.is_some() {
            return Err(argument("a frame has a budget of work or of seconds, not both"));
        }
        let time = seconds.map(Duration::try_from_secs_f64).transpose();
        let time = time.map_err(|_| argument("seconds must be a number from 0 on"))?;
        let pool = self.pool()?;
        let report = self.with(py, |crowd| {
            let begin = Instant::now();
            let has_time = || time.is_none_or(|time| begin.elapsed() < time);
            let budget = match (work, time) {
                (Some(work), _) => FrameBudget::Work(work),
                (None, Some(_)) => FrameBudget::Time(&has_time),
                (None, None) => FrameBudget::Everyone,
            };
            match &pool {
                Some(pool) => pool.install(|| crowd.frame(budget)),
                None => crowd.frame(budget),
            }
        });
        Ok(Frame { report })
    }
}

/// Arrays of units by name.
macro_rules! unit_lists {
    ($($(#[doc = $words:literal])* $name:ident),* $(,)?) => {
        #[pymethods]
        impl Frame {
            $(
                $(#[doc = $words])*
                #[getter]
                fn $name<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
                    numbers(py, &self.report.$name)
                }
            )*
        }
    };
}

unit_lists! {
    /// Who arrived.
    arrived,
    /// Who found that there is no way to its goal.
    unreachable,
    /// Who had no way, and has one again.
    reachable,
    /// Who wanted to move and could not, because others stand in the way.
    blocked,
    /// Who lost the unit that it pursued.
    lost,
}

/// Numbers by name.
macro_rules! counts {
    ($($(#[doc = $words:literal])* $name:ident: $type:ty),* $(,)?) => {
        #[pymethods]
        impl Frame {
            $(
                $(#[doc = $words])*
                #[getter]
                fn $name(&self) -> $type {
                    self.report.$name
                }
            )*
        }
    };
}

counts! {
    /// The number of the frame, from 1.
    frame: u32,
    /// How many units got their turn.
    served: u32,
    /// How many wait for theirs.
    waiting: u32,
    /// How many frames the one waited that waited longest.
    longest_wait: u32,
    /// The work of units and of upkeep together.
    work: u64,
    /// The part of it that kept databases up to date.
    upkeep: u64,
    /// How many units took more than their share.
    overdrawn: u32,
    /// How many units were helped on by a search.
    relieved: u32,
}

#[pymethods]
impl Frame {
    /// Who moved. `origins` and `cells` have the same order.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let units: Vec<u64> = self.report.moves.iter().map(|step| step.unit.to_bits()).collect();
        units.into_pyarray(py)
    }

    /// Where each of them came from: an array of shape (n, 2).
    #[getter]
    fn origins<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<u32>>> {
        let cells: Vec<Cell> = self.report.moves.iter().map(|step| step.from).collect();
        arguments::array_of(py, &cells)
    }

    /// Where each of them went: an array of shape (n, 2).
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<u32>>> {
        let cells: Vec<Cell> = self.report.moves.iter().map(|step| step.to).collect();
        arguments::array_of(py, &cells)
    }

    /// The groups that are all there.
    #[getter]
    fn settled(&self) -> Vec<u32> {
        self.report.settled.iter().copied().map(GroupId::to_bits).collect()
    }

    /// The kinds whose databases were finished.
    #[getter]
    fn built(&self) -> Vec<u32> {
        self.report.built.iter().copied().map(KindId::to_bits).collect()
    }

    /// The kinds whose databases cannot be built in frames.
    #[getter]
    fn not_built(&self) -> Vec<u32> {
        self.report.not_built.iter().copied().map(KindId::to_bits).collect()
    }

    /// How many frames nobody waits longer than at this budget; `None` if that is not known.
    #[getter]
    fn wait_bound(&self) -> Option<u64> {
        self.report.wait_bound
    }

    /// How many units moved.
    fn __len__(&self) -> usize {
        self.report.moves.len()
    }

    fn __repr__(&self) -> String {
        let FrameReport { frame, work, .. } = &*self.report;
        let (moves, arrived) = (self.report.moves.len(), self.report.arrived.len());
        format!("<surefoot.Frame {frame}, {moves} moves, {arrived} arrived, {work} of work>")
    }
}
