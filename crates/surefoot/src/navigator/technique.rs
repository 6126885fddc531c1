//! What a navigator goes by: beacons, or transit nodes where these do not serve. The one place here that
//! knows which.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::progress::BuildProgress;
use super::{NavigatorError, search_cost};
use crate::agents::{Agent, BeaconAgent, TransitAgent};
use crate::database::{BeaconConfig, BeaconDatabase, Database, DatabaseError, TransitDatabase};
use crate::search::{Path as StatePath, Work};
use crate::space::{Cell, Cost, GridSpace, Heuristic as _, State};

/// Hears how far a build is, and may put an end to it.
pub(super) type Watch<'a> = dyn FnMut(BuildProgress) -> ControlFlow<()> + 'a;

/// What answers questions about a map and makes walkers. All states that it is asked about are free.
pub(super) trait Technique: Send + Sync {
    /// Whether what it finds is always cheapest.
    fn is_exact(&self) -> bool;

    /// Whether it was built from this.
    fn is_built_from(&self, config: BeaconConfig) -> bool;

    /// What a path costs; `None` if none is known.
    fn cost(&self, space: &GridSpace, from: State, to: State) -> Option<Cost>;

    /// A path; `None` if none is known.
    fn path(&self, space: &GridSpace, from: State, to: State) -> Option<StatePath>;

    /// What paths to many goals cost.
    fn costs(&self, space: &GridSpace, from: State, goals: &[State]) -> Vec<Option<Cost>>;

    /// The nearest of some goals: its place among them, and what a path there costs.
    fn nearest_of(&self, space: &GridSpace, from: State, goals: &[State]) -> Option<(usize, Cost)>;

    /// An agent that goes by it.
    fn agent(self: Arc<Self>) -> Box<dyn Agent>;

    /// Has an agent go on by it. Whether the agent can.
    fn give_to(self: Arc<Self>, agent: &mut dyn Agent) -> bool;

    /// The same, up to date with a map that was edited in these cells.
    fn repaired(&self, space: &GridSpace, changed: &[Cell]) -> Result<Arc<dyn Technique>, DatabaseError>;

    /// The bytes of a file for the map that it was built for.
    fn bytes(&self) -> &[u8];

    /// The bytes of a file for a map that was edited since.
    fn renewed_bytes(&self, space: &GridSpace) -> Result<Vec<u8>, DatabaseError>;

    /// The bytes in memory.
    fn memory_bytes(&self) -> usize;
}

/// The most that a move of an agent takes.
pub(super) fn bound(technique: &Arc<dyn Technique>) -> Work {
    // Both kinds have one.
    Arc::clone(technique).agent().bound().unwrap_or_default()
}

/// Builds what serves the map: beacons, or transit nodes if ground has weights or the map is too cluttered.
pub(super) fn build(
    space: &GridSpace,
    config: BeaconConfig,
    watch: &mut Watch<'_>,
) -> Result<Arc<dyn Technique>, NavigatorError> {
    let is_cancelled = core::cell::Cell::new(false);
    let mut tell = |progress: BuildProgress| {
        let answer = watch(progress);
        is_cancelled.set(answer.is_break());
        answer
    };
    let beacons = BeaconDatabase::build_with(space, config, |stage| match stage.is_too_much() {
        true => ControlFlow::Break(()),
        false => tell(stage.into()),
    });
    match beacons {
        Err(_) if is_cancelled.get() => return Err(NavigatorError::Cancelled),
        Err(DatabaseError::Unsuitable { .. } | DatabaseError::TooLarge { .. }) => {}
        beacons => return Ok(Arc::new(beacons?)),
    }
    match TransitDatabase::build_with(space, config.in_place(), |stage| tell(stage.into())) {
        Err(_) if is_cancelled.get() => Err(NavigatorError::Cancelled),
        nodes => Ok(Arc::new(nodes?)),
    }
}

/// Opens what was built for this map.
pub(super) fn open(space: &GridSpace, bytes: &[u8]) -> Result<Arc<dyn Technique>, DatabaseError> {
    let bytes: Arc<[u8]> = bytes.into();
    match BeaconDatabase::from_bytes(space, Arc::clone(&bytes)) {
        Err(DatabaseError::OtherContents { .. }) => {
            Ok(Arc::new(TransitDatabase::from_bytes(space, bytes)?) as Arc<dyn Technique>)
        }
        beacons => Ok(Arc::new(beacons?)),
    }
}

impl Technique for BeaconDatabase {
    fn is_exact(&self) -> bool {
        true
    }

    fn is_built_from(&self, config: BeaconConfig) -> bool {
        *self.config() == config
    }

    fn cost(&self, space: &GridSpace, from: State, to: State) -> Option<Cost> {
        self.cost(space, from, to)
    }

    fn path(&self, space: &GridSpace, from: State, to: State) -> Option<StatePath> {
        self.path(space, from, to)
    }

    fn costs(&self, space: &GridSpace, from: State, goals: &[State]) -> Vec<Option<Cost>> {
        self.costs(space, from, goals)
    }

    fn nearest_of(&self, space: &GridSpace, from: State, goals: &[State]) -> Option<(usize, Cost)> {
        self.nearest_of(space, from, goals)
    }

    fn agent(self: Arc<Self>) -> Box<dyn Agent> {
        Box::new(BeaconAgent::new(self))
    }

    fn give_to(self: Arc<Self>, agent: &mut dyn Agent) -> bool {
        agent.use_database(&Database::Beacons(self)).is_ok()
    }

    fn repaired(&self, space: &GridSpace, changed: &[Cell]) -> Result<Arc<dyn Technique>, DatabaseError> {
        let mut repaired = self.clone();
        repaired.repair(space, changed.iter().copied())?;
        Ok(Arc::new(repaired))
    }

    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    fn renewed_bytes(&self, space: &GridSpace) -> Result<Vec<u8>, DatabaseError> {
        Ok(self.renewed(space)?.as_bytes().to_vec())
    }

    fn memory_bytes(&self) -> usize {
        self.memory_bytes()
    }
}

impl Technique for TransitDatabase {
    fn is_exact(&self) -> bool {
        false
    }

    fn is_built_from(&self, config: BeaconConfig) -> bool {
        *self.config() == config.in_place()
    }

    fn cost(&self, space: &GridSpace, from: State, to: State) -> Option<Cost> {
        self.cost(space, from, to)
    }

    fn path(&self, space: &GridSpace, from: State, to: State) -> Option<StatePath> {
        self.path(space, from, to)
    }

    fn costs(&self, space: &GridSpace, from: State, goals: &[State]) -> Vec<Option<Cost>> {
        goals.iter().map(|&goal| self.cost(space, from, goal)).collect()
    }

    fn nearest_of(&self, space: &GridSpace, from: State, goals: &[State]) -> Option<(usize, Cost)> {
        let least = |(place, &goal): (usize, &State)| (space.estimate(from, goal), place);
        let mut order: Vec<(Cost, usize)> = goals.iter().enumerate().map(least).collect();
        order.sort_unstable();
        let mut best: Option<(Cost, usize)> = None;
        for (least, place) in order {
            // Whatever is farther than the best one as the crow flies need not be looked at.
            if best.is_some_and(|(cost, _)| least > cost) {
                break;
            }
            let goal = goals[place];
            let is_open = space.components().same(space.cell(from), space.cell(goal));
            let cost = || self.cost(space, from, goal).or_else(|| search_cost(space, from, goal));
            if let Some(cost) = is_open.then(cost).flatten()
                && best.is_none_or(|best| (cost, place) < best)
            {
                best = Some((cost, place));
            }
        }
        best.map(|(cost, place)| (place, cost))
    }

    fn agent(self: Arc<Self>) -> Box<dyn Agent> {
        Box::new(TransitAgent::new(self))
    }

    fn give_to(self: Arc<Self>, agent: &mut dyn Agent) -> bool {
        agent.use_database(&Database::Transit(self)).is_ok()
    }

    fn repaired(&self, space: &GridSpace, changed: &[Cell]) -> Result<Arc<dyn Technique>, DatabaseError> {
        let mut repaired = self.clone();
        repaired.repair(space, changed.iter().copied())?;
        Ok(Arc::new(repaired))
    }

    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    fn renewed_bytes(&self, space: &GridSpace) -> Result<Vec<u8>, DatabaseError> {
        Ok(self.renewed(space)?.as_bytes().to_vec())
    }

    fn memory_bytes(&self) -> usize {
        self.memory_bytes()
    }
}
