//! `transit*`: an agent that walks from transit node to transit node, over ground of any weights, and learns nothing.
//!
//! `database/transit/` says what it goes by. Before its first move the agent decides which node its way begins with, and which it ends with; that takes two searches, which are spread over
//! several moves while the agent waits. From then on it walks along legs, and at each node it takes the leg after which the rest costs least. It keeps the moves of its leg, and those
//! from the last node to its goal (`walker.rs`).
//!
//! Where a move is blocked, which takes an edited map, the agent decides anew. Where that leads into a wall again, it walks to its goal by LRTA*, and counts that.

#[cfg(test)]
mod tests;
mod walker;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use self::walker::{Guide, TransitWalker};
use super::{Agent, Memory, Step, UselessDatabase};
use crate::codec::{CodecError, Reader};
use crate::database::{Database, TransitDatabase};
use crate::search::{Budget, Work};
use crate::space::{GridSpace, QueryError, State};

/// An agent that goes by transit nodes.
#[derive(Clone, Debug)]
pub(crate) struct TransitAgent {
    database: Arc<TransitDatabase>,
    walker: TransitWalker,
}

impl TransitAgent {
    pub(crate) fn new(database: Arc<TransitDatabase>) -> Self {
        Self { database, walker: TransitWalker::new() }
    }
}

impl Agent for TransitAgent {
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
        Some(TransitWalker::bound(&self.database))
    }

    fn memory(&self) -> Memory {
        self.walker.memory()
    }

    fn fallbacks(&self) -> u64 {
        self.walker.fallbacks()
    }

    fn use_database(&mut self, database: &Database) -> Result<(), UselessDatabase> {
        let Database::Transit(database) = database else { return Err(UselessDatabase) };
        // A repaired one has the same nodes, so that the agent goes on.
        let is_repaired = self.database.checksum_of_file() == database.checksum_of_file();
        self.database = Arc::clone(database);
        self.walker.note_database(is_repaired);
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
        self.walker = TransitWalker::restored(Guide { space, database: &self.database }, saved)?;
        Ok(())
    }
}
