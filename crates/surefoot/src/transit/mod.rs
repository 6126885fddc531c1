//! Transit nodes: cells that most ways lead over, the legs between them, and hub labels over them. `transit*`
//! goes by them.
//!
//! Where ground has weights, or is strewn with small obstacles, cheapest paths bend nearly everywhere:
//! corners are of no use there. But whoever goes far passes one of a few places (Bast, Funke, Sanders and
//! Schultes, "Fast routing in road networks with transit nodes", 2007). These *transit nodes* are chosen from
//! a sample of ways, so that nearly all that lead out of a ball of `reach` states go over one (`choose.rs`,
//! `cover.rs`). Between nodes that are near each other there are *legs* with their moves (`legs.rs`), and
//! what the ways between any two nodes cost is known from hub labels (`hub_labels/`), in the place of a
//! table.
//!
//! A question is answered by a ball around each end (`ball.rs`), the nodes in it, and one merge of their
//! labels (`query.rs`). Where the balls meet the answer is exact; otherwise it is a way over transit nodes,
//! which seldom costs more than the cheapest one.
//!
//! - `complete.rs`: why every cell has a node within reach, and legs lead wherever the map has a way.
//! - `corners.rs`: the smaller graph that nodes are chosen on, and legs are found over, where ground has no
//!   weights. `walks.rs`: what it has in common with cells.
//! - `estimate.rs`: where this serves better than labels over all corners.
//! - `edits.rs`: maps that change. `checkpoint.rs`: what crowds save of that.
//! - `file.rs`: the file, which has nodes, legs with their moves, and the order of hubs.

mod agent;
mod answers;
mod ball;
mod build;
mod checkpoint;
mod choose;
mod complete;
mod config;
mod corners;
mod cover;
mod database;
mod edits;
mod entry;
mod file;
mod legs;
mod moves;
mod nodes;
mod query;
mod tables;
#[cfg(test)]
mod tests;
mod tuning;
mod verify;
mod walks;
mod ways;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

pub use self::agent::TransitAgent;
pub use self::build::TransitStage;
pub use self::config::TransitConfig;
pub use self::database::KIND;
use self::edits::TransitEdits;
pub use self::entry::ENTRY;
use self::legs::LegTable;
pub(crate) use self::moves::Moves;
use self::nodes::Nodes;
pub(crate) use self::query::{Route, TransitDecision};
pub use self::verify::TransitFault;
use crate::hub_labels::HubLabels;
use crate::space::{Cost, GridSpace, Heuristic as _, State, StateSpace as _};
use crate::store::container::{BuiltFor, SharedBytes};
use crate::store::pool::Pool;

pub(super) const CONTENTS: &str = "transit";
/// A move looks at so many hubs for each state that it may expand.
const HUBS_AN_EXPANSION: u64 = 16;

/// What the file of transit nodes says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransitFileInfo {
    /// The version of the format.
    pub version: u32,
    /// What it was built for.
    pub built_for: BuiltFor,
    /// What it was built from.
    pub config: TransitConfig,
    /// What there is in it.
    pub figures: TransitFigures,
    /// The bytes of the file.
    pub bytes: u64,
    /// The bytes of each section, by its tag.
    pub sections: Vec<(String, usize)>,
}

/// How much there is of everything in a database of transit nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransitFigures {
    /// How many states are looked at around either end of a way: more than the `reach` that was asked for on
    /// large maps.
    pub reach: u32,
    /// The transit nodes.
    pub nodes: u32,
    /// The legs between them.
    pub legs: u64,
    /// The moves of all legs.
    pub moves: u64,
    /// The hubs of all nodes together.
    pub hubs: u64,
    /// The most legs of a node.
    pub most_legs: u32,
    /// The most hubs of a node.
    pub most_hubs: u32,
    /// The most moves of a leg.
    pub most_moves: u32,
    /// The most that is looked up at a node, to find the next leg.
    pub next_leg: u64,
}

/// Nodes, legs and labels. They are shared by a database and its copies, and replaced as a whole.
#[derive(Debug)]
struct Network {
    nodes: Nodes,
    legs: LegTable,
    labels: HubLabels,
    figures: TransitFigures,
}

/// The transit nodes of a map, the legs between them, and what the ways between them cost.
#[derive(Clone)]
pub struct TransitDatabase {
    bytes: SharedBytes,
    config: TransitConfig,
    built_for: BuiltFor,
    network: Arc<Network>,
    /// What has happened to the map since.
    edits: Option<Box<TransitEdits>>,
    pool: Pool<TransitDecision>,
}

impl TransitDatabase {
    /// Where a node is; `None` if there is no such node.
    #[must_use]
    pub fn state(&self, node: u32) -> Option<State> {
        self.network.nodes.state(node)
    }

    /// The nodes that legs of a node lead to, and what these cost.
    pub fn legs(&self, node: u32) -> impl Iterator<Item = (u32, Cost)> {
        self.network.legs.of(node).map(|(to, cost, _)| (to, cost))
    }

    /// The hubs of a node, and what the cheapest ways over legs to them cost.
    #[must_use]
    pub fn hubs(&self, node: u32) -> Vec<(u32, Cost)> {
        let labels = &self.network.labels;
        let mut hubs = Vec::new();
        if self.has(node) {
            labels.for_each(node, |rank, cost| hubs.push((labels.node(rank), cost)));
        }
        hubs
    }

    /// Whether there is a node of this number.
    #[inline]
    pub(crate) fn has(&self, node: u32) -> bool {
        (node as usize) < self.network.nodes.len()
    }

    /// A decision to be made, with memory that was used before.
    pub(crate) fn new_decision(&self) -> Box<TransitDecision> {
        self.pool.take()
    }

    /// Takes the memory of a decision back.
    pub(crate) fn recycle(&self, decision: Box<TransitDecision>) {
        self.pool.give_back(decision);
    }

    /// The leg that the cheapest way from one node to another begins with: where it ends, and what the rest
    /// costs; its moves are put into `moves`. `rest` is what the way costs as far as is known; what is left
    /// falls with every leg. `None` if no leg leads nearer. What was looked up comes with it.
    pub(crate) fn next_leg(
        &self,
        space: &GridSpace,
        from: u32,
        to: u32,
        rest: Cost,
        moves: &mut Moves,
    ) -> (Option<(u32, Cost)>, u64) {
        let Network { nodes, legs, labels, .. } = &*self.network;
        moves.clear();
        let (Some(goal), true) = (nodes.state(to), self.has(from)) else { return (None, 0) };
        let estimates = space.octile();
        let (mut best, mut spent) = ((Cost::MAX, None), 0);
        for (end, cost, number) in legs.of(from) {
            spent += 1;
            let Some(state) = nodes.state(end).filter(|&state| space.contains(state)) else { continue };
            if cost.saturating_add(estimates.estimate(state, goal)) >= best.0 {
                continue;
            }
            spent += (labels.of(end).0.len() + labels.of(to).0.len()) as u64;
            if let Some(after) = labels.cost(end, to)
                && after < rest
                && cost + after < best.0
            {
                best = (cost + after, Some((end, after, number)));
                if cost + after <= rest {
                    break;
                }
            }
        }
        let next = best.1.map(|(end, after, number)| {
            legs.for_each_move(number, end < from, |direction| moves.push(direction));
            (end, after)
        });
        (next, spent)
    }

    /// What it was built from.
    #[must_use]
    pub fn config(&self) -> &TransitConfig {
        &self.config
    }

    /// What it was built for; of one that was [repaired](Self::repair), the map that it was built for first.
    #[must_use]
    pub fn built_for(&self) -> &BuiltFor {
        &self.built_for
    }

    /// How much there is of everything.
    #[must_use]
    pub fn figures(&self) -> TransitFigures {
        self.network.figures
    }

    /// How many hubs a move looks at for a decision, but for one label.
    pub(crate) fn hubs_a_move(&self) -> u64 {
        self.config.expansions() * HUBS_AN_EXPANSION
    }

    /// The bytes of its file; of one that was [repaired](Self::repair), those from before.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// What tells this database from others: the checksum of its file, or, once it was repaired, a number
    /// that the file and all edits make.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.edits.as_ref().map_or_else(|| self.checksum_of_file(), |edits| edits.mark())
    }

    /// The checksum of its file, which repairs do not change.
    pub(crate) fn checksum_of_file(&self) -> u64 {
        self.as_bytes().last_chunk().map_or(0, |checksum| u64::from_le_bytes(*checksum))
    }

    /// The bytes of all that agents look up in it: what is unpacked when it is opened.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let Network { nodes, legs, labels, .. } = &*self.network;
        nodes.bytes() + legs.bytes() + labels.bytes()
    }

    /// The papers' measure of size: one for each node, leg and hub.
    #[must_use]
    pub fn states(&self) -> u64 {
        let TransitFigures { nodes, legs, hubs, .. } = self.figures();
        u64::from(nodes) + legs + hubs
    }
}

impl fmt::Debug for TransitDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.as_bytes().len();
        f.debug_struct("TransitDatabase").field("config", &self.config).field("bytes", &bytes).finish()
    }
}
