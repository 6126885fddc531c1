//! Spaces that change: cells are freed and blocked.

use super::super::{Cell, DirectionSet, GridComponents, Revision};
use super::GridSpace;

impl GridSpace {
    /// Frees or blocks a cell and brings everything derived from the grid up to date.
    ///
    /// Mostly what changes lies around the cell. Only where blocking it may have cut a component in two are
    /// the components found anew, which takes a pass over the rows.
    ///
    /// # Panics
    /// If `cell` lies outside.
    pub fn set(&mut self, cell: Cell, free: bool) {
        self.revision = Revision::new();
        self.set_cell(cell, free);
        if !self.components.update(&self.grid, self.rule, cell, true) {
            self.components = GridComponents::new(&self.grid, self.rule);
        }
    }

    /// Frees or blocks many cells, one after the other; components are found anew once at most.
    ///
    /// # Panics
    /// If a cell lies outside.
    pub fn set_all(&mut self, changes: impl IntoIterator<Item = (Cell, bool)>) {
        self.revision = Revision::new();
        let mut is_up_to_date = true;
        for (cell, free) in changes {
            self.set_cell(cell, free);
            is_up_to_date = is_up_to_date && self.components.update(&self.grid, self.rule, cell, false);
        }
        if !is_up_to_date {
            self.components = GridComponents::new(&self.grid, self.rule);
        }
    }

    /// Frees or blocks a cell in all but the components.
    fn set_cell(&mut self, cell: Cell, free: bool) {
        let is_change = self.grid.is_free(cell) != free;
        self.grid.set(cell, free);
        let state = self.state(cell);
        if is_change && let Some(ground) = &mut self.ground {
            ground.free_or_block(state, free);
            self.find_least();
        }
        for y in cell.y.saturating_sub(1)..=cell.y.saturating_add(1).min(self.grid.height() - 1) {
            for x in cell.x.saturating_sub(1)..=cell.x.saturating_add(1).min(self.grid.width() - 1) {
                let near = Cell::new(x, y);
                let state = self.state(near);
                let moves = if self.grid.is_free(near) {
                    self.rule.legal_moves(self.grid.free_neighbours(near))
                } else {
                    DirectionSet::NONE
                };
                self.moves[state.index()] = moves;
                self.diagonals.set(x, y, moves);
            }
        }
    }
}
