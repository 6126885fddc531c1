//! Maps that change: cells are blocked and freed between frames.
//!
//! The spaces of all kinds follow at once; databases are brought up to date when the next frame begins. Agents look at the map before every move, so
//! that they never walk into a wall, whatever their databases say; those that had no way are told when there is one.

use alloc::sync::Arc;
use alloc::vec::Vec;

use xxhash_rust::xxh3::xxh3_64;

use super::kind::{KindState, is_room, positions_over};
use super::unit::UnitStatus;
use super::walker::Walker;
use super::{Crowd, CrowdError};
use crate::database::Database;
use crate::space::{Cell, GridSpace, QueryError, Reachability, State, StateSpace as _};

impl Crowd {
    /// Frees or blocks a cell. Whether that changes anything.
    ///
    /// Units that stand on it stay there, and cannot move until it is freed.
    ///
    /// # Errors
    /// If the cell lies outside the map.
    pub fn set_cell(&mut self, cell: Cell, free: bool) -> Result<bool, CrowdError> {
        let (width, height) = (self.map.width(), self.map.height());
        if !self.map.contains(cell) {
            return Err(QueryError::Outside { role: "cell", cell, width, height }.into());
        }
        if self.map.is_free(cell) == free {
            return Ok(false);
        }
        self.map.set(cell, free);
        self.map_mark ^= mark(cell);
        for kind in &mut self.kinds {
            let size = kind.kind.size;
            for position in positions_over(cell, size) {
                let is_free = is_room(&self.map, size, position);
                if kind.space.grid().is_free(position) != is_free {
                    kind.space.set(position, is_free);
                    kind.changed.push(position);
                    if !kind.drift.remove(&position) {
                        kind.drift.insert(position);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Frees or blocks some cells. How many of them that changes.
    ///
    /// # Errors
    /// If one lies outside the map; those before it are changed.
    pub fn set_cells(&mut self, cells: impl IntoIterator<Item = (Cell, bool)>) -> Result<u64, CrowdError> {
        let mut changed = 0;
        for (cell, free) in cells {
            changed += u64::from(self.set_cell(cell, free)?);
        }
        Ok(changed)
    }

    /// Brings databases up to date with what was edited since the last frame, and wakes units that may have a way now.
    pub(super) fn settle_edits(&mut self) {
        for number in 0..self.kinds.len() {
            let kind = &mut self.kinds[number];
            if kind.changed.is_empty() {
                continue;
            }
            if let Some(database) = kind.repair() {
                self.hand_out(number as u8, &database);
            }
            self.wake(number as u8);
        }
    }

    /// Gives the units of a kind the database as it is now.
    fn hand_out(&mut self, kind: u8, database: &Database) {
        let units = self.lanes.iter_mut().flat_map(|lane| &mut lane.units);
        for unit in units.filter(|unit| unit.kind == kind) {
            if let Walker::Agent(boxed) = &mut unit.walker {
                // One that has no use for it goes on as it is.
                let _ = boxed.agent.use_database(database);
            }
        }
    }

    /// Units of a kind that had no way, and may have one now.
    fn wake(&mut self, number: u8) {
        let (kind, frame) = (&self.kinds[usize::from(number)], self.frame);
        for lane in &mut self.lanes {
            for at in 0..lane.units.len() {
                let (place, id) = (lane.place(at), lane.id(at));
                let unit = &mut lane.units[at];
                if unit.kind != number || unit.walker.is_gone() {
                    continue;
                }
                match unit.status {
                    UnitStatus::Unreachable if is_open(&kind.space, place, unit.walker.goal()) => {
                        unit.set_out(frame.wrapping_sub(1));
                        self.report.reachable.push(id);
                    }
                    UnitStatus::Stuck => unit.set_out(frame.wrapping_sub(1)),
                    _ => {}
                }
            }
        }
    }
}

/// What tells a cell from others.
fn mark(cell: Cell) -> u64 {
    xxh3_64(&(u64::from(cell.y) << 32 | u64::from(cell.x)).to_le_bytes())
}

/// Whether there is a way.
fn is_open(space: &GridSpace, from: State, to: State) -> bool {
    space.contains(from) && space.contains(to) && space.reachability(from, to) != Reachability::No
}

impl KindState {
    /// Brings the databases up to date. The one of the algorithm, if agents have to be given a new one.
    fn repair(&mut self) -> Option<Database> {
        let changed: Vec<Cell> = core::mem::take(&mut self.changed);
        match &mut self.kind.database {
            Some(Database::Abstraction(shared)) => {
                let mut abstraction = (**shared).clone();
                // One that is too large to be repaired stays as it is: agents find legal ways all the same.
                abstraction.repair(&self.space, changed).ok()?;
                *shared = Arc::new(abstraction);
                if self.kind.relief.is_none() {
                    self.drift.clear();
                }
                self.kind.database.clone()
            }
            _ => None,
        }
    }
}
