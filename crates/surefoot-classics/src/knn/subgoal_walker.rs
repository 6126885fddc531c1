//! What both forms of kNN LRTA* have in common: a database, capped climbs, and an LRTA* that is sent from
//! target to target.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Errand, Memory, Step, UselessDatabase};
use surefoot::lrta::LrtaStar;
use surefoot::search::{Horizon, Meter, climb_to};
use surefoot::space::{Cost, QueryError, State, World};
use surefoot::store::codec::{CodecError, Reader};

use super::subgoals::SubgoalDatabase;

#[derive(Clone, Debug)]
pub(crate) struct SubgoalWalker {
    pub database: Arc<SubgoalDatabase>,
    /// The whole errand; that of `lrta` ends at the target at hand.
    pub errand: Errand,
    lrta: LrtaStar,
    /// The most steps of one climb.
    cutoff: u64,
}

impl SubgoalWalker {
    /// LRTA* breaks ties as the climbs of the database do.
    pub(crate) fn new(database: Arc<SubgoalDatabase>, horizon: Horizon, cutoff: u64) -> Self {
        let lrta = LrtaStar::new(horizon, database.config().ties);
        Self { database, errand: Errand::NONE, lrta, cutoff }
    }

    pub(crate) fn begin(&mut self, world: &impl World, start: State, goal: State) -> Result<(), QueryError> {
        check_database(world, &self.database)?;
        self.errand = Errand::new(world, start, goal)?;
        self.lrta.begin(world, start, goal)
    }

    pub(crate) fn set_goal(&mut self, world: &impl World, goal: State) -> Result<(), QueryError> {
        check_database(world, &self.database)?;
        self.errand = Errand::new(world, self.errand.position, goal)?;
        self.lrta.set_goal(world, goal)
    }

    /// Goes on with another database for the same world and the same climbs.
    pub(crate) fn use_database(&mut self, database: &Arc<SubgoalDatabase>) -> Result<(), UselessDatabase> {
        let (own, other) = (self.database.built_for(), database.built_for());
        let is_like = (own.size, own.states, &own.rule, &own.costs)
            == (other.size, other.states, &other.rule, &other.costs);
        if !is_like || self.database.config().ties != database.config().ties {
            return Err(UselessDatabase);
        }
        self.database = Arc::clone(database);
        Ok(())
    }

    /// What a capped climb costs. `None` if it does not arrive.
    pub(crate) fn climb(
        &self,
        world: &impl World,
        from: State,
        to: State,
        meter: &mut Meter,
    ) -> Option<Cost> {
        let ties = self.database.config().ties;
        climb_to(world, from, to, self.cutoff, ties, meter).map(|climb| climb.cost)
    }

    pub(crate) fn reaches(&self, world: &impl World, from: State, to: State, meter: &mut Meter) -> bool {
        self.climb(world, from, to, meter).is_some()
    }

    /// The state that LRTA* is on its way to.
    pub(crate) fn target(&self) -> State {
        self.lrta.goal()
    }

    /// Sends LRTA* to a state; nothing happens if it is none, as on a map that was edited.
    pub(crate) fn head_for(&mut self, world: &impl World, target: State, meter: &mut Meter) -> bool {
        let is_possible = self.lrta.set_goal(world, target).is_ok();
        if is_possible {
            meter.note_subgoal(target);
        }
        is_possible
    }

    /// A step of LRTA* towards its target.
    pub(crate) fn advance(&mut self, world: &impl World, meter: &mut Meter) -> Step {
        let step = self.lrta.step(world, meter);
        if let Step::Moved(next) = step {
            self.errand.go(next);
        }
        step
    }

    /// The most steps of one climb.
    pub(crate) fn cutoff(&self) -> u64 {
        self.cutoff
    }

    /// The most states that one move expands.
    pub(crate) fn expansions<W: World>(&self) -> u64 {
        <LrtaStar as Agent<W>>::bound(&self.lrta).map_or(0, |bound| bound.expansions)
    }

    /// The target and the goal, if they are two.
    pub(crate) fn plan(&self) -> Vec<State> {
        let (target, goal) = (self.target(), self.errand.goal);
        if target == goal { Vec::from([goal]) } else { Vec::from([target, goal]) }
    }

    pub(crate) fn memory<W: World>(&self) -> Memory {
        <LrtaStar as Agent<W>>::memory(&self.lrta)
    }

    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.database.checksum().to_le_bytes());
        self.errand.save(out);
        self.lrta.put(out);
    }

    /// Reads what was saved. The database must be the one that it was saved with, and LRTA* stand where the
    /// agent stands.
    pub(crate) fn restored(&self, world: &impl World, saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        if u64::from_le_bytes(saved.array()?) != self.database.checksum() {
            return Err(saved.malformed("the agent was saved with another database"));
        }
        let mut restored = Self { errand: Errand::restore(world, saved)?, ..self.clone() };
        restored.lrta.restore(world, saved)?;
        if position_of(world, &restored.lrta) != restored.errand.position {
            return Err(saved.malformed("the agent stands in two places"));
        }
        Ok(restored)
    }
}

fn position_of<W: World>(_: &W, lrta: &LrtaStar) -> State {
    Agent::<W>::position(lrta)
}

/// Refuses a database that was built for a world of another kind: its states would mean nothing here. That
/// the map was edited since is no reason.
fn check_database(world: &impl World, database: &SubgoalDatabase) -> Result<(), QueryError> {
    let built_for = database.built_for();
    if built_for.is_like(world) {
        Ok(())
    } else {
        Err(QueryError::OtherDatabase { built_for: built_for.to_string() })
    }
}
