//! `transit*`: an agent that walks from transit node to transit node, over ground of any weights, and learns
//! nothing.
//!
//! `database/transit/` says what it goes by. Before its first move the agent decides which node its way
//! begins with, and which it ends with; that takes two searches, which are spread over several moves while
//! the agent waits. From then on it walks along legs, and at each node it takes the leg after which the rest
//! costs least. It keeps the moves of its leg, and those from the last node to its goal (`walker.rs`).
//!
//! Where a move is blocked, which takes an edited map, the agent decides anew. Where that leads into a wall
//! again, it walks to its goal by LRTA*, and counts that.

#[cfg(test)]
mod tests;
mod walker;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use self::walker::{TransitGuide, TransitWalker};
use crate::agent::{Agent, Memory, Step, UselessDatabase};
use crate::search::{Meter, Work};
use crate::space::{GridSpace, QueryError, State};
use crate::store::codec::{CodecError, Reader};
use crate::store::{Database, shared_as};
use crate::transit::TransitDatabase;

/// An agent that goes by transit nodes.
#[derive(Clone, Debug)]
pub struct TransitAgent {
    database: Arc<TransitDatabase>,
    walker: TransitWalker,
}

impl TransitAgent {
    /// An agent that has not begun.
    #[must_use]
    pub fn new(database: Arc<TransitDatabase>) -> Self {
        Self { database, walker: TransitWalker::new() }
    }
}

impl Agent for TransitAgent {
    fn begin(&mut self, space: &GridSpace, start: State, goal: State) -> Result<(), QueryError> {
        self.walker.begin(TransitGuide { space, database: &self.database }, start, goal)
    }

    fn set_goal(&mut self, space: &GridSpace, goal: State) -> Result<(), QueryError> {
        self.walker.set_goal(TransitGuide { space, database: &self.database }, goal)
    }

    fn step(&mut self, space: &GridSpace, meter: &mut Meter) -> Step {
        self.walker.step(TransitGuide { space, database: &self.database }, meter)
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

    fn use_database(&mut self, database: &Arc<dyn Database>) -> Result<(), UselessDatabase> {
        let database: Arc<TransitDatabase> = shared_as(database).ok_or(UselessDatabase)?;
        // A repaired one has the same nodes, so that the agent goes on.
        let is_repaired = self.database.checksum_of_file() == database.checksum_of_file();
        self.database = database;
        self.walker.note_database(is_repaired);
        Ok(())
    }

    /// It thinks for some moves before it sets out again. So that it gets on where weights change all the
    /// time, it makes some moves first if it has only just decided.
    fn choose_anew(&mut self, space: &GridSpace, place: State, goal: State) -> Result<(), QueryError> {
        if self.walker.position() != place || self.walker.goal() != goal {
            return self.begin(space, place, goal);
        }
        self.walker.note_weights();
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
        self.walker = TransitWalker::restored(TransitGuide { space, database: &self.database }, saved)?;
        Ok(())
    }
}
