//! A map at hand.

use std::ops::ControlFlow;

use js_sys::{Function, Uint8Array};
use surefoot::store::BuildEvent;
use wasm_bindgen::prelude::*;

use super::Walk;
use super::arguments::{bytes, ends, error, optional_string, string};
use crate::maps::MOST_CELLS;
use crate::numbers::{MOST_SEED, whole};
use crate::walk::{MOST_MOVES, MOST_REPLAYED};
use crate::world;

/// The most bytes of a database that is opened.
const MOST_DATABASE: u32 = 1 << 30;

/// A map with a move rule and costs, with its databases and walks. It does not change: make another one for
/// another map.
#[wasm_bindgen]
pub struct World(world::World);

#[wasm_bindgen]
impl World {
    /// A map of one byte a cell, row after row: free where it is not 0. Rules: squeeze, one-free, no-cut,
    /// cardinal. Costs of a diagonal move: sqrt2, 1.4.
    ///
    /// # Errors
    /// If there are more or fewer cells than width times height, or there is no such rule or cost model.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] cells: &JsValue,
        width: f64,
        height: f64,
        #[wasm_bindgen(unchecked_param_type = "string")] rule: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] costs: &JsValue,
    ) -> Result<World, JsError> {
        let side = |value, what| whole(value, what, 1..=MOST_CELLS).map_err(error);
        let (width, height) = (side(width, "width")? as u32, side(height, "height")? as u32);
        let cells = bytes(cells, "cells", MOST_CELLS as u32)?;
        let (rule, costs) = (string(rule, "rule")?, string(costs, "costs")?);
        world::World::new(&cells, width, height, &rule, &costs).map(World).map_err(error)
    }

    /// The number of columns.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.0.space().grid().width()
    }

    /// The number of rows.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.0.space().grid().height()
    }

    /// The number of free cells.
    #[wasm_bindgen(getter)]
    pub fn states(&self) -> f64 {
        self.0.space().grid().free_count() as f64
    }

    /// Builds the database that an algorithm needs, unless it is there. What there is to say of it, as JSON:
    /// kind, config, seed, entries, states, bytes, memoryBytes, facts (label, text), shows (which sketches
    /// there are of it: way, true or false; records and levels, [first, last] or null). undefined if the
    /// algorithm needs none. The seed is 1 unless another is given.
    ///
    /// progress hears of every stage; if it returns false, the build is cancelled and an Error thrown. Covers
    /// and abstractions are built in one go, and tell of nothing.
    ///
    /// # Errors
    /// If the spec is wrong, the database cannot be built, or the build was cancelled.
    #[expect(clippy::needless_pass_by_value, reason = "what may be left out is passed by value")]
    pub fn build(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] spec: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] seed: Option<f64>,
        #[wasm_bindgen(
            unchecked_optional_param_type = "(stage: string, done: number, all: number) => boolean | void"
        )]
        progress: Option<Function>,
    ) -> Result<Option<String>, JsValue> {
        let spec = string(spec, "spec")?;
        let seed = seed.unwrap_or(world::DEFAULT_SEED as f64);
        let seed = whole(seed, "seed", 0..=MOST_SEED).map_err(error)?;
        let mut thrown = None;
        let mut watch = |event: BuildEvent| {
            let Some(progress) = &progress else { return ControlFlow::Continue(()) };
            let (stage, done, all) = match event {
                BuildEvent::Progress { stage, done, all } => (stage.into_owned(), done, all),
                other => (other.to_string(), 0, 0),
            };
            let (done, all) = (JsValue::from_f64(done as f64), JsValue::from_f64(all as f64));
            match progress.call3(&JsValue::UNDEFINED, &JsValue::from_str(&stage), &done, &all) {
                Ok(answer) if answer.as_bool() == Some(false) => ControlFlow::Break(()),
                Ok(_) => ControlFlow::Continue(()),
                Err(problem) => {
                    thrown = Some(problem);
                    ControlFlow::Break(())
                }
            }
        };
        let built = self.0.build(&spec, seed, &mut watch);
        // What the callback threw goes on to whoever called.
        if let Some(thrown) = thrown { Err(thrown) } else { Ok(built.map_err(error)?) }
    }

    /// The file (.sfdb) of a database: the one that serves an algorithm, or else the one that was built,
    /// opened or used last.
    ///
    /// # Errors
    /// If there is no such database.
    #[wasm_bindgen(js_name = databaseBytes)]
    pub fn database_bytes(
        &mut self,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] spec: &JsValue,
    ) -> Result<Uint8Array, JsError> {
        let spec = optional_string(spec, "spec")?;
        let bytes = self.0.database_bytes(spec.as_deref()).map_err(error)?;
        Ok(Uint8Array::from(bytes.as_slice()))
    }

    /// Opens the file (.sfdb) of a database for this map, and says the same of it as build. Algorithms that
    /// it serves go by it from now on.
    ///
    /// # Errors
    /// If it is no such file, is of another map, or does not serve the algorithm that is named.
    #[wasm_bindgen(js_name = openDatabase)]
    pub fn open_database(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] file: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] spec: &JsValue,
    ) -> Result<String, JsError> {
        let file = bytes(file, "the database", MOST_DATABASE)?;
        let spec = optional_string(spec, "spec")?;
        self.0.open_database(file, spec.as_deref()).map_err(error)
    }

    /// Lets an algorithm walk from one cell to another, for mostMoves moves at most (4,194,304 unless given).
    /// It goes by the database that was built for it, or by one that was opened and serves; else one is built
    /// first, with seed 1.
    ///
    /// # Errors
    /// If the spec, a cell or mostMoves is wrong, or the database cannot be built.
    pub fn walk(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] spec: &JsValue,
        x0: f64,
        y0: f64,
        x1: f64,
        y1: f64,
        #[wasm_bindgen(js_name = mostMoves)] most_moves: Option<f64>,
    ) -> Result<Walk, JsError> {
        let spec = string(spec, "spec")?;
        let (start, goal) = ends(x0, y0, x1, y1)?;
        let most_moves = most_moves.unwrap_or(MOST_MOVES as f64);
        let most_moves = whole(most_moves, "mostMoves", 1..=MOST_MOVES).map_err(error)?;
        Ok(Walk(self.0.walk(&spec, start, goal, most_moves).map_err(error)?))
    }

    /// What the cheapest path costs, in straight moves. undefined if there is no way.
    ///
    /// # Errors
    /// If a cell is outside the map or blocked.
    pub fn optimum(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Result<Option<f64>, JsError> {
        let (start, goal) = ends(x0, y0, x1, y1)?;
        self.0.optimum(start, goal).map_err(error)
    }

    /// The walk of a .tape file.
    ///
    /// # Errors
    /// If it is no tape, or one of another map.
    pub fn replay(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] tape: &JsValue,
    ) -> Result<Walk, JsError> {
        let tape = bytes(tape, "the tape", MOST_REPLAYED as u32)?;
        Ok(Walk(self.0.replay(&tape).map_err(error)?))
    }

    /// What a database looks like, as JSON: panels (title, caption, marks of shape, shade and data), legend
    /// (shade, words), table (head, rows; or null), words. All of it, or the way between two cells, or a
    /// record, or a level. Of the database that serves spec, or else the one that was built, opened or used
    /// last.
    ///
    /// shape: cells, path, dots, spots, start, goal, meeting (data: x, y, ...), lines (x, y, x, y, ...),
    /// curve, spotsAt (points; the middle of cell 0, 0 is 0.5, 0.5). shade: {name, number} with the names
    /// path, region, line, faint, faintLine, subgoal; null for start, goal and meeting.
    ///
    /// # Errors
    /// If there is no such database, or no such thing to be seen in it.
    #[expect(clippy::too_many_arguments, reason = "JavaScript leaves out what it does not need")]
    pub fn sketch(
        &mut self,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] x0: Option<f64>,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] y0: Option<f64>,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] x1: Option<f64>,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] y1: Option<f64>,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] record: Option<f64>,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] level: Option<f64>,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] spec: &JsValue,
    ) -> Result<String, JsError> {
        let way = match (x0, y0, x1, y1) {
            (None, None, None, None) => None,
            (Some(x0), Some(y0), Some(x1), Some(y1)) => Some(ends(x0, y0, x1, y1)?),
            _ => return Err(error("a way has two cells: expected x0, y0, x1, y1, or none of them")),
        };
        let number = |value: Option<f64>, what| {
            value
                .map(|value| whole(value, what, 0..=u64::from(u32::MAX)).map(|number| number as u32))
                .transpose()
        };
        let (record, level) =
            (number(record, "record").map_err(error)?, number(level, "level").map_err(error)?);
        let spec = optional_string(spec, "spec")?;
        self.0.sketch(spec.as_deref(), way, record, level).map_err(error)
    }
}
