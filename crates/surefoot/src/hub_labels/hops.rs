//! The legs that ways to hubs begin and end with, so that ways are followed without a search.
//!
//! If a node has a hub, every node on the cheapest ways between the two has it, too: no node on them comes
//! before the hub in the order. So the way to a hub is found leg by leg, each from the label of the node at
//! hand.

use alloc::vec;
use alloc::vec::Vec;

use super::graph::LegGraph;
use super::labels::HubLabels;
use super::tuning::HOPS_A_PIECE;

/// No leg is known.
pub(super) const NONE: u16 = u16::MAX;

/// For each hub of each node the first leg of a cheapest way there, and the first one of the way back, by
/// their places among the legs of the node and of the hub.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hops {
    there: Vec<u16>,
    back: Vec<u16>,
}

impl Hops {
    /// Those of all labels of a graph.
    pub(crate) fn find(graph: &LegGraph, labels: &HubLabels) -> Self {
        let mut search = HopSearch::new(labels);
        while search.work_on(graph, labels).is_some() {}
        search.finish()
    }

    pub(super) fn of_parts(there: Vec<u16>, back: Vec<u16>) -> Self {
        Self { there, back }
    }

    /// The leg that a cheapest way from one node to another begins with: where it ends, and what it costs.
    /// `None` if there is no way, or if it is there.
    #[inline]
    pub(crate) fn next_leg(
        &self,
        graph: &LegGraph,
        labels: &HubLabels,
        from: u32,
        to: u32,
    ) -> Option<(u32, crate::space::Cost)> {
        let (_, of_from, of_to) = labels.meet(from, to)?;
        // Where the node is the hub itself, the other one knows how the way begins.
        let is_hub = labels.hub(of_from) == from;
        let leg = if is_hub { self.back[of_to] } else { self.there[of_from] };
        graph.leg(from, leg)
    }

    /// Goes on with a way to a hub of its last node.
    pub(crate) fn climb(
        &self,
        graph: &LegGraph,
        labels: &HubLabels,
        hub: u32,
        way: &mut Vec<Stop>,
    ) -> Option<()> {
        let rank = labels.rank(hub);
        while let Some(stop) = way.last_mut()
            && stop.node != hub
        {
            let place = self.there[labels.find(stop.node, rank)?];
            let (end, _) = graph.leg(stop.node, place)?;
            stop.leg = graph.first_leg(stop.node) as u32 + u32::from(place);
            way.push(Stop::new(end));
        }
        Some(())
    }

    /// Goes on with a way from a hub, which is its last node, to one that has it.
    pub(crate) fn descend(
        &self,
        graph: &LegGraph,
        labels: &HubLabels,
        to: u32,
        way: &mut Vec<Stop>,
    ) -> Option<()> {
        let (hub, end) = (way.last()?.node, way.len());
        if to != hub {
            // The way back, turned round. The hub is there already.
            way.push(Stop::new(to));
            self.climb(graph, labels, hub, way)?;
            way.pop();
            way[end..].reverse();
        }
        Some(())
    }

    /// The leg that the way from a node to the hub of one of its entries begins with: its place among those
    /// of the node.
    #[inline]
    pub(crate) fn there(&self, entry: usize) -> u16 {
        self.there[entry]
    }

    /// The bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.there[..]) + size_of_val(&self.back[..])
    }
}

/// A node of a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) node: u32,
    /// The leg that leads up from there, by its number among all legs: to the next node before the top of the
    /// way, to the one before behind it. At the top there is none.
    pub(crate) leg: u32,
}

impl Stop {
    pub(crate) fn new(node: u32) -> Self {
        Self { node, leg: u32::MAX }
    }
}

/// Hops that are being looked for, piece by piece.
#[derive(Clone, Debug)]
pub(crate) struct HopSearch {
    hops: Hops,
    /// The node whose hops are next, and whether it is those of the ways back.
    next: u32,
    is_back: bool,
    /// The entries of a way, while it is followed.
    trail: Vec<usize>,
}

impl HopSearch {
    pub(crate) fn new(labels: &HubLabels) -> Self {
        let none = vec![NONE; labels.entries()];
        Self { hops: Hops { there: none.clone(), back: none }, next: 0, is_back: false, trail: Vec::new() }
    }

    /// Does a piece of the work, always for the same labels and graph. About how many labels were looked at;
    /// `None` once all is done.
    pub(crate) fn work_on(&mut self, graph: &LegGraph, labels: &HubLabels) -> Option<u64> {
        let nodes = labels.nodes() as u32;
        if self.next == nodes {
            if self.is_back {
                return None;
            }
            (self.next, self.is_back) = (0, true);
        }
        let piece = self.next..nodes.min(self.next + HOPS_A_PIECE);
        self.next = piece.end;
        let mut looks = 1;
        for node in piece {
            looks += if self.is_back {
                self.find_back(graph, labels, node)
            } else {
                self.find_there(graph, labels, node)
            };
        }
        Some(looks)
    }

    /// How many nodes it was seen to, of how many, there and back.
    pub(crate) fn done(&self, labels: &HubLabels) -> (u64, u64) {
        let nodes = labels.nodes() as u64;
        (u64::from(self.next) + if self.is_back { nodes } else { 0 }, 2 * nodes)
    }

    /// All hops, once all is done.
    pub(crate) fn finish(self) -> Hops {
        self.hops
    }

    /// Finds the first legs of the ways from a node to its hubs: what is left of the way is what the leg's
    /// end knows.
    fn find_there(&mut self, graph: &LegGraph, labels: &HubLabels, node: u32) -> u64 {
        let mut looks = 0;
        for (leg, (end, cost)) in (0..NONE).zip(graph.legs(node)) {
            looks += 1;
            labels.each_match(node, end, |entry, _, of_node, of_end| {
                let hop = &mut self.hops.there[entry];
                if *hop == NONE && of_end + cost == of_node {
                    *hop = leg;
                }
            });
        }
        looks
    }

    /// Finds the first legs of the ways from a node's hubs to it: they are those to the next node on the way
    /// there.
    fn find_back(&mut self, graph: &LegGraph, labels: &HubLabels, node: u32) -> u64 {
        let mut looks = 0;
        for first in labels.range(node) {
            let (rank, hub) = (labels.rank_at(first), labels.hub(first));
            let (mut entry, mut at) = (first, node);
            self.trail.clear();
            let leg = loop {
                if self.hops.back[entry] != NONE {
                    break self.hops.back[entry];
                }
                self.trail.push(entry);
                looks += 1;
                let Some((end, _)) = graph.leg(at, self.hops.there[entry]) else { break NONE };
                if end == hub {
                    break graph
                        .place_of(hub, at)
                        .and_then(|place| u16::try_from(place).ok())
                        .unwrap_or(NONE);
                }
                let Some(next) = labels.find(end, rank) else { break NONE };
                (entry, at) = (next, end);
            };
            self.trail.iter().for_each(|&entry| self.hops.back[entry] = leg);
        }
        looks / 4
    }
}
