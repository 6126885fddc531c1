//! The one loop behind A*, weighted A* and Dijkstra's algorithm: settle the open state with the lowest key,
//! look at its successors, repeat. It can be paused after every state.

use alloc::vec::Vec;

use super::queue::Queue;
use super::{Answer, SearchCounts, StatePath};
use crate::space::{Cost, State, StateSpace};

/// What the loop knows of a state: its cost g so far, its parent, and a mark, which is twice the round in
/// which all this was written, plus 1 once the state is settled.
///
/// A tuple, not a struct: the standard library then takes zeros for many states from the system without
/// writing them, and a state that no search touches costs neither time nor memory, on maps of any size.
type Node = (Cost, u32, u32);

/// The part of a space that a search keeps to, and where it keeps what it knows of each state there.
pub trait SearchArea: Copy {
    /// The number of slots.
    fn slots(&self, space: &impl StateSpace) -> usize;

    /// The slot of a state. `None` if it is not in this part.
    fn slot(&self, state: State) -> Option<usize>;
}

/// All of it: a slot for every number that may be a state.
#[derive(Clone, Copy, Debug)]
pub struct Whole;

impl SearchArea for Whole {
    fn slots(&self, space: &impl StateSpace) -> usize {
        space.state_limit()
    }

    #[inline]
    fn slot(&self, state: State) -> Option<usize> {
        Some(state.index())
    }
}

/// Scratch memory for one search after another. A round number tells the nodes of this search from those of
/// earlier ones, so nothing is cleared between two.
#[derive(Clone, Debug, Default)]
pub struct Scratch<Q> {
    nodes: Vec<Node>,
    round: u32,
    queue: Q,
    counts: SearchCounts,
}

impl<Q: Queue> Scratch<Q> {
    /// Makes room for so many states.
    pub fn make_room(&mut self, slots: usize) {
        if self.nodes.len() < slots {
            // Free the old nodes first, so that there are never both.
            self.nodes = Vec::new();
            self.nodes = alloc::vec![(0, 0, 0); slots];
            self.round = 0;
        }
    }

    /// The state that the last search came from to the one in this slot; where it began, that state itself.
    #[inline]
    pub fn parent(&self, slot: usize) -> State {
        State(self.nodes[slot].1)
    }

    /// The cost of the state in this slot, if the last search settled it.
    pub fn settled(&self, slot: usize) -> Option<Cost> {
        let &(g, _, mark) = self.nodes.get(slot)?;
        (mark == self.round * 2 + 1).then_some(g)
    }

    fn begin(&mut self, slots: usize, cheapest_move: Cost) {
        self.make_room(slots);
        if self.round == u32::MAX / 2 {
            self.nodes.fill((0, 0, 0));
            self.round = 0;
        }
        self.round += 1;
        self.queue.clear();
        self.queue.set_cheapest_move(cheapest_move);
        self.counts = SearchCounts::default();
    }
}

/// A search under way. `key(state, g)` orders the open list.
pub struct Run<'a, S, Q, K, P = Whole> {
    space: &'a S,
    part: P,
    scratch: &'a mut Scratch<Q>,
    key: K,
    open_mark: u32,
    reopens: bool,
}

impl<'a, S: StateSpace, Q: Queue, K: Fn(State, Cost) -> Cost> Run<'a, S, Q, K> {
    /// A search from `start`, of which nothing is settled yet.
    pub fn new(space: &'a S, scratch: &'a mut Scratch<Q>, start: State, key: K) -> Self {
        Self::within(space, Whole, scratch, start, key)
    }
}

impl<'a, S: StateSpace, Q: Queue, K: Fn(State, Cost) -> Cost, P: SearchArea> Run<'a, S, Q, K, P> {
    /// A search that keeps to a part of the space. Only a start in that part leads anywhere.
    pub fn within(space: &'a S, part: P, scratch: &'a mut Scratch<Q>, start: State, key: K) -> Self {
        scratch.begin(part.slots(space), space.cheapest_move());
        let open_mark = scratch.round * 2;
        if let Some(slot) = part.slot(start) {
            scratch.nodes[slot] = (0, start.0, open_mark);
            scratch.queue.push(key(start, 0), start.0);
        }
        scratch.counts.generated = 1;
        scratch.counts.largest_open = 1;
        Self { space, part, scratch, key, open_mark, reopens: false }
    }

    /// Goes on with the last search, which was made with such a key in such a part of such a space.
    pub fn resume(space: &'a S, part: P, scratch: &'a mut Scratch<Q>, key: K) -> Self {
        let open_mark = scratch.round * 2;
        Self { space, part, scratch, key, open_mark, reopens: false }
    }

    /// Opens settled states again when a cheaper way to them is found. Needed for cheapest paths if the
    /// heuristic is not consistent.
    pub fn reopening(mut self) -> Self {
        self.reopens = true;
        self
    }

    /// Takes the best open state off the list, with its cost from the start. `None` if there is none left.
    /// With a consistent heuristic the cost is final.
    #[inline]
    pub fn settle_next(&mut self) -> Option<(State, Cost)> {
        loop {
            let (_, item) = self.scratch.queue.pop()?;
            let (g, _, mark) = &mut self.scratch.nodes[self.part.slot(State(item))?];
            // A state that was improved while it waited has several entries: the first one out counts.
            if *mark == self.open_mark {
                *mark |= 1;
                return Some((State(item), *g));
            }
        }
    }

    /// Looks at the successors of a settled state.
    #[inline]
    pub fn expand(&mut self, state: State, g: Cost) {
        let Scratch { nodes, queue, counts, .. } = &mut *self.scratch;
        let (open_mark, reopens, part) = (self.open_mark, self.reopens, self.part);
        let key = &self.key;
        counts.expanded += 1;
        let Some(slot) = part.slot(state) else { return };
        let parent = State(nodes[slot].1);
        self.space.for_each_successor_after(state, parent, |next, cost| {
            let Some(slot) = part.slot(next) else { return };
            let next_g = g + cost;
            let node = &mut nodes[slot];
            let is_new = node.2 | 1 != open_mark | 1;
            if is_new || (next_g < node.0 && (node.2 == open_mark || reopens)) {
                *node = (next_g, state.0, open_mark);
                queue.push(key(next, next_g), next.0);
                counts.generated += 1;
            }
        });
        counts.largest_open = counts.largest_open.max(queue.len() as u64);
    }

    /// The same by a list of neighbours, where edges go both ways and no detour is shorter than an edge: what
    /// two states that came from the same one offer each other is then never better than what they have.
    /// `cost` is asked only if it may count.
    #[inline]
    pub fn expand_to(
        &mut self,
        state: State,
        g: Cost,
        neighbours: impl Iterator<Item = State>,
        cost: impl Fn(State) -> Cost,
    ) {
        let Scratch { nodes, queue, counts, .. } = &mut *self.scratch;
        let open_mark = self.open_mark;
        let key = &self.key;
        counts.expanded += 1;
        let Some(slot) = self.part.slot(state) else { return };
        let parent = nodes[slot].1;
        for next in neighbours {
            let Some(slot) = self.part.slot(next) else { continue };
            let node = &mut nodes[slot];
            let is_open = node.2 == open_mark;
            if node.2 == open_mark | 1 || is_open && node.1 == parent {
                continue;
            }
            let next_g = g + cost(next);
            if !is_open || next_g < node.0 {
                *node = (next_g, state.0, open_mark);
                queue.push(key(next, next_g), next.0);
                counts.generated += 1;
            }
        }
        counts.largest_open = counts.largest_open.max(queue.len() as u64);
    }

    /// What it took so far.
    pub fn counts(&self) -> SearchCounts {
        self.scratch.counts
    }
}

impl<S: StateSpace, Q: Queue, K: Fn(State, Cost) -> Cost> Run<'_, S, Q, K> {
    /// The path to a settled state.
    pub(super) fn path_to(&self, goal: State) -> StatePath {
        let nodes = &self.scratch.nodes;
        let mut states = alloc::vec![goal];
        let mut state = goal;
        while nodes[state.index()].1 != state.0 {
            state = State(nodes[state.index()].1);
            states.push(state);
        }
        states.reverse();
        StatePath { states, cost: nodes[goal.index()].0 }
    }
}

/// Goes on until `goal` is settled or nothing is left to search; `note` hears of each state that is expanded.
pub(super) fn run_to<S: StateSpace, Q: Queue, K: Fn(State, Cost) -> Cost>(
    mut run: Run<'_, S, Q, K>,
    goal: State,
    mut note: impl FnMut(State),
) -> Answer {
    while let Some((state, g)) = run.settle_next() {
        if state == goal {
            return Answer { path: Some(run.path_to(goal)), counts: run.counts() };
        }
        note(state);
        run.expand(state, g);
    }
    Answer { path: None, counts: run.counts() }
}
