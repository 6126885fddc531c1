//! What makes a unit walk: an agent of any algorithm, and its goal.

use alloc::boxed::Box;

use super::CrowdError;
use super::kind::KindState;
use crate::agents::{Agent, Step};
use crate::search::Budget;
use crate::space::{GridSpace, State};

/// What makes a unit walk.
#[derive(Clone)]
pub(super) enum Walker {
    /// Nothing: the slot is free.
    Gone,
    /// An agent of the roster.
    Agent(Box<Boxed>),
}

/// An agent and what it does not tell.
#[derive(Clone)]
pub(super) struct Boxed {
    agent: Box<dyn Agent>,
    goal: State,
    /// Whether it took the place of one that had learned as much as it may.
    is_relief: bool,
}

impl Walker {
    /// An agent on its way.
    pub(super) fn begin(
        mut agent: Box<dyn Agent>,
        space: &GridSpace,
        start: State,
        goal: State,
    ) -> Result<Self, CrowdError> {
        agent.begin(space, start, goal)?;
        Ok(Self::Agent(Box::new(Boxed { agent, goal, is_relief: false })))
    }

    pub(super) fn is_gone(&self) -> bool {
        matches!(self, Self::Gone)
    }

    /// Where it is to go; of nobody the first state.
    #[inline]
    pub(super) fn goal(&self) -> State {
        match self {
            Self::Gone => State(0),
            Self::Agent(boxed) => boxed.goal,
        }
    }

    /// Plans and makes one move.
    #[inline]
    pub(super) fn step(&mut self, kind: &KindState, budget: &mut Budget) -> Step {
        match self {
            Self::Gone => Step::Arrived,
            Self::Agent(boxed) => boxed.agent.step(&kind.space, budget),
        }
    }

    /// The states that it has learned a value of.
    #[inline]
    pub(super) fn learned(&self) -> u64 {
        match self {
            Self::Gone => 0,
            Self::Agent(boxed) => boxed.agent.memory().learned,
        }
    }

    /// Gives it another goal. `place` is where it stands.
    pub(super) fn set_goal(&mut self, kind: &KindState, place: State, goal: State) -> Result<(), CrowdError> {
        match self {
            Self::Agent(boxed) if !boxed.is_relief && boxed.agent.position() == place => {
                boxed.agent.set_goal(&kind.space, goal)?;
                boxed.goal = goal;
            }
            // One that took another's place has done its duty; one that is elsewhere has to begin where it is.
            _ => *self = kind.walker(place, goal)?,
        }
        Ok(())
    }

    /// Lets another way of walking take over: what was learned is forgotten, and the way is still found.
    pub(super) fn relieve(&mut self, kind: &KindState, place: State) {
        let goal = self.goal();
        let relief = kind.relief().and_then(|agent| Self::begin(agent, &kind.space, place, goal));
        // Where the goal was blocked in the meantime there is no way, and the one at hand says so.
        if let Ok(Self::Agent(mut relief)) = relief {
            relief.is_relief = true;
            *self = Self::Agent(relief);
        }
    }
}
