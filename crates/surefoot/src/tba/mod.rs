//! TBA*: time-bounded A* (Björnsson, Bulitko and Sturtevant 2009), as "Case-based subgoaling" (JAIR 2010)
//! compares with it; and `s-a*`, A* sliced over frames (the s-A* of the PRA* paper, 2005).
//!
//! One A* from the start is never restarted, only cut into slices. After each slice TBA* traces the path to
//! the most promising open state back, a few steps at a time, and the agent walks along the last path that
//! was traced to its end. If it is not on that path, it walks back towards the start until it is. `s-a*`
//! stands still until the goal is found and its path is traced.
//!
//! Readings and deviations:
//! - A slice of R expansions gives nine tenths to expanding (at least one) and the rest to tracing, ten steps
//!   for an expansion (JAIR 2010, section 8.4).
//! - At the end of a path that leads no further yet, the agent steps back: it keeps moving.
//! - When the goal changes, or a wall was built on the way, the search starts anew where the agent stands.
//! - A consistent heuristic is assumed: closed states keep their parents.

mod entry;
mod saved;
#[cfg(test)]
mod tests;

pub use self::entry::{SLICED, TBA};

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::agent::{Agent, Errand, Memory, Step};
use crate::search::{GrowingHeap, GrowingList, Meter, StateTable, Work};
use crate::space::{Cost, QueryError, State, World};
use crate::store::codec::{CodecError, Reader};

/// How many trace steps are as much work as one expansion.
const TRACE_STEPS_PER_EXPANSION: u64 = 10;

#[derive(Clone, Copy, Debug)]
struct Node {
    state: State,
    g: Cost,
    parent: u32,
    is_closed: bool,
    /// Where it is in the open list, unless it is closed.
    open_at: u32,
    /// The trace that passed here last, and how many steps from that trace's target.
    trace: u32,
    steps: u32,
}

/// A path that was or is being traced back from a target: places of nodes, the target first.
#[derive(Clone, Debug, Default)]
struct Trace {
    number: u32,
    places: GrowingList<u32>,
    is_done: bool,
    /// Whether the target is the goal.
    is_final: bool,
}

/// An agent that searches in slices.
#[derive(Clone, Debug)]
pub struct TbaStar {
    slice: u64,
    /// Whether the agent walks before the goal is found.
    walks_meanwhile: bool,
    errand: Errand,
    search: Search,
    /// The path that the agent follows.
    followed: Trace,
    /// The path that is being traced.
    traced: Trace,
    /// The place of the agent's state, and where it stood before.
    place: u32,
    before: State,
    memory: Memory,
}

/// The A* that goes on from slice to slice.
#[derive(Clone, Debug, Default)]
struct Search {
    nodes: GrowingList<Node>,
    places: StateTable,
    open: GrowingHeap<OpenEntry>,
    closed: u64,
    /// The goal's place, once its path is known to be a cheapest one.
    goal: Option<u32>,
}

/// An open state's f and g and place. Lowest f first, then largest g, then the last one in.
type OpenEntry = (Cost, Reverse<Cost>, Reverse<u32>);

/// Notes where in the open list nodes are.
fn note_places(nodes: &mut GrowingList<Node>) -> impl FnMut(OpenEntry, usize) {
    |(_, _, Reverse(place)), at| nodes.get_mut(place as usize).open_at = at as u32
}

impl Search {
    /// Begins anew. What was found is forgotten in no time, and its memory is used again: this may be within
    /// a move.
    fn restart(&mut self, world: &impl World, start: State, goal: State) {
        self.nodes.clear();
        self.places.clear();
        self.open.clear();
        (self.closed, self.goal) = (0, None);
        self.reach(world, start, 0, 0, goal);
    }

    /// Puts a state into the open list, unless it is known at as low a cost.
    fn reach(&mut self, world: &impl World, state: State, g: Cost, parent: u32, goal: State) {
        let known = self.places.get(state).map(|place| place as u32);
        let place = known.unwrap_or(self.nodes.len() as u32);
        let entry = |h| (g.saturating_add(h), Reverse(g), Reverse(place));
        if known.is_none() {
            self.places.set(state, u64::from(place));
            self.nodes.push(Node { state, g, parent, is_closed: false, open_at: 0, trace: 0, steps: 0 });
            self.put_into_open(entry(world.estimate(state, goal)));
            return;
        }
        let node = self.nodes.get_mut(place as usize);
        if node.is_closed || node.g <= g {
            return;
        }
        (node.g, node.parent) = (g, parent);
        let at = node.open_at as usize;
        self.open.replace(at, entry(world.estimate(state, goal)), note_places(&mut self.nodes));
    }

    fn put_into_open(&mut self, entry: OpenEntry) {
        self.open.push(entry, note_places(&mut self.nodes));
    }

    /// The place of the best open state.
    fn best(&self) -> Option<u32> {
        self.open.peek().map(|(_, _, Reverse(place))| place)
    }

    /// Expands at most `count` states; stops when the goal comes next.
    fn expand(&mut self, world: &impl World, goal: State, count: u64, meter: &mut Meter) {
        for _ in 0..count {
            let Some(place) = self.best() else { return };
            let node = self.nodes.get(place as usize);
            if node.state == goal {
                self.goal = Some(place);
                return;
            }
            self.open.pop(note_places(&mut self.nodes));
            self.nodes.get_mut(place as usize).is_closed = true;
            self.closed += 1;
            meter.charge_expansion(node.state);
            // A map that was edited may have lost the state; then nothing leads on from it.
            if world.contains(node.state) {
                world.for_each_successor(node.state, |next, cost| {
                    self.reach(world, next, node.g + cost, place, goal);
                });
            }
        }
    }
}

impl TbaStar {
    /// An agent that plans so much in each move, and walks meanwhile or not.
    #[must_use]
    pub fn new(slice: u64, walks_meanwhile: bool) -> Self {
        Self {
            slice,
            walks_meanwhile,
            errand: Errand::NONE,
            search: Search::default(),
            followed: Trace::default(),
            traced: Trace::default(),
            place: 0,
            before: State(0),
            memory: Memory::default(),
        }
    }

    fn expansions(&self) -> u64 {
        (self.slice * 9 / 10).max(1)
    }

    fn trace_steps(&self) -> u64 {
        (self.slice - self.expansions()).max(1) * TRACE_STEPS_PER_EXPANSION
    }

    /// Starts the search where the agent stands.
    fn restart(&mut self, world: &impl World) {
        self.search.restart(world, self.errand.position, self.errand.goal);
        self.followed.forget();
        self.traced.forget();
        self.place = 0;
        self.before = self.errand.position;
    }

    /// Traces back from the goal if it is found, else from the best open state; a path that is done is
    /// followed.
    fn trace(&mut self, meter: &mut Meter) {
        let mut steps = self.trace_steps();
        if self.traced.is_done {
            let target = match self.search.goal {
                Some(_) if self.followed.is_final => return,
                Some(goal) => goal,
                None if !self.walks_meanwhile => return,
                None => match self.search.best() {
                    Some(best) => best,
                    None => return,
                },
            };
            let number = self.traced.number.max(self.followed.number) + 1;
            let is_final = self.search.goal.is_some();
            self.traced.begin(number, is_final);
            self.add_to_trace(target);
        }
        while !self.traced.is_done && steps > 0 {
            let last = self.traced.places.get(self.traced.places.len() - 1);
            if last == self.place || last == 0 {
                self.traced.is_done = true;
                // What was followed until now is done, too; its memory is that of the next trace.
                core::mem::swap(&mut self.followed, &mut self.traced);
                return;
            }
            steps -= 1;
            meter.charge_trace_steps(1);
            self.add_to_trace(self.search.nodes.get(last as usize).parent);
        }
    }

    fn add_to_trace(&mut self, place: u32) {
        let node = self.search.nodes.get_mut(place as usize);
        (node.trace, node.steps) = (self.traced.number, self.traced.places.len() as u32);
        self.traced.places.push(place);
    }

    /// The place to go to: forward on the path, else back.
    fn next_place(&self) -> Option<u32> {
        let here = self.search.nodes.get(self.place as usize);
        if here.trace == self.followed.number && here.steps > 0 && self.followed.number > 0 {
            return Some(self.followed.places.get(here.steps as usize - 1));
        }
        if !self.walks_meanwhile {
            return None;
        }
        if self.place != 0 {
            return Some(here.parent);
        }
        // At the start without a path to follow: back to where it came from, to keep moving.
        self.search.places.get(self.before).map(|place| place as u32).filter(|&place| place != 0)
    }
}

impl Trace {
    /// No trace, with the memory of this one.
    fn forget(&mut self) {
        self.begin(0, false);
        self.is_done = true;
    }

    /// A trace of which nothing is known yet, with the memory of this one.
    fn begin(&mut self, number: u32, is_final: bool) {
        (self.number, self.is_done, self.is_final) = (number, false, is_final);
        self.places.clear();
    }
}

impl<W: World> Agent<W> for TbaStar {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        if !world.is_reversible() {
            return Err(QueryError::NotReversible { algorithm: "tba*" });
        }
        self.errand = Errand::new(world, start, goal)?;
        self.memory = Memory::default();
        self.restart(world);
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.errand = Errand::new(world, self.errand.position, goal)?;
        self.restart(world);
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.errand.foregone(world) {
            return step;
        }
        if self.search.goal.is_none() {
            self.search.expand(world, self.errand.goal, self.expansions(), meter);
            self.memory.note(self.search.open.len() as u64, self.search.closed);
            // On a map that was edited a search may have ended before the way was opened.
            if self.search.goal.is_none() && self.search.best().is_none() {
                self.restart(world);
                return Step::Waiting;
            }
        }
        self.trace(meter);
        let Some(place) = self.next_place() else { return Step::Waiting };
        let next = self.search.nodes.get(place as usize).state;
        if !self.errand.can_go(world, next) {
            self.restart(world);
            return Step::Waiting;
        }
        self.before = self.errand.position;
        self.place = place;
        self.errand.go(next)
    }

    fn position(&self) -> State {
        self.errand.position
    }

    fn plan(&self) -> Vec<State> {
        if self.followed.number == 0 {
            return Vec::new();
        }
        let here = self.search.nodes.get(self.place as usize);
        if here.trace != self.followed.number {
            return Vec::new();
        }
        let ahead = (0..here.steps as usize).rev();
        ahead.map(|step| self.search.nodes.get(self.followed.places.get(step) as usize).state).collect()
    }

    fn bound(&self) -> Option<Work> {
        Some(Work { trace_steps: self.trace_steps(), ..Work::of_expansions(self.expansions()) })
    }

    fn memory(&self) -> Memory {
        self.memory
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.put(out);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        *self = Self::read(self.slice, self.walks_meanwhile, world, saved)?;
        Ok(())
    }
}
