//! What units are told.

use surefoot::{Priority, UnitId};
use wasm_bindgen::prelude::wasm_bindgen;

use super::Crowd;
use crate::types::{Num, UnitList};
use crate::{Problem, arguments};

#[wasm_bindgen]
impl Crowd {
    /// Gives a unit another goal.
    #[wasm_bindgen(js_name = setGoal)]
    pub fn set_goal(&mut self, unit: &Num, x: &Num, y: &Num) -> Result<(), Problem> {
        Ok(self.crowd.set_goal(arguments::unit(unit)?, arguments::cell(x, y)?)?)
    }

    /// Sends units to one place, and gives the group that they are now. They spread over the free cells
    /// around it. `FrameReport.settled` tells when all are there.
    pub fn send(&mut self, units: &UnitList, x: &Num, y: &Num) -> Result<u32, Problem> {
        Ok(self.crowd.send(arguments::units(units)?, arguments::cell(x, y)?)?.to_bits())
    }

    /// Lets a unit pursue another, wherever it goes.
    pub fn pursue(&mut self, unit: &Num, target: &Num) -> Result<(), Problem> {
        Ok(self.crowd.pursue(arguments::unit(unit)?, arguments::unit(target)?)?)
    }

    /// Stops a unit where it is.
    pub fn stop(&mut self, unit: &Num) -> Result<(), Problem> {
        Ok(self.crowd.stop(arguments::unit(unit)?)?)
    }

    /// Puts a unit on another cell.
    pub fn place(&mut self, unit: &Num, x: &Num, y: &Num) -> Result<(), Problem> {
        Ok(self.crowd.place(arguments::unit(unit)?, arguments::cell(x, y)?)?)
    }

    /// Says who is served first where the work of a frame does not suffice for all.
    #[wasm_bindgen(js_name = setPriority)]
    pub fn set_priority(
        &mut self,
        unit: &Num,
        #[wasm_bindgen(unchecked_param_type = "\"low\" | \"normal\" | \"high\"")] priority: &str,
    ) -> Result<(), Problem> {
        let priority = match priority {
            "low" => Priority::Low,
            "normal" => Priority::Normal,
            "high" => Priority::High,
            other => {
                let words = format!("unknown priority \"{other}\"; expected one of: low, normal, high");
                return Err(Problem::new(words));
            }
        };
        Ok(self.crowd.set_priority(arguments::unit(unit)?, priority)?)
    }

    /// Lets a unit cover so many cells in so many frames: 1, 2 is half a cell a frame. Without numbers it
    /// makes one move a frame, straight or diagonal, as at first.
    #[wasm_bindgen(js_name = setSpeed)]
    pub fn set_speed(&mut self, unit: &Num, cells: Option<f64>, frames: Option<f64>) -> Result<(), Problem> {
        Ok(self.crowd.set_speed(arguments::unit(unit)?, arguments::speed(cells, frames)?)?)
    }

    /// The same for many units. If there is no such unit or speed, none is changed.
    #[wasm_bindgen(js_name = setSpeeds)]
    pub fn set_speeds(
        &mut self,
        units: &UnitList,
        cells: Option<f64>,
        frames: Option<f64>,
    ) -> Result<(), Problem> {
        let (units, speed) = (arguments::units(units)?, arguments::speed(cells, frames)?);
        units.iter().try_for_each(|&unit| self.crowd.speed(unit).map(drop))?;
        // All are there, so the first one tells whether the speed is one.
        units.iter().try_for_each(|&unit| self.crowd.set_speed(unit, speed))?;
        Ok(())
    }

    /// Moves units off blocked cells to the nearest free ones. Who was moved: unit, x, y and so on.
    #[wasm_bindgen(js_name = pushOut)]
    pub fn push_out(&mut self) -> Vec<f64> {
        let pushed = self.crowd.push_out();
        let numbers = |(unit, cell): (UnitId, surefoot::Cell)| {
            [unit.to_bits() as f64, f64::from(cell.x), f64::from(cell.y)]
        };
        pushed.into_iter().flat_map(numbers).collect()
    }
}
