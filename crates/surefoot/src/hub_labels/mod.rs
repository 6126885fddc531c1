//! What the cheapest ways between the nodes of a graph cost, in little room: hub labels.
//!
//! Each node knows what it costs to some others, its hubs, chosen so that any two nodes share one that lies
//! on a cheapest way between them. The cost between two nodes is the least sum over the hubs that both have.
//! Labels are made by pruned searches (Akiba, Iwata and Yoshida, "Fast exact shortest-path distance queries
//! on large networks by pruned landmark labeling", 2013), from the most important node to the least.
//! Important are nodes that many cheapest ways lead over which no earlier one is on, as seen from a sample of
//! trees of cheapest ways (Delling, Goldberg, Pajor and Werneck, "Robust distance queries on massive
//! networks", 2014).
//!
//! With a given order there is exactly one such set of labels, however it is made: a node has a hub if, on
//! all the cheapest ways between the two, no node comes before the hub in the order.
//!
//! A node is a plain `u32` here, from 0 on: beacons label corners and the corners of a core, transit labels
//! its nodes, and each has a name of its own for them. Beacons turn theirs into nodes and back in one place
//! (`beacons/by_corner.rs`). The rank of a node is a [`HubRank`]: it is another number of the same node, and
//! the two must not be taken for each other. [`HubLabels::rank`] and [`HubLabels::node`] lead from one to the
//! other.

mod build;
mod checkpoint;
mod costs;
mod file;
mod graph;
mod growing;
mod half_labels;
mod hops;
mod labelling;
mod labels;
mod live_legs;
mod rank;
mod sample;
mod search;
#[cfg(test)]
mod tests;
mod tuning;
mod update;

pub(crate) use build::LabelProgress;
pub(crate) use checkpoint::{MOST_COST, are_too_long};
pub(crate) use costs::{CostCode, CostSlice, Costs};
pub(crate) use file::write_order;
pub(crate) use graph::LegGraph;
pub(crate) use hops::{HopSearch, Hops, Stop};
pub(crate) use labelling::Labelling;
pub(crate) use labels::HubLabels;
pub(crate) use rank::HubRank;
pub(crate) use search::LabelEntry;
pub(crate) use update::LabelUpdate;
