//! Labels made piece by piece, in an order that is given.

use alloc::vec::Vec;

use super::graph::LegGraph;
use super::growing::GrowingLabels;
use super::labels::HubLabels;
use super::search::PrunedSearch;
use crate::space::CostModel;

/// Labels that are made hub by hub: after map edits, a few in each frame of a game.
#[derive(Clone, Debug)]
pub(in crate::database) struct Labelling {
    order: Vec<u32>,
    hubs: GrowingLabels,
    search: PrunedSearch,
}

impl Labelling {
    /// Labels of a graph whose nodes become hubs in this order, which is one of all nodes.
    pub(in crate::database) fn new(graph: &LegGraph, order: Vec<u32>) -> Self {
        debug_assert_eq!(order.len(), graph.nodes());
        Self { order, hubs: GrowingLabels::new(graph), search: PrunedSearch::new(graph.nodes()) }
    }

    /// Makes the next node a hub. How many nodes were looked at, which is the work that it took; nothing once all is done.
    pub(in crate::database) fn work_on(&mut self) -> Option<u64> {
        let &hub = self.order.get(self.hubs.order.len())?;
        Some(self.hubs.add(&mut self.search, hub))
    }

    /// The labels, once all is done.
    pub(in crate::database) fn finish(self, model: CostModel) -> HubLabels {
        HubLabels::new(model, self.hubs.order, &self.hubs.labels)
    }
}
