//! A rectangle of terrain letters that is being drawn on.

use surefoot::space::{MAX_CELLS, SpaceError, TerrainMap};

/// Open ground.
pub(super) const GROUND: u8 = b'.';
/// Rock, walls, and what lies outside.
pub(super) const ROCK: u8 = b'@';
/// Trees.
pub(super) const TREES: u8 = b'T';
/// Water.
pub(super) const WATER: u8 = b'W';
/// Swamp and shallow water: passable on foot.
pub(super) const SWAMP: u8 = b'S';

/// Whether agents on foot walk on `letter`.
#[inline]
pub(super) fn is_ground(letter: u8) -> bool {
    letter == GROUND || letter == SWAMP
}

/// A map in the making: all rock at first.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    width: u32,
    height: u32,
    letters: Vec<u8>,
}

impl Canvas {
    /// Checks the size before any memory is taken.
    pub(super) fn new(width: u32, height: u32) -> Result<Self, SpaceError> {
        if width == 0 || height == 0 {
            return Err(SpaceError::EmptyGrid { width, height });
        }
        if u64::from(width) * u64::from(height) > MAX_CELLS {
            return Err(SpaceError::TooManyCells { width, height });
        }
        let cells = width as usize * height as usize;
        let mut letters = Vec::new();
        letters.try_reserve_exact(cells).map_err(|_| SpaceError::NoMemory { width, height })?;
        letters.resize(cells, ROCK);
        Ok(Self { width, height, letters })
    }

    pub(super) fn width(&self) -> u32 {
        self.width
    }

    pub(super) fn height(&self) -> u32 {
        self.height
    }

    pub(super) fn letters(&self) -> &[u8] {
        &self.letters
    }

    pub(super) fn letters_mut(&mut self) -> &mut [u8] {
        &mut self.letters
    }

    #[inline]
    fn place(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    #[inline]
    pub(super) fn get(&self, x: u32, y: u32) -> u8 {
        self.letters[self.place(x, y)]
    }

    #[inline]
    pub(super) fn set(&mut self, x: u32, y: u32, letter: u8) {
        let place = self.place(x, y);
        self.letters[place] = letter;
    }

    pub(super) fn row_mut(&mut self, y: u32) -> &mut [u8] {
        let start = self.place(0, y);
        &mut self.letters[start..start + self.width as usize]
    }

    /// Fills a rectangle that lies inside; the corners at (x, y) and, one past, at (x + width, y + height).
    pub(super) fn fill(&mut self, x: u32, y: u32, width: u32, height: u32, letter: u8) {
        for row in y..y + height {
            self.row_mut(row)[x as usize..(x + width) as usize].fill(letter);
        }
    }

    pub(super) fn into_map(self) -> Result<TerrainMap, SpaceError> {
        TerrainMap::new(self.width, self.height, self.letters)
    }
}
