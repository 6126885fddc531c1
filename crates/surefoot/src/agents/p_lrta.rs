//! P LRTA*: LRTA* that passes what it learns on to the neighbours, the largest changes first.
//!
//! After Rayner, Davison, Bulitko, Anderson and Lu (2007), "Real-time heuristic search with a priority queue", as JAIR 2008
//! compares with it: one ply, and a queue of a fixed size. When the value of a state rises, its neighbours are queued with
//! the rise as their priority; each move then updates as many queued states as the queue is long.
//!
//! Deviations: the papers here name one parameter, the queue's size; it is also taken as the number of updates a move. The
//! goal is never queued, since its value is 0 for ever.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::{Agent, Errand, Memory, Step};
use crate::control::LearnedHeuristic;
use crate::search::{Budget, Work};
use crate::space::{Cost, QueryError, State, World};

#[derive(Clone, Debug)]
pub(super) struct PLrtaStar {
    queue_size: usize,
    errand: Errand,
    learned: LearnedHeuristic,
    /// Queued states with their priorities, the highest last. Sorted: it is short.
    queue: Vec<(Cost, State)>,
    longest_queue: u64,
    /// Scratch memory.
    neighbours: Vec<State>,
}

impl PLrtaStar {
    pub(super) fn new(queue_size: usize) -> Self {
        Self {
            queue_size,
            errand: Errand::NONE,
            learned: LearnedHeuristic::new(),
            queue: Vec::new(),
            longest_queue: 0,
            neighbours: Vec::new(),
        }
    }

    /// The neighbour with the lowest cost + h, the first of them, and that sum.
    fn best_neighbour(&self, world: &impl World, state: State) -> Option<(Cost, State)> {
        let mut best: Option<(Cost, State)> = None;
        world.for_each_successor(state, |next, cost| {
            let f = cost + self.learned.value(world, next);
            if best.is_none_or(|known| f < known.0) {
                best = Some((f, next));
            }
        });
        best
    }

    /// Raises the value of a state to what its neighbours say, and queues them if it rose.
    fn update(&mut self, world: &impl World, state: State, budget: &mut Budget) {
        budget.charge_expansion(state);
        let Some((f, _)) = self.best_neighbour(world, state) else { return };
        let known = self.learned.value(world, state);
        if f > known {
            self.learned.raise(world, state, f, budget);
            let rise = f - known;
            let mut neighbours = core::mem::take(&mut self.neighbours);
            world.for_each_successor(state, |next, _| neighbours.push(next));
            for next in neighbours.drain(..) {
                self.offer(next, rise);
            }
            self.neighbours = neighbours; // keeps its memory
        }
    }

    /// Queues a state; in a full queue it takes the place of the lowest priority, if its own is higher.
    fn offer(&mut self, state: State, priority: Cost) {
        if state == self.errand.goal {
            return;
        }
        if let Some(place) = self.queue.iter().position(|entry| entry.1 == state) {
            if self.queue[place].0 >= priority {
                return;
            }
            self.queue.remove(place);
        } else if self.queue.len() == self.queue_size {
            if self.queue.first().is_none_or(|lowest| lowest.0 >= priority) {
                return;
            }
            self.queue.remove(0);
        }
        let place = self.queue.partition_point(|entry| entry.0 <= priority);
        self.queue.insert(place, (priority, state));
        self.longest_queue = self.longest_queue.max(self.queue.len() as u64);
    }
}

impl<W: World> Agent<W> for PLrtaStar {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.errand = Errand::new(world, start, goal)?;
        self.learned = LearnedHeuristic::new();
        self.learned.set_goal(goal);
        self.queue.clear();
        self.longest_queue = 0;
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.errand = Errand::new(world, self.errand.position, goal)?;
        self.learned.set_goal(goal);
        self.queue.clear();
        Ok(())
    }

    fn step(&mut self, world: &W, budget: &mut Budget) -> Step {
        if let Some(step) = self.errand.foregone(world) {
            return step;
        }
        let position = self.errand.position;
        self.update(world, position, budget);
        for _ in 0..self.queue_size {
            let Some((_, state)) = self.queue.pop() else { break };
            // A map that was edited may have lost the state.
            if world.contains(state) {
                self.update(world, state, budget);
            }
        }
        budget.charge_expansion(position);
        match self.best_neighbour(world, position) {
            Some((_, next)) => self.errand.go(next),
            None => Step::Unreachable,
        }
    }

    fn position(&self) -> State {
        self.errand.position
    }

    fn plan(&self) -> Vec<State> {
        vec![]
    }

    fn bound(&self) -> Option<Work> {
        Some(Work::of_expansions(2 + self.queue_size as u64))
    }

    fn memory(&self) -> Memory {
        Memory { open: self.longest_queue, closed: 0, learned: self.learned.raised() }
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }
}
