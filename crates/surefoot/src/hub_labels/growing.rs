//! Labels that grow by one hub after the other, or by several at once on all cores.

use alloc::vec;
use alloc::vec::Vec;

use super::graph::LegGraph;
use super::live_legs::LiveLegs;
use super::rank::HubRank;
use super::search::{HubCosts, LabelEntry, PrunedSearch};
use super::tuning::MOST_AT_ONCE;
use crate::space::Cost;
use crate::store::parallel::{in_parallel_with, threads};

/// The labels of the hubs so far.
#[derive(Clone, Debug)]
pub(super) struct GrowingLabels {
    pub(super) labels: Vec<Vec<LabelEntry>>,
    pub(super) ranks: Vec<HubRank>,
    /// The hubs so far, by rank.
    pub(super) order: Vec<u32>,
    pub(super) entries: u64,
    /// The legs between nodes that are no hubs yet.
    pub(super) legs: LiveLegs,
    /// The nodes that have the last hub, as far as they are found.
    found: Vec<(u32, Cost)>,
}

impl GrowingLabels {
    pub(super) fn new(graph: &LegGraph) -> Self {
        let nodes = graph.nodes();
        Self {
            labels: vec![Vec::new(); nodes],
            ranks: vec![HubRank::UNRANKED; nodes],
            order: Vec::with_capacity(nodes),
            entries: 0,
            legs: LiveLegs::new(graph),
            found: Vec::new(),
        }
    }

    /// Makes a node the next hub.
    fn add(&mut self, search: &mut PrunedSearch, hub: u32) {
        self.begin(search, hub);
        self.go_on(search, u64::MAX);
    }

    /// Begins to make a node the next hub.
    pub(super) fn begin(&mut self, search: &mut PrunedSearch, hub: u32) {
        self.ranks[hub as usize] = HubRank::from_index(self.order.len());
        self.order.push(hub);
        self.found.clear();
        search.begin(&self.labels, hub);
    }

    /// Looks at so many nodes for the last hub. How many it were, and whether the hub is done.
    pub(super) fn go_on(&mut self, search: &mut PrunedSearch, most: u64) -> (u64, bool) {
        let Some(&hub) = self.order.last() else { return (0, true) };
        let rank = HubRank::from_index(self.order.len() - 1);
        let Self { found, legs, labels, ranks, .. } = self;
        let looks = search.go_on(legs, labels, (ranks, rank), most, |node, _, cost| found.push((node, cost)));
        if !search.is_done() {
            return (looks, false);
        }
        search.end(labels, hub);
        legs.take_out(hub);
        self.entries += found.len() as u64;
        for &(node, cost) in &*found {
            labels[node as usize].push(LabelEntry { rank, cost });
        }
        (looks, true)
    }

    /// Makes nodes the next hubs, in this order. The labels are the same as if they had been added one by
    /// one.
    fn add_at_once(&mut self, workers: &mut Workers, hubs: &[u32]) {
        let first = HubRank::from_index(self.order.len());
        for (rank, &hub) in first.onwards().zip(hubs) {
            self.ranks[hub as usize] = rank;
            self.order.push(hub);
        }
        // None of them knows of the others, but for not going on beyond those of higher rank.
        let Self { legs, labels, ranks, .. } = &*self;
        let found = in_parallel_with(&mut workers.searches, hubs, |search, &hub| {
            let mut found = Vec::new();
            let root = (hub, ranks[hub as usize]);
            search.each_uncovered(legs, labels, ranks, root, |node, _, cost| found.push((node, cost)));
            found
        });
        // Where a way over one of them costs no more, or less, those of lower rank do not count. The highest
        // node on all the cheapest ways between two nodes was found from both, at the right cost: so what is
        // needless is seen by it.
        for ((rank, &hub), found) in first.onwards().zip(hubs).zip(found) {
            self.legs.take_out(hub);
            let own = new_entries(&self.labels[hub as usize], first).to_vec();
            workers.of_hub.set(&own);
            for (node, cost) in found {
                let label = &mut self.labels[node as usize];
                if !workers.of_hub.cover(new_entries(label, first), cost) {
                    label.push(LabelEntry { rank, cost });
                    self.entries += 1;
                }
            }
            workers.of_hub.reset(&own);
        }
    }

    /// Makes nodes the next hubs, in this order, on all cores.
    pub(super) fn add_all<B>(
        &mut self,
        workers: &mut Workers,
        mut hubs: &[u32],
        mut go_on: impl FnMut(&Self) -> core::ops::ControlFlow<B>,
    ) -> core::ops::ControlFlow<B> {
        while !hubs.is_empty() {
            // The first hubs prune the searches of all others: so they are not left to be searched at once.
            let most = if workers.searches.len() == 1 { 1 } else { self.order.len() / 4 };
            let (batch, rest) = hubs.split_at(most.clamp(1, MOST_AT_ONCE).min(hubs.len()));
            match batch {
                &[hub] => self.add(&mut workers.searches[0], hub),
                _ => self.add_at_once(workers, batch),
            }
            hubs = rest;
            go_on(self)?;
        }
        core::ops::ControlFlow::Continue(())
    }
}

/// The entries of a label whose rank is not below `first`.
fn new_entries(label: &[LabelEntry], first: HubRank) -> &[LabelEntry] {
    let news = label.iter().rev().take_while(|entry| entry.rank >= first).count();
    &label[label.len() - news..]
}

/// Scratch memory for each thread.
#[derive(Debug)]
pub(super) struct Workers {
    pub(super) searches: Vec<PrunedSearch>,
    of_hub: HubCosts,
}

impl Workers {
    pub(super) fn new(nodes: usize) -> Self {
        let searches = (0..threads()).map(|_| PrunedSearch::new(nodes)).collect();
        Self { searches, of_hub: HubCosts::new(nodes) }
    }
}
