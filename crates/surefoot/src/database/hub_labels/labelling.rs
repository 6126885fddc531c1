//! Labels made piece by piece, in an order that is given.

use alloc::vec::Vec;

use super::graph::LegGraph;
use super::growing::GrowingLabels;
use super::labels::HubLabels;
use super::search::PrunedSearch;
use crate::space::CostModel;

/// How many nodes are looked at in one piece, at most.
pub(super) const NODES_A_PIECE: u64 = if cfg!(test) { 8 } else { 256 };

/// Labels that are made hub by hub: after map edits, a few in each frame of a game.
#[derive(Clone, Debug)]
pub(in crate::database) struct Labelling {
    order: Vec<u32>,
    hubs: GrowingLabels,
    search: PrunedSearch,
    /// Whether the last hub is not done yet.
    is_searching: bool,
}

impl Labelling {
    /// Labels of a graph whose nodes become hubs in this order, which is one of all nodes.
    pub(in crate::database) fn new(graph: &LegGraph, order: Vec<u32>) -> Self {
        debug_assert_eq!(order.len(), graph.nodes());
        let search = PrunedSearch::new(graph.nodes());
        Self { order, hubs: GrowingLabels::new(graph), search, is_searching: false }
    }

    /// Does a piece of the work. How many nodes were looked at, which are no more than [`NODES_A_PIECE`]; nothing once all is done.
    pub(in crate::database) fn work_on(&mut self) -> Option<u64> {
        if !self.is_searching {
            let &hub = self.order.get(self.hubs.order.len())?;
            self.hubs.begin(&mut self.search, hub);
        }
        let (looks, is_done) = self.hubs.go_on(&mut self.search, NODES_A_PIECE);
        self.is_searching = !is_done;
        Some(looks)
    }

    /// The labels, once all is done.
    pub(in crate::database) fn finish(self, model: CostModel) -> HubLabels {
        HubLabels::new(model, self.hubs.order, &self.hubs.labels)
    }
}
