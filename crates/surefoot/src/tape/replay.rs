//! A recorded walk, step by step.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{End, Event, Events, Tape};
use crate::space::{Cost, State};

/// Goes through a tape: each step is what an agent did in one call.
///
/// What was raised is kept apart for each goal and subgoal, as agents keep it.
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
    /// The state that the values are for: the subgoal, or else the goal.
    raised_for: State,
    /// What was raised for others.
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
            raised_for: tape.header().goal,
            others: BTreeMap::new(),
            moves: 0,
            waits: 0,
            end: None,
        }
    }

    /// Goes on to the next step; says whether there is one. The last step may have neither moved nor waited,
    /// if the agent planned and gave up, or the tape was full.
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
                Event::Subgoal(state) => {
                    self.subgoal = Some(state);
                    self.turn_to(state);
                }
                Event::Goal(goal) => {
                    (self.goal, self.subgoal) = (goal, None);
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

    fn turn_to(&mut self, target: State) {
        if target != self.raised_for {
            let table = self.others.remove(&target).unwrap_or_default();
            let previous = core::mem::replace(&mut self.raised, table);
            self.others.insert(core::mem::replace(&mut self.raised_for, target), previous);
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

    /// All values that it has raised so far for the subgoal that it heads for, or else the goal.
    #[must_use]
    pub fn raised(&self) -> &BTreeMap<State, Cost> {
        &self.raised
    }

    /// How many values it has raised so far, for all goals and subgoals.
    #[must_use]
    pub fn raised_in_all(&self) -> u64 {
        (self.raised.len() + self.others.values().map(BTreeMap::len).sum::<usize>()) as u64
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
