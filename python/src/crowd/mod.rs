//! Crowds.

mod edits;
mod frame;
mod kinds;
mod orders;
mod questions;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::{IntoPyArray as _, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use surefoot::space::{CostModel, MoveRule};
use surefoot::{CrowdConfig, CrowdError, Kind, Priority, UnitId};
use surefoot_classics::ROSTER;

pub(crate) use self::frame::Frame;
use crate::arguments;
use crate::drawing;
use crate::errors::{Outcome, argument};
use crate::map::Map;

/// Thousands of units on one map that changes, with one budget a frame.
///
/// Units, kinds, groups and links are numbers. With `units_as_obstacles` no two units stand on one cell.
/// `threads` serve the units; what comes of it is the same for any number of them.
///
/// >>> crowd = surefoot.Crowd(surefoot.Map.parse("......\n.####.\n......"))
/// >>> scouts = crowd.add_kind()
/// >>> units = crowd.add_many(scouts, [(1, 0), (0, 0)], [(3, 2), (5, 0)])
/// >>> moves = [len(crowd.frame(work=20_000)) for _ in range(12)]
/// >>> crowd.positions(units).tolist()
/// [[3, 2], [5, 0]]
#[pyclass(frozen, module = "surefoot")]
pub(crate) struct Crowd {
    crowd: Mutex<surefoot::Crowd>,
    /// The kind of units that the map was made for.
    usual: Kind,
    /// How many threads serve units.
    threads: usize,
    /// Where units are served, if not by one thread, and the process that it is of: a forked one has none of
    /// its threads.
    pool: Mutex<Option<(u32, Arc<rayon::ThreadPool>)>>,
}

impl Crowd {
    /// The crowd, for this thread alone.
    ///
    /// Never wait for it with the interpreter: another thread may have it, in the middle of a frame, and wait
    /// for the interpreter.
    fn lock(&self) -> MutexGuard<'_, surefoot::Crowd> {
        self.crowd.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(crowd: surefoot::Crowd, usual: Kind, threads: usize) -> Self {
        Self { crowd: Mutex::new(crowd), usual, threads, pool: Mutex::new(None) }
    }

    /// Where units are served; `None` if that is one thread.
    fn pool(&self) -> Outcome<Option<Arc<rayon::ThreadPool>>> {
        if self.threads == 1 {
            return Ok(None);
        }
        let process = std::process::id();
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        match &*pool {
            Some((of, known)) if *of == process => Ok(Some(Arc::clone(known))),
            other => {
                // The threads of the process before are not there to be waited for.
                let old = other.clone().map(|(_, pool)| pool);
                let new = Arc::new(arguments::pool(Some(self.threads))?);
                *pool = Some((process, Arc::clone(&new)));
                std::mem::forget(old);
                Ok(Some(new))
            }
        }
    }

    /// Does something with the crowd, without the interpreter.
    fn with<T: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut surefoot::Crowd) -> T + Send) -> T {
        py.detach(|| act(&mut self.lock()))
    }
}

/// Numbers of units, as an array.
fn numbers<'py>(py: Python<'py>, units: &[UnitId]) -> Bound<'py, PyArray1<u64>> {
    units.iter().map(|unit| unit.to_bits()).collect::<Vec<_>>().into_pyarray(py)
}

fn priority(name: &str) -> Outcome<Priority> {
    match name {
        "low" => Ok(Priority::Low),
        "normal" => Ok(Priority::Normal),
        "high" => Ok(Priority::High),
        other => Err(argument(format!("unknown priority \"{other}\"; expected one of: low, normal, high"))),
    }
}

#[pymethods]
impl Crowd {
    #[new]
    #[pyo3(signature = (map, *, units_as_obstacles = false, threads = 1))]
    fn new(map: &Map, units_as_obstacles: bool, threads: usize) -> Outcome<Self> {
        arguments::check_threads(Some(threads))?;
        let map = map.now();
        let config =
            CrowdConfig::default().with_units_as_obstacles(units_as_obstacles).with_parallel(threads > 1);
        let crowd = surefoot::Crowd::with_config(&map, config);
        Ok(Self::of(crowd, Kind::from(&map), threads))
    }

    /// A crowd that `save` gave: it goes on exactly as the one that was saved. New kinds that do not say
    /// otherwise have the moves, costs and weights of `map`, if it is given.
    #[classmethod]
    #[pyo3(signature = (bytes, *, map = None, threads = 1))]
    fn load(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        bytes: &[u8],
        map: Option<&Map>,
        threads: usize,
    ) -> Outcome<Self> {
        arguments::check_threads(Some(threads))?;
        let usual =
            map.map_or_else(|| Kind::new(MoveRule::NoCut, CostModel::Sqrt2), |map| Kind::from(&map.now()));
        let crowd = py.detach(|| surefoot::Crowd::load_with(bytes, &ROSTER))?;
        Ok(Self::of(crowd, usual, threads))
    }

    /// The whole crowd as bytes, for `load`.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.with(py, |crowd| crowd.save()))
    }

    /// A number that is the same for crowds that go on alike: for players in lockstep.
    fn checksum(&self, py: Python<'_>) -> u64 {
        self.with(py, |crowd| crowd.checksum())
    }

    /// The map as it is now, with the moves, costs and weights of the one that the crowd was made with.
    #[getter]
    fn map(&self, py: Python<'_>) -> Outcome<Map> {
        let map = surefoot::Map::from(self.with(py, |crowd| crowd.map().clone()));
        let map = map.with_rule(self.usual.rule).with_costs(self.usual.costs);
        // Cells that were freed since may have no weight there.
        Ok(match &self.usual.weights {
            Some(weights) => map.clone().with_weights(weights.clone()).unwrap_or(map).into(),
            None => map.into(),
        })
    }

    /// The bytes of what units share and of the units themselves. It looks at every unit.
    #[getter]
    fn memory_bytes(&self, py: Python<'_>) -> u64 {
        self.with(py, |crowd| {
            let memory = crowd.memory();
            memory.shared_bytes + memory.log_bytes + memory.bytes_per_unit * crowd.len()
        })
    }

    /// Adds a unit of a kind at one cell, on its way to another. Its number.
    #[pyo3(signature = (kind, start, goal, *, priority = "normal"))]
    fn add(
        &self,
        py: Python<'_>,
        kind: u32,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
        priority: &str,
    ) -> Outcome<u64> {
        let (kind, rank) = (kinds::kind_of(kind)?, self::priority(priority)?);
        let (start, goal) = (arguments::cell(start)?, arguments::cell(goal)?);
        Ok(self.with(py, |crowd| crowd.add(kind, start, goal, rank))?.to_bits())
    }

    /// Adds as many units as there are starts, each on its way to the goal in the same row: their numbers, as
    /// an array. If one of them cannot be added, none is.
    #[pyo3(signature = (kind, starts, goals, *, priority = "normal"))]
    fn add_many<'py>(
        &self,
        py: Python<'py>,
        kind: u32,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        priority: &str,
    ) -> Outcome<Bound<'py, PyArray1<u64>>> {
        let (kind, rank) = (kinds::kind_of(kind)?, self::priority(priority)?);
        let (starts, goals) = arguments::pairs(starts, goals)?;
        let added = self.with(py, |crowd| {
            let mut added = Vec::with_capacity(starts.len());
            for (row, (&start, &goal)) in starts.iter().zip(&goals).enumerate() {
                match crowd.add(kind, start, goal, rank) {
                    Ok(unit) => added.push(unit),
                    Err(error) => {
                        for unit in added {
                            crowd.remove(unit).map_err(|error| (row, error))?;
                        }
                        return Err((row, error));
                    }
                }
            }
            Ok(added)
        });
        let added =
            added.map_err(|(row, error): (usize, CrowdError)| crate::errors::unit_row(row, &error))?;
        Ok(numbers(py, &added))
    }

    /// Removes units. If one of them is none of the crowd's, none is removed.
    fn remove(&self, py: Python<'_>, units: &Bound<'_, PyAny>) -> Outcome<()> {
        let mut units = arguments::units(units)?;
        units.sort_unstable();
        units.dedup();
        Ok(self.with(py, |crowd| {
            units.iter().try_for_each(|&unit| crowd.position(unit).map(drop))?;
            units.into_iter().try_for_each(|unit| crowd.remove(unit))
        })?)
    }

    /// How many units there are.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.with(py, |crowd| crowd.len() as usize)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        self.with(py, |crowd| {
            let (units, width, height) = (crowd.len(), crowd.map().width(), crowd.map().height());
            let frame = crowd.report().frame;
            format!("<surefoot.Crowd of {units} units on {width} x {height}, frame {frame}>")
        })
    }

    /// The map with all units, as a PNG.
    #[pyo3(signature = (side = 640))]
    fn to_png<'py>(&self, py: Python<'py>, side: u32) -> Bound<'py, PyBytes> {
        let (grid, cells) = self.with(py, |crowd| {
            let cells = crowd.units().filter_map(|unit| crowd.position(unit).ok()).collect();
            (crowd.map().clone(), cells)
        });
        PyBytes::new(py, &py.detach(|| drawing::units(&grid, cells, side)))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_png(py, drawing::NOTEBOOK_SIDE)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
    ) -> Outcome<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let own = slf.get();
        let keywords = PyDict::new(py);
        keywords.set_item("map", own.map(py)?)?;
        keywords.set_item("threads", own.threads)?;
        let load = slf.get_type().getattr("load")?;
        let load = py.import("functools")?.call_method("partial", (load,), Some(&keywords))?;
        Ok((load, (own.save(py),).into_pyobject(py)?))
    }
}
