//! `beacon*`: an agent that climbs from beacon to beacon, and learns nothing.
//!
//! Not from a paper: `database/beacons/` says what beacons are, `choice.rs` how a way over them is chosen, `looks.rs` how it becomes better on the way. From the first beacon of its way
//! the agent goes by legs, each to the beacon from which the rest costs least, up to the last one, and from there to its goal. What is left
//! of the way falls with every leg, so no beacon comes twice, and it arrives. It keeps the numbers of a few beacons, whatever the map
//! (`walker.rs`).
//!
//! Where a climb fails, which takes an edited map and beacons that were not repaired, the agent walks to its goal by LRTA*, and counts that.

mod choice;
mod climbs;
mod looks;
#[cfg(test)]
mod tests;
mod through;
mod walker;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub(crate) use self::walker::{BeaconWalker, Guide};
use super::{Agent, Memory, Step, UselessDatabase};
use crate::codec::{CodecError, Reader};
use crate::database::{BeaconDatabase, Database};
use crate::search::{Budget, Work};
use crate::space::{GridSpace, QueryError, State};

/// An agent that goes by beacons.
#[derive(Clone, Debug)]
pub(super) struct BeaconAgent {
    database: Arc<BeaconDatabase>,
    walker: BeaconWalker,
}

impl BeaconAgent {
    pub(super) fn new(database: Arc<BeaconDatabase>) -> Self {
        Self { database, walker: BeaconWalker::NEW }
    }
}

impl Agent for BeaconAgent {
    fn begin(&mut self, space: &GridSpace, start: State, goal: State) -> Result<(), QueryError> {
        self.walker.begin(Guide { space, database: &self.database }, start, goal)
    }

    fn set_goal(&mut self, space: &GridSpace, goal: State) -> Result<(), QueryError> {
        self.walker.set_goal(Guide { space, database: &self.database }, goal)
    }

    fn step(&mut self, space: &GridSpace, budget: &mut Budget) -> Step {
        self.walker.step(Guide { space, database: &self.database }, budget)
    }

    fn position(&self) -> State {
        self.walker.position()
    }

    fn plan(&self) -> Vec<State> {
        self.walker.plan(&self.database)
    }

    fn bound(&self) -> Option<Work> {
        Some(BeaconWalker::bound(&self.database))
    }

    fn memory(&self) -> Memory {
        self.walker.memory()
    }

    fn fallbacks(&self) -> u64 {
        self.walker.fallbacks()
    }

    fn use_database(&mut self, database: &Database) -> Result<(), UselessDatabase> {
        let Database::Beacons(database) = database else { return Err(UselessDatabase) };
        self.database = Arc::clone(database);
        self.walker.start_over();
        Ok(())
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }

    fn save(&self, space: &GridSpace, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.database.checksum().to_le_bytes());
        self.walker.save(space, out);
    }

    fn restore(&mut self, space: &GridSpace, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        if u64::from_le_bytes(saved.array()?) != self.database.checksum() {
            return Err(saved.malformed("the agent was saved with another database"));
        }
        self.walker = BeaconWalker::restored(Guide { space, database: &self.database }, saved)?;
        Ok(())
    }
}

/// What a crowd asks of a walker.
impl BeaconWalker {
    /// Where it is to go.
    #[inline]
    pub(crate) fn goal(&self) -> State {
        self.errand.goal
    }
}
