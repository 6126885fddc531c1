//! Maps that change: cells are blocked and freed between frames.
//!
//! The spaces of all kinds follow at once; databases are brought up to date when the next frame begins. Agents look at the map before every move, so
//! that they never walk into a wall, whatever their databases say; those that had no way are told when there is one.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use xxhash_rust::xxh3::xxh3_64;

use super::kind::{Edit, Kind, KindState, is_room, positions_over};
use super::unit::UnitStatus;
use super::walker::Walker;
use super::{Crowd, CrowdError};
use crate::database::{CoverRepairer, Database, SubgoalRepairer};
use crate::space::{Cell, GridSpace, QueryError, Reachability, State, StateSpace as _};

/// Up to so many edits between two frames it is found out who need not look again.
const MOST_NOTED: usize = 16;
/// After so many searches no more records of subgoals are renewed in a frame; so many goals of a cover get new chains.
const RENEWED: usize = 4;

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

    /// Brings databases up to date with what was edited since the last frame, goes on with what is left to do of earlier edits, and wakes units that may
    /// have a way now.
    pub(super) fn settle_edits(&mut self) {
        for number in 0..self.kinds.len() {
            let kind = &mut self.kinds[number];
            if kind.changed.is_empty() && !kind.records.as_ref().is_some_and(RecordKeeper::has_waiting) {
                continue;
            }
            let changed = core::mem::take(&mut kind.changed);
            let repaired = kind.repair(&changed);
            self.tell(number as u8, &changed, &repaired);
            if !changed.is_empty() {
                self.wake(number as u8);
            }
        }
    }

    /// Tells the units of a kind what was edited, and what has become of their databases.
    fn tell(&mut self, number: u8, changed: &[Cell], repaired: &Repaired) {
        let kind = &mut self.kinds[usize::from(number)];
        let before = core::mem::replace(&mut kind.settled, kind.space.edition());
        let is_cut = core::mem::take(&mut kind.is_cut);
        // Where much was edited it is as fast to look again. Where ground has weights, an edit may change what is estimated everywhere.
        let is_little = !is_cut && changed.len() <= MOST_NOTED && !kind.space.is_weighted();
        let database = repaired.is_new.then(|| kind.kind.database.clone()).flatten();
        let kind = &*kind;
        let units = self.lanes.iter_mut().flat_map(|lane| &mut lane.units);
        for unit in units.filter(|unit| unit.kind == number) {
            match (&mut unit.walker, &database) {
                (Walker::Beacons(walker), _) if walker.heads_for(&repaired.retired) => walker.start_over(),
                (Walker::Beacons(walker), _) if is_little => walker.note_edits(&kind.space, before, changed),
                // One that has no use for it goes on as it is.
                (Walker::Agent(boxed), Some(database)) => drop(boxed.agent.use_database(database)),
                _ => {}
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

/// What came of bringing databases up to date.
#[derive(Default)]
pub(super) struct Repaired {
    /// Whether agents have to be given the one of the algorithm.
    is_new: bool,
    /// The beacons that nobody can go by any more, in order.
    retired: Vec<u32>,
}

impl KindState {
    /// Brings the databases up to date with cells that were changed. One that cannot be stays as it is: agents find legal ways all the same.
    pub(super) fn repair(&mut self, changed: &[Cell]) -> Repaired {
        if self.kind.database.is_none() && self.kind.relief.is_none() {
            return Repaired::default();
        }
        self.log.extend(changed.iter().map(|&cell| Edit::Toggle(self.space.state(cell))));
        self.log.push(Edit::Settle);
        let mut repaired = renew_databases(&mut self.kind, &mut self.records, &self.space, changed);
        if let Some(Database::Abstraction(shared)) = &mut self.kind.database {
            // Agents have the old one, so that it has to be copied.
            let mut abstraction = (**shared).clone();
            if abstraction.repair(&self.space, changed.iter().copied()).is_ok() {
                *shared = Arc::new(abstraction);
                repaired.is_new = true;
            }
        }
        // It was found before, with the same algorithm.
        let _ = self.find_bound();
        repaired
    }
}

/// Brings those databases up to date whose file stays what it was: beacons, subgoals and covers. What cannot be repaired stays as it is.
pub(super) fn renew_databases(
    kind: &mut Kind,
    records: &mut Option<RecordKeeper>,
    space: &GridSpace,
    changed: &[Cell],
) -> Repaired {
    let mut repaired = Repaired::default();
    if let Some(database) = &mut kind.database {
        if records.is_none() {
            *records = RecordKeeper::new(space, database);
        }
        if let Some(renewed) = records.as_mut().and_then(|records| records.repair(space, changed)) {
            *database = renewed;
            repaired.is_new = true;
        }
    }
    for database in [&mut kind.database, &mut kind.relief] {
        if let Some(Database::Beacons(beacons)) = database
            && !changed.is_empty()
            && let Ok(report) = Arc::make_mut(beacons).repair(space, changed.iter().copied())
        {
            repaired.retired.extend(report.retired);
        }
    }
    repaired.retired.sort_unstable();
    repaired
}

/// What keeps records of subgoals, or the paths of a cover, right.
#[derive(Clone, Debug)]
pub(super) enum RecordKeeper {
    Subgoals(Box<SubgoalRepairer>),
    Cover(Box<CoverRepairer>),
}

impl RecordKeeper {
    /// All records are looked at on the map as it is. Nothing for databases without records.
    fn new(space: &GridSpace, database: &Database) -> Option<Self> {
        match database {
            Database::Subgoals(shared) => {
                let repairer = SubgoalRepairer::new(space, Arc::clone(shared)).ok()?;
                Some(Self::Subgoals(Box::new(repairer)))
            }
            Database::Cover(shared) => {
                let repairer = CoverRepairer::new(space, Arc::clone(shared)).ok()?;
                Some(Self::Cover(Box::new(repairer)))
            }
            _ => None,
        }
    }

    /// Whether there is something to do even if nothing is edited.
    fn has_waiting(&self) -> bool {
        match self {
            Self::Subgoals(records) => records.waiting() > 0,
            Self::Cover(paths) => paths.waiting() > 0,
        }
    }

    /// The database as it is now.
    fn repair(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<Database> {
        let changed = changed.iter().copied();
        match self {
            Self::Subgoals(records) => {
                records.repair(space, changed).ok()?;
                records.renew(space, RENEWED).ok()?;
                Some(Database::Subgoals(Arc::clone(records.database())))
            }
            Self::Cover(paths) => {
                paths.repair(space, changed).ok()?;
                paths.renew(RENEWED);
                Some(Database::Cover(Arc::clone(paths.database())))
            }
        }
    }
}
