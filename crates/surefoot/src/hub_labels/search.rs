//! The pruned search that labels are made with.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::graph::LegGraph;
use super::live_legs::LiveLegs;
use super::rank::HubRank;
use crate::space::Cost;

/// A hub in a label that is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LabelEntry {
    pub(crate) rank: HubRank,
    pub(crate) cost: Cost,
}

/// Costs from a hub to others, by rank; kept between searches, so that only what was set is reset.
#[derive(Clone, Debug)]
pub(super) struct HubCosts(Vec<Cost>);

impl HubCosts {
    pub(super) fn new(nodes: usize) -> Self {
        Self(vec![Cost::MAX; nodes])
    }

    pub(super) fn set(&mut self, label: &[LabelEntry]) {
        label.iter().for_each(|entry| self.0[entry.rank.index()] = entry.cost);
    }

    pub(super) fn reset(&mut self, label: &[LabelEntry]) {
        label.iter().for_each(|entry| self.0[entry.rank.index()] = Cost::MAX);
    }

    /// Whether a way over a hub of this label costs no more than that.
    #[inline(always)]
    pub(super) fn cover(&self, label: &[LabelEntry], cost: Cost) -> bool {
        // A sum with what is not set is more than any cost.
        label.iter().any(|entry| self.0[entry.rank.index()].saturating_add(entry.cost) <= cost)
    }
}

/// What a search goes along.
pub(super) trait LegSource {
    fn legs_of(&self, node: u32) -> impl Iterator<Item = (u32, Cost)>;
}

impl LegSource for LegGraph {
    #[inline]
    fn legs_of(&self, node: u32) -> impl Iterator<Item = (u32, Cost)> {
        self.legs(node)
    }
}

impl LegSource for LiveLegs {
    #[inline]
    fn legs_of(&self, node: u32) -> impl Iterator<Item = (u32, Cost)> {
        self.of(node).iter().copied()
    }
}

/// A search from one node that goes no farther where a hub already lies on a cheapest way.
#[derive(Clone, Debug)]
pub(super) struct PrunedSearch {
    /// What it costs from the node at hand, and the one before on the way from there.
    reached: Vec<(Cost, u32)>,
    of_hub: HubCosts,
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<(Cost, u32)>>,
}

impl PrunedSearch {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            reached: vec![(Cost::MAX, 0); nodes],
            of_hub: HubCosts::new(nodes),
            touched: Vec::new(),
            open: BinaryHeap::new(),
        }
    }

    /// Visits the nodes whose cheapest ways from a root lead over none of its hubs and no node ranked before
    /// `rank`, each after the one before it on the way, which is the root itself for the root. How many nodes
    /// were looked at.
    pub(super) fn each_uncovered(
        &mut self,
        legs: &impl LegSource,
        labels: &[Vec<LabelEntry>],
        ranks: &[HubRank],
        (root, rank): (u32, HubRank),
        mut visit: impl FnMut(u32, u32, Cost),
    ) -> u64 {
        self.begin(labels, root);
        let looks = self.go_on(legs, labels, (ranks, rank), u64::MAX, &mut visit);
        self.end(labels, root);
        looks
    }

    /// Begins such a search, which may go on later, and end once it is done. Neither labels nor ranks may
    /// change meanwhile.
    pub(super) fn begin(&mut self, labels: &[Vec<LabelEntry>], root: u32) {
        self.of_hub.set(&labels[root as usize]);
        self.touched.push(root);
        self.reached[root as usize] = (0, root);
        self.open.push(Reverse((0, root)));
    }

    /// Whether all was visited.
    pub(super) fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Looks at no more than so many nodes. How many it were.
    pub(super) fn go_on(
        &mut self,
        legs: &impl LegSource,
        labels: &[Vec<LabelEntry>],
        (ranks, rank): (&[HubRank], HubRank),
        most: u64,
        mut visit: impl FnMut(u32, u32, Cost),
    ) -> u64 {
        let mut looks = 0;
        while looks < most
            && let Some(Reverse((cost, node))) = self.open.pop()
        {
            looks += 1;
            let (reached, before) = self.reached[node as usize];
            if cost > reached {
                continue;
            }
            if self.of_hub.cover(&labels[node as usize], cost) {
                continue;
            }
            visit(node, before, cost);
            for (end, leg) in legs.legs_of(node) {
                let reached = &mut self.reached[end as usize];
                if cost + leg < reached.0 && ranks[end as usize] >= rank {
                    if reached.0 == Cost::MAX {
                        self.touched.push(end);
                    }
                    *reached = (cost + leg, node);
                    self.open.push(Reverse((cost + leg, end)));
                }
            }
        }
        looks
    }

    /// Forgets a search.
    pub(super) fn end(&mut self, labels: &[Vec<LabelEntry>], root: u32) {
        for node in self.touched.drain(..) {
            self.reached[node as usize].0 = Cost::MAX;
        }
        self.of_hub.reset(&labels[root as usize]);
    }
}
