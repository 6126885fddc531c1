//! What units are told.

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use surefoot::{Cell, Speed, UnitId};

use super::{Crowd, numbers, priority};
use crate::arguments;
use crate::errors::{Outcome, argument};

#[pymethods]
impl Crowd {
    /// Gives a unit another goal.
    fn set_goal(&self, py: Python<'_>, unit: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> Outcome<()> {
        let (unit, goal) = (arguments::unit(unit)?, arguments::cell(goal)?);
        Ok(self.with(py, |crowd| crowd.set_goal(unit, goal))?)
    }

    /// Gives each unit the goal in the same row. It ends with the first that cannot have it.
    fn set_goals(&self, py: Python<'_>, units: &Bound<'_, PyAny>, goals: &Bound<'_, PyAny>) -> Outcome<()> {
        let (units, goals) = (arguments::units(units)?, arguments::cells(goals, "goals")?);
        if units.len() != goals.len() {
            let (units, goals) = (units.len(), goals.len());
            return Err(argument(format!("{units} units and {goals} goals; each unit needs one")));
        }
        let set = self.with(py, |crowd| {
            let mut orders = units.iter().zip(&goals).enumerate();
            orders.try_for_each(|(row, (&unit, &goal))| {
                crowd.set_goal(unit, goal).map_err(|error| (row, error))
            })
        });
        set.map_err(|(row, error)| crate::errors::unit_row(row, &error))
    }

    /// Gives a unit another goal, or the nearest cell to it that it can reach: which one.
    fn set_goal_or_nearest(
        &self,
        py: Python<'_>,
        unit: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
    ) -> Outcome<(u32, u32)> {
        let (unit, goal) = (arguments::unit(unit)?, arguments::cell(goal)?);
        let Cell { x, y } = self.with(py, |crowd| crowd.set_goal_or_nearest(unit, goal))?;
        Ok((x, y))
    }

    /// Sends units to one place: the number of the group that they are now. They spread over the free cells
    /// around it. `Frame.settled` tells when all are there.
    fn send(&self, py: Python<'_>, units: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> Outcome<u32> {
        let (units, goal) = (arguments::units(units)?, arguments::cell(goal)?);
        Ok(self.with(py, |crowd| crowd.send(units, goal))?.to_bits())
    }

    /// Lets a unit pursue another, wherever it goes.
    fn pursue(&self, py: Python<'_>, unit: &Bound<'_, PyAny>, target: &Bound<'_, PyAny>) -> Outcome<()> {
        let (unit, target) = (arguments::unit(unit)?, arguments::unit(target)?);
        Ok(self.with(py, |crowd| crowd.pursue(unit, target))?)
    }

    /// Stops a unit where it is.
    fn stop(&self, py: Python<'_>, unit: &Bound<'_, PyAny>) -> Outcome<()> {
        let unit = arguments::unit(unit)?;
        Ok(self.with(py, |crowd| crowd.stop(unit))?)
    }

    /// Puts a unit on another cell.
    fn place(&self, py: Python<'_>, unit: &Bound<'_, PyAny>, cell: &Bound<'_, PyAny>) -> Outcome<()> {
        let (unit, cell) = (arguments::unit(unit)?, arguments::cell(cell)?);
        Ok(self.with(py, |crowd| crowd.place(unit, cell))?)
    }

    /// Says who is served first where the work of a frame does not suffice for all: "low", "normal" or
    /// "high".
    fn set_priority(&self, py: Python<'_>, unit: &Bound<'_, PyAny>, priority: &str) -> Outcome<()> {
        let (unit, rank) = (arguments::unit(unit)?, self::priority(priority)?);
        Ok(self.with(py, |crowd| crowd.set_priority(unit, rank))?)
    }

    /// Lets units cover so many cells in so many frames: 1, 2 is half a cell a frame. Without numbers they
    /// make one move a frame, straight or diagonal, as at first. If there is no such unit or speed, none is
    /// changed.
    #[pyo3(signature = (units, cells = None, frames = 1))]
    fn set_speed(
        &self,
        py: Python<'_>,
        units: &Bound<'_, PyAny>,
        cells: Option<u32>,
        frames: u32,
    ) -> Outcome<()> {
        let units = arguments::units(units)?;
        if frames == 0 {
            return Err(argument("no unit gets anywhere in 0 frames; give cells and frames, as in 1, 2"));
        }
        let speed = cells.map_or(Speed::MOVE_A_FRAME, |cells| Speed::new(cells, frames));
        Ok(self.with(py, |crowd| {
            units.iter().try_for_each(|&unit| crowd.speed(unit).map(drop))?;
            // All are there, so the first one tells whether the speed is one.
            units.iter().try_for_each(|&unit| crowd.set_speed(unit, speed))
        })?)
    }

    /// Moves units off blocked cells to the nearest free ones: who was moved, and where to.
    #[allow(clippy::type_complexity)] // A pair of arrays.
    fn push_out<'py>(
        &self,
        py: Python<'py>,
    ) -> Outcome<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray2<u32>>)> {
        let pushed = self.with(py, surefoot::Crowd::push_out);
        let (units, cells): (Vec<UnitId>, Vec<Cell>) = pushed.into_iter().unzip();
        Ok((numbers(py, &units), arguments::array_of(py, &cells)?))
    }
}
