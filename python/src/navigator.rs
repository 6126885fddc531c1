//! Navigators.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError, RwLock};

use numpy::{IntoPyArray as _, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use rayon::prelude::*;
use surefoot::{Cell, Edit, NavigatorError, QueryError};

use crate::arguments;
use crate::errors::Outcome;
use crate::long;
use crate::map::Map;
use crate::path::Path;
use crate::walker::Walker;

/// Finds ways through a map: build it once with `Map.navigator`, and ask it as often as you like.
///
/// A cell is a pair `(x, y)`. Lists of cells are arrays of shape (n, 2). Questions of many at once are
/// answered on all cores, or on as many `threads` as you say.
///
/// >>> nav = surefoot.Map.parse("......\n.####.\n......").navigator()
/// >>> nav.path((1, 0), (1, 2)).cells.tolist()
/// [[1, 0], [0, 0], [0, 1], [0, 2], [1, 2]]
#[pyclass(frozen, module = "surefoot")]
pub(crate) struct Navigator {
    /// It is locked for a moment only, to be copied or replaced.
    navigator: RwLock<surefoot::Navigator>,
    /// One edit at a time.
    editing: Mutex<()>,
}

impl From<surefoot::Navigator> for Navigator {
    fn from(navigator: surefoot::Navigator) -> Self {
        Self { navigator: RwLock::new(navigator), editing: Mutex::new(()) }
    }
}

/// Questions that one thread takes at a time.
const AT_A_TIME: usize = 256;

/// So many are asked at once before other threads are called in, or signals are looked for.
const FEW: usize = 1024;

impl Navigator {
    /// The navigator as it is now: a snapshot, which no edit changes.
    pub(crate) fn now(&self) -> surefoot::Navigator {
        self.navigator.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, py: Python<'_>, edits: impl Iterator<Item = Edit> + Send) -> Outcome<()> {
        // Without the interpreter: another thread may edit, and wait for it.
        let changed: Result<(), NavigatorError> = py.detach(|| {
            let _one = self.editing.lock().unwrap_or_else(PoisonError::into_inner);
            let mut next = self.now();
            next.edit(edits)?;
            *self.navigator.write().unwrap_or_else(PoisonError::into_inner) = next;
            Ok(())
        });
        Ok(changed?)
    }

    /// Asks for every pair of cells. The first error is that of the first pair that has one.
    fn ask_all<T: Send>(
        &self,
        py: Python<'_>,
        (starts, goals): &(Vec<Cell>, Vec<Cell>),
        threads: Option<usize>,
        ask: impl Fn(&surefoot::Navigator, Cell, Cell) -> Result<T, QueryError> + Sync,
    ) -> Outcome<Vec<T>> {
        arguments::check_threads(threads)?;
        let navigator = self.now();
        let ask = |(&start, &goal): (&Cell, &Cell)| ask(&navigator, start, goal);
        let answers: Vec<Result<T, QueryError>> = if threads == Some(1) || starts.len() <= FEW {
            let mut answers = Vec::with_capacity(starts.len());
            for (starts, goals) in starts.chunks(FEW).zip(goals.chunks(FEW)) {
                py.check_signals()?;
                py.detach(|| answers.extend(starts.iter().zip(goals).map(ask)));
            }
            answers
        } else {
            let pool = arguments::pool(threads)?;
            long::run(py, None, |teller| {
                let some = starts.par_chunks(AT_A_TIME).zip(goals.par_chunks(AT_A_TIME));
                let answers = || {
                    some.take_any_while(|_| teller.flow().is_continue())
                        .flat_map_iter(|(starts, goals)| starts.iter().zip(goals).map(ask))
                        .collect()
                };
                pool.install(answers)
            })?
        };
        let in_row = |(row, answer): (usize, Result<T, QueryError>)| {
            answer.map_err(|error| crate::errors::in_row(row, &error))
        };
        answers.into_iter().enumerate().map(in_row).collect()
    }
}

#[pymethods]
impl Navigator {
    /// Opens the navigator that `save` wrote for the same map, here or on any other machine.
    #[classmethod]
    fn open(_class: &Bound<'_, PyType>, py: Python<'_>, map: &Map, path: PathBuf) -> Outcome<Self> {
        let map = map.now();
        Ok(long::run(py, None, |_| surefoot::Navigator::open(&map, path))??.into())
    }

    /// Opens a navigator from the bytes that `to_bytes` gave for the same map.
    #[classmethod]
    fn from_bytes(_class: &Bound<'_, PyType>, py: Python<'_>, map: &Map, bytes: &[u8]) -> Outcome<Self> {
        let map = map.now();
        Ok(long::run(py, None, |_| surefoot::Navigator::from_bytes(&map, bytes))??.into())
    }

    /// Saves the navigator, whole or not at all. The map is not in the file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Outcome<()> {
        let navigator = self.now();
        Ok(py.detach(|| navigator.save(path))?)
    }

    /// The navigator as bytes, the same on every machine. The map is not in them.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyBytes>> {
        let navigator = self.now();
        Ok(PyBytes::new(py, &py.detach(|| navigator.to_bytes())?))
    }

    /// The map as the navigator knows it.
    #[getter]
    fn map(&self) -> Map {
        self.now().map().clone().into()
    }

    /// Whether all paths are cheapest ones. That is so unless ground has weights or the map is very
    /// cluttered; then they seldom cost more than a few percent more.
    #[getter]
    fn is_exact(&self) -> bool {
        self.now().is_exact()
    }

    /// The bytes of all that was computed for the map.
    #[getter]
    fn memory_bytes(&self) -> usize {
        self.now().memory_bytes()
    }

    /// The most work that any move of a walker takes.
    #[getter]
    fn work_bound(&self) -> u64 {
        self.now().work_bound().total()
    }

    /// A path from one cell to another; `None` if there is no way.
    fn path(&self, start: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> Outcome<Option<Path>> {
        let navigator = self.now();
        let path = navigator.path(arguments::cell(start)?, arguments::cell(goal)?)?;
        Ok(path.map(|path| Path::new(path, navigator.map().clone())))
    }

    /// What a path from one cell to another costs; `None` if there is no way.
    fn cost(&self, start: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> Outcome<Option<f64>> {
        let cost = self.now().cost(arguments::cell(start)?, arguments::cell(goal)?)?;
        Ok(cost.map(surefoot::PathCost::to_f64))
    }

    /// Whether there is a way from one cell to another. Nothing is searched for that.
    fn reachable(&self, start: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> Outcome<bool> {
        Ok(self.now().reachable(arguments::cell(start)?, arguments::cell(goal)?)?)
    }

    /// What paths from one cell to many others cost, as an array; infinite where there is no way.
    ///
    /// >>> nav = surefoot.Map.parse("...#.").navigator()
    /// >>> nav.costs((0, 0), [(2, 0), (4, 0)])
    /// array([ 2., inf])
    fn costs<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
    ) -> Outcome<Bound<'py, PyArray1<f64>>> {
        let (navigator, start) = (self.now(), arguments::cell(start)?);
        let goals = arguments::cells(goals, "goals")?;
        let costs = py.detach(|| navigator.costs(start, goals))?;
        Ok(costs.into_iter().map(arguments::number).collect::<Vec<_>>().into_pyarray(py))
    }

    /// The place among the goals of the one that is nearest by way, counted from 0, and what the way costs;
    /// `None` if there is no way to any of them. Of equally near ones it is the first.
    fn nearest_of(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
    ) -> Outcome<Option<(usize, f64)>> {
        let (navigator, start) = (self.now(), arguments::cell(start)?);
        let goals = arguments::cells(goals, "goals")?;
        let nearest = py.detach(|| navigator.nearest_of(start, goals))?;
        Ok(nearest.map(|(place, cost)| (place, cost.to_f64())))
    }

    /// What the path from each start to the goal in the same row costs, as an array; infinite where there is
    /// no way.
    ///
    /// >>> nav = surefoot.Map.parse("...\n...").navigator()
    /// >>> nav.pair_costs([(0, 0), (2, 1)], [(2, 0), (2, 1)])
    /// array([2., 0.])
    #[pyo3(signature = (starts, goals, *, threads = None))]
    fn pair_costs<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> Outcome<Bound<'py, PyArray1<f64>>> {
        let pairs = arguments::pairs(starts, goals)?;
        let costs = self.ask_all(py, &pairs, threads, |navigator, start, goal| {
            navigator.cost(start, goal).map(arguments::number)
        })?;
        Ok(costs.into_pyarray(py))
    }

    /// Whether there is a way from each start to the goal in the same row, as an array.
    #[pyo3(signature = (starts, goals, *, threads = None))]
    fn pair_reachable<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> Outcome<Bound<'py, PyArray1<bool>>> {
        let pairs = arguments::pairs(starts, goals)?;
        let answers = self.ask_all(py, &pairs, threads, surefoot::Navigator::reachable)?;
        Ok(answers.into_pyarray(py))
    }

    /// The path from each start to the goal in the same row: a list, with `None` where there is no way.
    #[pyo3(signature = (starts, goals, *, threads = None))]
    fn pair_paths(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> Outcome<Vec<Option<Path>>> {
        let pairs = arguments::pairs(starts, goals)?;
        self.ask_all(py, &pairs, threads, |navigator, start, goal| {
            let path = navigator.path(start, goal)?;
            Ok(path.map(|path| Path::new(path, navigator.map().clone())))
        })
    }

    /// A unit on its way from one cell to another, one move a call. If there is no way, its first move says
    /// so.
    fn walker(&self, start: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> Outcome<Walker> {
        Ok(self.now().walker(arguments::cell(start)?, arguments::cell(goal)?)?.into())
    }

    /// Frees or blocks cells, and brings the navigator up to date. Walkers on their way are told by
    /// `Walker.follow`.
    ///
    /// >>> nav = surefoot.Map.parse("......\n.####.\n......").navigator()
    /// >>> nav.edit([(0, 1)], free=False)
    /// >>> nav.cost((1, 0), (1, 2))
    /// 10.0
    fn edit(&self, py: Python<'_>, cells: &Bound<'_, PyAny>, free: bool) -> Outcome<()> {
        let cells = arguments::cells(cells, "cells")?;
        self.change(py, cells.into_iter().map(|cell| arguments::edit(cell, free)))
    }

    /// Gives cells of a map with weights another one, 1 to 255, and brings the navigator up to date.
    fn weigh(&self, py: Python<'_>, cells: &Bound<'_, PyAny>, weight: u8) -> Outcome<()> {
        let cells = arguments::cells(cells, "cells")?;
        self.change(py, cells.into_iter().map(|cell| Edit::weigh(cell, weight)))
    }

    fn __repr__(&self) -> String {
        let navigator = self.now();
        let map = navigator.map();
        let exact = if navigator.is_exact() { "exact" } else { "nearly optimal" };
        let bytes = navigator.memory_bytes();
        format!("<surefoot.Navigator {} x {}, {exact}, {bytes} bytes>", map.width(), map.height())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
    ) -> Outcome<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let navigator = slf.get().now();
        let bytes = PyBytes::new(py, &py.detach(|| navigator.to_bytes())?);
        let parts = (Map::from(navigator.map().clone()), bytes).into_pyobject(py)?;
        Ok((slf.get_type().getattr("from_bytes")?, parts))
    }
}
