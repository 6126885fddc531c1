//! Agents: algorithms that walk, one move per call. The [`roster`] names them all.

mod plan_once;
pub mod roster;
mod spec;

pub use spec::{Spec, SpecError};

use crate::space::{GridSpace, QueryError, State};

/// What an agent did in one call of [`Agent::step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It moved to this state.
    Moved(State),
    /// It stands on its goal.
    Arrived,
    /// There is no way to its goal.
    Unreachable,
}

/// The planning work of one step; every piece is charged here by whoever does it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// States whose successors were looked at.
    pub expansions: u64,
}

/// An algorithm at work on one problem after another.
///
/// An agent keeps no reference to the space: the map may change between two steps.
pub trait Agent {
    /// Starts a new problem. Memory of earlier ones is kept for use, what was learned there is not.
    ///
    /// # Errors
    /// If `start` or `goal` is no state of `space`, or the space lacks what the algorithm needs.
    fn begin(&mut self, space: &GridSpace, start: State, goal: State) -> Result<(), QueryError>;

    /// Plans and makes one move. The planning done is added to `work`.
    fn step(&mut self, space: &GridSpace, work: &mut Work) -> Step;

    /// The states that the agent has held in memory for this problem, as the papers count: the largest open
    /// list, plus the largest closed list, plus states with a learned value.
    fn online_states(&self) -> u64;
}
