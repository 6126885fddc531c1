//! The last moves of an agent, and what follows from them, kept up to date move by move.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use surefoot::search::StateTable;
use surefoot::space::{Cost, State};
use surefoot::store::codec::{CodecError, Reader, put_number, put_state};

/// More than this counts as this: the sum over the longest history does not overflow.
const MOST_RAISED: Cost = Cost::MAX >> 16;

/// The states that an agent was in before its last moves.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// How many moves it goes back.
    length: usize,
    /// Each state, and by how much its value was raised when it was left; the oldest first.
    moves: VecDeque<(State, Cost)>,
    /// How often each state is among them: no more entries than moves, so that this takes no longer as the
    /// walk does.
    counts: BTreeMap<State, u32>,
    /// By how much values were raised in all of them.
    raised: Cost,
    /// Where the agent went from each state the last time, however long ago.
    steps: StateTable,
}

impl History {
    /// No moves yet; the last `length` are to be kept.
    pub(super) fn new(length: u32) -> Self {
        let length = length as usize;
        Self {
            length,
            moves: VecDeque::with_capacity(length + 1),
            counts: BTreeMap::new(),
            raised: 0,
            steps: StateTable::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.counts.clear();
        self.raised = 0;
        self.steps.clear();
    }

    /// A move was made from one state to another, and the value of the first was raised by so much.
    pub(super) fn add(&mut self, from: State, to: State, raised: Cost) {
        self.steps.set(from, u64::from(to.0));
        self.push(from, raised.min(MOST_RAISED));
    }

    fn push(&mut self, from: State, raised: Cost) {
        self.moves.push_back((from, raised));
        *self.counts.entry(from).or_default() += 1;
        self.raised += raised;
        if self.moves.len() > self.length
            && let Some((oldest, raised)) = self.moves.pop_front()
        {
            self.raised -= raised;
            if let Some(count) = self.counts.get_mut(&oldest) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&oldest);
                }
            }
        }
    }

    /// Where the agent was when the history begins.
    pub(super) fn oldest(&self) -> Option<State> {
        self.moves.front().map(|&(state, _)| state)
    }

    /// Where it was before the last move.
    pub(super) fn last(&self) -> Option<State> {
        self.moves.back().map(|&(state, _)| state)
    }

    /// How many different states it was in.
    pub(super) fn distinct(&self) -> u64 {
        self.counts.len() as u64
    }

    /// By how much values were raised.
    pub(super) fn raised(&self) -> Cost {
        self.raised
    }

    /// Where it went from `state` the last time.
    pub(super) fn step_from(&self, state: State) -> Option<State> {
        self.steps.get(state).map(|next| State(next as u32))
    }

    pub(super) fn save(&self, out: &mut Vec<u8>) {
        put_number(out, self.moves.len() as u64);
        for &(state, raised) in &self.moves {
            put_state(out, state);
            put_number(out, raised);
        }
        self.steps.save(out);
    }

    pub(super) fn restore(
        length: usize,
        state_limit: usize,
        saved: &mut Reader<'_>,
    ) -> Result<Self, CodecError> {
        let mut history = Self::new(length as u32);
        let count = saved.count(2)?;
        if count > length {
            return Err(saved.malformed("the history is too long"));
        }
        for _ in 0..count {
            let state = saved.state(state_limit)?;
            history.push(state, saved.number_up_to(MOST_RAISED, "no value is raised so much at once")?);
        }
        history.steps = StateTable::restore(state_limit, u32::MAX.into(), saved)?;
        Ok(history)
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_up_to_date_is_what_counting_gives() {
        let mut history = History::new(7);
        let mut all: Vec<(State, Cost)> = Vec::new();
        for step in 0..200_u32 {
            // Back and forth, with long pauses.
            let from = State(step * step % 11);
            let raised = if step == 50 { Cost::MAX } else { Cost::from(step % 5) };
            history.add(from, State(step), raised);
            all.push((from, raised.min(MOST_RAISED)));
            let window = &all[all.len().saturating_sub(7)..];
            let mut states: Vec<State> = window.iter().map(|&(state, _)| state).collect();
            assert_eq!(history.oldest(), Some(states[0]));
            assert_eq!(history.last(), Some(from));
            states.sort_unstable();
            states.dedup();
            assert_eq!(history.distinct(), states.len() as u64);
            assert_eq!(history.raised(), window.iter().map(|&(_, raised)| raised).sum::<Cost>());
            assert_eq!(history.step_from(from), Some(State(step)));
        }
        assert_eq!(history.step_from(State(10)), None, "no square leaves 10 of 11");
        let mut bytes = Vec::new();
        history.save(&mut bytes);
        let copy = History::restore(7, 200, &mut Reader::new(&bytes)).unwrap();
        assert_eq!(copy.moves, history.moves);
        assert_eq!((copy.counts, copy.raised), (history.counts, history.raised));
        assert!(History::restore(6, 200, &mut Reader::new(&bytes)).is_err());
    }
}
