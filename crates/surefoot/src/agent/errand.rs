//! What agents have in common: an errand, and, for those that learn, what they have learned on it.

use alloc::vec::Vec;

use super::learned::LearnedHeuristic;
use super::{Memory, Step};
use crate::space::{Cost, QueryError, Reachability, Revision, State, World};
use crate::store::codec::{CodecError, Reader, put_number, put_state};

/// Where an agent stands and where it is to go.
#[derive(Clone, Copy, Debug)]
pub struct Errand {
    /// Where it stands.
    pub position: State,
    /// Where it is to go.
    pub goal: State,
    /// The revision of the world in which the way was last seen to be open. Legal moves cannot close it.
    seen_open: Option<Revision>,
}

impl Errand {
    /// The errand of an agent that has not begun: it has arrived.
    pub const NONE: Self = Self { position: State(0), goal: State(0), seen_open: None };

    /// An errand in a world.
    ///
    /// # Errors
    /// If `start` or `goal` is no state of it.
    pub fn new(world: &impl World, start: State, goal: State) -> Result<Self, QueryError> {
        crate::search::check_ends(world, start, goal)?;
        Ok(Self { position: start, goal, seen_open: None })
    }

    /// What to say without any planning, if that is so. Asked on every step: a map that was edited may have
    /// closed the way, or opened it.
    #[inline]
    pub fn foregone(&mut self, world: &impl World) -> Option<Step> {
        if self.position == self.goal {
            return Some(Step::Arrived);
        }
        if self.is_as_seen(world) {
            return None;
        }
        let is_open = world.contains(self.position)
            && world.contains(self.goal)
            && world.reachability(self.position, self.goal) != Reachability::No;
        self.seen_open = world.revision().filter(|_| is_open);
        (!is_open).then_some(Step::Unreachable)
    }

    /// Whether the world is the one in which the way was last seen to be open: nothing that was seen then has
    /// changed.
    #[inline]
    pub fn is_as_seen(&self, world: &impl World) -> bool {
        self.seen_open.is_some() && self.seen_open == world.revision()
    }

    /// The way that was open in one revision is open in another, somebody has made sure.
    #[inline]
    pub fn see_again(&mut self, before: Option<Revision>, now: Option<Revision>) {
        if self.seen_open.is_some() && self.seen_open == before {
            self.seen_open = now;
        }
    }

    /// Whether one move leads to `next` in the world as it is now.
    pub fn can_go(&self, world: &impl World, next: State) -> bool {
        let mut legal = false;
        world.for_each_successor(self.position, |state, _| legal |= state == next);
        legal
    }

    /// Makes a move.
    pub fn go(&mut self, next: State) -> Step {
        self.position = next;
        Step::Moved(next)
    }

    /// Writes it.
    pub fn save(&self, out: &mut Vec<u8>) {
        put_state(out, self.position);
        put_state(out, self.goal);
    }

    /// Reads what was saved. The states need not be free: the map may have been edited.
    pub fn restore(world: &impl World, saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        // An agent that has not begun stands at 0, even where there are no states.
        let limit = world.state_limit().max(1);
        Ok(Self { position: saved.state(limit)?, goal: saved.state(limit)?, seen_open: None })
    }
}

impl Memory {
    /// The largest of open and closed lists so far.
    pub fn note(&mut self, open: u64, closed: u64) {
        self.open = self.open.max(open);
        self.closed = self.closed.max(closed);
    }

    /// Writes all but the learned states, which their tables count.
    pub fn save(&self, out: &mut Vec<u8>) {
        put_number(out, self.open);
        put_number(out, self.closed);
    }

    /// Reads what was saved.
    ///
    /// # Errors
    /// If the bytes are none of it.
    pub fn restore(saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        // The sum of all must not overflow.
        let mut read = || saved.number_up_to(u64::MAX / 4, "no list has so many states");
        Ok(Self { open: read()?, closed: read()?, learned: 0 })
    }
}

/// An errand on which an agent learns.
#[derive(Clone, Debug)]
pub struct Learner {
    /// Where it stands, and where it is to go.
    pub errand: Errand,
    /// What it has learned, for each goal.
    pub learned: LearnedHeuristic,
    /// The largest lists; what was learned is counted by its tables.
    pub lists: Memory,
}

impl Default for Learner {
    fn default() -> Self {
        Self::new()
    }
}

impl Learner {
    /// A learner that has nothing to do yet.
    #[must_use]
    pub fn new() -> Self {
        Self { errand: Errand::NONE, learned: LearnedHeuristic::new(), lists: Memory::default() }
    }

    /// Starts a new problem. What was learned in earlier ones is forgotten.
    ///
    /// # Errors
    /// If `start` or `goal` is no state of the world.
    pub fn begin(&mut self, world: &impl World, start: State, goal: State) -> Result<(), QueryError> {
        let errand = Errand::new(world, start, goal)?;
        self.forget();
        self.errand = errand;
        self.learned.set_goal(goal);
        Ok(())
    }

    /// As new, but with the memory that it has.
    pub fn forget(&mut self) {
        self.errand = Errand::NONE;
        self.learned.forget();
        self.lists = Memory::default();
    }

    /// Takes another goal. What was learned for others is kept, for them.
    ///
    /// # Errors
    /// If it is no state of the world.
    pub fn set_goal(&mut self, world: &impl World, goal: State) -> Result<(), QueryError> {
        self.errand = Errand::new(world, self.errand.position, goal)?;
        self.learned.set_goal(goal);
        Ok(())
    }

    /// The value of a state: learned, or estimated.
    #[inline]
    pub fn value(&self, world: &impl World, state: State) -> Cost {
        self.learned.value(world, state)
    }

    /// The states held in memory.
    #[must_use]
    pub fn memory(&self) -> Memory {
        Memory { learned: self.learned.raised(), ..self.lists }
    }

    /// Writes it.
    pub fn save(&self, out: &mut Vec<u8>) {
        self.errand.save(out);
        self.learned.save(out);
        self.lists.save(out);
    }

    /// Reads what was saved.
    ///
    /// # Errors
    /// If the bytes are none of it.
    pub fn restore(world: &impl World, saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        let errand = Errand::restore(world, saved)?;
        let learned = LearnedHeuristic::restore(world.state_limit(), saved)?;
        let expected = learned.goal().unwrap_or(errand.position);
        if errand.goal != expected {
            return Err(saved.malformed("what was learned is for another goal"));
        }
        Ok(Self { errand, learned, lists: Memory::restore(saved)? })
    }
}
