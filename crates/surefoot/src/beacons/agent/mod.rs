//! `beacon*`: an agent that walks from corner to corner on a cheapest way, and learns nothing.
//!
//! Not from a paper as a whole: `database/beacons/` says what it goes by. Before its first move the agent
//! decides which corner its way begins with, and which it ends with. From then on it walks along legs. At
//! each corner it takes the leg after which the rest costs least. Within a leg it makes the diagonal moves
//! first, if that order is open. It keeps the numbers of three corners: the next one, the last one and a gate
//! (`walker.rs`).
//!
//! Where a run of moves is blocked, which takes an edited map, the agent decides anew. Where the labels know
//! no way any more it walks to its goal by LRTA*, and counts that.

mod destinations;
mod runs;
#[cfg(test)]
mod tests;
mod walker;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub(crate) use self::destinations::{Company, Destinations};
pub(crate) use self::walker::{BeaconGuide, BeaconWalker};
use crate::agent::{Agent, Memory, Step, UselessDatabase};
use crate::beacons::BeaconDatabase;
use crate::search::{Meter, Work};
use crate::space::{GridSpace, QueryError, State};
use crate::store::codec::{CodecError, Reader};
use crate::store::{Database, shared_as};

/// An agent that goes by beacons.
#[derive(Clone, Debug)]
pub struct BeaconAgent {
    database: Arc<BeaconDatabase>,
    walker: BeaconWalker,
}

impl BeaconAgent {
    /// An agent that has not begun.
    #[must_use]
    pub fn new(database: Arc<BeaconDatabase>) -> Self {
        Self { database, walker: BeaconWalker::NEW }
    }
}

impl Agent for BeaconAgent {
    fn begin(&mut self, space: &GridSpace, start: State, goal: State) -> Result<(), QueryError> {
        self.walker.begin(BeaconGuide { space, database: &self.database }, start, goal)
    }

    fn set_goal(&mut self, space: &GridSpace, goal: State) -> Result<(), QueryError> {
        self.walker.set_goal(BeaconGuide { space, database: &self.database }, goal)
    }

    fn step(&mut self, space: &GridSpace, meter: &mut Meter) -> Step {
        self.walker.step(BeaconGuide { space, database: &self.database }, meter)
    }

    fn position(&self) -> State {
        self.walker.position()
    }

    fn plan(&self) -> Vec<State> {
        self.walker.plan(&self.database, self.database.built_for().size.0)
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

    fn use_database(&mut self, database: &Arc<dyn Database>) -> Result<(), UselessDatabase> {
        self.database = shared_as(database).ok_or(UselessDatabase)?;
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
        self.walker = BeaconWalker::restored(BeaconGuide { space, database: &self.database }, saved)?;
        Ok(())
    }
}
