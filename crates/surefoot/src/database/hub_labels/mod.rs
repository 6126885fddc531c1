//! What the cheapest ways between the nodes of a graph cost, in little room: hub labels.
//!
//! Each node knows what it costs to some others, its hubs, chosen so that any two nodes share one that lies on a cheapest way
//! between them. The cost between two nodes is the least sum over the hubs that both have. Labels are made by pruned searches
//! (Akiba, Iwata and Yoshida, "Fast exact shortest-path distance queries on large networks by pruned landmark labeling",
//! 2013), from the most important node to the least. Important are nodes that many cheapest ways lead over which no earlier one is on,
//! as seen from a sample of trees of cheapest ways (Delling, Goldberg, Pajor and Werneck, "Robust distance queries on massive
//! networks", 2014).
//!
//! With a given order there is exactly one such set of labels, however it is made: a node has a hub if, on all the cheapest
//! ways between the two, no node comes before the hub in the order.

mod build;
mod costs;
mod file;
mod graph;
mod growing;
mod hops;
mod labelling;
mod labels;
mod live_legs;
mod sample;
mod search;
#[cfg(test)]
mod tests;
mod update;

pub(in crate::database) use build::LabelProgress;
pub(in crate::database) use costs::{CostCode, CostSlice, Costs};
pub(in crate::database) use file::write_order;
pub(in crate::database) use graph::LegGraph;
pub(in crate::database) use hops::{HopSearch, Hops};
pub(in crate::database) use labelling::Labelling;
pub(in crate::database) use labels::HubLabels;
pub(in crate::database) use search::Entry;
pub(in crate::database) use update::LabelUpdate;
