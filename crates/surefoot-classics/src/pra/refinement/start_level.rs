//! Where a refinement begins: on the level where both ends meet, on the path that is known there, or on the
//! ground.

use surefoot::space::{State, World};

use super::{Refinement, Target};

impl Refinement {
    /// Finds the ancestors of both ends up to the level where they are the same or neighbours, and gives that
    /// level.
    pub(super) fn climb(&mut self, world: &impl World, start: State, goal: State) -> Option<usize> {
        self.starts.clear();
        self.goals.clear();
        self.starts.push(start.0);
        self.goals.push(goal.0);
        for level in 0..self.abstraction.levels() {
            let (a, b) = (self.starts[level], self.goals[level]);
            let mut meet = a == b;
            if level == 0 {
                world.for_each_successor(start, |next, _| meet |= next == goal);
            } else {
                meet |= self.abstraction.level(level).edge_to(a, b).is_some();
            }
            if meet {
                return Some(level);
            }
            self.starts.push(self.abstraction.parent(level, a)?);
            self.goals.push(self.abstraction.parent(level, b)?);
        }
        None
    }

    /// Goes on from the path on the start level, if there is one and the start is on it. On the ground there
    /// is no search that would notice a wall: there the next move must be open.
    pub(super) fn resume_top(&mut self, world: &impl World, start: State, goal: State) -> bool {
        let level = self.top.level;
        if self.top.nodes.is_empty() {
            return false;
        }
        self.starts.clear();
        self.goals.clear();
        for below in 0..=level {
            let (Some(a), Some(b)) =
                (self.abstraction.ancestor(start, below), self.abstraction.ancestor(goal, below))
            else {
                return false;
            };
            self.starts.push(a);
            self.goals.push(b);
        }
        // A path that was restored from anywhere may lead in circles; from the last time that it comes by it
        // does not.
        let Some(at) = self.top.nodes.iter().rposition(|&node| node == self.starts[level]) else {
            return false;
        };
        if self.top.nodes.last() != Some(&self.goals[level]) {
            return false;
        }
        if let Some(&next) = self.top.nodes.get(at + 1).filter(|_| level == 0) {
            let mut is_open = false;
            world.for_each_successor(start, |state, _| is_open |= state.0 == next);
            if !is_open {
                return false;
            }
        }
        self.level = level;
        self.way.clear();
        self.way.extend(self.top.nodes[at..].iter().rev());
        self.next_corridor.clear();
        self.descend();
        true
    }

    /// Plans on the ground alone.
    pub(super) fn fall_back(&mut self, start: State, goal: State) {
        self.forget_top();
        self.is_fallback = true;
        self.is_whole = true;
        self.starts.clear();
        self.starts.push(start.0);
        self.goals.clear();
        self.goals.push(goal.0);
        self.corridor.widen();
        self.enter(0, Target::Node(goal.0), goal.0);
    }
}
