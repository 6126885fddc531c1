//! Finished labels, as they are read.

use alloc::vec;
use alloc::vec::Vec;

use super::costs::{CostSlice, Costs};
use super::search::Entry;
use crate::space::{Cost, CostModel};

/// For each node some others, its hubs, and what it costs to get there: any two nodes with a way between them share a hub
/// on a cheapest one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::database) struct HubLabels {
    /// The nodes, the most important first.
    order: Vec<u32>,
    /// The place of each node in the order.
    ranks: Vec<u32>,
    /// Where the label of each node begins, and where that of the last one ends.
    starts: Vec<u32>,
    /// The ranks of hubs, ascending in each label; the last one is the node itself.
    hubs: Vec<u32>,
    costs: Costs,
}

impl HubLabels {
    /// The labels of all nodes, one after the other.
    pub(super) fn new(model: CostModel, order: Vec<u32>, labels: &[Vec<Entry>]) -> Self {
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

    /// How many nodes there are.
    #[inline]
    pub(in crate::database) fn nodes(&self) -> usize {
        self.ranks.len()
    }

    /// How many entries all labels have.
    pub(in crate::database) fn entries(&self) -> usize {
        self.hubs.len()
    }

    /// The bytes in memory.
    pub(in crate::database) fn bytes(&self) -> usize {
        let of_costs = match &self.costs {
            Costs::Narrow { codes, .. } => size_of_val(&codes[..]),
            Costs::Wide(costs) => size_of_val(&costs[..]),
        };
        (self.order.len() + self.ranks.len() + self.starts.len() + self.hubs.len()) * 4 + of_costs
    }

    /// The nodes by rank, the most important first.
    pub(in crate::database) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The rank of a node.
    #[inline]
    pub(in crate::database) fn rank(&self, node: u32) -> u32 {
        self.ranks[node as usize]
    }

    /// What the entries of all labels cost, one label after the other.
    pub(in crate::database) fn costs(&self) -> &Costs {
        &self.costs
    }

    #[inline]
    fn range(&self, node: u32) -> core::ops::Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }

    /// The ranks of a node's hubs, ascending, and what it costs to get there.
    #[inline]
    pub(in crate::database) fn of(&self, node: u32) -> (&[u32], CostSlice<'_>) {
        let range = self.range(node);
        (&self.hubs[range.clone()], self.costs.slice(range))
    }

    /// Visits a node's hubs: their ranks, ascending, and what it costs to get there.
    #[inline]
    pub(in crate::database) fn for_each(&self, node: u32, mut visit: impl FnMut(u32, Cost)) {
        let (hubs, costs) = self.of(node);
        match costs {
            CostSlice::Narrow { codes, code } => {
                hubs.iter().zip(codes).for_each(|(&hub, &coded)| visit(hub, code.decode(coded)));
            }
            CostSlice::Wide(costs) => hubs.iter().zip(costs).for_each(|(&hub, &cost)| visit(hub, cost)),
        }
    }

    /// What the cheapest way between two nodes costs; nothing if there is none.
    #[inline]
    pub(in crate::database) fn cost(&self, a: u32, b: u32) -> Option<Cost> {
        let (of_a, of_b) = (self.range(a), self.range(b));
        let (hubs_a, hubs_b) = (&self.hubs[of_a.clone()], &self.hubs[of_b.clone()]);
        match &self.costs {
            Costs::Narrow { codes, code } => {
                let (a, b) = (&codes[of_a], &codes[of_b]);
                least_sum(hubs_a, hubs_b, |at, other| code.decode(a[at]) + code.decode(b[other]))
            }
            Costs::Wide(costs) => {
                let (a, b) = (&costs[of_a], &costs[of_b]);
                least_sum(hubs_a, hubs_b, |at, other| a[at] + b[other])
            }
        }
    }

    /// All labels as lists that can grow, for those who change them.
    pub(super) fn to_lists(&self) -> Vec<Vec<Entry>> {
        let label = |node| {
            let mut label = Vec::with_capacity(self.range(node).len());
            self.for_each(node, |rank, cost| label.push(Entry { rank, cost }));
            label
        };
        (0..self.nodes() as u32).map(label).collect()
    }
}

/// The least sum of costs over hubs that both have.
#[inline]
fn least_sum(hubs_a: &[u32], hubs_b: &[u32], sum: impl Fn(usize, usize) -> Cost) -> Option<Cost> {
    let (mut at, mut other) = (0, 0);
    let mut best = Cost::MAX;
    while let (Some(&rank), Some(&other_rank)) = (hubs_a.get(at), hubs_b.get(other)) {
        if rank == other_rank {
            best = best.min(sum(at, other));
        }
        at += usize::from(rank <= other_rank);
        other += usize::from(other_rank <= rank);
    }
    (best != Cost::MAX).then_some(best)
}

/// The place of each node in an order of all.
pub(super) fn ranks_of(order: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; order.len()];
    for (rank, &node) in (0..).zip(order) {
        ranks[node as usize] = rank;
    }
    ranks
}
