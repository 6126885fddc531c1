//! A walk, as lists of numbers.

use js_sys::{Float32Array, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;

use crate::walk;

/// A walk, step by step. A step is a move, or planning without one: then the agent stays where it is. Every
/// list is copied when it is asked for.
#[wasm_bindgen]
pub struct Walk(pub(super) walk::Walk);

#[wasm_bindgen]
impl Walk {
    /// The algorithm.
    #[wasm_bindgen(getter)]
    pub fn spec(&self) -> String {
        self.0.spec.clone()
    }

    /// What the database was built from that the agent went by. undefined if it went by none, or the walk is
    /// of a tape.
    #[wasm_bindgen(getter)]
    pub fn database(&self) -> Option<String> {
        self.0.database.clone()
    }

    /// What the moves cost together, in straight moves.
    #[wasm_bindgen(getter)]
    pub fn cost(&self) -> f64 {
        self.0.cost
    }

    /// How often the agent moved.
    #[wasm_bindgen(getter)]
    pub fn moves(&self) -> f64 {
        self.0.moves as f64
    }

    /// The number of steps: moves, and steps in which the agent only planned.
    #[wasm_bindgen(getter)]
    pub fn steps(&self) -> f64 {
        self.0.work.len() as f64
    }

    /// How the walk ended: "arrived", "unreachable", "stuck", "given up"; "unknown" if a tape does not say.
    #[wasm_bindgen(getter)]
    pub fn end(&self) -> String {
        self.0.end_name().to_string()
    }

    /// Where the walk should lead, as a cell index: y * width + x.
    #[wasm_bindgen(getter)]
    pub fn goal(&self) -> u32 {
        self.0.tape.header().goal.0
    }

    /// Where the agent stood: x, y of the start, then after each step.
    #[wasm_bindgen(getter)]
    pub fn path(&self) -> Uint32Array {
        let width = self.0.tape.header().grid.map_or(1, |grid| grid.width);
        let cells = self.0.recording.places.iter().flat_map(|state| [state.0 % width, state.0 / width]);
        Uint32Array::from(cells.collect::<Vec<u32>>().as_slice())
    }

    /// What was charged in each step: all kinds of work together. Of a tape, the expansions: it knows no
    /// other.
    #[wasm_bindgen(getter)]
    pub fn work(&self) -> Uint32Array {
        Uint32Array::from(self.0.work.as_slice())
    }

    /// The most that may be charged in a step. undefined if there is no bound, or the walk is of a tape.
    #[wasm_bindgen(getter)]
    pub fn bound(&self) -> Option<f64> {
        self.0.bound.map(|bound| bound as f64)
    }

    /// Where the cells of each step begin in expanded, and where those of the last one end: steps + 1
    /// numbers.
    #[wasm_bindgen(getter, js_name = expandedStarts)]
    pub fn expanded_starts(&self) -> Uint32Array {
        Uint32Array::from(self.0.recording.expanded.starts.as_slice())
    }

    /// The cells that were expanded, in that order, as cell indices. Some algorithms do not name all of them.
    #[wasm_bindgen(getter)]
    pub fn expanded(&self) -> Uint32Array {
        Uint32Array::from(self.0.recording.expanded.things.as_slice())
    }

    /// Where the cells of each step begin in raised, and where those of the last one end: steps + 1 numbers.
    #[wasm_bindgen(getter, js_name = raisedStarts)]
    pub fn raised_starts(&self) -> Uint32Array {
        Uint32Array::from(self.0.recording.raised.starts.as_slice())
    }

    /// The cells whose values were raised, in that order, as cell indices.
    #[wasm_bindgen(getter)]
    pub fn raised(&self) -> Uint32Array {
        Uint32Array::from(self.0.recording.raised.things.as_slice())
    }

    /// How far each of them was above the estimate then, in straight moves: what was learned of it so far.
    #[wasm_bindgen(getter, js_name = raisedValues)]
    pub fn raised_values(&self) -> Float32Array {
        Float32Array::from(self.0.recording.rises.as_slice())
    }

    /// What the agent headed for after each step on its way to the goal, as cell indices; 4294967295 if it
    /// had named nothing.
    #[wasm_bindgen(getter)]
    pub fn subgoals(&self) -> Uint32Array {
        Uint32Array::from(self.0.recording.subgoals.as_slice())
    }

    /// Whether the tape was full before the walk was over. Then nothing is known of what was expanded, raised
    /// and headed for later; path, work and cost are those of the whole walk, if it is not of a tape itself.
    #[wasm_bindgen(getter, js_name = wasCutOff)]
    pub fn was_cut_off(&self) -> bool {
        self.0.tape.is_truncated()
    }

    /// The walk as the bytes of a .tape file.
    #[wasm_bindgen(js_name = tapeBytes)]
    pub fn tape_bytes(&self) -> Uint8Array {
        Uint8Array::from(self.0.tape.to_bytes().as_slice())
    }
}
