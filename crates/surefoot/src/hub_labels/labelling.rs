//! Labels made piece by piece, in an order of their own.

use alloc::vec::Vec;

use super::build::Sampler;
use super::graph::LegGraph;
use super::growing::GrowingLabels;
use super::labels::HubLabels;
use super::search::PrunedSearch;
use crate::space::CostModel;

/// How many nodes are looked at in one piece, at most.
pub(super) const NODES_A_PIECE: u64 = if cfg!(test) { 8 } else { 256 };

/// Labels that are made hub by hub: after map edits, a few in each frame of a game.
#[derive(Clone, Debug)]
pub(crate) struct Labelling {
    /// What tells which node is the next hub.
    pub(super) sampler: Sampler,
    pub(super) hubs: GrowingLabels,
    search: PrunedSearch,
    /// Whether the last hub is not done yet.
    is_searching: bool,
}

impl Labelling {
    /// Labels of a graph: those that [`HubLabels::build`] makes.
    pub(crate) fn new(graph: &LegGraph) -> Self {
        let nodes = graph.nodes();
        Self {
            sampler: Sampler::in_pieces(nodes),
            hubs: GrowingLabels::new(graph),
            search: PrunedSearch::new(nodes),
            is_searching: false,
        }
    }

    /// Whether no hub is being searched from, and no trees are made.
    pub(crate) fn is_between_hubs(&self) -> bool {
        !self.is_searching && !self.sampler.is_refilled()
    }

    /// Does a piece of the work. About how many nodes were looked at, which are hardly more than
    /// [`NODES_A_PIECE`], but for a sixteenth of the sample now and then; nothing once all is done.
    pub(crate) fn work_on(&mut self) -> Option<u64> {
        let mut work = 0;
        if !self.is_searching {
            if self.hubs.order.len() == self.hubs.ranks.len() {
                return None;
            }
            let (hub, sampled) = self.sampler.next_in_pieces(&self.hubs, NODES_A_PIECE);
            let Some(hub) = hub else { return Some(sampled) };
            work = sampled;
            self.hubs.begin(&mut self.search, hub);
        }
        let (looks, is_done) = self.hubs.go_on(&mut self.search, NODES_A_PIECE);
        self.is_searching = !is_done;
        Some(work + looks)
    }

    /// How many hubs all nodes have so far.
    pub(crate) fn entries(&self) -> u64 {
        self.hubs.entries
    }

    /// How many nodes are hubs, of how many.
    pub(crate) fn done(&self) -> (u64, u64) {
        (self.hubs.order.len() as u64, self.hubs.ranks.len() as u64)
    }

    /// The labels, once all is done.
    pub(crate) fn finish(self, model: CostModel) -> HubLabels {
        HubLabels::new(model, self.hubs.order, &self.hubs.labels)
    }
}
