//! Labels made at once: the order in which nodes become hubs, and the labels, on all cores.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::graph::LegGraph;
use super::growing::{GrowingLabels, Workers};
use super::labels::HubLabels;
use super::rank::HubRank;
use super::sample::{Sample, Tree, TreeSearch};
use super::tuning::{TREES, TREES_AT_ONCE};
use crate::space::CostModel;
use crate::store::parallel::{in_parallel_with, threads};

/// How far labels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LabelProgress {
    /// How many nodes are hubs.
    pub(crate) ranks_done: u32,
    /// How many nodes there are.
    pub(crate) ranks: u32,
    /// How many entries all labels have.
    pub(crate) entries: u64,
}

impl HubLabels {
    /// The labels of a graph, with an order of their own, made on all cores with the feature `rayon`. They do
    /// not depend on how many there are. `None` if `progress` said to stop.
    pub(crate) fn build(
        graph: &LegGraph,
        model: CostModel,
        mut progress: impl FnMut(LabelProgress) -> ControlFlow<()>,
    ) -> Option<Self> {
        let nodes = graph.nodes();
        let mut hubs = GrowingLabels::new(graph);
        let mut sampler = Sampler::new(nodes);
        let mut workers = Workers::new(nodes);
        let mut chosen = Vec::new();
        while hubs.order.len() < nodes {
            sampler.refill(&hubs);
            chosen.clear();
            while chosen.is_empty() || !sampler.is_low() {
                let Some(hub) = sampler.sample.choose() else { break };
                chosen.push(hub);
            }
            let flow = hubs.add_all(&mut workers, &chosen, |hubs| progress(progress_of(hubs)));
            if flow.is_break() {
                return None;
            }
        }
        Some(Self::new(model, hubs.order, &hubs.labels))
    }

    /// The labels of a graph whose nodes become hubs in this order, which is one of all nodes.
    pub(crate) fn build_in_order(
        graph: &LegGraph,
        model: CostModel,
        order: &[u32],
        mut progress: impl FnMut(LabelProgress) -> ControlFlow<()>,
    ) -> Option<Self> {
        let mut hubs = GrowingLabels::new(graph);
        let mut workers = Workers::new(graph.nodes());
        let flow = hubs.add_all(&mut workers, order, |hubs| progress(progress_of(hubs)));
        flow.is_continue().then(|| Self::new(model, hubs.order, &hubs.labels))
    }
}

fn progress_of(hubs: &GrowingLabels) -> LabelProgress {
    LabelProgress {
        ranks_done: hubs.order.len() as u32,
        ranks: hubs.ranks.len() as u32,
        entries: hubs.entries,
    }
}

/// Keeps a sample of cheapest ways large enough to tell which node is the most important.
#[derive(Clone, Debug)]
pub(super) struct Sampler {
    pub(super) sample: Sample,
    searches: Vec<TreeSearch>,
    /// How many nodes have been the root of a tree.
    pub(super) roots: usize,
    nodes: usize,
    stride: u64,
    /// Where trees are made one by one: how far that is.
    refill: Option<Refill>,
}

/// Trees that are made one by one.
#[derive(Clone, Debug)]
struct Refill {
    /// The roots of those that are made at once elsewhere, the next one last.
    roots: Vec<u32>,
    /// The root of the one at hand.
    at: Option<u32>,
}

impl Sampler {
    fn new(nodes: usize) -> Self {
        Self::with_threads(nodes, threads())
    }

    /// One that makes trees one by one.
    pub(super) fn in_pieces(nodes: usize) -> Self {
        Self::with_threads(nodes, 1)
    }

    fn with_threads(nodes: usize, threads: usize) -> Self {
        Self {
            sample: Sample::new(nodes),
            searches: (0..threads).map(|_| TreeSearch::new(nodes)).collect(),
            roots: 0,
            refill: None,
            nodes,
            stride: stride(nodes as u64),
        }
    }

    /// Whether trees are being made one by one.
    pub(super) fn is_refilled(&self) -> bool {
        self.refill.is_some()
    }

    /// Whether only half of the ways are left, and there are trees to be made.
    fn is_low(&self) -> bool {
        self.sample.ways <= TREES * self.nodes / 2 && self.roots < self.nodes
    }

    /// Makes trees until there are enough, as far as there are roots for them.
    fn refill(&mut self, hubs: &GrowingLabels) {
        self.sample.tidy();
        while let Some(roots) = self.next_roots(hubs) {
            let trees =
                in_parallel_with(&mut self.searches, &roots, |search, &root| Tree::new(search, hubs, root));
            trees.iter().for_each(|tree| self.sample.add(tree));
        }
        self.sample.count(&hubs.ranks);
    }

    /// The roots of the next trees, if there are not enough.
    fn next_roots(&mut self, hubs: &GrowingLabels) -> Option<Vec<u32>> {
        if self.sample.ways >= TREES * self.nodes || self.roots >= self.nodes {
            return None;
        }
        let end = self.nodes.min(self.roots + TREES_AT_ONCE);
        // The first few lie far apart.
        let roots = (self.roots..end).map(|number| (number as u64 * self.stride % self.nodes as u64) as u32);
        self.roots = end;
        Some(roots.filter(|&root| hubs.ranks[root as usize] == HubRank::UNRANKED).collect())
    }

    /// The next hub, as all at once would have it, or the work of a piece of what has to be done before.
    /// Neither once there are no more. The hubs are those that were given out before.
    pub(super) fn next_in_pieces(&mut self, hubs: &GrowingLabels, most: u64) -> (Option<u32>, u64) {
        let Some(refill) = &mut self.refill else {
            if !hubs.order.is_empty() && !self.is_low() || self.nodes == 0 {
                return (self.sample.choose(), 1);
            }
            self.sample.tidy();
            self.refill = Some(Refill { roots: Vec::new(), at: None });
            return (None, 1 + self.sample.ways as u64 / 16);
        };
        let search = &mut self.searches[0];
        if let Some(root) = refill.at {
            let (looks, is_done) = search.go_on(hubs, most);
            if is_done {
                refill.at = None;
                self.sample.add(&search.end(hubs, root));
            }
            return (None, looks.max(1));
        }
        if let Some(root) = refill.roots.pop() {
            search.begin(hubs, root);
            refill.at = Some(root);
            return (None, 1);
        }
        if let Some(mut roots) = self.next_roots(hubs) {
            roots.reverse();
            self.refill = Some(Refill { roots, at: None });
            return (None, 1);
        }
        self.refill = None;
        self.sample.count(&hubs.ranks);
        (self.sample.choose(), 1 + self.sample.ways as u64 / 16)
    }
}

/// A step through the numbers below `count` that comes to each of them, and whose first few lie far apart.
fn stride(count: u64) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let golden = (count * 618 / 1000).max(1);
    (golden..).find(|&stride| gcd(stride, count) == 1).unwrap_or(1)
}
