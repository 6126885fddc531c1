//! What PRA* searches: the levels of the abstraction as spaces, and corridors through them.

use alloc::format;
use alloc::string::String;

use crate::database::{Level, Metric, NONE};
use crate::space::{Cost, Reachability, State, StateSpace};

/// The nodes whose parents are marked; all, if there are no marks.
#[derive(Clone, Copy)]
pub(super) struct Corridor<'a> {
    pub(super) level: Level<'a>,
    pub(super) marks: Option<(&'a [u32], u32)>,
}

impl Corridor<'_> {
    #[inline]
    pub(super) fn has(&self, node: u32) -> bool {
        let Some((marks, round)) = self.marks else { return true };
        let parent = self.level.parent(node);
        parent != NONE && marks[parent as usize] == round
    }
}

/// A level above the ground.
pub(super) struct UpperSpace<'a> {
    pub(super) level: Level<'a>,
    pub(super) metric: Metric,
    pub(super) cheapest: Cost,
}

impl StateSpace for UpperSpace<'_> {
    fn state_limit(&self) -> usize {
        self.level.count()
    }

    fn contains(&self, state: State) -> bool {
        state.index() < self.state_limit()
    }

    #[inline]
    fn for_each_successor(&self, state: State, mut visit: impl FnMut(State, Cost)) {
        let level = &self.level;
        let from = level.place(state.0);
        for edge in level.edges(state.0) {
            let target = level.target(edge);
            let weight = match from.zip(level.place(target)) {
                // Two nodes may lie in one place, one around the other.
                Some((from, to)) => self.metric.distance(from, to).max(1),
                None => Cost::from(level.stored_weight(edge)),
            };
            visit(State(target), weight);
        }
    }

    fn cheapest_move(&self) -> Cost {
        self.cheapest
    }

    fn is_reversible(&self) -> bool {
        true
    }

    fn reachability(&self, _: State, _: State) -> Reachability {
        Reachability::Unknown
    }

    fn describe(&self, state: State) -> String {
        format!("node {}", state.0)
    }
}
