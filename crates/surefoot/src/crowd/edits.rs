//! Maps that change: cells are blocked and freed between frames.
//!
//! The spaces of all kinds follow at once; databases are told when the next frame begins: what is broken is put right or retired, and what takes long is left to
//! the upkeep. Agents look at the map before every move, so that they never walk into a wall, whatever their databases say; those that had no
//! way are told when there is one.

use xxhash_rust::xxh3::xxh3_64;

use super::databases::Done;
use super::kind::{KindState, is_room, positions_over};
use super::unit::UnitStatus;
use super::walker::Walker;
use super::{Crowd, CrowdError};
use crate::space::{Cell, GridSpace, QueryError, Reachability, State, StateSpace as _};

/// Up to so many edits between two frames it is found out who need not look again.
const MOST_NOTED: usize = 16;

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
                    let components = kind.space.components().count();
                    kind.space.set(position, is_free);
                    kind.is_cut |= kind.space.components().count() > components;
                    kind.changed.push(position);
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

    /// Tells databases what was edited since the last frame, and wakes units that may have a way now. What it took.
    pub(super) fn settle_edits(&mut self) -> u64 {
        let mut work = 0;
        for number in 0..self.kinds.len() {
            let kind = &mut self.kinds[number];
            if kind.changed.is_empty() {
                continue;
            }
            let changed = core::mem::take(&mut kind.changed);
            let done = kind.repair(&changed);
            work += done.work;
            self.tell(number as u8, &changed, &done);
            self.wake(number as u8);
        }
        work
    }

    /// Tells the units of a kind what was edited, and what has become of their databases.
    fn tell(&mut self, number: u8, changed: &[Cell], done: &Done) {
        let kind = &mut self.kinds[usize::from(number)];
        let before = core::mem::replace(&mut kind.settled, kind.space.edition());
        let is_cut = core::mem::take(&mut kind.is_cut);
        // Where much was edited it is as fast to look again. Where ground has weights, an edit may change what is estimated everywhere.
        let is_little = !is_cut && changed.len() <= MOST_NOTED && !kind.space.is_weighted();
        let database = done.is_new.then(|| kind.databases.main.clone()).flatten();
        let kind = &*kind;
        for lane in &mut self.lanes {
            for at in 0..lane.units.len() {
                let unit = &mut lane.units[at];
                if unit.kind != number {
                    continue;
                }
                match (&mut unit.walker, &database) {
                    (Walker::Beacons(walker), _) if walker.heads_for(&done.retired) => {
                        walker.start_over();
                        lane.note_choice(at, &kind.space);
                    }
                    (Walker::Beacons(walker), _) if is_little => {
                        walker.note_edits(&kind.space, before, changed);
                    }
                    // One that has no use for it goes on as it is.
                    (Walker::Agent(boxed), Some(database)) => drop(boxed.agent.use_database(database)),
                    _ => {}
                }
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
    /// Tells the databases of cells that were changed.
    fn repair(&mut self, changed: &[Cell]) -> Done {
        if self.databases.are_none() {
            return Done::default();
        }
        let mut done = self.databases.repair(&self.space, changed);
        done.work += self.note_for_log(changed);
        // It was found before, with the same algorithm.
        let _ = self.find_bound();
        done
    }
}
