//! What path refinement searches: the levels of an abstraction as spaces, and corridors through them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use surefoot::search::{CalendarQueue, Run, SearchArea, SearchCounts};
use surefoot::space::{Cost, Heuristic, Reachability, State, StateSpace};

use super::{Abstraction, Level, Metric};

/// How many nodes in a row share a word of a corridor.
const BLOCK: u32 = 16;

/// The nodes of a level that a search keeps to: all, or those that were added. What the search knows of them
/// lies close together, in the nearest cache: sixteen nodes in a row get sixteen slots as soon as one of them
/// is added.
#[derive(Clone, Debug)]
pub(crate) struct Corridor {
    is_whole: bool,
    /// For sixteen nodes in a row: a bit for each that was added, and above these bits their first slot.
    blocks: Vec<u64>,
    /// The blocks that have bits.
    used: Vec<u32>,
}

impl Corridor {
    pub(crate) const WHOLE: Self = Self { is_whole: true, blocks: Vec::new(), used: Vec::new() };

    /// Makes room for a level of so many nodes.
    pub(crate) fn make_room(&mut self, nodes: usize) {
        let blocks = nodes.div_ceil(BLOCK as usize);
        if self.blocks.len() < blocks {
            self.blocks.resize(blocks, 0);
        }
    }

    /// Has all nodes from now on.
    pub(crate) fn widen(&mut self) {
        self.clear();
        self.is_whole = true;
    }

    /// Has no node from now on, but those that are added.
    pub(crate) fn clear(&mut self) {
        self.is_whole = false;
        for block in self.used.drain(..) {
            self.blocks[block as usize] = 0;
        }
    }

    /// Adds a node.
    #[inline]
    pub(crate) fn add(&mut self, node: u32) {
        let block = &mut self.blocks[(node / BLOCK) as usize];
        if *block == 0 {
            *block = (self.used.len() as u64 * u64::from(BLOCK)) << BLOCK;
            self.used.push(node / BLOCK);
        }
        *block |= 1 << (node % BLOCK);
    }

    /// Adds the children of a node of the level above.
    #[inline]
    pub(crate) fn add_children(&mut self, above: &Level<'_>, node: u32) {
        let mut children = above.children(node).peekable();
        // They are never added one by one: if one is there, all are.
        if children.peek().is_some_and(|&child| self.slot_of(child).is_none()) {
            children.for_each(|child| self.add(child));
        }
    }

    /// Adds the children of a node's neighbours.
    pub(crate) fn add_around(&mut self, above: &Level<'_>, node: u32) {
        for near in above.neighbours(node) {
            self.add_children(above, near);
        }
    }

    /// Adds the children of all nodes that are neighbours of two.
    pub(crate) fn add_beside(&mut self, above: &Level<'_>, a: u32, b: u32) {
        let mut others = above.neighbours(b).peekable();
        for node in above.neighbours(a) {
            while others.next_if(|&other| other < node).is_some() {}
            if others.next_if_eq(&node).is_some() {
                self.add_children(above, node);
            }
        }
    }

    /// The part that a search keeps to. `None` if it is all.
    pub(crate) fn part(&self) -> Option<&Self> {
        (!self.is_whole).then_some(self)
    }

    /// The slot of a node.
    #[inline]
    pub(crate) fn place_of(&self, node: u32) -> Option<usize> {
        if self.is_whole { Some(node as usize) } else { self.slot_of(node) }
    }

    /// The slot of a node that was added.
    #[inline]
    fn slot_of(&self, node: u32) -> Option<usize> {
        let (block, bit) = (self.blocks[(node / BLOCK) as usize], node % BLOCK);
        (block >> bit & 1 != 0).then(|| (block >> BLOCK) as usize + bit as usize)
    }

    /// The nodes, in order. `None` if it has all.
    pub(crate) fn nodes(&self) -> Option<Vec<u32>> {
        let blocks = 0..self.blocks.len() as u32;
        let nodes = blocks.flat_map(|block| (0..BLOCK).map(move |bit| block * BLOCK + bit));
        (!self.is_whole).then(|| nodes.filter(|&node| self.slot_of(node).is_some()).collect())
    }
}

impl SearchArea for &Corridor {
    fn slots(&self, _: &impl StateSpace) -> usize {
        // Rounded up, so that memory is not taken anew for every corridor that is a little larger.
        (self.used.len() * BLOCK as usize).next_power_of_two()
    }

    #[inline]
    fn slot(&self, node: State) -> Option<usize> {
        self.slot_of(node.0)
    }
}

/// A level above the ground as a world: its nodes are the states, and the estimate is how far apart their
/// places are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UpperSpace<'a> {
    level: Level<'a>,
    /// No node of the ground is one of this space.
    count: usize,
    metric: Metric,
    cheapest: Cost,
}

impl<'a> UpperSpace<'a> {
    /// A level of an abstraction. Without places, no edge must weigh less than `cheapest`.
    pub(crate) fn new(abstraction: &'a Abstraction, level: usize, cheapest: Cost) -> Self {
        let (metric, nodes) = (abstraction.metric(), abstraction.level(level));
        let cheapest = match nodes.place(0) {
            Some(_) => metric.of_cells(1 << level.min(30), abstraction.fraction_bits()) / 2,
            None => cheapest,
        };
        let count = if level == 0 { 0 } else { nodes.count() };
        Self { level: nodes, count, metric, cheapest }
    }

    /// The same with what queues are told to be the cheapest edge.
    pub(crate) fn with_cheapest(self, cheapest: Cost) -> Self {
        Self { cheapest, ..self }
    }
}

impl StateSpace for UpperSpace<'_> {
    fn state_limit(&self) -> usize {
        self.count
    }

    fn contains(&self, state: State) -> bool {
        state.index() < self.count
    }

    #[inline]
    fn for_each_successor(&self, state: State, mut visit: impl FnMut(State, Cost)) {
        let level = &self.level;
        let from = level.place(state.0);
        for edge in level.edges(state.0) {
            let target = level.target(edge);
            let weight = match from.zip(level.place(target)) {
                Some((from, to)) => self.metric.distance(from, to),
                None => Cost::from(level.stored_weight(edge)),
            };
            // Two nodes may lie in one place, one around the other.
            visit(State(target), weight.max(1));
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

impl Heuristic for UpperSpace<'_> {
    #[inline]
    fn estimate(&self, from: State, to: State) -> Cost {
        match self.level.place(from.0).zip(self.level.place(to.0)) {
            Some((from, to)) => self.metric.distance(from, to),
            None => 0,
        }
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

/// How a search came to its end, or to a pause.
pub(crate) enum Outcome {
    Paused,
    Found(u32, Cost),
    Exhausted,
}

/// Goes on with a search until it settles a target, has nothing left, or has used up what it may expand.
pub(crate) fn drive<S: StateSpace, K: Fn(State, Cost) -> Cost, P: SearchArea>(
    mut run: Run<'_, S, CalendarQueue, K, P>,
    is_target: impl Fn(State) -> bool,
    expansions: &mut u64,
    counts: &mut SearchCounts,
    mut expand: impl FnMut(&mut Run<'_, S, CalendarQueue, K, P>, State, Cost),
) -> Outcome {
    let outcome = loop {
        if *expansions == 0 {
            break Outcome::Paused;
        }
        let Some((state, g)) = run.settle_next() else { break Outcome::Exhausted };
        if is_target(state) {
            break Outcome::Found(state.0, g);
        }
        *expansions -= 1;
        expand(&mut run, state, g);
    };
    *counts = run.counts();
    outcome
}
