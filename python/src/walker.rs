//! Units on their way.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use surefoot::Cell;

use crate::arguments;
use crate::errors::Outcome;
use crate::navigator::Navigator;

/// A unit on its way to a goal, one move a call: `Navigator.walker` makes it. It is an iterator, too.
///
/// >>> nav = surefoot.Map.parse("...").navigator()
/// >>> list(nav.walker((0, 0), (2, 0)))
/// [(1, 0), (2, 0)]
#[pyclass(frozen, module = "surefoot")]
pub(crate) struct Walker {
    walker: Mutex<surefoot::Walker>,
}

impl From<surefoot::Walker> for Walker {
    fn from(walker: surefoot::Walker) -> Self {
        Self { walker: Mutex::new(walker) }
    }
}

impl Walker {
    /// Nothing is called while it is locked but the library.
    fn lock(&self) -> MutexGuard<'_, surefoot::Walker> {
        self.walker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn pair(cell: Cell) -> (u32, u32) {
    (cell.x, cell.y)
}

#[pymethods]
impl Walker {
    /// Makes the next move: the cell that it leads to; `None` if the walker has arrived. It raises `NoWay` if
    /// there is no way.
    fn next_move(&self) -> Outcome<Option<(u32, u32)>> {
        Ok(self.lock().next_move()?.map(pair))
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self) -> Outcome<Option<(u32, u32)>> {
        self.next_move()
    }

    /// Where it stands.
    #[getter]
    fn position(&self) -> (u32, u32) {
        pair(self.lock().position())
    }

    /// Where it is to go.
    #[getter]
    fn goal(&self) -> (u32, u32) {
        pair(self.lock().goal())
    }

    /// Whether it stands on its goal.
    #[getter]
    fn has_arrived(&self) -> bool {
        self.lock().has_arrived()
    }

    /// What the way from here to the goal costs; `None` if there is none.
    #[getter]
    fn cost_left(&self) -> Option<f64> {
        self.lock().cost_left().map(surefoot::PathCost::to_f64)
    }

    /// The work that its last move took.
    #[getter]
    fn work(&self) -> u64 {
        self.lock().work().total()
    }

    /// Sends it elsewhere.
    fn set_goal(&self, goal: &Bound<'_, PyAny>) -> Outcome<()> {
        // What Python does to give its numbers is done before it is locked.
        let goal = arguments::cell(goal)?;
        Ok(self.lock().set_goal(goal)?)
    }

    /// Goes on by a navigator that was edited. Until it is told, it goes by the map as it was.
    fn follow(&self, navigator: &Navigator) -> Outcome<()> {
        let navigator = navigator.now();
        Ok(self.lock().follow(&navigator)?)
    }

    fn __repr__(&self) -> String {
        let walker = self.lock();
        format!("<surefoot.Walker at {}, to {}>", walker.position(), walker.goal())
    }
}
