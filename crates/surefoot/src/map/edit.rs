//! Changes to a map.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Map, MapError};
use crate::space::{Cell, GridSpace, QueryError, Role, sorting};

/// A change to one cell of a [`Map`], or of the map of a [`Navigator`](crate::Navigator).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Edit {
    /// Nobody can walk there any more.
    Block(Cell),
    /// It can be walked on.
    Free(Cell),
    /// Its ground has this weight from now on, 1 to 255. Only maps [with weights](Map::with_weights) have
    /// any.
    Weigh(Cell, u8),
}

impl Edit {
    /// Nobody can walk there any more.
    #[must_use]
    pub fn block(cell: impl Into<Cell>) -> Self {
        Self::Block(cell.into())
    }

    /// It can be walked on.
    #[must_use]
    pub fn free(cell: impl Into<Cell>) -> Self {
        Self::Free(cell.into())
    }

    /// Its ground has this weight from now on, 1 to 255.
    #[must_use]
    pub fn weigh(cell: impl Into<Cell>, weight: u8) -> Self {
        Self::Weigh(cell.into(), weight)
    }

    /// The cell.
    #[must_use]
    pub fn cell(self) -> Cell {
        match self {
            Self::Block(cell) | Self::Free(cell) | Self::Weigh(cell, _) => cell,
        }
    }
}

impl Map {
    /// Makes some changes, one after the other. Copies of the map stay as they are.
    ///
    /// # Errors
    /// If a cell lies outside the map, a weight is 0, or the map has no weights. Then nothing has changed.
    pub fn edit(&mut self, edits: impl IntoIterator<Item = Edit>) -> Result<(), MapError> {
        self.make(edits).map(drop)
    }

    /// The same; the cells that are different now, row by row.
    pub(crate) fn make(&mut self, edits: impl IntoIterator<Item = Edit>) -> Result<Vec<Cell>, MapError> {
        let edits: Vec<Edit> = edits.into_iter().collect();
        let (width, height) = (self.width(), self.height());
        if let Some(cell) = edits.iter().map(|edit| edit.cell()).find(|&cell| !self.contains(cell)) {
            return Err(QueryError::Outside { role: Role::Cell, cell, width, height }.into());
        }
        let mut space = GridSpace::clone(self.space());
        space.set_all(edits.iter().filter_map(|edit| match *edit {
            Edit::Block(cell) => Some((cell, false)),
            Edit::Free(cell) => Some((cell, true)),
            Edit::Weigh(..) => None,
        }));
        for edit in &edits {
            if let Edit::Weigh(cell, weight) = *edit {
                space.set_weight(cell, weight)?;
            }
        }
        let differs = |cell: Cell| {
            let look = |space: &GridSpace| (space.grid().is_free(cell), space.weight(cell));
            look(&space) != look(self.space())
        };
        let mut changed: Vec<Cell> =
            edits.iter().map(|edit| edit.cell()).filter(|&cell| differs(cell)).collect();
        sorting::sort_by_key(&mut changed, |cell| (cell.y, cell.x));
        changed.dedup();
        if !changed.is_empty() {
            self.space = Arc::new(space);
        }
        Ok(changed)
    }
}
