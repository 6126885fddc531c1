//! Agents as bytes that outlive the program: what [`Agent::save`] writes, and all it takes to make the agent
//! again.
//!
//! In the [envelope](crate::store::codec): the spec as text; width, height, move rule and cost model of the
//! map; the agent. The map itself is not part of it, and may be edited before the agent goes on.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Agent, Algorithm, Roster, SpecError};
use crate::space::{CostUnits, GridSpace, MoveRule};
use crate::store::codec::{CodecError, Envelope, Reader, put_number, put_text};
use crate::store::{Database, codec};

const SAVED_AGENT: Envelope = Envelope { name: "saved agent", label: *b"sfagent\n", oldest: 1, version: 2 };

/// A saved agent that cannot be made again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The bytes are no saved agent, or are damaged.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// The agent's spec is none of this program's.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The agent belongs to another map.
    #[error("this agent was saved on a map of {saved}, and the one at hand has {at_hand}")]
    OtherMap {
        /// What the agent's map was.
        saved: String,
        /// What the map at hand is.
        at_hand: String,
    },
}

/// What an agent's numbers depend on; walls may be built and torn down.
#[derive(PartialEq, Eq)]
struct MapKind {
    width: u64,
    height: u64,
    rule: MoveRule,
    costs: CostUnits,
}

impl MapKind {
    fn of(world: &GridSpace) -> Self {
        let (width, height) = (world.grid().width().into(), world.grid().height().into());
        Self { width, height, rule: world.rule(), costs: world.units() }
    }

    fn put(&self, out: &mut Vec<u8>) {
        put_number(out, self.width);
        put_number(out, self.height);
        put_text(out, self.rule.name());
        put_text(out, self.costs.name());
    }

    fn read(saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        let (width, height) = (saved.number()?, saved.number()?);
        let rule = saved.text()?.parse().map_err(|_| saved.malformed("there is no such move rule"))?;
        let costs = saved.text()?.parse().map_err(|_| saved.malformed("there is no such cost model"))?;
        Ok(Self { width, height, rule, costs })
    }
}

impl core::fmt::Display for MapKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { width, height, rule, costs } = self;
        write!(f, "{width} x {height} cells with the rule {rule} and the costs {costs}")
    }
}

impl Algorithm {
    /// An agent of this algorithm as bytes: its spec and its state. `world` is where it walks.
    #[must_use]
    pub fn save(&self, world: &GridSpace, agent: &dyn Agent) -> Vec<u8> {
        let mut body = Vec::new();
        put_text(&mut body, &self.spec().to_string());
        MapKind::of(world).put(&mut body);
        agent.save(world, &mut body);
        codec::seal(&SAVED_AGENT, &body)
    }
}

impl Roster {
    /// The agent that was saved, with its algorithm. It goes on exactly as the one that was saved would have:
    /// the same moves, the same work. An agent with a database needs the same one again. If `world` was
    /// edited since, or its database was repaired, it goes on by legal moves all the same.
    ///
    /// # Errors
    /// If the bytes are damaged or no saved agent, or the agent belongs to a map of another size, rule or
    /// cost model.
    pub fn restore(
        &self,
        world: &GridSpace,
        bytes: &[u8],
        database: Option<&Arc<dyn Database>>,
    ) -> Result<(Algorithm, Box<dyn Agent>), RestoreError> {
        let mut saved = Reader::new(codec::open(&SAVED_AGENT, bytes)?);
        let algorithm = self.algorithm(&saved.text()?.parse()?)?;
        let mut agent = algorithm.agent(database)?;
        let (theirs, ours) = (MapKind::read(&mut saved)?, MapKind::of(world));
        if theirs != ours {
            return Err(RestoreError::OtherMap { saved: theirs.to_string(), at_hand: ours.to_string() });
        }
        agent.restore(world, &mut saved)?;
        saved.finish()?;
        Ok((algorithm, agent))
    }
}
