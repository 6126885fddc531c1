//! What path refinement searches: the levels of an abstraction as spaces, and corridors through them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use surefoot::search::{CalendarQueue, Run, SearchArea, SearchCounts};
use surefoot::space::{Cost, Heuristic, Reachability, State, StateSpace};

use super::{Abstraction, Level, Metric};

/// A set of nodes, with a bit for each.
#[derive(Clone, Debug, Default)]
struct NodeSet {
    /// 64 bits at a time and, once they are [counted](Self::count), how many nodes are in the set before
    /// these.
    words: Vec<(u64, u32)>,
    /// The words that have bits.
    used: Vec<u32>,
}

impl NodeSet {
    fn make_room(&mut self, nodes: usize) {
        let words = nodes.div_ceil(64);
        if self.words.len() < words {
            self.words.resize(words, (0, 0));
        }
    }

    fn clear(&mut self) {
        for word in self.used.drain(..) {
            self.words[word as usize].0 = 0;
        }
    }

    /// Adds a node; says whether it is new.
    #[inline]
    fn add(&mut self, node: u32) -> bool {
        let (word, _) = &mut self.words[node as usize / 64];
        if *word == 0 {
            self.used.push(node / 64);
        }
        let bit = 1 << (node % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Numbers the nodes. Those that were added together lie together.
    fn count(&mut self) -> usize {
        let mut count = 0;
        for &word in &self.used {
            let (bits, before) = &mut self.words[word as usize];
            *before = count;
            count += bits.count_ones();
        }
        count as usize
    }

    /// The number of a node of the set.
    #[inline]
    fn number(&self, node: u32) -> Option<usize> {
        let (bits, before) = self.words[node as usize / 64];
        let bit = 1 << (node % 64);
        (bits & bit != 0).then(|| before as usize + (bits & (bit - 1)).count_ones() as usize)
    }
}

/// The nodes of a level that a search keeps to: all, or the children of some nodes of the level above. Then
/// what the search knows of them lies close together, in the nearest cache.
#[derive(Clone, Debug)]
pub(crate) struct Corridor {
    is_whole: bool,
    parents: NodeSet,
    nodes: NodeSet,
    count: usize,
}

impl Corridor {
    pub(crate) const WHOLE: Self = Self {
        is_whole: true,
        parents: NodeSet { words: Vec::new(), used: Vec::new() },
        nodes: NodeSet { words: Vec::new(), used: Vec::new() },
        count: 0,
    };

    /// Makes room for levels of so many nodes, below and above.
    pub(crate) fn make_room(&mut self, below: usize, above: usize) {
        self.nodes.make_room(below);
        self.parents.make_room(above);
    }

    /// Has all nodes from now on.
    pub(crate) fn widen(&mut self) {
        self.clear();
        self.is_whole = true;
    }

    /// Has no node from now on, but those that are added.
    pub(crate) fn clear(&mut self) {
        self.is_whole = false;
        self.parents.clear();
        self.nodes.clear();
    }

    /// Adds a node.
    pub(crate) fn add(&mut self, node: u32) {
        self.nodes.add(node);
    }

    /// Adds the children of a node of the level above.
    #[inline]
    pub(crate) fn add_children(&mut self, above: &Level<'_>, node: u32) {
        if self.parents.add(node) {
            for child in above.children(node) {
                self.nodes.add(child);
            }
        }
    }

    /// Adds the children of a node's neighbours.
    pub(crate) fn add_around(&mut self, above: &Level<'_>, node: u32) {
        for edge in above.edges(node) {
            self.add_children(above, above.target(edge));
        }
    }

    /// Adds the children of all nodes that are neighbours of two.
    pub(crate) fn add_beside(&mut self, above: &Level<'_>, a: u32, b: u32) {
        let mut others = above.edges(b).map(|edge| above.target(edge)).peekable();
        for edge in above.edges(a) {
            let node = above.target(edge);
            while others.next_if(|&other| other < node).is_some() {}
            if others.next_if_eq(&node).is_some() {
                self.add_children(above, node);
            }
        }
    }

    /// The nodes, in order. `None` if it has all.
    pub(crate) fn nodes(&self) -> Option<Vec<u32>> {
        let words = self.nodes.words.iter().enumerate();
        let bits = words.flat_map(|(word, &(bits, _))| {
            (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| word as u32 * 64 + bit)
        });
        (!self.is_whole).then(|| bits.collect())
    }

    /// Gets ready for a search: nothing is added from here on.
    pub(crate) fn close(&mut self) {
        self.count = self.nodes.count();
    }
}

impl SearchArea for &Corridor {
    fn slots(&self, space: &impl StateSpace) -> usize {
        if self.is_whole { space.state_limit() } else { self.count }
    }

    #[inline]
    fn slot(&self, node: State) -> Option<usize> {
        if self.is_whole { Some(node.index()) } else { self.nodes.number(node.0) }
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
