//! Changes of the map.

use surefoot::space::Link;
use wasm_bindgen::prelude::wasm_bindgen;

use super::Crowd;
use crate::types::{CellList, Num};
use crate::{Problem, arguments};

#[wasm_bindgen]
impl Crowd {
    /// Frees or blocks a cell. Whether that changes something.
    #[wasm_bindgen(js_name = setCell)]
    pub fn set_cell(&mut self, x: &Num, y: &Num, free: bool) -> Result<bool, Problem> {
        Ok(self.crowd.set_cell(arguments::cell(x, y)?, free)?)
    }

    /// Frees or blocks some cells. How many that changes. If one lies outside the map, none is changed.
    #[wasm_bindgen(js_name = setCells)]
    pub fn set_cells(&mut self, cells: &CellList, free: bool) -> Result<f64, Problem> {
        let cells = arguments::cells(cells)?;
        Ok(self.crowd.set_cells(cells.into_iter().map(|cell| (cell, free)))? as f64)
    }

    /// Says what some cells cost units of a kind: a weight of 1 to 255. How many that changes.
    #[wasm_bindgen(js_name = setWeights)]
    pub fn set_weights(&mut self, kind: &Num, cells: &CellList, weight: &Num) -> Result<f64, Problem> {
        let (kind, weight) = (arguments::kind(kind)?, arguments::weight(weight)?);
        let cells = arguments::cells(cells)?;
        Ok(self.crowd.set_weights(kind, cells.into_iter().map(|cell| (cell, weight)))? as f64)
    }

    /// Adds an extra move for units of a kind, from one cell to another: a one-way door, a ladder, a
    /// teleporter. It costs as much as so many straight moves, one unless something else is said.
    #[wasm_bindgen(js_name = addLink)]
    pub fn add_link(
        &mut self,
        kind: &Num,
        x0: &Num,
        y0: &Num,
        x1: &Num,
        y1: &Num,
        moves: Option<f64>,
    ) -> Result<u32, Problem> {
        let link = Link::new(arguments::cell(x0, y0)?, arguments::cell(x1, y1)?);
        let link = link.costing(arguments::whole(moves.unwrap_or(1.0), "moves")?);
        Ok(self.crowd.add_link(arguments::kind(kind)?, link)?.to_bits())
    }

    /// Removes it again.
    #[wasm_bindgen(js_name = removeLink)]
    pub fn remove_link(&mut self, kind: &Num, link: &Num) -> Result<(), Problem> {
        Ok(self.crowd.remove_link(arguments::kind(kind)?, arguments::link(link)?)?)
    }
}
