//! Heuristic values that agents have raised.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::search::{Meter, StateTable};
use crate::space::{Cost, Heuristic, State};
use crate::store::codec::{CodecError, Reader, put_number, put_optional_state, put_state};

/// No value is higher: a state of this value is hopeless, and what searches add to it does not overflow.
const HOPELESS: Cost = Cost::MAX / 4;

/// The learned values of one goal after another. Each goal has a table of its own, and coming back to a goal
/// finds what was learned for it before.
#[derive(Clone, Debug, Default)]
pub struct LearnedHeuristic {
    goal: Option<State>,
    values: StateTable,
    /// The tables of other goals.
    others: BTreeMap<u32, StateTable>,
}

impl LearnedHeuristic {
    /// Nothing learned.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Turns to a goal; what was learned for others is kept.
    pub fn set_goal(&mut self, goal: State) {
        if self.goal == Some(goal) {
            return;
        }
        let table = self.others.remove(&goal.0).unwrap_or_default();
        let mut previous = core::mem::replace(&mut self.values, table);
        self.values.take_spare(&mut previous);
        if let Some(previous_goal) = self.goal.replace(goal)
            && !previous.is_empty()
        {
            self.others.insert(previous_goal.0, previous);
        }
    }

    /// Forgets all goals and what was learned for them. It is not freed, but used for what is learned next:
    /// that takes no longer for a million states than for one.
    pub fn forget(&mut self) {
        self.goal = None;
        self.values.clear();
        while let Some((_, mut table)) = self.others.pop_first() {
            table.clear();
            self.values.take_spare(&mut table);
        }
    }

    /// The value of `state` for the goal at hand: what was learned, or else what `heuristic` estimates.
    #[inline]
    #[must_use]
    pub fn value(&self, heuristic: &impl Heuristic, state: State) -> Cost {
        match self.values.get(state) {
            Some(value) => value,
            None => heuristic.estimate(state, self.goal.unwrap_or(state)).min(HOPELESS),
        }
    }

    /// Whether the value of `state` was raised for the goal at hand.
    #[must_use]
    pub fn is_raised(&self, state: State) -> bool {
        self.values.get(state).is_some()
    }

    /// Raises the value of `state` for the goal at hand; a value that is no higher than the present one
    /// changes nothing. What is raised is noted on the meter's tape, if it has one.
    pub fn raise(&mut self, heuristic: &impl Heuristic, state: State, value: Cost, meter: &mut Meter) {
        let value = value.min(HOPELESS);
        if value > self.value(heuristic, state) {
            self.values.set(state, value);
            meter.note_raise(state, value);
        }
    }

    /// The number of states with a raised value, over all goals; a state that was raised for two goals counts
    /// twice.
    #[must_use]
    pub fn raised(&self) -> u64 {
        (self.values.len() + self.others.values().map(StateTable::len).sum::<usize>()) as u64
    }

    /// The raised values for the goal at hand, in the order of their states.
    #[must_use]
    pub fn to_sorted(&self) -> Vec<(State, Cost)> {
        self.values.to_sorted()
    }

    /// The goal at hand; nothing before there is one.
    #[must_use]
    pub fn goal(&self) -> Option<State> {
        self.goal
    }

    /// Writes what was learned, for all goals.
    pub fn save(&self, out: &mut Vec<u8>) {
        put_optional_state(out, self.goal);
        if self.goal.is_none() {
            return;
        }
        self.values.save(out);
        put_number(out, self.others.len() as u64);
        for (&goal, table) in &self.others {
            put_state(out, State(goal));
            table.save(out);
        }
    }

    /// Reads what was saved, for a space whose states are numbered below `state_limit`.
    ///
    /// # Errors
    /// If the bytes are not what [`save`](Self::save) writes.
    pub fn restore(state_limit: usize, saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        let Some(goal) = saved.optional_state(state_limit)? else { return Ok(Self::new()) };
        let values = StateTable::restore(state_limit, HOPELESS, saved)?;
        let mut others = BTreeMap::new();
        // A goal, a count, and a state with its value take a byte each at least.
        for _ in 0..saved.count(4)? {
            let other = saved.state(state_limit)?;
            let is_in_order = others.last_key_value().is_none_or(|(&last, _)| last < other.0);
            if !is_in_order || other == goal {
                return Err(saved.malformed("goals are not in order"));
            }
            let table = StateTable::restore(state_limit, HOPELESS, saved)?;
            if table.is_empty() {
                return Err(saved.malformed("nothing was learned for this goal"));
            }
            others.insert(other.0, table);
        }
        Ok(Self { goal: Some(goal), values, others })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::FnHeuristic;

    #[test]
    fn each_goal_has_its_own_table() {
        let distance = FnHeuristic::new(|a: State, b: State| Cost::from(a.0.abs_diff(b.0)));
        let (mut learned, meter) = (LearnedHeuristic::new(), &mut Meter::new());
        learned.set_goal(State(10));
        learned.raise(&distance, State(4), 3, meter);
        assert_eq!((learned.value(&distance, State(4)), learned.raised()), (6, 0), "no value is lowered");
        learned.raise(&distance, State(4), 9, meter);
        learned.set_goal(State(20));
        assert_eq!(learned.value(&distance, State(4)), 16);
        learned.set_goal(State(10));
        assert_eq!((learned.value(&distance, State(4)), learned.raised()), (9, 1));
    }

    #[test]
    fn all_is_forgotten_and_its_memory_is_used_again() {
        let nothing = FnHeuristic::new(|_, _| 0);
        let mut learned = LearnedHeuristic::new();
        for _ in 0..3 {
            for goal in [1, 2, 1] {
                learned.set_goal(State(goal));
                for state in 0..5000 {
                    learned.raise(&nothing, State(state), 1 + Cost::from(goal), &mut Meter::new());
                }
            }
            assert_eq!(learned.raised(), 10_000);
            learned.forget();
            assert_eq!((learned.raised(), learned.goal()), (0, None));
            for goal in [2, 1] {
                learned.set_goal(State(goal));
                assert!((0..5000).all(|state| !learned.is_raised(State(state))));
            }
        }
    }

    #[test]
    fn what_was_learned_for_every_goal_is_saved() {
        let distance = FnHeuristic::new(|a: State, b: State| Cost::from(a.0.abs_diff(b.0)));
        let mut learned = LearnedHeuristic::new();
        for goal in [900, 3, 40, 900] {
            learned.set_goal(State(goal));
            for state in 0..goal {
                learned.raise(
                    &distance,
                    State(state * 7 % 1000),
                    1000 + Cost::from(state * goal),
                    &mut Meter::new(),
                );
            }
        }
        learned.raise(&distance, State(999), Cost::MAX, &mut Meter::new());
        let mut bytes = Vec::new();
        learned.save(&mut bytes);
        assert!(bytes.len() < 4 * learned.raised() as usize, "{} bytes", bytes.len());
        let restored = |limit, bytes: &[u8]| {
            let mut reader = Reader::new(bytes);
            let learned = LearnedHeuristic::restore(limit, &mut reader);
            learned.and_then(|learned| reader.finish().map(|()| learned))
        };
        let mut copy = restored(1000, &bytes).unwrap();
        for goal in [900, 3, 40, 77] {
            learned.set_goal(State(goal));
            copy.set_goal(State(goal));
            assert_eq!(copy.to_sorted(), learned.to_sorted());
            assert_eq!((copy.goal(), copy.raised()), (learned.goal(), learned.raised()));
        }
        assert!(restored(999, &bytes).is_err(), "a smaller space does not have all these states");
        for length in 0..bytes.len() {
            assert!(restored(1000, &bytes[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn hopeless_values_can_still_be_added_to() {
        let hopeless = FnHeuristic::new(|_, _| Cost::MAX);
        let mut learned = LearnedHeuristic::new();
        learned.set_goal(State(1));
        assert_eq!(learned.value(&hopeless, State(0)), HOPELESS);
        let nothing = FnHeuristic::new(|_, _| 0);
        learned.raise(&nothing, State(0), Cost::MAX, &mut Meter::new());
        assert_eq!(learned.value(&nothing, State(0)), HOPELESS);
    }
}
