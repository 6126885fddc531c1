//! A recorded walk, step by step.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{End, Event, Events, Tape};
use crate::space::{Cost, State};

/// Goes through a tape: each step is what an agent did in one call.
///
/// What was raised is kept apart for each goal, as agents keep it.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    events: Events<'a>,
    position: State,
    goal: State,
    subgoal: Option<State>,
    expanded: Vec<State>,
    unseen: u64,
    raised_now: Vec<State>,
    raised: BTreeMap<State, Cost>,
    /// What was raised for other goals.
    others: BTreeMap<State, BTreeMap<State, Cost>>,
    moves: u64,
    waits: u64,
    end: Option<End>,
}

impl<'a> Replay<'a> {
    /// The beginning of a walk: nothing has happened yet.
    #[must_use]
    pub fn new(tape: &'a Tape) -> Self {
        Self {
            events: tape.events(),
            position: tape.header().start,
            goal: tape.header().goal,
            subgoal: None,
            expanded: Vec::new(),
            unseen: 0,
            raised_now: Vec::new(),
            raised: BTreeMap::new(),
            others: BTreeMap::new(),
            moves: 0,
            waits: 0,
            end: None,
        }
    }

    /// Goes on to the next step; says whether there is one. The last step may have neither moved nor waited, if the agent
    /// planned and gave up, or the tape was full.
    pub fn advance(&mut self) -> bool {
        self.expanded.clear();
        self.unseen = 0;
        self.raised_now.clear();
        let mut has_planned = false;
        while let Some(event) = self.events.next() {
            match event {
                Event::Expanded(state) => self.expanded.push(state),
                Event::ExpandedUnseen(count) => self.unseen = self.unseen.saturating_add(count),
                Event::Raised { state, value } => {
                    self.raised.insert(state, value);
                    self.raised_now.push(state);
                }
                Event::Subgoal(state) => self.subgoal = Some(state),
                Event::Goal(goal) => {
                    self.turn_to(goal);
                    continue;
                }
                Event::Moved(state) => {
                    self.position = state;
                    self.moves += 1;
                    self.end = None;
                    return true;
                }
                Event::Waited => {
                    self.waits += 1;
                    self.end = None;
                    return true;
                }
                Event::Ended(end) => {
                    self.end = Some(end);
                    if has_planned {
                        return true;
                    }
                    continue;
                }
            }
            has_planned = true;
        }
        has_planned
    }

    fn turn_to(&mut self, goal: State) {
        self.subgoal = None;
        if goal != self.goal {
            let table = self.others.remove(&goal).unwrap_or_default();
            let previous = core::mem::replace(&mut self.raised, table);
            self.others.insert(core::mem::replace(&mut self.goal, goal), previous);
        }
    }

    /// Where the agent stands after this step.
    #[must_use]
    pub fn position(&self) -> State {
        self.position
    }

    /// Where it is to go.
    #[must_use]
    pub fn goal(&self) -> State {
        self.goal
    }

    /// The subgoal that it heads for, if it has named any for this goal.
    #[must_use]
    pub fn subgoal(&self) -> Option<State> {
        self.subgoal
    }

    /// The states that it expanded in this step, in that order.
    #[must_use]
    pub fn expanded(&self) -> &[State] {
        &self.expanded
    }

    /// How many states it expanded in this step, those that it did not name included.
    #[must_use]
    pub fn expansions(&self) -> u64 {
        (self.expanded.len() as u64).saturating_add(self.unseen)
    }

    /// The states whose values it raised in this step, in that order.
    #[must_use]
    pub fn raised_now(&self) -> &[State] {
        &self.raised_now
    }

    /// All values that it has raised so far for the goal at hand.
    #[must_use]
    pub fn raised(&self) -> &BTreeMap<State, Cost> {
        &self.raised
    }

    /// How often it has moved so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// How often it has planned without moving so far.
    #[must_use]
    pub fn waits(&self) -> u64 {
        self.waits
    }

    /// How the walk ended, if it has.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        self.end
    }
}
