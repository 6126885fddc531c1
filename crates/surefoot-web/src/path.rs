//! Paths.

use surefoot::SmoothPath;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{Problem, arguments};

/// A whole way, cell by cell.
#[wasm_bindgen]
pub struct Path {
    path: surefoot::Path,
    smooth: Smooth,
}

/// Where the same way without corners comes from.
enum Smooth {
    /// It is pulled tight when somebody asks, on the map as it was.
    By(surefoot::Navigator),
    /// It is there.
    Done(SmoothPath),
}

#[wasm_bindgen]
impl Path {
    /// The cells, both ends included: x, y, x, y and so on.
    #[wasm_bindgen(getter)]
    pub fn cells(&self) -> Vec<u32> {
        arguments::numbers(self.path.cells())
    }

    /// Where it begins, where its direction changes, and where it ends: enough to draw it.
    #[wasm_bindgen(getter, js_name = turningPoints)]
    pub fn turning_points(&self) -> Vec<u32> {
        arguments::numbers(&self.path.turning_points())
    }

    /// What it costs; a straight move costs 1.
    #[wasm_bindgen(getter)]
    pub fn cost(&self) -> f64 {
        self.path.cost().to_f64()
    }

    /// The number of moves.
    #[wasm_bindgen(getter)]
    pub fn moves(&self) -> u32 {
        self.path.moves() as u32
    }

    /// The number of cells: one more than there are moves.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> u32 {
        self.path.cells().len() as u32
    }

    /// The path pulled tight, at any angle: the ends of its straight lines. It ends at the first link.
    pub fn smooth(&self) -> Result<Vec<u32>, Problem> {
        self.smoothed(|smooth| arguments::numbers(smooth.points()))
    }

    /// How long the path is when it is pulled tight, in cells.
    #[wasm_bindgen(js_name = smoothLength)]
    pub fn smooth_length(&self) -> Result<f64, Problem> {
        self.smoothed(SmoothPath::length)
    }
}

impl Path {
    pub(crate) fn of_navigator(path: surefoot::Path, navigator: &surefoot::Navigator) -> Self {
        Self { path, smooth: Smooth::By(navigator.clone()) }
    }

    pub(crate) fn of_unit(path: surefoot::Path, smooth: SmoothPath) -> Self {
        Self { path, smooth: Smooth::Done(smooth) }
    }

    fn smoothed<T>(&self, answer: impl FnOnce(&SmoothPath) -> T) -> Result<T, Problem> {
        match &self.smooth {
            Smooth::By(navigator) => Ok(answer(&navigator.smooth(&self.path)?)),
            Smooth::Done(smooth) => Ok(answer(smooth)),
        }
    }
}
