//! The spaces that PRA* searches: a level of the abstraction, or the ground, as far as a corridor reaches.

use alloc::format;
use alloc::string::String;

use crate::database::{Level, Metric, NONE};
use crate::space::{Cost, Reachability, State, StateSpace, World};

/// The nodes whose parents are marked; all, if there are no marks.
#[derive(Clone, Copy)]
pub(super) struct Corridor<'a> {
    pub(super) level: Level<'a>,
    pub(super) marks: Option<(&'a [u32], u32)>,
}

impl Corridor<'_> {
    #[inline]
    fn has(&self, node: u32) -> bool {
        let Some((marks, round)) = self.marks else { return true };
        let parent = self.level.parent(node);
        parent != NONE && marks[parent as usize] == round
    }
}

/// A level above the ground.
pub(super) struct UpperSpace<'a> {
    pub(super) corridor: Corridor<'a>,
    pub(super) metric: Metric,
    pub(super) cheapest: Cost,
}

impl StateSpace for UpperSpace<'_> {
    fn state_limit(&self) -> usize {
        self.corridor.level.count()
    }

    fn contains(&self, state: State) -> bool {
        state.index() < self.state_limit()
    }

    #[inline]
    fn for_each_successor(&self, state: State, mut visit: impl FnMut(State, Cost)) {
        let level = &self.corridor.level;
        let from = level.place(state.0);
        for edge in level.edges(state.0) {
            let target = level.target(edge);
            if !self.corridor.has(target) {
                continue;
            }
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

/// The ground.
pub(super) struct GroundSpace<'a, W> {
    pub(super) world: &'a W,
    pub(super) corridor: Corridor<'a>,
}

impl<W: World> StateSpace for GroundSpace<'_, W> {
    fn state_limit(&self) -> usize {
        self.world.state_limit()
    }

    fn contains(&self, state: State) -> bool {
        self.world.contains(state)
    }

    #[inline]
    fn for_each_successor(&self, state: State, mut visit: impl FnMut(State, Cost)) {
        self.world.for_each_successor(state, |next, cost| {
            if self.corridor.has(next.0) {
                visit(next, cost);
            }
        });
    }

    #[inline]
    fn for_each_successor_after(&self, state: State, parent: State, mut visit: impl FnMut(State, Cost)) {
        // What is left out was reached from `parent`, if it is in the corridor.
        self.world.for_each_successor_after(state, parent, |next, cost| {
            if self.corridor.has(next.0) {
                visit(next, cost);
            }
        });
    }

    fn cheapest_move(&self) -> Cost {
        self.world.cheapest_move()
    }

    fn is_reversible(&self) -> bool {
        self.world.is_reversible()
    }

    fn reachability(&self, from: State, to: State) -> Reachability {
        self.world.reachability(from, to)
    }

    fn describe(&self, state: State) -> String {
        self.world.describe(state)
    }
}
