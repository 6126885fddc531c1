//! Navigators.

use surefoot::Edit;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::map::edit;
use crate::types::{Bytes, CellList, Num};
use crate::{Map, Path, Problem, Walker, arguments};

/// Finds ways through a map: build it once with `Map.navigator`, and ask it as often as you like.
#[wasm_bindgen]
pub struct Navigator {
    pub(crate) navigator: surefoot::Navigator,
}

#[wasm_bindgen]
impl Navigator {
    /// Opens a navigator from the bytes that `toBytes` gave for the same map, here or on any other machine.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(map: &Map, bytes: &Bytes) -> Result<Navigator, Problem> {
        Ok(surefoot::Navigator::from_bytes(&map.map, &arguments::bytes(bytes)?)?.into())
    }

    /// The navigator as bytes, the same as on any other machine. The map is not in them.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Result<Vec<u8>, Problem> {
        Ok(self.navigator.to_bytes()?)
    }

    /// The map as it is now.
    #[wasm_bindgen(getter)]
    pub fn map(&self) -> Map {
        Map { map: self.navigator.map().clone() }
    }

    /// Whether all paths and walks are cheapest ones. That is so unless ground has weights or the map is very
    /// cluttered; then they seldom cost more than a few percent more.
    #[wasm_bindgen(getter, js_name = isExact)]
    pub fn is_exact(&self) -> bool {
        self.navigator.is_exact()
    }

    /// The bytes of all that was computed for the map.
    #[wasm_bindgen(getter, js_name = memoryBytes)]
    pub fn memory_bytes(&self) -> f64 {
        self.navigator.memory_bytes() as f64
    }

    /// A path from one cell to another; `undefined` if there is no way.
    pub fn path(&self, x0: &Num, y0: &Num, x1: &Num, y1: &Num) -> Result<Option<Path>, Problem> {
        let path = self.navigator.path(arguments::cell(x0, y0)?, arguments::cell(x1, y1)?)?;
        Ok(path.map(|path| Path::of_navigator(path, &self.navigator)))
    }

    /// What a path from one cell to another costs; `undefined` if there is no way.
    pub fn cost(&self, x0: &Num, y0: &Num, x1: &Num, y1: &Num) -> Result<Option<f64>, Problem> {
        let cost = self.navigator.cost(arguments::cell(x0, y0)?, arguments::cell(x1, y1)?)?;
        Ok(cost.map(surefoot::PathCost::to_f64))
    }

    /// What paths from one cell to many others cost, in their order; `Infinity` for those that there is no
    /// way to.
    pub fn costs(&self, x: &Num, y: &Num, goals: &CellList) -> Result<Vec<f64>, Problem> {
        let costs = self.navigator.costs(arguments::cell(x, y)?, arguments::cells(goals)?)?;
        Ok(costs.into_iter().map(|cost| cost.map_or(f64::INFINITY, surefoot::PathCost::to_f64)).collect())
    }

    /// The place among the goals of the one that is nearest by way, counted from 0; `undefined` if there is
    /// no way to any of them. Equally near ones: the first.
    #[wasm_bindgen(js_name = nearestOf)]
    pub fn nearest_of(&self, x: &Num, y: &Num, goals: &CellList) -> Result<Option<u32>, Problem> {
        let nearest = self.navigator.nearest_of(arguments::cell(x, y)?, arguments::cells(goals)?)?;
        Ok(nearest.map(|(place, _)| place as u32))
    }

    /// Whether there is a way from one cell to another. Nothing is searched for that.
    pub fn reachable(&self, x0: &Num, y0: &Num, x1: &Num, y1: &Num) -> Result<bool, Problem> {
        Ok(self.navigator.reachable(arguments::cell(x0, y0)?, arguments::cell(x1, y1)?)?)
    }

    /// A unit on its way from one cell to another. If there is no way, its first move says so.
    pub fn walker(&self, x0: &Num, y0: &Num, x1: &Num, y1: &Num) -> Result<Walker, Problem> {
        let walker = self.navigator.walker(arguments::cell(x0, y0)?, arguments::cell(x1, y1)?)?;
        Ok(Walker { walker })
    }

    /// Frees or blocks some cells, and brings the navigator up to date. Walkers on their way are told by
    /// `Walker.follow`.
    pub fn edit(&mut self, cells: &CellList, free: bool) -> Result<(), Problem> {
        Ok(self.navigator.edit(arguments::cells(cells)?.into_iter().map(|cell| edit(cell, free)))?)
    }

    /// Gives some cells of a map with weights another one, 1 to 255, and brings the navigator up to date.
    pub fn weigh(&mut self, cells: &CellList, weight: &Num) -> Result<(), Problem> {
        let weight = arguments::weight(weight)?;
        let cells = arguments::cells(cells)?;
        Ok(self.navigator.edit(cells.into_iter().map(|cell| Edit::weigh(cell, weight)))?)
    }
}

impl From<surefoot::Navigator> for Navigator {
    fn from(navigator: surefoot::Navigator) -> Self {
        Self { navigator }
    }
}
