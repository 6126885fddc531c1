//! The planning work of a move: counted where it is done, and held against the bound that the algorithm
//! states.

use alloc::boxed::Box;
use core::fmt;

use crate::space::{Cost, State};
use crate::tape::{End, Event, Tape};

/// Amounts of planning work, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Work {
    /// States whose successors were looked at.
    pub expansions: u64,
    /// States settled while learned values were backed up over a local search.
    pub backups: u64,
    /// Steps back along the parents of a search tree.
    pub trace_steps: u64,
    /// Hill-climbing steps that were only thought of, not made.
    pub climb_steps: u64,
    /// Records of a database that were compared with the problem, and subgoals that were looked at to choose
    /// among them.
    pub probes: u64,
}

impl Work {
    /// So many expansions and nothing else.
    #[must_use]
    pub const fn of_expansions(expansions: u64) -> Self {
        Self { expansions, backups: 0, trace_steps: 0, climb_steps: 0, probes: 0 }
    }

    /// The same with so many backups.
    #[must_use]
    pub const fn with_backups(self, backups: u64) -> Self {
        Self { backups, ..self }
    }

    /// The same with so many trace steps.
    #[must_use]
    pub const fn with_trace_steps(self, trace_steps: u64) -> Self {
        Self { trace_steps, ..self }
    }

    /// The same with so many hill-climbing steps.
    #[must_use]
    pub const fn with_climb_steps(self, climb_steps: u64) -> Self {
        Self { climb_steps, ..self }
    }

    /// The same with so many probes.
    #[must_use]
    pub const fn with_probes(self, probes: u64) -> Self {
        Self { probes, ..self }
    }

    /// All kinds together: what a frame's meter is counted in.
    #[inline]
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.expansions + self.backups + self.trace_steps + self.climb_steps + self.probes
    }

    /// Whether no kind of work exceeds its amount in `bound`.
    #[must_use]
    pub const fn is_within(&self, bound: &Self) -> bool {
        self.expansions <= bound.expansions
            && self.backups <= bound.backups
            && self.trace_steps <= bound.trace_steps
            && self.climb_steps <= bound.climb_steps
            && self.probes <= bound.probes
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} expansions", self.expansions)?;
        for (amount, name) in [
            (self.backups, "backups"),
            (self.trace_steps, "trace steps"),
            (self.climb_steps, "climbing steps"),
            (self.probes, "records compared"),
        ] {
            if amount > 0 {
                write!(f, ", {amount} {name}")?;
            }
        }
        Ok(())
    }
}

/// What a move has taken. It counts, and stops nobody: whoever does a piece of planning charges it here.
///
/// A meter can also record: given a [`Tape`], it writes down what is charged and noted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meter {
    spent: Work,
    bound: Option<Work>,
    /// In a box: a meter is made anew for every move, and hardly any is recorded.
    tape: Option<Box<Tape>>,
}

impl Meter {
    /// A meter that is held against nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { spent: Work::of_expansions(0), bound: None, tape: None }
    }

    /// A meter that is held against a bound for each kind of work.
    #[must_use]
    pub const fn with_bound(bound: Work) -> Self {
        Self { spent: Work::of_expansions(0), bound: Some(bound), tape: None }
    }

    /// The work done so far.
    #[must_use]
    pub const fn spent(&self) -> Work {
        self.spent
    }

    /// Whether more was charged than the bound allows: a mistake in the algorithm that stated it.
    #[must_use]
    pub const fn is_overdrawn(&self) -> bool {
        matches!(&self.bound, Some(bound) if !self.spent.is_within(bound))
    }

    /// The same meter for the next move: it begins at 0.
    pub const fn renew(&mut self) {
        self.spent = Work::of_expansions(0);
    }

    /// Charges the expansion of `state`.
    #[inline]
    pub fn charge_expansion(&mut self, state: State) {
        self.spent.expansions += 1;
        if let Some(tape) = &mut self.tape {
            tape.expanded(state);
        }
    }

    /// Charges expansions of states that are not known here. A tape only gets their number.
    #[inline]
    pub fn charge_expansions(&mut self, count: u64) {
        self.spent.expansions += count;
        if count > 0 {
            self.note(Event::ExpandedUnseen(count));
        }
    }

    /// Charges backups of learned values.
    #[inline]
    pub const fn charge_backups(&mut self, count: u64) {
        self.spent.backups += count;
    }

    /// Charges steps back along a search tree.
    #[inline]
    pub const fn charge_trace_steps(&mut self, count: u64) {
        self.spent.trace_steps += count;
    }

    /// Charges hill-climbing steps. Each looks at all successors of a state: a tape counts them as
    /// expansions.
    #[inline]
    pub fn charge_climb_steps(&mut self, count: u64) {
        self.spent.climb_steps += count;
        if count > 0 {
            self.note(Event::ExpandedUnseen(count));
        }
    }

    /// Charges records that were compared.
    #[inline]
    pub const fn charge_probes(&mut self, count: u64) {
        self.spent.probes += count;
    }
}

/// Recording. Notes cost nothing and count nothing; without a tape they are lost.
impl Meter {
    /// Writes down from now on what happens.
    pub fn record_on(&mut self, tape: Tape) {
        self.tape = Some(Box::new(tape));
    }

    /// The tape, if there is one; recording is over.
    pub fn take_tape(&mut self) -> Option<Tape> {
        self.tape.take().map(|tape| *tape)
    }

    /// Whether there is a tape.
    #[must_use]
    pub const fn is_recording(&self) -> bool {
        self.tape.is_some()
    }

    /// The value of `state` was raised to `value`.
    #[inline]
    pub fn note_raise(&mut self, state: State, value: Cost) {
        if let Some(tape) = &mut self.tape {
            tape.raised(state, value);
        }
    }

    /// The agent now heads for `state` on its way to the goal.
    pub fn note_subgoal(&mut self, state: State) {
        self.note(Event::Subgoal(state));
    }

    /// The agent moved to `state`. [`Step::note`](crate::agent::Step::note) calls this where it should be.
    pub fn note_move(&mut self, state: State) {
        self.note(Event::Moved(state));
    }

    /// The agent planned and did not move.
    pub fn note_wait(&mut self) {
        self.note(Event::Waited);
    }

    /// The agent was given another goal.
    pub fn note_goal(&mut self, goal: State) {
        self.note(Event::Goal(goal));
    }

    /// The walk is over.
    pub fn note_end(&mut self, end: End) {
        self.note(Event::Ended(end));
    }

    fn note(&mut self, event: Event) {
        if let Some(tape) = &mut self.tape {
            tape.push(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn every_kind_of_work_has_its_own_limit() {
        let mut meter = Meter::with_bound(Work { backups: 5, ..Work::of_expansions(2) });
        meter.charge_expansions(2);
        meter.charge_backups(5);
        assert!(!meter.is_overdrawn());
        assert_eq!(meter.spent().to_string(), "2 expansions, 5 backups");
        for charge in [
            Meter::charge_expansions,
            Meter::charge_backups,
            Meter::charge_trace_steps,
            Meter::charge_climb_steps,
            Meter::charge_probes,
        ] {
            let mut over = meter.clone();
            charge(&mut over, 1);
            assert!(over.is_overdrawn());
        }
        let mut free = Meter::new();
        free.charge_expansions(u64::MAX);
        assert!(!free.is_overdrawn());
    }
}
