//! What makes a unit walk: beacons, which hardly take any memory, or an agent of any other algorithm.

use alloc::boxed::Box;

use super::CrowdError;
use super::kind::KindState;
use crate::agent::{Agent, Step};
use crate::beacons::{BeaconWalker, Company};
use crate::search::Meter;
use crate::space::State;

/// What makes a unit walk.
#[derive(Clone)]
pub(super) enum UnitWalker {
    /// Nothing: the slot is free.
    Gone,
    /// The beacons of its kind.
    Beacons(BeaconWalker),
    /// An agent of the roster.
    Agent(Box<Boxed>),
}

/// An agent and what it does not tell.
#[derive(Clone)]
pub(super) struct Boxed {
    pub(super) agent: Box<dyn Agent>,
    pub(super) goal: State,
    /// Whether it took the place of one that had learned as much as it may.
    pub(super) is_relief: bool,
}

impl UnitWalker {
    /// A walker by the kind's algorithm, or while that has no database, by another.
    pub(super) fn begin(kind: &KindState, start: State, goal: State) -> Result<Self, CrowdError> {
        if kind.is_unbuilt {
            return Self::relief(kind, start, goal);
        }
        if let Some(guide) = kind.guide().filter(|_| kind.goes_by_beacons()) {
            let mut walker = BeaconWalker::NEW;
            walker.begin(guide, start, goal)?;
            return Ok(Self::Beacons(walker));
        }
        let mut agent = kind.agent()?;
        agent.begin(&kind.space, start, goal)?;
        Ok(Self::Agent(Box::new(Boxed { agent, goal, is_relief: false })))
    }

    /// A walker that learns nothing: by beacons, if there are any and it is not beacons that have failed.
    fn relief(kind: &KindState, start: State, goal: State) -> Result<Self, CrowdError> {
        if let Some(guide) = kind.guide().filter(|_| !kind.goes_by_beacons()) {
            let mut walker = BeaconWalker::NEW;
            walker.begin(guide, start, goal)?;
            return Ok(Self::Beacons(walker));
        }
        Self::last_resort(kind, start, goal)
    }

    fn last_resort(kind: &KindState, start: State, goal: State) -> Result<Self, CrowdError> {
        let mut agent = kind.last_resort()?;
        agent.begin(&kind.space, start, goal)?;
        Ok(Self::Agent(Box::new(Boxed { agent, goal, is_relief: true })))
    }

    /// A walker that can only stand where it is, because its place or its goal is blocked. When neither is it
    /// begins.
    pub(super) fn stranded(place: State, goal: State) -> Self {
        Self::Beacons(BeaconWalker::stranded(place, goal))
    }

    #[inline]
    pub(super) fn is_gone(&self) -> bool {
        matches!(self, Self::Gone)
    }

    /// Where it stands; of nobody the first state.
    #[inline]
    pub(super) fn position(&self) -> State {
        match self {
            Self::Gone => State(0),
            Self::Beacons(walker) => walker.position(),
            Self::Agent(boxed) => boxed.agent.position(),
        }
    }

    /// Where it is to go; of nobody the first state.
    #[inline]
    pub(super) fn goal(&self) -> State {
        match self {
            Self::Gone => State(0),
            Self::Beacons(walker) => walker.goal(),
            Self::Agent(boxed) => boxed.goal,
        }
    }

    /// Plans and makes one move.
    #[inline]
    pub(super) fn step(&mut self, kind: &KindState, company: Company<'_>, meter: &mut Meter) -> Step {
        match self {
            Self::Gone => Step::Arrived,
            Self::Beacons(walker) => match kind.guide() {
                Some(guide) => walker.step_with(guide, Some(company), meter),
                None => match Self::begin(kind, walker.position(), walker.goal()) {
                    Ok(begun) => {
                        *self = begun;
                        meter.charge_probes(1);
                        Step::Waiting
                    }
                    Err(_) => Step::Unreachable,
                },
            },
            Self::Agent(boxed) => boxed.agent.step(&kind.space, meter),
        }
    }

    /// The states that it has learned a value of.
    #[inline]
    pub(super) fn learned(&self) -> u64 {
        match self {
            Self::Gone => 0,
            Self::Beacons(walker) => walker.memory().learned,
            Self::Agent(boxed) => boxed.agent.memory().learned,
        }
    }

    /// The most that each of so many next moves takes, if that is bounded and the map is not edited.
    pub(super) fn bound(&self, kind: &KindState, moves: u32, most_learned: u64) -> Option<u64> {
        match (self, kind.guide()) {
            (Self::Gone, _) => Some(0),
            (Self::Beacons(walker), Some(guide)) if walker.is_on_leg(guide, moves) => Some(1),
            (Self::Agent(boxed), _) if !boxed.is_relief => {
                let own = kind.own_bound?;
                let learned = self.learned().saturating_add(own.saturating_mul(u64::from(moves)));
                // Soon another way of walking may take over.
                if learned > most_learned { kind.bound } else { Some(own) }
            }
            _ => kind.bound,
        }
    }

    /// Gives it another goal. `place` is where its unit stands.
    pub(super) fn set_goal(&mut self, kind: &KindState, place: State, goal: State) -> Result<(), CrowdError> {
        match self {
            Self::Beacons(walker) if kind.goes_by_beacons() && walker.position() == place => {
                if let Some(guide) = kind.guide() {
                    walker.set_goal(guide, goal)?;
                }
            }
            Self::Agent(boxed) if !boxed.is_relief => {
                if boxed.agent.position() == place {
                    boxed.agent.set_goal(&kind.space, goal)?;
                } else {
                    // One that is elsewhere has to begin where its unit is.
                    boxed.agent.begin(&kind.space, place, goal)?;
                }
                boxed.goal = goal;
            }
            // The same, or one that took another's place: it has done its duty.
            _ => *self = Self::begin(kind, place, goal)?,
        }
        Ok(())
    }

    /// Begins anew where its unit stands.
    ///
    /// # Errors
    /// If it cannot, because the place or the goal was blocked. Then it stays where it is.
    pub(super) fn put_at(&mut self, kind: &KindState, place: State) -> Result<(), CrowdError> {
        let goal = self.goal();
        match (self, kind.guide()) {
            (Self::Beacons(walker), Some(guide)) => walker.begin(guide, place, goal)?,
            (Self::Agent(boxed), _) => boxed.agent.begin(&kind.space, place, goal)?,
            (walker @ Self::Beacons(_), None) => *walker = Self::begin(kind, place, goal)?,
            // Nobody is there to walk.
            (Self::Gone, _) => {}
        }
        Ok(())
    }

    /// Lets another way of walking take over: what was learned is forgotten, and the way is still found.
    /// Whether there is one.
    pub(super) fn relieve(&mut self, kind: &KindState) -> bool {
        if matches!(self, Self::Agent(boxed) if boxed.is_relief) {
            return false;
        }
        let (place, goal) = (self.position(), self.goal());
        let relief = match self {
            Self::Beacons(_) => Self::last_resort(kind, place, goal),
            _ => Self::relief(kind, place, goal),
        };
        // Where the goal was blocked in the meantime there is no way, and the one at hand says so.
        let is_found = relief.is_ok();
        if let Ok(relief) = relief {
            *self = relief;
        }
        is_found
    }
}
