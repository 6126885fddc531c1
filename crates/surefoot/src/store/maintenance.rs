//! Databases that are kept right while their map is edited.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use super::beacon_id::BeaconId;
use super::container::DatabaseError;
use super::database::Database;
use crate::space::{Cell, GridSpace};

/// A database with what keeps it right. Whoever owns it tells it of every edit, and lets it do what could
/// wait.
pub trait Maintained: Any + fmt::Debug + Send + Sync {
    /// The database as it is now.
    fn database(&self) -> Arc<dyn Database>;

    /// Takes over that cells were blocked or freed. What takes long is left to [`upkeep`](Self::upkeep).
    /// `None` if the database cannot follow: then it stays what it was.
    fn edit(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<Edited>;

    /// The same, with all that could wait: afterwards every answer is right again.
    fn edit_fully(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<Edited> {
        let mut edited = self.edit(space, changed)?;
        while let Some(piece) = self.upkeep(space) {
            edited.work += piece.work;
        }
        Some(edited)
    }

    /// Whether there is something that could wait.
    fn is_upkeep_due(&self) -> bool {
        false
    }

    /// Does a piece of what could wait. `None` if there is nothing to do.
    fn upkeep(&mut self, space: &GridSpace) -> Option<Upkeep> {
        let _ = space;
        None
    }

    /// What it is now, with what is still to be done to it: its kind [resumes](super::Follows::BesideFile)
    /// it from that. `None` while something is half done, and for one whose file is not kept beside it.
    fn checkpoint(&self) -> Option<Arc<dyn Checkpoint>> {
        None
    }

    /// How far it is, if it was only [begun](super::DatabaseConfig::begin).
    fn build_state(&self) -> BuildState {
        BuildState::Built
    }

    /// A copy that goes on from here on its own.
    fn clone_box(&self) -> Box<dyn Maintained>;
}

impl Clone for Box<dyn Maintained> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

/// What a maintained database was at some time. It can be written later, whatever has become of the database.
pub trait Checkpoint: fmt::Debug + Send + Sync {
    /// The bytes that it is resumed from.
    fn to_bytes(&self) -> Vec<u8>;

    /// What it takes to keep it, in units of work: what the database copies when it is changed next.
    fn work(&self) -> u64;
}

/// A maintained database that was resumed from the bytes of a checkpoint, or why there is none.
pub type Resumed = Result<Box<dyn Maintained>, DatabaseError>;

/// How far a database is that is built piece by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildState {
    /// It is there.
    Built,
    /// It is being built.
    UnderWay(BuildProgress),
    /// It is clear by now that it will be too large for this map.
    TooLarge,
}

/// How far a build is. One stage follows the other: each has its own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildProgress {
    /// What is being done.
    pub stage: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// How much there is to do.
    pub all: u64,
}

impl fmt::Display for BuildProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} of {}", self.stage, self.done, self.all)
    }
}

/// What came of an edit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edited {
    /// What it took, in units of work.
    pub work: u64,
    /// Whether agents have to be given the database as it is now.
    pub is_new: bool,
    /// The corners that nobody can go by any more, in order.
    pub retired: Vec<BeaconId>,
}

/// A piece of what could wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Upkeep {
    /// What it took, in units of work.
    pub work: u64,
    /// Whether it was the last piece, and all of it is in use now.
    pub is_last: bool,
    /// Whether much was done since the last [checkpoint](Maintained::checkpoint), and now is the time for
    /// another. So it is after the last piece.
    pub is_milestone: bool,
}

/// A database that does not follow edits.
#[derive(Clone, Debug)]
pub struct Fixed(pub Arc<dyn Database>);

impl Maintained for Fixed {
    fn database(&self) -> Arc<dyn Database> {
        Arc::clone(&self.0)
    }

    fn edit(&mut self, _: &GridSpace, _: &[Cell]) -> Option<Edited> {
        None
    }

    fn clone_box(&self) -> Box<dyn Maintained> {
        Box::new(self.clone())
    }
}
