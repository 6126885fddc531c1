//! The eight ways to lay a map.
//!
//! Agents look at directions in one order. On a map that was turned or mirrored the same order is another one
//! on the original, and nothing else is different: so what differs between the eight is decided by ties.

use std::fmt;

use serde::{Deserialize, Serialize};
use surefoot::space::{Cell, Grid, SpaceError};

/// One of the eight ways to lay a map: mirrored left to right (1), top to bottom (2), along the diagonal (4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Symmetry(u8);

impl Symmetry {
    /// The map as it is.
    pub const NONE: Self = Self(0);

    /// All eight, the map as it is first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self)
    }

    const fn is_along_diagonal(self) -> bool {
        self.0 & 4 != 0
    }

    /// Where a cell of a map of this size comes to lie.
    #[must_use]
    pub fn place(self, cell: Cell, (width, height): (u32, u32)) -> Cell {
        let x = if self.0 & 1 != 0 { width - 1 - cell.x } else { cell.x };
        let y = if self.0 & 2 != 0 { height - 1 - cell.y } else { cell.y };
        if self.is_along_diagonal() { Cell::new(y, x) } else { Cell::new(x, y) }
    }

    /// A map laid this way.
    ///
    /// # Errors
    /// None for a map that there is: it has as many cells as before.
    pub fn lay(self, grid: &Grid) -> Result<Grid, SpaceError> {
        let size @ (width, height) = (grid.width(), grid.height());
        let (across, down) = if self.is_along_diagonal() { (height, width) } else { size };
        let mut laid = Grid::new(across, down)?;
        for cell in grid.free_cells() {
            laid.set(self.place(cell, size), true);
        }
        Ok(laid)
    }
}

impl From<Symmetry> for u8 {
    fn from(symmetry: Symmetry) -> Self {
        symmetry.0
    }
}

impl TryFrom<u8> for Symmetry {
    type Error = String;

    fn try_from(bits: u8) -> Result<Self, String> {
        if bits < 8 { Ok(Self(bits)) } else { Err(format!("a symmetry is a number from 0 to 7, not {bits}")) }
    }
}

/// What is mirrored, as in "mirrored left-right, diagonal"; "as it is" for the map as it is.
impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [(1, "left-right"), (2, "top-bottom"), (4, "diagonal")];
        let parts: Vec<&str> =
            parts.into_iter().filter(|(bit, _)| self.0 & bit != 0).map(|(_, name)| name).collect();
        if parts.is_empty() { f.write_str("as it is") } else { write!(f, "mirrored {}", parts.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use surefoot::formats::grid_from_art;
    use surefoot::space::{GridComponents, MoveRule};

    use super::*;

    #[test]
    fn all_eight_differ_and_keep_what_is_beside_what() {
        let grid = grid_from_art("..#\n#..\n#..\n...\n.#.").unwrap();
        let size = (grid.width(), grid.height());
        let mut seen = BTreeSet::new();
        for symmetry in Symmetry::all() {
            let laid = symmetry.lay(&grid).unwrap();
            let cells: Vec<_> = laid.free_cells().collect();
            assert!(seen.insert((laid.width(), cells)), "{symmetry}");
            assert_eq!(laid.free_count(), grid.free_count());
            assert!(grid.free_cells().all(|cell| laid.is_free(symmetry.place(cell, size))));
            for rule in [MoveRule::Cardinal, MoveRule::NoCut] {
                let count = |grid: &Grid| GridComponents::new(grid, rule).count();
                assert_eq!(count(&laid), count(&grid), "{symmetry}");
            }
        }
        assert_eq!(seen.len(), 8);
        assert_eq!(Symmetry::NONE.lay(&grid).unwrap(), grid);
    }

    #[test]
    fn names_and_numbers() {
        let names: Vec<String> = Symmetry::all().map(|symmetry| symmetry.to_string()).collect();
        assert_eq!((names[0].as_str(), names[5].as_str()), ("as it is", "mirrored left-right, diagonal"));
        assert!(Symmetry::all().all(|symmetry| Symmetry::try_from(u8::from(symmetry)) == Ok(symmetry)));
        assert!(Symmetry::try_from(8).unwrap_err().contains("0 to 7"));
    }
}
