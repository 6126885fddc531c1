//! The algorithms that there are.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use surefoot::agent::Bound as MoveBound;
use surefoot_classics::ROSTER;

use crate::errors::Outcome;

/// Every algorithm of the roster: its name, what it does, its parameters with their defaults, the bound of a
/// move, what it needs, and its paper.
///
/// >>> names = [algorithm["name"] for algorithm in surefoot.algorithms()]
/// >>> "beacon*" in names and "lrta*" in names
/// True
#[pyfunction]
pub(crate) fn algorithms(py: Python<'_>) -> Outcome<Vec<Bound<'_, PyDict>>> {
    let entry = |entry: &surefoot::agent::Entry| {
        let fields = PyDict::new(py);
        fields.set_item("name", entry.name)?;
        fields.set_item("summary", entry.summary)?;
        fields.set_item("optimal", entry.optimal)?;
        fields.set_item("real_time", entry.bound != MoveBound::NotRealTime)?;
        fields.set_item("bound", entry.bound.to_string())?;
        fields.set_item("needs", entry.needs)?;
        fields.set_item("takes_weights", entry.takes_weights)?;
        fields.set_item("paper", entry.paper)?;
        let parameters = PyDict::new(py);
        for parameter in entry.parameters {
            parameters.set_item(parameter.name, (parameter.default, parameter.meaning))?;
        }
        fields.set_item("parameters", parameters)?;
        Ok(fields)
    };
    ROSTER.entries().iter().map(entry).collect()
}
