//! Ground of different weights: what it costs to be in each cell.

use alloc::vec::Vec;
use core::fmt;

use xxhash_rust::xxh3::Xxh3;

use super::grid::check_size;
use super::{Cell, Grid, MAX_CELLS, SpaceError};

/// The largest sum of the weights of all cells of a map: beyond it the cost of a path could be too large for
/// a number.
pub const MAX_WEIGHT_SUM: u64 = MAX_CELLS;

/// How heavy the ground is in each cell of a map: 1 to 255, or 0 where nobody can walk. A move costs its
/// length times the mean of the weights of its two cells.
///
/// Give it to [`GridSpace::weighted`](super::GridSpace::weighted), or read it from a file
/// ([`parse_weights`](crate::formats::parse_weights)).
#[derive(Clone, PartialEq, Eq)]
pub struct CellWeights {
    width: u32,
    height: u32,
    pub(super) weights: Vec<u8>,
}

impl CellWeights {
    /// Weights from their numbers, row by row.
    ///
    /// # Errors
    /// If a side is 0, there are too many cells, `weights` does not fill the rectangle, or all together are
    /// more than [`MAX_WEIGHT_SUM`].
    pub fn new(width: u32, height: u32, weights: Vec<u8>) -> Result<Self, SpaceError> {
        check_size(width, height)?;
        if weights.len() as u64 != u64::from(width) * u64::from(height) {
            return Err(SpaceError::WrongLength { width, height, given: weights.len() });
        }
        let weights = Self { width, height, weights };
        check_sum(weights.sum())?;
        Ok(weights)
    }

    /// The weights that `weight` says.
    ///
    /// # Errors
    /// As for [`CellWeights::new`].
    pub fn from_fn(width: u32, height: u32, mut weight: impl FnMut(Cell) -> u8) -> Result<Self, SpaceError> {
        check_size(width, height)?;
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
        Self::new(width, height, cells.map(&mut weight).collect())
    }

    /// Even ground, whose weights can be changed later: 1 in every cell of a map.
    #[must_use]
    pub fn even(grid: &Grid) -> Self {
        Self { width: grid.width(), height: grid.height(), weights: alloc::vec![1; grid.cell_count()] }
    }

    /// Gives a cell another weight, if it lies inside.
    pub(crate) fn set(&mut self, cell: Cell, weight: u8) {
        if cell.x < self.width && cell.y < self.height {
            self.weights[cell.y as usize * self.width as usize + cell.x as usize] = weight;
        }
    }

    /// The number of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The weight of `cell`, if that lies inside.
    #[must_use]
    pub fn at(&self, cell: Cell) -> Option<u8> {
        (cell.x < self.width && cell.y < self.height)
            .then(|| self.weights[cell.y as usize * self.width as usize + cell.x as usize])
    }

    /// The weights, a slice per row.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.weights.chunks_exact(self.width as usize)
    }

    /// Makes sure that they are for a grid: of its size, and with a weight for each free cell.
    ///
    /// # Errors
    /// If they are not.
    pub fn check(&self, grid: &Grid) -> Result<(), SpaceError> {
        let (width, height) = (grid.width(), grid.height());
        if (self.width, self.height) != (width, height) {
            return Err(SpaceError::OtherSize { width, height, given: (self.width, self.height) });
        }
        let missing = (0..height).find_map(|row| {
            let mut runs = grid.row_runs(row);
            runs.find_map(|run| {
                let at = self.run(row, run).iter().position(|&weight| weight == 0)?;
                Some(Cell::new(run.0 + at as u32, row))
            })
        });
        missing.map_or(Ok(()), |cell| Err(SpaceError::NoWeight { cell }))
    }

    /// Takes over the weight of one cell from weights of the same size.
    pub fn copy_cell(&mut self, from: &Self, cell: Cell) {
        let at = cell.y as usize * self.width as usize + cell.x as usize;
        if let Some((own, &given)) = self.weights.get_mut(at).zip(from.weights.get(at)) {
            *own = given;
        }
    }

    /// Tells grids apart that have other weights in free cells.
    #[must_use]
    pub fn fingerprint(&self, grid: &Grid) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(b"weights");
        hash.update(&grid.fingerprint().to_le_bytes());
        for row in 0..grid.height() {
            for run in grid.row_runs(row) {
                hash.update(self.run(row, run));
            }
        }
        hash.digest()
    }

    /// The weights of a run of cells (first column, one past the last).
    pub(super) fn run(&self, row: u32, (from, to): (u32, u32)) -> &[u8] {
        let start = row as usize * self.width as usize;
        &self.weights[start + from as usize..start + to as usize]
    }

    pub(super) fn sum(&self) -> u64 {
        self.weights.iter().map(|&weight| u64::from(weight)).sum()
    }
}

impl fmt::Debug for CellWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CellWeights {} x {}", self.width, self.height)
    }
}

pub(super) fn check_sum(sum: u64) -> Result<(), SpaceError> {
    if sum > MAX_WEIGHT_SUM { Err(SpaceError::TooHeavy { sum }) } else { Ok(()) }
}
