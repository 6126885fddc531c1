//! What can be asked of a crowd.

use numpy::{IntoPyArray as _, PyArray1, PyArray2};
use pyo3::prelude::*;
use surefoot::{Cell, CrowdError, GroupId, PathCost, UnitId, UnitStatus};

use super::kinds::kind_of;
use super::{Crowd, numbers};
use crate::arguments;
use crate::errors::Outcome;
use crate::path::Path;

impl Crowd {
    /// Asks for some units, or for all of them.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        units: Option<&Bound<'_, PyAny>>,
        ask: impl Fn(&surefoot::Crowd, UnitId) -> Result<T, CrowdError> + Sync,
    ) -> Outcome<Vec<T>> {
        let units = units.map(arguments::units).transpose()?;
        Ok(self.with(py, |crowd| match units {
            Some(units) => units.into_iter().map(|unit| ask(crowd, unit)).collect::<Result<_, _>>(),
            None => crowd.units().map(|unit| ask(crowd, unit)).collect(),
        })?)
    }
}

#[pymethods]
impl Crowd {
    /// All units, in an order that stays the same until one is added or removed.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        numbers(py, &self.with(py, |crowd| crowd.units().collect::<Vec<_>>()))
    }

    /// The cells that units stand on, of all of them in the order of `units`, or of some: an array of shape
    /// (n, 2).
    #[pyo3(signature = (units = None))]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        units: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Bound<'py, PyArray2<u32>>> {
        arguments::array_of(py, &self.ask(py, units, surefoot::Crowd::position)?)
    }

    /// Where to draw units, between two cells where a unit has a speed: an array of shape (n, 2). The middle
    /// of the first cell is at 0, 0.
    #[pyo3(signature = (units = None))]
    fn points<'py>(
        &self,
        py: Python<'py>,
        units: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Bound<'py, PyArray2<f32>>> {
        let points = self.ask(py, units, |crowd, unit| Ok(crowd.progress(unit)?.point()))?;
        let numbers: Vec<f32> = points.iter().flat_map(|&(x, y)| [x, y]).collect();
        arguments::table(py, points.len(), 2, numbers)
    }

    /// Where units are to go: an array of shape (n, 2).
    #[pyo3(signature = (units = None))]
    fn goals<'py>(
        &self,
        py: Python<'py>,
        units: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Bound<'py, PyArray2<u32>>> {
        arguments::array_of(py, &self.ask(py, units, surefoot::Crowd::goal)?)
    }

    /// How units fare, as an array: 0 walks, 1 has arrived, 2 has no way to its goal, 3 does not know how to
    /// go on.
    #[pyo3(signature = (units = None))]
    fn statuses<'py>(
        &self,
        py: Python<'py>,
        units: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Bound<'py, PyArray1<u8>>> {
        Ok(self.ask(py, units, |crowd, unit| Ok(number(crowd.status(unit)?)))?.into_pyarray(py))
    }

    /// What the ways cost that are left to units, as an array; infinite where there is none.
    #[pyo3(signature = (units = None))]
    fn costs_left<'py>(
        &self,
        py: Python<'py>,
        units: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Bound<'py, PyArray1<f64>>> {
        let costs = self.ask(py, units, |crowd, unit| crowd.cost_left(unit).map(arguments::number))?;
        Ok(costs.into_pyarray(py))
    }

    /// The way that is left to a unit; `None` if there is none.
    fn path(&self, py: Python<'_>, unit: &Bound<'_, PyAny>) -> Outcome<Option<Path>> {
        let unit = arguments::unit(unit)?;
        let (path, space) = self.with(py, |crowd| {
            let path = crowd.path(unit)?;
            Ok::<_, CrowdError>((path, crowd.space(crowd.kind_of(unit)?)?.clone()))
        })?;
        Ok(path.map(|path| Path::new(path, space.into())))
    }

    /// The group that a unit was sent with, until it is settled; `None` if there is none.
    fn group_of(&self, py: Python<'_>, unit: &Bound<'_, PyAny>) -> Outcome<Option<u32>> {
        let unit = arguments::unit(unit)?;
        Ok(self.with(py, |crowd| crowd.group_of(unit))?.map(GroupId::to_bits))
    }

    /// The units of a group, until it is settled.
    fn members<'py>(&self, py: Python<'py>, group: u32) -> Bound<'py, PyArray1<u64>> {
        let group = GroupId::from_bits(group);
        numbers(py, &self.with(py, |crowd| crowd.members(group).collect::<Vec<_>>()))
    }

    /// What a way from one cell to another costs units of a kind; `None` if there is none.
    fn cost(
        &self,
        py: Python<'_>,
        kind: u32,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
    ) -> Outcome<Option<f64>> {
        let (kind, start, goal) = (kind_of(kind)?, arguments::cell(start)?, arguments::cell(goal)?);
        Ok(self.with(py, |crowd| crowd.cost(kind, start, goal))?.map(PathCost::to_f64))
    }

    /// What ways from one cell to many others cost units of a kind, as an array; infinite where there is
    /// none.
    fn costs<'py>(
        &self,
        py: Python<'py>,
        kind: u32,
        start: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
    ) -> Outcome<Bound<'py, PyArray1<f64>>> {
        let (kind, start) = (kind_of(kind)?, arguments::cell(start)?);
        let goals: Vec<Cell> = arguments::cells(goals, "goals")?;
        let costs = self.with(py, |crowd| crowd.costs(kind, start, goals))?;
        Ok(costs.into_iter().map(arguments::number).collect::<Vec<_>>().into_pyarray(py))
    }

    /// Whether units of a kind can get from one cell to another.
    fn reachable(
        &self,
        py: Python<'_>,
        kind: u32,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
    ) -> Outcome<bool> {
        let (kind, start, goal) = (kind_of(kind)?, arguments::cell(start)?, arguments::cell(goal)?);
        Ok(self.with(py, |crowd| crowd.reachable(kind, start, goal))?)
    }
}

/// A status as a number.
fn number(status: UnitStatus) -> u8 {
    match status {
        UnitStatus::Arrived => 1,
        UnitStatus::Unreachable => 2,
        UnitStatus::Stuck => 3,
        // The library may tell more apart one day; whoever is none of the others is on its way.
        _ => 0,
    }
}
