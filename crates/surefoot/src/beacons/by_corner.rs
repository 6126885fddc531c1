//! Graphs and labels whose nodes are corners, asked by [`BeaconId`].
//!
//! `hub_labels/` numbers nodes and does not know what they are: corners, those of the core, or transit nodes.
//! Corners become nodes here, and nodes corners. Elsewhere that is done only where a whole order is handed
//! over.

use alloc::vec::Vec;

use super::BeaconId;
use super::ways::Over;
use crate::hub_labels::{Hops, HubLabels, HubRank, LegGraph, Stop};
use crate::space::Cost;

impl LegGraph {
    /// Whether it has a corner.
    #[inline]
    pub(super) fn has_corner(&self, corner: BeaconId) -> bool {
        corner.index() < self.nodes()
    }

    /// The corners that legs of a corner lead to, in order, and what they cost.
    #[inline]
    pub(super) fn legs_of_corner(&self, corner: BeaconId) -> impl Iterator<Item = (BeaconId, Cost)> {
        self.legs(corner.node()).map(|(end, cost)| (BeaconId::from_node(end), cost))
    }

    /// The same, or none if it does not have the corner.
    #[inline]
    pub(super) fn legs_if_there(&self, corner: BeaconId) -> impl Iterator<Item = (BeaconId, Cost)> {
        self.has_corner(corner).then(|| self.legs_of_corner(corner)).into_iter().flatten()
    }

    /// The number of a corner's first leg among all legs.
    #[inline]
    pub(super) fn first_leg_of_corner(&self, corner: BeaconId) -> usize {
        self.first_leg(corner.node())
    }

    /// Where the leg of a corner ends that is at a place among them.
    #[inline]
    pub(super) fn end_of_leg(&self, corner: BeaconId, place: u16) -> Option<BeaconId> {
        Some(BeaconId::from_node(self.leg(corner.node(), place)?.0))
    }
}

impl HubLabels {
    /// Whether it has labels of a corner.
    #[inline]
    pub(super) fn has_corner(&self, corner: BeaconId) -> bool {
        corner.index() < self.nodes()
    }

    /// The corners by rank, the most important first.
    pub(super) fn corners(&self) -> impl ExactSizeIterator<Item = BeaconId> + DoubleEndedIterator {
        self.order().iter().map(|&node| BeaconId::from_node(node))
    }

    /// The corner of a rank.
    #[inline]
    pub(super) fn corner(&self, rank: HubRank) -> BeaconId {
        BeaconId::from_node(self.node(rank))
    }

    /// The rank of a corner.
    #[inline]
    pub(super) fn rank_of_corner(&self, corner: BeaconId) -> HubRank {
        self.rank(corner.node())
    }

    /// The ranks of a corner's hubs, ascending.
    #[inline]
    pub(super) fn hubs_of_corner(&self, corner: BeaconId) -> &[HubRank] {
        self.of(corner.node()).0
    }

    /// The number of a corner's first entry among those of all labels.
    #[inline]
    pub(super) fn first_entry_of_corner(&self, corner: BeaconId) -> usize {
        self.first_entry(corner.node())
    }

    /// Visits a corner's hubs: their ranks, ascending, and what it costs to get there.
    #[inline]
    pub(super) fn each_hub_of_corner(&self, corner: BeaconId, visit: impl FnMut(HubRank, Cost)) {
        self.for_each(corner.node(), visit);
    }

    /// What the cheapest way between two corners costs; `None` if there is none.
    #[inline]
    pub(super) fn cost_between(&self, from: BeaconId, to: BeaconId) -> Option<Cost> {
        self.cost(from.node(), to.node())
    }

    /// The same, with a hub on that way.
    #[inline]
    pub(super) fn corner_between(&self, from: BeaconId, to: BeaconId) -> Option<(Cost, BeaconId)> {
        let (cost, entry, _) = self.meet(from.node(), to.node())?;
        Some((cost, BeaconId::from_node(self.hub(entry))))
    }

    /// The entry of a corner for the hub of a rank; `None` if it has none.
    #[inline]
    pub(super) fn entry_of_corner(&self, corner: BeaconId, rank: HubRank) -> Option<usize> {
        self.find(corner.node(), rank)
    }
}

impl Hops {
    /// Where the leg ends that a cheapest way from one corner to another begins with.
    #[inline]
    pub(super) fn next_corner(
        &self,
        (graph, labels): (&LegGraph, &HubLabels),
        from: BeaconId,
        to: BeaconId,
    ) -> Option<BeaconId> {
        let (end, _) = self.next_leg(graph, labels, from.node(), to.node())?;
        Some(BeaconId::from_node(end))
    }

    /// Fills a list with the corners of a way: up from the first one over a gate to a hub, and down from
    /// there over the other gate to the last one. The place of the hub in it; `None` if the labels know no
    /// such way.
    pub(super) fn fill_way(
        &self,
        (graph, labels): (&LegGraph, &HubLabels),
        over: Over,
        way: &mut Vec<Stop>,
    ) -> Option<usize> {
        way.clear();
        way.push(Stop::new(over.first.node()));
        for end in [over.gates[0], over.hub] {
            self.climb(graph, labels, end.node(), way)?;
        }
        let top = way.len() - 1;
        for end in [over.gates[1], over.last] {
            self.descend(graph, labels, end.node(), way)?;
        }
        Some(top)
    }
}

impl Stop {
    /// The corner.
    #[inline]
    pub(super) fn corner(self) -> BeaconId {
        BeaconId::from_node(self.node)
    }
}
