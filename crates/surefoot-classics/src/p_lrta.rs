//! P LRTA*: LRTA* that passes what it learns on to the neighbours, the largest changes first.
//!
//! After Rayner, Davison, Bulitko, Anderson and Lu (2007), "Real-time heuristic search with a priority
//! queue", as JAIR 2008 compares with it: one ply, and a queue of a fixed size. When the value of a state
//! rises, its neighbours are queued with the rise as their priority; each move then updates as many queued
//! states as the queue is long.
//!
//! Deviations: the papers here name one parameter, the queue's size; it is also taken as the number of
//! updates a move. The goal is never queued, since its value is 0 for ever. A queued state that is updated
//! twice in a move is charged twice; 2008 does not expand a state again in a move.
//!
//! It arrives wherever there is a way, for the same reason as LRTA*. Over weights that can take very long
//! (`docs/play/terrain.md`).

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Bound, Entry, Learner, Memory, Parameter, Plain, Scale, Step};
use surefoot::search::{Meter, Work};
use surefoot::space::{Cost, QueryError, State, World, sorting};
use surefoot::store::codec::{CodecError, Reader, put_number, put_state};

#[derive(Clone, Debug)]
pub(super) struct PLrtaStar {
    queue_size: usize,
    learner: Learner,
    /// Queued states with their priorities, the highest last. Sorted: it is short.
    queue: Vec<(Cost, State)>,
    /// Scratch memory.
    neighbours: Vec<State>,
}

impl PLrtaStar {
    pub(super) fn new(queue_size: usize) -> Self {
        Self { queue_size, learner: Learner::new(), queue: Vec::new(), neighbours: Vec::new() }
    }

    /// The neighbour with the lowest cost + h, the first of them, and that sum.
    fn best_neighbour(&self, world: &impl World, state: State) -> Option<(Cost, State)> {
        let mut best: Option<(Cost, State)> = None;
        world.for_each_successor(state, |next, cost| {
            let f = cost + self.learner.value(world, next);
            if best.is_none_or(|known| f < known.0) {
                best = Some((f, next));
            }
        });
        best
    }

    /// Raises the value of a state to what its neighbours say, and queues them if it rose.
    fn update(&mut self, world: &impl World, state: State, meter: &mut Meter) {
        meter.charge_expansion(state);
        let Some((f, _)) = self.best_neighbour(world, state) else { return };
        let known = self.learner.value(world, state);
        if f > known {
            self.learner.learned.raise(world, state, f, meter);
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
        if state == self.learner.errand.goal {
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
        self.learner.lists.note(self.queue.len() as u64, 0);
    }
}

impl<W: World> Agent<W> for PLrtaStar {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.learner.begin(world, start, goal)?;
        self.queue.clear();
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.learner.set_goal(world, goal)?;
        self.queue.clear();
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.learner.errand.foregone(world) {
            return step;
        }
        let position = self.learner.errand.position;
        self.update(world, position, meter);
        for _ in 0..self.queue_size {
            let Some((_, state)) = self.queue.pop() else { break };
            // A map that was edited may have lost the state.
            if world.contains(state) {
                self.update(world, state, meter);
            }
        }
        // Its neighbours are known: it was expanded in this move.
        match self.best_neighbour(world, position) {
            Some((_, next)) => self.learner.errand.go(next),
            None => Step::Unreachable,
        }
    }

    fn position(&self) -> State {
        self.learner.errand.position
    }

    fn plan(&self) -> Vec<State> {
        vec![]
    }

    fn bound(&self) -> Option<Work> {
        Some(Work::of_expansions(1 + self.queue_size as u64))
    }

    fn memory(&self) -> Memory {
        self.learner.memory()
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.learner.save(out);
        put_number(out, self.queue.len() as u64);
        let mut before = 0;
        for &(priority, state) in &self.queue {
            put_number(out, priority - before);
            put_state(out, state);
            before = priority;
        }
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let learner = Learner::restore(world, saved)?;
        let count = saved.count(2)?;
        if count > self.queue_size {
            return Err(saved.malformed("the queue is longer than it may be"));
        }
        let mut queue = Vec::with_capacity(count);
        let mut before: Cost = 0;
        for _ in 0..count {
            let priority = before.checked_add(saved.number()?);
            before = priority.ok_or_else(|| saved.malformed("no value rises so much"))?;
            queue.push((before, saved.state(world.state_limit())?));
        }
        let mut states: Vec<State> = queue.iter().map(|entry| entry.1).chain([learner.errand.goal]).collect();
        sorting::sort(&mut states);
        if states.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(saved.malformed("a state is queued twice, or the goal is"));
        }
        (self.learner, self.queue) = (learner, queue);
        Ok(())
    }
}

/// `p-lrta*`.
pub(super) const ENTRY: Entry = Entry {
    name: "p-lrta*",
    summary: "one-ply LRTA* that passes what it learns on to neighbours, the largest changes first",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[Parameter {
        name: "queue",
        default: "30",
        meaning: "states in the queue, and updates a move, 0 to 10000",
    }],
    bound: Bound::PerMove("queue + 1 expansions"),
    needs: "nothing",
    paper: "after Rayner et al. 2007",
    scale: Scale::Fixed,
    make: |arguments| Plain::recipe(PLrtaStar::new(arguments.number("queue", 0..=10_000)? as usize)),
};
