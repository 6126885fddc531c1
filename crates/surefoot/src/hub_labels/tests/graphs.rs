//! Random graphs, and what ways cost in them by Dijkstra's algorithm.

use alloc::collections::{BTreeMap, BinaryHeap};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use proptest::prelude::*;

use crate::hub_labels::LegGraph;
use crate::space::{Cost, CostModel};

/// Legs between two nodes each, by straight and diagonal moves.
pub(super) type Legs = BTreeMap<(u32, u32), (u64, u64)>;

pub(super) fn graph(nodes: u32, legs: &Legs, model: CostModel) -> LegGraph {
    let mut lists = vec![Vec::new(); nodes as usize];
    for (&(a, b), &(straight, diagonal)) in legs {
        let cost = model.of_steps(straight, diagonal);
        lists[a as usize].push((b, cost));
        lists[b as usize].push((a, cost));
    }
    lists.iter_mut().for_each(|list| list.sort_unstable());
    LegGraph::new(lists)
}

/// How many nodes, and legs between some of them: in several components, and with many ways of the same cost.
pub(super) fn sparse_legs(most: u32) -> impl Strategy<Value = (u32, Legs)> {
    (0..=most).prop_flat_map(|nodes| {
        let leg = (0..nodes.max(1), 0..nodes.max(1), 0..4_u64, 0..4_u64);
        prop::collection::vec(leg, 0..=2 * nodes as usize).prop_map(move |legs| {
            let legs = legs.into_iter().filter(|leg| leg.0 != leg.1);
            let leg = |(a, b, straight, diagonal): (u32, u32, u64, u64)| {
                ((a.min(b), a.max(b)), (straight + u64::from(diagonal == 0), diagonal))
            };
            (nodes, legs.map(leg).collect())
        })
    })
}

pub(super) fn models() -> impl Strategy<Value = CostModel> {
    prop::sample::select(&CostModel::ALL[..])
}

/// What it costs from a node to each.
pub(super) fn costs_from(graph: &LegGraph, node: u32) -> Vec<Option<Cost>> {
    let mut costs = vec![None; graph.nodes()];
    let mut open = BinaryHeap::from([Reverse((0, node))]);
    while let Some(Reverse((cost, node))) = open.pop() {
        if costs[node as usize].is_none() {
            costs[node as usize] = Some(cost);
            open.extend(graph.legs(node).map(|(end, leg)| Reverse((cost + leg, end))));
        }
    }
    costs
}
