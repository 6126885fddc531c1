//! What is on a tape, as the lists that a page draws from: one place for each step of the walk.

use surefoot::space::{Direction, GridSpace, Heuristic as _, State};
use surefoot::tape::{End, Event, Tape};

/// In the place of a cell where there is none.
pub const NO_CELL: u32 = u32::MAX;

/// Things that happened in steps: those of step i are `things[starts[i]..starts[i + 1]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByStep<T> {
    /// Where the things of each step begin, and where those of the last one end.
    pub starts: Vec<u32>,
    /// All of them.
    pub things: Vec<T>,
}

impl<T> ByStep<T> {
    fn new() -> Self {
        Self { starts: Vec::from([0]), things: Vec::new() }
    }

    fn end_step(&mut self) {
        self.starts.push(self.things.len() as u32);
    }

    /// Gives it so many steps: without things where it had none, and without those of steps beyond.
    fn resize(&mut self, steps: usize) {
        if self.starts.len() <= steps {
            // What happened after the last end of a step is of the step that follows.
            self.end_step();
        }
        let end = self.things.len() as u32;
        self.starts.resize(steps + 1, end);
        let end = self.starts.last().map_or(0, |&end| end as usize);
        self.things.truncate(end);
    }
}

/// A walk as its tape tells of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Where the agent stood, the start first, then after each step. It stays where it was in steps in which
    /// it only planned.
    pub places: Vec<State>,
    /// How many states it expanded in each step.
    pub expansions: Vec<u32>,
    /// The states that it expanded, where the tape names them.
    pub expanded: ByStep<u32>,
    /// The states whose values it raised.
    pub raised: ByStep<u32>,
    /// By how much each of them was raised above the estimate, in straight moves.
    pub rises: Vec<f32>,
    /// What it headed for after each step on its way to the goal, or [`NO_CELL`].
    pub subgoals: Vec<u32>,
    /// How often it moved.
    pub moves: u64,
    /// How the walk ended. `None` if the tape does not say.
    pub end: Option<End>,
}

impl Recording {
    /// Reads a tape that was recorded in `space`.
    ///
    /// # Errors
    /// If a move is not legal there.
    pub fn read(space: &GridSpace, tape: &Tape) -> Result<Self, String> {
        let header = tape.header();
        let straight = space.units().of_steps(1, 0) as f64;
        let mut recording = Self {
            places: Vec::from([header.start]),
            expansions: Vec::new(),
            expanded: ByStep::new(),
            raised: ByStep::new(),
            rises: Vec::new(),
            subgoals: Vec::new(),
            moves: 0,
            end: None,
        };
        let (mut position, mut goal, mut subgoal) = (header.start, header.goal, None);
        let (mut expansions, mut has_planned) = (0_u64, false);
        for event in tape.events() {
            let ends_step = match event {
                Event::Expanded(state) => {
                    recording.expanded.things.push(state.0);
                    expansions += 1;
                    false
                }
                Event::ExpandedUnseen(count) => {
                    expansions = expansions.saturating_add(count);
                    false
                }
                Event::Raised { state, value } => {
                    // Values are for what the agent heads for.
                    let estimate = space.estimate(state, subgoal.unwrap_or(goal));
                    recording.raised.things.push(state.0);
                    recording.rises.push((value.saturating_sub(estimate) as f64 / straight) as f32);
                    false
                }
                Event::Subgoal(state) => {
                    subgoal = Some(state);
                    false
                }
                Event::Goal(state) => {
                    (goal, subgoal) = (state, None);
                    continue;
                }
                Event::Moved(to) => {
                    recording.moves += 1;
                    if direction(space, position, to).is_none() {
                        let (from, to) = (space.cell(position), space.cell(to));
                        let index = recording.moves;
                        return Err(format!("move {index}, from {from} to {to}, is not legal here"));
                    }
                    position = to;
                    recording.end = None;
                    true
                }
                Event::Waited => {
                    recording.end = None;
                    true
                }
                Event::Ended(end) => {
                    recording.end = Some(end);
                    if !has_planned {
                        continue;
                    }
                    true
                }
                _ => continue,
            };
            has_planned = !ends_step;
            if ends_step {
                recording.end_step(position, std::mem::take(&mut expansions), subgoal);
            }
        }
        if has_planned {
            recording.end_step(position, expansions, subgoal);
        }
        Ok(recording)
    }

    fn end_step(&mut self, position: State, expansions: u64, subgoal: Option<State>) {
        self.places.push(position);
        self.expansions.push(u32::try_from(expansions).unwrap_or(u32::MAX));
        self.subgoals.push(subgoal.map_or(NO_CELL, |state| state.0));
        self.expanded.end_step();
        self.raised.end_step();
    }

    /// Gives it the steps of a walk that is known better: the tape may have been full before its end.
    pub fn with_steps(mut self, places: Vec<State>) -> Self {
        let steps = places.len() - 1;
        self.expanded.resize(steps);
        self.raised.resize(steps);
        self.rises.truncate(self.raised.things.len());
        self.expansions.resize(steps, 0);
        let last = self.subgoals.last().copied().unwrap_or(NO_CELL);
        self.subgoals.resize(steps, last);
        self.places = places;
        self
    }
}

/// The move that leads from one state to another. `None` if there is none.
#[must_use]
pub fn direction(space: &GridSpace, from: State, to: State) -> Option<Direction> {
    space.moves(from).iter().find(|&direction| space.step(from, direction) == to)
}
