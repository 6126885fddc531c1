//! Events, and how they become bytes and are read again.

use alloc::vec::Vec;

use super::Header;
use crate::space::{Cost, State};
use crate::store::codec::{CodecError, Reader, put_signed};

/// One thing that happened on a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The agent looked at the successors of this state.
    Expanded(State),
    /// The agent expanded so many states, and did not say which.
    ExpandedUnseen(u64),
    /// The agent raised the value of a state for its goal at hand.
    Raised {
        /// The state.
        state: State,
        /// Its new value.
        value: Cost,
    },
    /// The agent heads for this state on its way to the goal.
    Subgoal(State),
    /// The agent moved here. This ends a step.
    Moved(State),
    /// The agent planned and did not move. This ends a step.
    Waited,
    /// The agent was given another goal.
    Goal(State),
    /// The walk is over.
    Ended(End),
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// On the goal.
    Arrived,
    /// The agent said that there is no way.
    Unreachable,
    /// The agent knew no further move.
    Stuck,
    /// The agent was stopped.
    GivenUp,
}

impl End {
    const ALL: [Self; 4] = [Self::Arrived, Self::Unreachable, Self::Stuck, Self::GivenUp];
}

/// The low bits of an event's number.
const KIND_BITS: u32 = 3;
const EXPANDED: i64 = 0;
const RAISED: i64 = 1;
const SUBGOAL: i64 = 2;
const MOVED: i64 = 3;
const WAITED: i64 = 4;
const GOAL: i64 = 5;
const ENDED: i64 = 6;
const EXPANDED_UNSEEN: i64 = 7;

/// More than any agent expands, and few enough to leave room for the kind.
const MOST_UNSEEN: u64 = 1 << 60;

/// What numbers are written as differences from. Writer and reader keep it alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coder {
    /// The last state mentioned.
    last: State,
    position: State,
    value: Cost,
}

impl Coder {
    pub(super) fn new(header: &Header) -> Self {
        Self { last: header.start, position: header.start, value: 0 }
    }

    pub(super) fn put(&mut self, out: &mut Vec<u8>, event: Event) {
        let from_last = |state: State| i64::from(state.0) - i64::from(self.last.0);
        let (kind, payload) = match event {
            Event::Expanded(state) => (EXPANDED, from_last(state)),
            Event::Raised { state, .. } => (RAISED, from_last(state)),
            Event::Subgoal(state) => (SUBGOAL, from_last(state)),
            Event::Goal(state) => (GOAL, from_last(state)),
            Event::Moved(state) => (MOVED, i64::from(state.0) - i64::from(self.position.0)),
            Event::Waited => (WAITED, 0),
            Event::Ended(end) => (ENDED, End::ALL.iter().position(|&one| one == end).unwrap_or(0) as i64),
            Event::ExpandedUnseen(count) => (EXPANDED_UNSEEN, count.min(MOST_UNSEEN) as i64),
        };
        put_signed(out, payload << KIND_BITS | kind);
        if let Event::Raised { value, .. } = event {
            put_signed(out, value.wrapping_sub(self.value) as i64);
        }
        self.follow(event);
    }

    fn follow(&mut self, event: Event) {
        match event {
            Event::Expanded(state) | Event::Subgoal(state) | Event::Goal(state) => self.last = state,
            Event::Raised { state, value } => (self.last, self.value) = (state, value),
            Event::Moved(state) => (self.last, self.position) = (state, state),
            Event::Waited | Event::Ended(_) | Event::ExpandedUnseen(_) => {}
        }
    }
}

/// The events of a tape, in their order.
#[derive(Clone, Debug)]
pub struct Events<'a> {
    reader: Reader<'a>,
    coder: Coder,
    states: u64,
}

impl<'a> Events<'a> {
    pub(super) fn new(header: &Header, bytes: &'a [u8]) -> Self {
        Self { reader: Reader::new(bytes), coder: Coder::new(header), states: header.states }
    }

    pub(super) fn into_coder(self) -> Coder {
        self.coder
    }

    pub(super) fn malformed(&self, problem: &'static str) -> CodecError {
        self.reader.malformed(problem)
    }

    pub(super) fn decode(&mut self) -> Result<Option<Event>, CodecError> {
        if self.reader.left() == 0 {
            return Ok(None);
        }
        let number = self.reader.signed()?;
        let (kind, payload) = (number & ((1 << KIND_BITS) - 1), number >> KIND_BITS);
        let event = match kind {
            EXPANDED => Event::Expanded(self.state(self.coder.last, payload)?),
            RAISED => {
                let state = self.state(self.coder.last, payload)?;
                let value = self.coder.value.wrapping_add(self.reader.signed()? as Cost);
                Event::Raised { state, value }
            }
            SUBGOAL => Event::Subgoal(self.state(self.coder.last, payload)?),
            MOVED => Event::Moved(self.state(self.coder.position, payload)?),
            WAITED if payload == 0 => Event::Waited,
            GOAL => Event::Goal(self.state(self.coder.last, payload)?),
            ENDED => match usize::try_from(payload).ok().and_then(|place| End::ALL.get(place)) {
                Some(&end) => Event::Ended(end),
                None => return Err(self.malformed("no walk ends like this")),
            },
            EXPANDED_UNSEEN if (0..=MOST_UNSEEN as i64).contains(&payload) => {
                Event::ExpandedUnseen(payload as u64)
            }
            _ => return Err(self.malformed("there is no such event")),
        };
        self.coder.follow(event);
        Ok(Some(event))
    }

    fn state(&self, from: State, difference: i64) -> Result<State, CodecError> {
        // Neither is near the ends of 64 bits: the one has 32, the other lost its kind.
        let number = i64::from(from.0) + difference;
        match u32::try_from(number) {
            Ok(state) if u64::from(state) < self.states => Ok(State(state)),
            _ => Err(self.malformed("there is no such state")),
        }
    }
}

impl Iterator for Events<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        // What cannot be read was refused with the whole tape; what was recorded here can be.
        self.decode().ok().flatten()
    }
}

/// Whether one move can lead from one state to the other, as far as the header tells.
pub(super) fn ends_of_moves_touch(header: &Header, from: State, to: State) -> bool {
    header.grid.is_none_or(|grid| {
        let (from, to) = (grid.cell(from), grid.cell(to));
        from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) == 1
    })
}
