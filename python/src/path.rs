//! Paths.

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use surefoot::Cell;

use crate::arguments;
use crate::drawing;
use crate::errors::Outcome;
use crate::map::Map;

/// A path: its cells, what it costs, where it turns.
#[pyclass(frozen, module = "surefoot")]
pub(crate) struct Path {
    path: surefoot::Path,
    map: surefoot::Map,
}

impl Path {
    /// A path on a map.
    pub(crate) fn new(path: surefoot::Path, map: surefoot::Map) -> Self {
        Self { path, map }
    }
}

#[pymethods]
impl Path {
    /// The cells, from the start to the goal: an array of shape (n, 2).
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<u32>>> {
        arguments::array_of(py, self.path.cells())
    }

    /// What it costs.
    #[getter]
    fn cost(&self) -> f64 {
        self.path.cost().to_f64()
    }

    /// The start, the cells where the path turns, and the goal.
    #[getter]
    fn turning_points<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<u32>>> {
        arguments::array_of(py, &self.path.turning_points())
    }

    /// The map.
    #[getter]
    fn map(&self) -> Map {
        self.map.clone().into()
    }

    /// The moves that are over links: pairs of cells.
    #[getter]
    fn jumps(&self) -> Vec<((u32, u32), (u32, u32))> {
        let pair = |cell: Cell| (cell.x, cell.y);
        self.path.jumps().into_iter().map(|(from, to)| (pair(from), pair(to))).collect()
    }

    /// The path pulled tight: the corners of a line that a unit can follow in any direction. Its length is
    /// the second of the two.
    fn smooth<'py>(&self, py: Python<'py>) -> Outcome<(Bound<'py, PyArray2<u32>>, f64)> {
        let smooth = self.map.space().smooth(self.path.cells())?;
        Ok((arguments::array_of(py, smooth.points())?, smooth.length()))
    }

    /// A path without moves is one, too.
    fn __bool__(&self) -> bool {
        true
    }

    /// The number of moves.
    fn __len__(&self) -> usize {
        self.path.moves()
    }

    fn __repr__(&self) -> String {
        let ends = (self.path.cells().first(), self.path.cells().last());
        let (Some(start), Some(goal)) = ends else { return "<surefoot.Path>".to_string() };
        let (moves, cost) = (self.path.moves(), self.cost());
        format!("<surefoot.Path from {start} to {goal}, {moves} moves, cost {cost:.4}>")
    }

    /// The path on its map, as a PNG.
    #[pyo3(signature = (side = 640))]
    fn to_png<'py>(&self, py: Python<'py>, side: u32) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| drawing::path(&self.map, self.path.cells(), side)))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_png(py, drawing::NOTEBOOK_SIDE)
    }
}
