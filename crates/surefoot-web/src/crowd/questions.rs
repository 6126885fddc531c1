//! What can be asked of a crowd.

use surefoot::{PathCost, UnitId, UnitStatus};
use wasm_bindgen::prelude::wasm_bindgen;

use super::{Crowd, frame};
use crate::types::{CellList, Num, UnitList};
use crate::{Path, Problem, arguments};

#[wasm_bindgen]
impl Crowd {
    /// All units, in an order that stays the same until one is added or removed. `positions` and `statuses`
    /// have it, too.
    pub fn units(&self) -> Vec<f64> {
        frame::numbers(&self.crowd.units().collect::<Vec<_>>())
    }

    /// Where to draw all units, in the order of `units`: x, y, x, y and so on, between two cells where a unit
    /// has a speed. The middle of the first cell is at 0, 0.
    pub fn positions(&self) -> Vec<f32> {
        // Whoever is listed is there.
        let points = self.crowd.units().filter_map(|unit| self.crowd.progress(unit).ok());
        points.flat_map(|progress| <[f32; 2]>::from(progress.point())).collect()
    }

    /// The same for some units, in their order.
    #[wasm_bindgen(js_name = positionsOf)]
    pub fn positions_of(&self, units: &UnitList) -> Result<Vec<f32>, Problem> {
        let units = arguments::units(units)?;
        let mut points = Vec::with_capacity(2 * units.len());
        for unit in units {
            points.extend(<[f32; 2]>::from(self.crowd.progress(unit)?.point()));
        }
        Ok(points)
    }

    /// How all units fare, in the order of `units`: 0 walks, 1 has arrived, 2 has no way to its goal, 3 does
    /// not know how to go on.
    pub fn statuses(&self) -> Vec<u8> {
        let statuses = self.crowd.units().filter_map(|unit| self.crowd.status(unit).ok());
        statuses.map(number).collect()
    }

    /// How a unit fares: the numbers of `statuses`.
    pub fn status(&self, unit: &Num) -> Result<u8, Problem> {
        Ok(number(self.crowd.status(arguments::unit(unit)?)?))
    }

    /// The cell that a unit stands on: x, y.
    pub fn position(&self, unit: &Num) -> Result<Vec<u32>, Problem> {
        Ok(arguments::numbers(&[self.crowd.position(arguments::unit(unit)?)?]))
    }

    /// Where a unit is to go: x, y.
    pub fn goal(&self, unit: &Num) -> Result<Vec<u32>, Problem> {
        Ok(arguments::numbers(&[self.crowd.goal(arguments::unit(unit)?)?]))
    }

    /// The group that a unit was sent with, until it is settled; `undefined` if there is none.
    #[wasm_bindgen(js_name = groupOf)]
    pub fn group_of(&self, unit: &Num) -> Result<Option<u32>, Problem> {
        Ok(self.crowd.group_of(arguments::unit(unit)?)?.map(surefoot::GroupId::to_bits))
    }

    /// The way that is left to a unit; `undefined` if there is none.
    pub fn path(&self, unit: &Num) -> Result<Option<Path>, Problem> {
        let unit: UnitId = arguments::unit(unit)?;
        let (path, smooth) = (self.crowd.path(unit)?, self.crowd.smooth_path(unit)?);
        Ok(path.zip(smooth).map(|(path, smooth)| Path::of_unit(path, smooth)))
    }

    /// What the way costs that is left to a unit; `undefined` if there is none.
    #[wasm_bindgen(js_name = costLeft)]
    pub fn cost_left(&self, unit: &Num) -> Result<Option<f64>, Problem> {
        Ok(self.crowd.cost_left(arguments::unit(unit)?)?.map(PathCost::to_f64))
    }

    /// How many moves are left to a unit; `undefined` if there is no way.
    #[wasm_bindgen(js_name = movesLeft)]
    pub fn moves_left(&self, unit: &Num) -> Result<Option<u32>, Problem> {
        Ok(self.crowd.moves_left(arguments::unit(unit)?)?.map(|moves| moves as u32))
    }

    /// What a way from one cell to another costs units of a kind; `undefined` if there is none.
    pub fn cost(&self, kind: &Num, x0: &Num, y0: &Num, x1: &Num, y1: &Num) -> Result<Option<f64>, Problem> {
        let (kind, start, goal) =
            (arguments::kind(kind)?, arguments::cell(x0, y0)?, arguments::cell(x1, y1)?);
        Ok(self.crowd.cost(kind, start, goal)?.map(PathCost::to_f64))
    }

    /// The place among the goals of the one that is nearest to a cell for units of a kind, counted from 0;
    /// `undefined` if there is no way to any of them.
    #[wasm_bindgen(js_name = nearestOf)]
    pub fn nearest_of(&self, kind: &Num, x: &Num, y: &Num, goals: &CellList) -> Result<Option<u32>, Problem> {
        let (kind, start) = (arguments::kind(kind)?, arguments::cell(x, y)?);
        let nearest = self.crowd.nearest_of(kind, start, arguments::cells(goals)?)?;
        Ok(nearest.map(|(place, _)| place as u32))
    }

    /// Whether units of a kind can get from one cell to another.
    pub fn reachable(&self, kind: &Num, x0: &Num, y0: &Num, x1: &Num, y1: &Num) -> Result<bool, Problem> {
        let (kind, start, goal) =
            (arguments::kind(kind)?, arguments::cell(x0, y0)?, arguments::cell(x1, y1)?);
        Ok(self.crowd.reachable(kind, start, goal)?)
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
