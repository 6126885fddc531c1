//! Dijkstra's algorithm: exact distances from one state to all, to those within a limit, or to a few.

use alloc::vec;
use alloc::vec::Vec;

use super::best_first::{Run, Scratch};
use super::queue::CalendarQueue;
use super::{Answer, SearchCounts, check_ends};
use crate::space::{Cost, QueryError, Reachability, State, StateSpace, sorting};

/// Exact distances from one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceField {
    source: State,
    /// One more than the distance, and 0 where none is known: zeros are what fresh memory has, so that a
    /// field within a short limit takes no time for the rest of a large map.
    above_zero: Vec<Cost>,
    /// The work it took.
    pub counts: SearchCounts,
}

impl DistanceField {
    /// The state that distances are measured from.
    #[must_use]
    pub fn source(&self) -> State {
        self.source
    }

    /// The distance of `state`. `None` if it cannot be reached or lies beyond the limit.
    #[inline]
    #[must_use]
    pub fn distance(&self, state: State) -> Option<Cost> {
        self.above_zero.get(state.index())?.checked_sub(1)
    }

    /// The states with a distance, and the distance, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (State, Cost)> {
        (0..self.above_zero.len() as u32).map(State).filter_map(|state| Some((state, self.distance(state)?)))
    }
}

/// Cheapest ways to one state.
pub struct ShortestPaths<'a> {
    scratch: &'a Scratch<CalendarQueue>,
}

impl ShortestPaths<'_> {
    /// Where the way goes next from a state whose distance is known; from its end nowhere else.
    #[inline]
    #[must_use]
    pub fn next(&self, state: State) -> State {
        self.scratch.parent(state.index())
    }

    /// What the way from a state costs. `None` if that is not known.
    #[must_use]
    pub fn distance(&self, state: State) -> Option<Cost> {
        self.scratch.settled(state.index())
    }
}

/// Dijkstra's algorithm with its scratch memory.
#[derive(Clone, Debug, Default)]
pub struct Dijkstra {
    scratch: Scratch<CalendarQueue>,
}

impl Dijkstra {
    /// A search with no memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The distances from `source` to every state that it can reach.
    ///
    /// # Errors
    /// If `source` is no state.
    pub fn field(&mut self, space: &impl StateSpace, source: State) -> Result<DistanceField, QueryError> {
        self.field_within(space, source, Cost::MAX)
    }

    /// The distances from `source` to every state that it can reach at a cost of at most `limit`.
    ///
    /// # Errors
    /// If `source` is no state.
    pub fn field_within(
        &mut self,
        space: &impl StateSpace,
        source: State,
        limit: Cost,
    ) -> Result<DistanceField, QueryError> {
        check_ends(space, source, source)?;
        let mut above_zero = vec![0; space.state_limit()];
        let mut run = Run::new(space, &mut self.scratch, source, |_, g| g);
        while let Some((state, g)) = run.settle_next() {
            if g > limit {
                break;
            }
            above_zero[state.index()] = g + 1;
            run.expand(state, g);
        }
        let counts = run.counts();
        Ok(DistanceField { source, above_zero, counts })
    }

    /// The distances from every state to `target`, which are those from it where moves can be undone.
    ///
    /// # Errors
    /// If `target` is no state, or the space has moves that cannot be undone at the same cost.
    pub fn field_towards(
        &mut self,
        space: &impl StateSpace,
        target: State,
    ) -> Result<DistanceField, QueryError> {
        if !space.is_reversible() {
            return Err(QueryError::NotReversible { algorithm: "the distance field towards a state" });
        }
        self.field(space, target)
    }

    /// The distances from `source` to each of `targets`, in their order; the search stops when all are known.
    ///
    /// # Errors
    /// If `source` or a target is no state.
    pub fn distances_to(
        &mut self,
        space: &impl StateSpace,
        source: State,
        targets: &[State],
    ) -> Result<Vec<Option<Cost>>, QueryError> {
        check_ends(space, source, source)?;
        for &target in targets {
            check_ends(space, source, target)?;
        }
        let mut waiting: Vec<(State, usize)> = targets
            .iter()
            .enumerate()
            .filter(|&(_, &target)| space.reachability(source, target) != Reachability::No)
            .map(|(place, &target)| (target, place))
            .collect();
        sorting::sort(&mut waiting);
        let mut left = waiting.len();
        let mut distances = vec![None; targets.len()];
        let mut run = Run::new(space, &mut self.scratch, source, |_, g| g);
        while left > 0 {
            let Some((state, g)) = run.settle_next() else { break };
            let first = waiting.partition_point(|entry| entry.0 < state);
            for &(_, place) in waiting[first..].iter().take_while(|entry| entry.0 == state) {
                distances[place] = Some(g);
                left -= 1;
            }
            run.expand(state, g);
        }
        Ok(distances)
    }

    /// Cheapest ways to `source` from all states, the nearest first, until `is_enough` says of one that no
    /// more are needed. Moves must be such that can be undone.
    pub fn tree(
        &mut self,
        space: &impl StateSpace,
        source: State,
        mut is_enough: impl FnMut(State) -> bool,
    ) -> ShortestPaths<'_> {
        let mut run = Run::new(space, &mut self.scratch, source, |_, g| g);
        while let Some((state, g)) = run.settle_next() {
            if is_enough(state) {
                break;
            }
            run.expand(state, g);
        }
        ShortestPaths { scratch: &self.scratch }
    }

    /// Finds a cheapest path without a heuristic.
    ///
    /// # Errors
    /// If `start` or `goal` is no state.
    pub fn find(&mut self, space: &impl StateSpace, start: State, goal: State) -> Result<Answer, QueryError> {
        self.find_noting(space, start, goal, |_| {})
    }

    /// As [`find`](Self::find); `note` hears of each state that is expanded.
    pub fn find_noting(
        &mut self,
        space: &impl StateSpace,
        start: State,
        goal: State,
        note: impl FnMut(State),
    ) -> Result<Answer, QueryError> {
        check_ends(space, start, goal)?;
        if space.reachability(start, goal) == Reachability::No {
            return Ok(Answer::unreachable_at_once());
        }
        Ok(super::best_first::run_to(Run::new(space, &mut self.scratch, start, |_, g| g), goal, note))
    }
}
