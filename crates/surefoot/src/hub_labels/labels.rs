//! Finished labels, as they are read.

use alloc::vec;
use alloc::vec::Vec;

use super::costs::{CostSlice, Costs};
use super::rank::HubRank;
use super::search::LabelEntry;
use crate::space::{Cost, CostModel};

/// In labels of no more hubs than this, one is found by counting those before it.
const COUNTED: usize = 64;

/// For each node some others, its hubs, and what it costs to get there: any two nodes with a way between them
/// share a hub on a cheapest one. In labels over a core this holds for the nodes of the core: the others have
/// gates there, and hubs outside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HubLabels {
    /// The nodes, the most important first.
    order: Vec<u32>,
    /// The place of each node in the order.
    ranks: Vec<HubRank>,
    /// Where the label of each node begins, and where that of the last one ends.
    starts: Vec<u32>,
    /// The ranks of hubs, ascending in each label; the last one is the node itself.
    hubs: Vec<HubRank>,
    costs: Costs,
}

impl HubLabels {
    /// The labels of all nodes, one after the other.
    pub(crate) fn new(model: CostModel, order: Vec<u32>, labels: &[Vec<LabelEntry>]) -> Self {
        let entries = labels.iter().map(Vec::len).sum();
        let ranks = ranks_of(&order);
        let mut made = Self {
            order,
            ranks,
            starts: Vec::with_capacity(labels.len() + 1),
            hubs: Vec::with_capacity(entries),
            costs: Costs::new(model, entries),
        };
        made.starts.push(0);
        for label in labels {
            for entry in label {
                made.hubs.push(entry.rank);
                made.costs.push(entry.cost);
            }
            made.starts.push(made.hubs.len() as u32);
        }
        made
    }

    /// Labels whose costs are still to be pushed, one after the other.
    pub(super) fn of_parts(
        order: Vec<u32>,
        ranks: Vec<HubRank>,
        starts: Vec<u32>,
        hubs: Vec<HubRank>,
        costs: Costs,
    ) -> Self {
        Self { order, ranks, starts, hubs, costs }
    }

    /// Adds what the next entry costs.
    pub(super) fn push_cost(&mut self, cost: Cost) {
        self.costs.push(cost);
    }

    /// How many nodes there are.
    #[inline]
    pub(crate) fn nodes(&self) -> usize {
        self.ranks.len()
    }

    /// How many entries all labels have.
    pub(crate) fn entries(&self) -> usize {
        self.hubs.len()
    }

    /// The bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        let of_costs = match &self.costs {
            Costs::Narrow { codes, .. } => size_of_val(&codes[..]),
            Costs::Wide(costs) => size_of_val(&costs[..]),
        };
        (self.order.len() + self.ranks.len() + self.starts.len() + self.hubs.len()) * 4 + of_costs
    }

    /// The nodes by rank, the most important first.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The rank of a node.
    #[inline(always)]
    pub(crate) fn rank(&self, node: u32) -> HubRank {
        self.ranks[node as usize]
    }

    /// The node of a rank.
    #[inline(always)]
    pub(crate) fn node(&self, rank: HubRank) -> u32 {
        self.order[rank.index()]
    }

    /// What the entries of all labels cost, one label after the other.
    pub(crate) fn costs(&self) -> &Costs {
        &self.costs
    }

    #[inline(always)]
    pub(super) fn range(&self, node: u32) -> core::ops::Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }

    /// The number of a node's first entry among those of all labels.
    #[inline]
    pub(crate) fn first_entry(&self, node: u32) -> usize {
        self.starts[node as usize] as usize
    }

    /// The ranks of a node's hubs, ascending, and what it costs to get there.
    #[inline(always)]
    pub(crate) fn of(&self, node: u32) -> (&[HubRank], CostSlice<'_>) {
        let range = self.range(node);
        (&self.hubs[range.clone()], self.costs.slice(range))
    }

    /// Visits a node's hubs: their ranks, ascending, and what it costs to get there.
    #[inline]
    pub(crate) fn for_each(&self, node: u32, mut visit: impl FnMut(HubRank, Cost)) {
        let (hubs, costs) = self.of(node);
        match costs {
            CostSlice::Narrow { codes, code } => {
                hubs.iter().zip(codes).for_each(|(&hub, &coded)| visit(hub, code.decode(coded)));
            }
            CostSlice::Wide(costs) => hubs.iter().zip(costs).for_each(|(&hub, &cost)| visit(hub, cost)),
        }
    }

    /// What the cheapest way between two nodes costs; `None` if there is none.
    #[inline]
    pub(crate) fn cost(&self, a: u32, b: u32) -> Option<Cost> {
        self.meet(a, b).map(|(cost, ..)| cost)
    }

    /// The same, with the entries of both for a hub on that way.
    #[inline]
    pub(crate) fn meet(&self, a: u32, b: u32) -> Option<(Cost, usize, usize)> {
        let mut best = (Cost::MAX, 0, 0);
        self.each_match(a, b, |of_a, of_b, a, b| {
            if a + b < best.0 {
                best = (a + b, of_a, of_b);
            }
        });
        (best.0 != Cost::MAX).then_some(best)
    }

    /// Visits the hubs that two nodes have in common: the entries of both, and what it costs from both.
    #[inline]
    pub(super) fn each_match(&self, a: u32, b: u32, mut visit: impl FnMut(usize, usize, Cost, Cost)) {
        let (of_a, of_b) = (self.range(a), self.range(b));
        let (hubs_a, hubs_b) = (&self.hubs[of_a.clone()], &self.hubs[of_b.clone()]);
        let (at_a, at_b) = (of_a.start, of_b.start);
        match &self.costs {
            Costs::Narrow { codes, code } => {
                let (a, b) = (&codes[of_a], &codes[of_b]);
                each_match(hubs_a, hubs_b, |at, other| {
                    visit(at_a + at, at_b + other, code.decode(a[at]), code.decode(b[other]));
                });
            }
            Costs::Wide(costs) => {
                let (a, b) = (&costs[of_a], &costs[of_b]);
                each_match(hubs_a, hubs_b, |at, other| visit(at_a + at, at_b + other, a[at], b[other]));
            }
        }
    }

    /// The rank of an entry's hub.
    #[inline]
    pub(super) fn rank_at(&self, entry: usize) -> HubRank {
        self.hubs[entry]
    }

    /// The hub of an entry.
    #[inline]
    pub(crate) fn hub(&self, entry: usize) -> u32 {
        self.node(self.hubs[entry])
    }

    /// The entry of a node for the hub of a rank; `None` if it has none.
    #[inline]
    pub(crate) fn find(&self, node: u32, rank: HubRank) -> Option<usize> {
        let range = self.range(node);
        let hubs = &self.hubs[range.clone()];
        // In a short list counting takes less than to guess which half it is in.
        let place = if hubs.len() <= COUNTED {
            hubs.iter().filter(|&&hub| hub < rank).count()
        } else {
            hubs.partition_point(|&hub| hub < rank)
        };
        (hubs.get(place) == Some(&rank)).then_some(range.start + place)
    }

    /// All labels as lists that can grow, for those who change them.
    pub(super) fn to_lists(&self) -> Vec<Vec<LabelEntry>> {
        let label = |node| {
            let mut label = Vec::with_capacity(self.range(node).len());
            self.for_each(node, |rank, cost| label.push(LabelEntry { rank, cost }));
            label
        };
        (0..self.nodes() as u32).map(label).collect()
    }
}

/// Visits the places of what is in both of two lists, which ascend.
#[inline]
fn each_match(a: &[HubRank], b: &[HubRank], mut visit: impl FnMut(usize, usize)) {
    let (mut at, mut other) = (0, 0);
    while let (Some(&rank), Some(&other_rank)) = (a.get(at), b.get(other)) {
        if rank == other_rank {
            visit(at, other);
        }
        at += usize::from(rank <= other_rank);
        other += usize::from(other_rank <= rank);
    }
}

/// The place of each node in an order of all.
pub(super) fn ranks_of(order: &[u32]) -> Vec<HubRank> {
    let mut ranks = vec![HubRank::UNRANKED; order.len()];
    for (place, &node) in order.iter().enumerate() {
        ranks[node as usize] = HubRank::from_index(place);
    }
    ranks
}
