//! Maps.

use surefoot::formats::write_map;
use surefoot::space::{CellWeights, CostModel, MoveRule, TerrainMap};
use surefoot::{Cell, Edit};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::progress::Watcher;
use crate::types::{Bytes, CellList, Num, Pixels, ProgressFunction};
use crate::{Navigator, Problem, arguments};

/// The least luminance of a pixel that is a free cell, as in the library.
const BRIGHT: u32 = 128;

/// A map: which cells can be walked on, which moves there are, and what they cost.
///
/// Unless something else is said, units move in eight directions and do not cut corners, a straight move
/// costs 1 and a diagonal one √2.
#[wasm_bindgen]
pub struct Map {
    pub(crate) map: surefoot::Map,
}

#[wasm_bindgen]
impl Map {
    /// Reads a map from text: a MovingAI `.map` file, or ASCII art in which `.` is free and `#` is blocked.
    #[wasm_bindgen(js_name = fromText)]
    pub fn from_text(text: &str) -> Result<Map, Problem> {
        Self::read(text.as_bytes())
    }

    /// Reads a map from the bytes of such a file.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &Bytes) -> Result<Map, Problem> {
        Self::read(&arguments::bytes(bytes)?)
    }

    /// Makes a map of the pixels of an image, one a cell: `ImageData.data` of a canvas. Dark or transparent
    /// pixels are walls.
    #[wasm_bindgen(js_name = fromImage)]
    pub fn from_image(rgba: &Pixels, width: &Num, height: &Num) -> Result<Map, Problem> {
        let rgba = arguments::bytes(rgba)?;
        let sides = arguments::sides(width, height)?;
        arguments::check_count(sides, rgba.len(), 4)?;
        let (pixels, _) = rgba.as_chunks::<4>();
        Self::of_cells(sides, |at| pixels.get(at).is_some_and(|&pixel| is_bright(pixel)))
    }

    /// Makes a map of one byte a cell, row after row: what is not 0 is free.
    #[wasm_bindgen(js_name = fromCells)]
    pub fn from_cells(cells: &Bytes, width: &Num, height: &Num) -> Result<Map, Problem> {
        let cells = arguments::bytes(cells)?;
        let sides = arguments::sides(width, height)?;
        arguments::check_count(sides, cells.len(), 1)?;
        Self::of_cells(sides, |at| cells.get(at).is_some_and(|&cell| cell != 0))
    }

    /// Makes a map of one bit a cell, row after row without gaps: cell x, y is bit `i % 8` of byte
    /// `floor(i / 8)`, where `i = y * width + x` and bit 0 is the one that counts 1. What is set is free.
    #[wasm_bindgen(js_name = fromBits)]
    pub fn from_bits(bits: &Bytes, width: &Num, height: &Num) -> Result<Map, Problem> {
        let bits = arguments::bytes(bits)?;
        let (width, height) = arguments::sides(width, height)?;
        let needed = (u64::from(width) * u64::from(height)).div_ceil(8);
        if bits.len() as u64 != needed {
            let given = bits.len();
            let words =
                format!("a map of {width} x {height} cells needs {needed} bytes of bits, not {given}");
            return Err(Problem::new(words));
        }
        Self::of_cells((width, height), |at| bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1))
    }

    /// The number of columns.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.map.width()
    }

    /// The number of rows.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.map.height()
    }

    /// When a diagonal move is allowed.
    #[wasm_bindgen(getter, unchecked_return_type = "MoveRule")]
    pub fn rule(&self) -> String {
        self.map.rule().name().into()
    }

    /// What a diagonal move costs.
    #[wasm_bindgen(getter, unchecked_return_type = "CostModel")]
    pub fn costs(&self) -> String {
        self.map.costs().name().into()
    }

    /// What ground costs, a byte for each cell; `undefined` if it is the same everywhere.
    #[wasm_bindgen(getter)]
    pub fn weights(&self) -> Option<Vec<u8>> {
        let weights = self.map.space().weights()?;
        Some(weights.rows().flatten().copied().collect())
    }

    /// Whether a cell can be walked on. What is no cell of the map cannot.
    #[wasm_bindgen(js_name = isFree)]
    pub fn is_free(&self, x: &Num, y: &Num) -> bool {
        arguments::cell(x, y).is_ok_and(|cell| self.map.is_free(cell))
    }

    /// All cells, one byte each, row after row: 1 is free, 0 is blocked.
    pub fn cells(&self) -> Vec<u8> {
        let grid = self.map.space().grid();
        let rows = 0..grid.height();
        let cells = rows.flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x, y)));
        cells.map(|cell| u8::from(grid.is_free(cell))).collect()
    }

    /// The map as a MovingAI `.map` file.
    #[wasm_bindgen(js_name = toText)]
    pub fn to_text(&self) -> String {
        let bytes = write_map(&TerrainMap::from_grid(self.map.space().grid()));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A copy. It costs nothing: cells are shared until one of the two changes.
    #[wasm_bindgen(js_name = clone)]
    pub fn copy(&self) -> Map {
        Self { map: self.map.clone() }
    }

    /// The same cells under another move rule.
    #[wasm_bindgen(js_name = withRule)]
    pub fn with_rule(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MoveRule")] rule: &str,
    ) -> Result<Map, Problem> {
        Ok(Self { map: self.map.clone().with_rule(rule.parse::<MoveRule>()?) })
    }

    /// The same cells with another cost of diagonal moves.
    #[wasm_bindgen(js_name = withCosts)]
    pub fn with_costs(
        &self,
        #[wasm_bindgen(unchecked_param_type = "CostModel")] costs: &str,
    ) -> Result<Map, Problem> {
        Ok(Self { map: self.map.clone().with_costs(costs.parse::<CostModel>()?) })
    }

    /// The same cells with weights, a byte for each: a move costs its length times the mean of the weights of
    /// its two cells.
    #[wasm_bindgen(js_name = withWeights)]
    pub fn with_weights(&self, weights: &Bytes) -> Result<Map, Problem> {
        let weights = CellWeights::new(self.width(), self.height(), arguments::bytes(weights)?)?;
        Ok(Self { map: self.map.clone().with_weights(weights)? })
    }

    /// Frees or blocks a cell. Navigators and crowds that were made of the map stay as they are.
    pub fn set(&mut self, x: &Num, y: &Num, free: bool) -> Result<(), Problem> {
        Ok(self.map.edit([edit(arguments::cell(x, y)?, free)])?)
    }

    /// Frees or blocks some cells.
    #[wasm_bindgen(js_name = setCells)]
    pub fn set_cells(&mut self, cells: &CellList, free: bool) -> Result<(), Problem> {
        Ok(self.map.edit(arguments::cells(cells)?.into_iter().map(|cell| edit(cell, free)))?)
    }

    /// Computes what paths need. On large maps that takes a while: build in a worker, or pass a function that
    /// hears how far it is, and cancels it by `return false`.
    pub fn navigator(&self, progress: Option<ProgressFunction>) -> Result<Navigator, Problem> {
        let mut watcher = Watcher::new(progress)?;
        let built = self.map.navigator_builder().with_progress(|event| watcher.hear(&event)).build();
        watcher.judge(built).map(Navigator::from)
    }
}

impl Map {
    fn read(bytes: &[u8]) -> Result<Self, Problem> {
        if bytes.starts_with(b"\x89PNG") || (bytes.starts_with(b"BM") && bytes.contains(&0)) {
            let words = "this is an image; draw it on a canvas, and give its pixels to Map.fromImage";
            return Err(Problem::new(words));
        }
        Ok(Self { map: surefoot::Map::from_bytes(bytes)? })
    }

    /// A map of `width` times `height` cells, of which those are free that `is_free` says so of by their
    /// place, row after row.
    fn of_cells((width, height): (u32, u32), is_free: impl Fn(usize) -> bool) -> Result<Self, Problem> {
        let place = |cell: Cell| cell.y as usize * width as usize + cell.x as usize;
        Ok(Self { map: surefoot::Map::from_fn(width, height, |cell| is_free(place(cell)))? })
    }
}

/// An edit that frees or blocks a cell.
pub(crate) fn edit(cell: Cell, free: bool) -> Edit {
    if free { Edit::free(cell) } else { Edit::block(cell) }
}

/// Whether a pixel is a free cell.
fn is_bright([red, green, blue, alpha]: [u8; 4]) -> bool {
    let luminance = (2126 * u32::from(red) + 7152 * u32::from(green) + 722 * u32::from(blue)) / 10_000;
    alpha >= 128 && luminance >= BRIGHT
}
