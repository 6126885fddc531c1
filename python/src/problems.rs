//! Problems: drawn on a map, or read from a `.scen` file.

use std::path::PathBuf;

use numpy::{IntoPyArray as _, PyArray1, PyArray2};
use pyo3::prelude::*;
use surefoot::Cell;
use surefoot_lab::problem_files::read_scen as read;
use surefoot_lab::problems::{ProblemRequest, generate_problems};

use crate::arguments;
use crate::errors::{Outcome, python};
use crate::long;
use crate::map::Map;

/// Problems on a map: starts, goals, and what a cheapest path costs.
#[pyclass(frozen, module = "surefoot")]
pub(crate) struct Problems {
    starts: Vec<Cell>,
    goals: Vec<Cell>,
    costs: Vec<f64>,
}

#[pymethods]
impl Problems {
    /// Where they start: an array of shape (n, 2).
    #[getter]
    fn starts<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<u32>>> {
        arguments::array_of(py, &self.starts)
    }

    /// Where they end: an array of shape (n, 2).
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<u32>>> {
        arguments::array_of(py, &self.goals)
    }

    /// What a cheapest path costs, or what the file says.
    #[getter]
    fn costs<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.costs.clone().into_pyarray(py)
    }

    fn __len__(&self) -> usize {
        self.starts.len()
    }

    fn __repr__(&self) -> String {
        format!("<surefoot.Problems, {}>", self.starts.len())
    }
}

/// Reads the problems of a MovingAI `.scen` file.
#[pyfunction]
pub(crate) fn read_scen(path: PathBuf) -> Outcome<Problems> {
    let scenario = read(path).map_err(|error| python::MapError::new_err(error.to_string()))?;
    let problems = &scenario.problems;
    Ok(Problems {
        starts: problems.iter().map(|problem| problem.start).collect(),
        goals: problems.iter().map(|problem| problem.goal).collect(),
        costs: problems.iter().map(|problem| problem.length.value()).collect(),
    })
}

#[pymethods]
impl Map {
    /// Draws problems whose cheapest paths cost from `min_cost` to `max_cost`. The same seed draws the same
    /// ones on every machine.
    ///
    /// >>> map = surefoot.Map.generate("rooms", 64, 64)
    /// >>> problems = map.problems(20, min_cost=10, max_cost=40)
    /// >>> len(problems), bool((problems.costs >= 10).all())
    /// (20, True)
    #[pyo3(signature = (count, *, min_cost = 0.0, max_cost = f64::INFINITY, seed = 1))]
    fn problems(
        &self,
        py: Python<'_>,
        count: usize,
        min_cost: f64,
        max_cost: f64,
        seed: u64,
    ) -> Outcome<Problems> {
        let (map, pool) = (self.now(), arguments::pool(None)?);
        // No way on a map costs more than all its cells.
        let most = 4.0 * 255.0 * map.space().grid().cell_count() as f64;
        let max_cost = if max_cost == f64::INFINITY { most } else { max_cost };
        let request = ProblemRequest { count, min_cost, max_cost, seed, per_bucket: false };
        let drawn = long::run(py, None, |teller| {
            pool.install(|| generate_problems(map.space(), &request, &mut |_, _| teller.flow()))
        })??;
        let units = map.space().units();
        Ok(Problems {
            starts: drawn.iter().map(|problem| problem.start).collect(),
            goals: drawn.iter().map(|problem| problem.goal).collect(),
            costs: drawn.iter().map(|problem| units.to_f64(problem.cost)).collect(),
        })
    }
}
