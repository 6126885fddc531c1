//! The agent contract: algorithms that walk, one move per call, and the [`Roster`] that names them.
//!
//! - [`Agent`] is what every algorithm does. [`Errand`] and [`Learner`] are what most of them have in common.
//! - [`Spec`] is how an algorithm is called, as in `lrta*(d=3)`. An [`Entry`] says what it is and which
//!   parameters it takes. A [`Roster`] is a list of entries, and of the kinds of databases that they go by.
//!   An [`Algorithm`] is an entry with its parameters: it makes agents.

mod errand;
mod learned;
mod roster;
mod saved;
mod spec;

pub use self::errand::{Errand, Learner};
pub use self::learned::LearnedHeuristic;
pub use self::roster::{
    Algorithm, Arguments, Bound, CORE, DEFAULT, Entry, Parameter, Plain, Recipe, Roster, Scale, WithDatabase,
    parameters,
};
pub use self::saved::RestoreError;
pub use self::spec::{Spec, SpecError};

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::search::{Meter, Work};
use crate::space::{GridSpace, QueryError, State, World};
use crate::store::Database;
use crate::store::codec::{CodecError, Reader};
use crate::tape::End;

/// What an agent did in one call of [`Agent::step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// It moved to this state.
    Moved(State),
    /// It planned and did not move; it will in time.
    Waiting,
    /// It stands on its goal.
    Arrived,
    /// There is no way to its goal.
    Unreachable,
    /// It knows no move that would bring it closer, and will not move again; there may be a way all the same.
    Stuck,
}

impl Step {
    /// Whether there is nothing more to do: the agent arrived, or will not get there as things are.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Arrived | Self::Unreachable | Self::Stuck)
    }

    /// Writes this step to the tape of the meter that it was planned with, if it has one. The planning is
    /// there already.
    pub fn note(self, meter: &mut Meter) {
        match self {
            Self::Moved(state) => meter.note_move(state),
            Self::Waiting => meter.note_wait(),
            Self::Arrived => meter.note_end(End::Arrived),
            Self::Unreachable => meter.note_end(End::Unreachable),
            Self::Stuck => meter.note_end(End::Stuck),
        }
    }
}

/// The states that an agent has held in memory for one problem, as the papers count them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The largest open list of any one search.
    pub open: u64,
    /// The largest closed list of any one search.
    pub closed: u64,
    /// States with a learned value.
    pub learned: u64,
}

impl Memory {
    /// All of them together: the papers' strictly on-line memory.
    #[must_use]
    pub const fn states(&self) -> u64 {
        self.open + self.closed + self.learned
    }
}

/// An agent was given a database that it has no use for: see [`Agent::use_database`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this agent has no use for a database of this kind")]
pub struct UselessDatabase;

/// An algorithm at work in a world, on one problem after another.
///
/// An agent keeps no reference to the world: the map may change between two steps. It can be sent to another
/// thread, and looked at from several. Before it has begun it has arrived: it stands on its goal, both of
/// them state 0.
pub trait Agent<W: World = GridSpace>: Send + Sync {
    /// Starts a new problem. Memory of earlier ones is kept for use, what was learned there is not.
    ///
    /// # Errors
    /// If `start` or `goal` is no state of `world`, or the world lacks what the algorithm needs.
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError>;

    /// Gives the agent a new goal where it stands. What it learned for other goals is kept, for them.
    ///
    /// # Errors
    /// If `goal` is no state of `world`.
    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError>;

    /// Plans and makes one move. All planning is charged to `meter`.
    fn step(&mut self, world: &W, meter: &mut Meter) -> Step;

    /// Where the agent stands.
    fn position(&self) -> State;

    /// The states that the agent means to go to next, as far as it knows.
    fn plan(&self) -> Vec<State>;

    /// The most that one move can take, whatever the map. `None` if there is no such bound.
    fn bound(&self) -> Option<Work>;

    /// The states held in memory for this problem.
    fn memory(&self) -> Memory;

    /// How often in this problem its database had nothing to offer, so that it had to do without.
    fn fallbacks(&self) -> u64 {
        0
    }

    /// Goes on with another database of the kind that it was made with: one that was repaired after the map
    /// was edited, say ([`Maintained`](crate::store::Maintained)). Plans that need the old one are dropped.
    ///
    /// # Errors
    /// If the agent has no use for such a database; then it is as it was. Agents that do not say otherwise
    /// have no use for any.
    fn use_database(&mut self, database: &Arc<dyn Database>) -> Result<(), UselessDatabase> {
        let _ = database;
        Err(UselessDatabase)
    }

    /// What moves cost is something else now: chooses its way from `place` to `goal` anew, at once or after a
    /// few moves. An agent that does not say otherwise begins anew.
    ///
    /// # Errors
    /// If one of both is no state. Then it is as it was.
    fn choose_anew(&mut self, world: &W, place: State, goal: State) -> Result<(), QueryError> {
        self.begin(world, place, goal)
    }

    /// A copy that goes on from here on its own.
    fn clone_box(&self) -> Box<dyn Agent<W>>;

    /// Writes all that the agent needs to go on from here in `world` as it is now: where it stands, what it
    /// has planned and learned. Not its parameters, nor memory that only serves to be used again, nor plans
    /// for what the world was before it was edited. [`Algorithm::save`] adds what it takes to make the agent.
    fn save(&self, world: &W, out: &mut Vec<u8>);

    /// Takes over what an agent with the same parameters wrote in this world, and goes on exactly as that one
    /// would. If the world was edited since, it goes on by legal moves all the same.
    ///
    /// The bytes may come from anywhere: an agent that takes them must neither panic nor make an illegal move
    /// because of them, then or later.
    ///
    /// # Errors
    /// If the bytes are not what such an agent writes; then this one is as it was.
    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError>;
}

impl<W: World> Clone for Box<dyn Agent<W>> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}
