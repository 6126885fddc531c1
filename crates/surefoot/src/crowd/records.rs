//! What keeps the records of subgoals, or the paths of a cover, right.

use alloc::boxed::Box;
use alloc::sync::Arc;

use crate::database::{CoverRepairer, Database, SubgoalRepairer};
use crate::space::{Cell, GridSpace};

/// What it takes to climb a leg of a record again, or a path of a cover, in work: flat, for it is not counted there.
const LEG_WORK: u64 = 50;
/// The same to find a record anew, or the chains to a region.
const RENEWAL_WORK: u64 = 2_000;

/// Those of a kind's database, once the map was edited.
#[derive(Clone, Debug)]
pub(super) enum RecordKeeper {
    Subgoals(Box<SubgoalRepairer>),
    Cover(Box<CoverRepairer>),
}

impl RecordKeeper {
    /// Looks at all records on the map as it is, and tells what that took. Nothing for databases without records.
    pub(super) fn new(space: &GridSpace, database: &Database) -> Option<(Self, u64)> {
        match database {
            Database::Subgoals(shared) => {
                let repairer = SubgoalRepairer::new(space, Arc::clone(shared)).ok()?;
                Some((Self::Subgoals(Box::new(repairer)), shared.len() as u64 * LEG_WORK))
            }
            Database::Cover(shared) => {
                let repairer = CoverRepairer::new(space, Arc::clone(shared)).ok()?;
                Some((Self::Cover(Box::new(repairer)), u64::from(shared.regions()) * LEG_WORK))
            }
            _ => None,
        }
    }

    /// Takes over that cells were changed. What that took; nothing if it cannot be.
    pub(super) fn repair(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<u64> {
        let changed = changed.iter().copied();
        let legs = match self {
            Self::Subgoals(records) => records.repair(space, changed).ok()?.legs,
            Self::Cover(paths) => paths.repair(space, changed).ok()?,
        };
        Some(legs * LEG_WORK)
    }

    /// Whether there is something to do even if nothing is edited.
    pub(super) fn has_waiting(&self) -> bool {
        match self {
            Self::Subgoals(records) => records.waiting() > 0,
            Self::Cover(paths) => paths.waiting() > 0,
        }
    }

    /// Finds one of those that wait anew. What that took.
    pub(super) fn renew(&mut self, space: &GridSpace) -> u64 {
        match self {
            // The map is the one that it was told of.
            Self::Subgoals(records) => drop(records.renew(space, 1)),
            Self::Cover(paths) => drop(paths.renew(1)),
        }
        RENEWAL_WORK
    }

    /// The database as it is now.
    pub(super) fn database(&self) -> Database {
        match self {
            Self::Subgoals(records) => Database::Subgoals(Arc::clone(records.database())),
            Self::Cover(paths) => Database::Cover(Arc::clone(paths.database())),
        }
    }
}
