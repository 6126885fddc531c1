//! What patches change, and whether to edit what was built or to build anew.

use std::collections::HashMap;

use surefoot::{Cell, Edit, Map};

/// A rectangle of cells, row by row, one bit each, the least significant bit of a byte first: 1 is free.
#[derive(Clone, Copy, Debug)]
pub struct Bits<'a> {
    bytes: &'a [u8],
    width: u32,
    height: u32,
}

impl<'a> Bits<'a> {
    /// So many bytes hold a rectangle.
    #[must_use]
    pub fn bytes_of(width: u32, height: u32) -> usize {
        (width as usize * height as usize).div_ceil(8)
    }

    /// The rectangle that some bytes hold; `None` if they are too few.
    #[must_use]
    pub fn new(bytes: &'a [u8], width: u32, height: u32) -> Option<Self> {
        (bytes.len() >= Self::bytes_of(width, height)).then_some(Self { bytes, width, height })
    }

    /// Its width and its height.
    #[must_use]
    pub fn size(self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Whether a cell of it is free. Outside of it nothing is.
    #[must_use]
    pub fn is_free(self, cell: Cell) -> bool {
        let at = cell.y as usize * self.width as usize + cell.x as usize;
        let is_within = cell.x < self.width && cell.y < self.height;
        is_within && self.bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1)
    }
}

/// The cells that patches make different. What they leave as it is, or change and change back, is none.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    cells: HashMap<Cell, bool>,
}

impl Changes {
    /// Adds a patch whose first cell lies at a place of the map. What lies outside the map counts for
    /// nothing.
    pub fn add(&mut self, map: &Map, patch: Bits<'_>, place: Cell) {
        for y in 0..patch.height.min(map.height().saturating_sub(place.y)) {
            for x in 0..patch.width.min(map.width().saturating_sub(place.x)) {
                let (cell, free) = (Cell::new(place.x + x, place.y + y), patch.is_free(Cell::new(x, y)));
                if free != map.is_free(cell) {
                    self.cells.insert(cell, free);
                } else if !self.cells.is_empty() {
                    // An earlier patch may have said otherwise.
                    self.cells.remove(&cell);
                }
            }
        }
    }

    /// How many cells are different.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether nothing is different.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// As edits, row by row: two runs have to agree.
    pub fn edits(&self) -> impl Iterator<Item = Edit> {
        let mut cells: Vec<(Cell, bool)> = self.cells.iter().map(|(&cell, &free)| (cell, free)).collect();
        cells.sort_unstable_by_key(|(cell, _)| (cell.y, cell.x));
        cells.into_iter().map(|(cell, free)| if free { Edit::free(cell) } else { Edit::block(cell) })
    }
}

/// One cell of so many has to change for a build to be faster than edits.
const CELLS_A_CHANGE: usize = 2;

/// Whether it takes less to build for a map anew than to edit what was built for it, where so many of its
/// free cells become others.
///
/// Edits of much at once do what a build does, and put corners right before. So a build gains little, and
/// only where the map is another one. Below that edits take from a twentieth to about the same; where labels
/// are of the core, a build takes longer whatever changes. `surefoot-bench gppc --only changes` measures
/// both.
#[must_use]
pub fn is_build_faster(changed: usize, free_cells: usize) -> bool {
    changed.saturating_mul(CELLS_A_CHANGE) >= free_cells.max(1)
}
