//! Labels brought up to date after legs were taken away, added or changed: only hubs that are affected are
//! labelled again.
//!
//! Nodes keep their ranks, and new ones come last. Hubs are looked at by rank: those before are up to date. A
//! hub's search would find what it found before if all of this holds:
//!
//! - the hub's own label is as it was;
//! - no leg between two nodes that have the hub was lost, or became dearer, that was on a cheapest way from
//!   it;
//! - no leg between two nodes that have the hub makes a way cheaper;
//! - no node that has the hub is covered by the hubs before, and each neighbour of such a node that has not
//!   still is.
//!
//! For then all that have it are reached at the same costs, and the search ends at the same nodes. Only nodes
//! with changed labels or legs have to be looked at for the last. If something does not hold, the search is
//! made again. So the labels are the very ones that are made anew in this order.

use alloc::vec;
use alloc::vec::Vec;

use super::graph::LegGraph;
use super::labelling::NODES_A_PIECE;
use super::labels::{HubLabels, ranks_of};
use super::rank::HubRank;
use super::search::{HubCosts, LabelEntry, PrunedSearch};
use super::tuning::{LABELS_A_PIECE, PREPARED_A_PIECE};
use crate::space::{Cost, CostModel};

/// Labels that are being brought up to date, piece by piece.
#[derive(Clone, Debug)]
pub(crate) struct LabelUpdate {
    order: Vec<u32>,
    ranks: Vec<HubRank>,
    labels: Vec<Vec<LabelEntry>>,
    hubs: Vec<Hub>,
    /// How many labels were copied, for how many nodes the legs were compared, and how many hubs are up to
    /// date.
    copied: usize,
    compared: usize,
    done: usize,
    search: PrunedSearch,
    of_hub: HubCosts,
    /// What a search found, by node; kept between searches, so that only what was set is reset.
    found_cost: Vec<Cost>,
    found: Vec<(u32, Cost)>,
    /// Nodes in whose labels the last hub has changed, as far as it is not known yet which other hubs that
    /// may affect.
    changed: Vec<(u32, Change)>,
    /// Whether the last hub is being searched from.
    is_searching: bool,
    relabelled: usize,
}

/// What has become of a hub in a label.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// It is farther than it was, or not there any more.
    Farther,
    /// It is nearer than it was, or new.
    Nearer,
}

/// What is known of a hub.
#[derive(Clone, Debug, Default)]
struct Hub {
    /// The nodes that have it.
    nodes: Vec<u32>,
    /// Nodes whose labels or legs have changed, and that have the hub or are next to one that has.
    suspects: Vec<u32>,
    is_affected: bool,
}

/// What the label of a node says of a hub.
fn entry(label: &[LabelEntry], rank: HubRank) -> Result<usize, usize> {
    label.binary_search_by_key(&rank, |entry| entry.rank)
}

fn cost_of(label: &[LabelEntry], rank: HubRank) -> Option<Cost> {
    entry(label, rank).ok().map(|place| label[place].cost)
}

impl LabelUpdate {
    /// Begins to bring the labels of a graph up to date for another, which may have more nodes.
    pub(crate) fn new(labels: &HubLabels, after: &LegGraph) -> Self {
        let nodes = after.nodes();
        let mut order = labels.order().to_vec();
        order.extend(labels.nodes() as u32..nodes as u32);
        let mut hubs = vec![Hub::default(); nodes];
        hubs[labels.nodes()..].iter_mut().for_each(|hub| hub.is_affected = true);
        Self {
            ranks: ranks_of(&order),
            order,
            labels: vec![Vec::new(); nodes],
            hubs,
            copied: 0,
            compared: 0,
            done: 0,
            search: PrunedSearch::new(nodes),
            of_hub: HubCosts::new(nodes),
            found_cost: vec![Cost::MAX; nodes],
            found: Vec::new(),
            changed: Vec::new(),
            is_searching: false,
            relabelled: 0,
        }
    }

    /// Does a piece of the work, always for the same labels and graphs. About how many nodes were looked at;
    /// nothing once all is done.
    pub(crate) fn work_on(&mut self, labels: &HubLabels, before: &LegGraph, after: &LegGraph) -> Option<u64> {
        if self.copied < labels.nodes() {
            let end = labels.nodes().min(self.copied + PREPARED_A_PIECE);
            (self.copied..end).for_each(|node| self.copy(labels, node as u32));
            let looks = end - self.copied;
            self.copied = end;
            return Some(looks as u64);
        }
        if self.compared < before.nodes() {
            let end = before.nodes().min(self.compared + PREPARED_A_PIECE);
            (self.compared..end).for_each(|node| self.compare(before, after, node as u32));
            let looks = end - self.compared;
            self.compared = end;
            return Some(looks as u64);
        }
        if self.is_searching {
            return Some(self.go_on(after));
        }
        if !self.changed.is_empty() {
            return Some(self.spread(after));
        }
        while let Some(hub) = self.hubs.get_mut(self.done) {
            let rank = HubRank::from_index(self.done);
            self.done += 1;
            let suspects = core::mem::take(&mut hub.suspects);
            if !hub.is_affected && suspects.is_empty() {
                continue;
            }
            let mut looks = suspects.len() as u64;
            if hub.is_affected || self.is_any_wrong(after, rank, &suspects) {
                self.begin(rank);
                looks += self.go_on(after);
            }
            return Some(looks);
        }
        None
    }

    /// Once legs were compared, and before hubs are looked at: how many entries the labels have of hubs that
    /// are known to be affected. To search from these again takes about as much.
    pub(crate) fn affected(&self, before: &LegGraph) -> Option<u64> {
        let is_compared = self.compared == before.nodes() && self.done == 0;
        let of_hub = |hub: &Hub| if hub.is_affected { hub.nodes.len() as u64 } else { 0 };
        is_compared.then(|| self.hubs.iter().map(of_hub).sum())
    }

    /// How many hubs were labelled again so far.
    pub(crate) fn relabelled(&self) -> usize {
        self.relabelled
    }

    /// The labels, once all is done.
    pub(crate) fn finish(self, model: CostModel) -> HubLabels {
        HubLabels::new(model, self.order, &self.labels)
    }

    fn copy(&mut self, labels: &HubLabels, node: u32) {
        let label = &mut self.labels[node as usize];
        label.reserve(labels.of(node).0.len());
        labels.for_each(node, |rank, cost| {
            label.push(LabelEntry { rank, cost });
            self.hubs[rank.index()].nodes.push(node);
        });
    }

    /// Finds the legs of a node that have changed, and the hubs that this may affect.
    fn compare(&mut self, before: &LegGraph, after: &LegGraph, node: u32) {
        for (end, cost) in before.legs(node) {
            if after.leg_cost(node, end).is_none_or(|now| now > cost) {
                self.lose(node, end, cost);
            }
        }
        for (end, cost) in after.legs(node) {
            let is_old = before.nodes() > end as usize;
            let known = if is_old { before.leg_cost(node, end) } else { None };
            if known.is_none_or(|known| known > cost) {
                self.gain(node, end, cost);
            }
        }
    }

    /// A leg is lost or dearer: hubs are affected that have a cheapest way over it.
    fn lose(&mut self, from: u32, to: u32, leg: Cost) {
        for &LabelEntry { rank, cost } in &self.labels[from as usize] {
            if cost_of(&self.labels[to as usize], rank) == Some(cost + leg) {
                self.hubs[rank.index()].is_affected = true;
            }
        }
    }

    /// A leg is new or cheaper: hubs are affected if it is a shorter way to a node, or one to a node that
    /// then has to have the hub.
    fn gain(&mut self, from: u32, to: u32, leg: Cost) {
        for &LabelEntry { rank, cost } in &self.labels[from as usize] {
            if self.ranks[to as usize] <= rank {
                continue;
            }
            let hub = &mut self.hubs[rank.index()];
            match cost_of(&self.labels[to as usize], rank) {
                Some(known) => hub.is_affected |= cost + leg < known,
                None => hub.suspects.push(to),
            }
        }
    }

    /// Whether any of these nodes has the hub and should not, or should and has not.
    fn is_any_wrong(&mut self, after: &LegGraph, rank: HubRank, suspects: &[u32]) -> bool {
        let own = &self.labels[self.order[rank.index()] as usize];
        // The last one is itself.
        let own = &own[..own.len() - 1];
        self.of_hub.set(own);
        let is_wrong = suspects.iter().any(|&node| {
            let label = &self.labels[node as usize];
            if let Some(cost) = cost_of(label, rank) {
                return self.of_hub.cover(label, cost);
            }
            let reached = after
                .legs(node)
                .filter_map(|(end, leg)| Some(cost_of(&self.labels[end as usize], rank)? + leg))
                .min();
            reached.is_some_and(|cost| !self.of_hub.cover(label, cost))
        });
        self.of_hub.reset(own);
        is_wrong
    }

    /// Begins to make the search from a hub again.
    fn begin(&mut self, rank: HubRank) {
        self.relabelled += 1;
        self.is_searching = true;
        let hub = self.order[rank.index()];
        // Without its own entry it does not know what it was the hub of.
        self.labels[hub as usize].retain(|entry| entry.rank != rank);
        self.found.clear();
        self.search.begin(&self.labels, hub);
    }

    /// Goes on with the search from the last hub. How many nodes were looked at.
    fn go_on(&mut self, after: &LegGraph) -> u64 {
        let rank = HubRank::from_index(self.done - 1);
        let Self { search, found, labels, ranks, .. } = self;
        let visit = |node, _, cost| found.push((node, cost));
        let looks = search.go_on(after, labels, (ranks, rank), NODES_A_PIECE, visit);
        if search.is_done() {
            search.end(labels, self.order[rank.index()]);
            self.is_searching = false;
            self.relabel(rank);
        }
        looks
    }

    /// Puts what the search from a hub has found into the labels.
    fn relabel(&mut self, rank: HubRank) {
        let hub = self.order[rank.index()];
        for &(node, cost) in &self.found {
            self.found_cost[node as usize] = cost;
        }
        let nodes = self.found.iter().map(|&(node, _)| node).collect();
        let before = core::mem::replace(&mut self.hubs[rank.index()].nodes, nodes);
        for node in before {
            if node != hub && self.found_cost[node as usize] == Cost::MAX {
                self.labels[node as usize].retain(|entry| entry.rank != rank);
                self.changed.push((node, Change::Farther));
            }
        }
        for &(node, cost) in &self.found {
            let label = &mut self.labels[node as usize];
            let known = match entry(label, rank) {
                Ok(place) => core::mem::replace(&mut label[place].cost, cost),
                Err(place) => {
                    label.insert(place, LabelEntry { rank, cost });
                    Cost::MAX
                }
            };
            if node != hub && known != cost {
                let change = if known < cost { Change::Farther } else { Change::Nearer };
                self.changed.push((node, change));
            }
        }
        if self.changed.is_empty() {
            self.forget_found();
        }
    }

    /// Finds out which hubs may be affected by some of the labels that have changed. About how many nodes
    /// were looked at.
    fn spread(&mut self, after: &LegGraph) -> u64 {
        let rank = HubRank::from_index(self.done - 1);
        let mut looks = 0;
        while looks < LABELS_A_PIECE
            && let Some((node, change)) = self.changed.pop()
        {
            self.hubs[self.ranks[node as usize].index()].is_affected = true;
            let mut suspect_in = |other: u32| {
                looks += 1;
                let label = &self.labels[other as usize];
                suspect(&mut self.hubs, &self.order, &self.found_cost, rank, node, label);
            };
            match change {
                // The node may now have hubs that its neighbours have.
                Change::Farther => after.legs(node).for_each(|(end, _)| suspect_in(end)),
                // It may now be covered for its other hubs.
                Change::Nearer => suspect_in(node),
            }
        }
        if self.changed.is_empty() {
            self.forget_found();
        }
        looks
    }

    fn forget_found(&mut self) {
        for &(node, _) in &self.found {
            self.found_cost[node as usize] = Cost::MAX;
        }
    }
}

/// Makes a node a suspect for hubs of a label that come after a rank and have the hub of that rank
/// themselves.
fn suspect(
    hubs: &mut [Hub],
    order: &[u32],
    found_cost: &[Cost],
    rank: HubRank,
    node: u32,
    label: &[LabelEntry],
) {
    for other in label.iter().rev().take_while(|other| other.rank > rank) {
        let hub = &mut hubs[other.rank.index()];
        // Whether the hub's own label is another now is looked at elsewhere.
        let is_known = hub.is_affected || hub.suspects.last() == Some(&node);
        if !is_known && found_cost[order[other.rank.index()] as usize] != Cost::MAX {
            hub.suspects.push(node);
        }
    }
}
