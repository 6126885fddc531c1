//! What JavaScript sees. Everything here takes what JavaScript passes, checks it, and calls the plain
//! modules.

mod arguments;
mod walk;
mod world;

pub use walk::Walk;
pub use world::World;

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use crate::numbers::{MOST_SEED, whole};
use crate::{maps, roster as entries};
use arguments::{error, string};

/// The longest text that is read: files of problems have a few hundred kilobytes.
const MOST_TEXT: u32 = 1 << 26;

/// All algorithms, as JSON: a list of objects with name, summary, needs, needsDatabase, paper, optimal,
/// complete, isRealTime, bound, parameters (name, default, what) and quick, a spec that is quick to prepare
/// on a map of so many states (free cells).
///
/// # Errors
/// If `states` is no number of states.
#[wasm_bindgen]
pub fn roster(states: Option<f64>) -> Result<String, JsError> {
    let states =
        whole(states.unwrap_or(10_000.0), "states", 0..=surefoot::space::MAX_CELLS).map_err(error)?;
    Ok(entries::roster(states as usize))
}

/// The kinds of maps that can be made, as JSON: a list of objects with name and summary.
#[wasm_bindgen]
pub fn kinds() -> String {
    maps::kinds()
}

/// Makes a map: one byte a cell, row after row, 1 where it is free.
///
/// # Errors
/// If there is no such kind, or no map of this size.
#[wasm_bindgen]
pub fn generate(
    #[wasm_bindgen(unchecked_param_type = "string")] kind: &JsValue,
    width: f64,
    height: f64,
    seed: f64,
) -> Result<Uint8Array, JsError> {
    let kind = string(kind, "kind")?;
    let side = |value, what| whole(value, what, 1..=maps::MOST_CELLS).map_err(error);
    let (width, height) = (side(width, "width")? as u32, side(height, "height")? as u32);
    let seed = whole(seed, "seed", 0..=MOST_SEED).map_err(error)?;
    let cells = maps::generate(&kind, width, height, seed).map_err(error)?;
    Ok(Uint8Array::from(cells.as_slice()))
}

/// The problems of a .scen file, as JSON: a list of objects with bucket, map, mapSize ([width, height] or
/// null), start, goal ([x, y]), length and isReachable.
///
/// # Errors
/// If it is no such file, with line and column.
#[wasm_bindgen]
pub fn problems(#[wasm_bindgen(unchecked_param_type = "string")] scen: &JsValue) -> Result<String, JsError> {
    maps::problems(string(scen, "scen")?.as_bytes()).map_err(error)
}
