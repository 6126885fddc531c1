//! Heuristic values that agents have raised.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::search::{Budget, StateTable};
use crate::space::{Cost, Heuristic, State};

/// The learned values of one goal after another. Each goal has a table of its own, and coming back to a goal finds
/// what was learned for it before.
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
        let previous = core::mem::replace(&mut self.values, table);
        if let Some(previous_goal) = self.goal.replace(goal)
            && !previous.is_empty()
        {
            self.others.insert(previous_goal.0, previous);
        }
    }

    /// The value of `state` for the goal at hand: what was learned, or else what `heuristic` estimates.
    #[inline]
    #[must_use]
    pub fn value(&self, heuristic: &impl Heuristic, state: State) -> Cost {
        match self.values.get(state) {
            Some(value) => value,
            None => heuristic.estimate(state, self.goal.unwrap_or(state)),
        }
    }

    /// Raises the value of `state` for the goal at hand; a value that is no higher than the present one changes
    /// nothing. What is raised is noted on the budget's tape, if it has one.
    pub fn raise(&mut self, heuristic: &impl Heuristic, state: State, value: Cost, budget: &mut Budget) {
        if value > self.value(heuristic, state) {
            self.values.set(state, value);
            budget.note_raise(state, value);
        }
    }

    /// The number of states with a raised value, over all goals; a state that was raised for two goals counts twice.
    #[must_use]
    pub fn raised(&self) -> u64 {
        (self.values.len() + self.others.values().map(StateTable::len).sum::<usize>()) as u64
    }

    /// The raised values for the goal at hand, in the order of their states.
    #[must_use]
    pub fn to_sorted(&self) -> Vec<(State, Cost)> {
        self.values.to_sorted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::FnHeuristic;

    #[test]
    fn each_goal_has_its_own_table() {
        let distance = FnHeuristic::new(|a: State, b: State| Cost::from(a.0.abs_diff(b.0)));
        let (mut learned, budget) = (LearnedHeuristic::new(), &mut Budget::unlimited());
        learned.set_goal(State(10));
        learned.raise(&distance, State(4), 3, budget);
        assert_eq!((learned.value(&distance, State(4)), learned.raised()), (6, 0), "no value is lowered");
        learned.raise(&distance, State(4), 9, budget);
        learned.set_goal(State(20));
        assert_eq!(learned.value(&distance, State(4)), 16);
        learned.set_goal(State(10));
        assert_eq!((learned.value(&distance, State(4)), learned.raised()), (9, 1));
    }
}
