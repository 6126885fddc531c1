//! Legs and labels as bytes that are read without any search: those of a graph that was edited.
//!
//! Of a label's entry it is written which hub it is, and by which leg the way there begins. What the way
//! costs is that leg and what its end knows of the hub: so no bytes make a way cheaper than its legs, and
//! whoever follows hops gets to the hub.

use alloc::vec;
use alloc::vec::Vec;

use super::costs::Costs;
use super::graph::LegGraph;
use super::hops::{Hops, NONE};
use super::labels::{HubLabels, ranks_of};
use super::rank::HubRank;
use crate::space::{Cost, CostModel};
use crate::store::codec::{CodecError, Reader, put_number};

/// No way costs more than this, on any map. Eight of them can be added up.
pub(crate) const MOST_COST: Cost = 1 << 61;

/// Whether ways could cost too much, where the longest legs of nodes cost this. No way leads over a node
/// twice.
pub(crate) fn are_too_long(longest: &[Cost]) -> bool {
    longest.iter().try_fold(0, |sum: Cost, &cost| sum.checked_add(cost)).is_none_or(|sum| sum > MOST_COST)
}

impl LegGraph {
    /// Writes where legs lead. Those that lead both ways are written once.
    pub(crate) fn save(&self, is_one_way: bool, out: &mut Vec<u8>) {
        put_number(out, self.nodes() as u64);
        for node in 0..self.nodes() as u32 {
            let ends = || self.legs(node).map(|leg| leg.0).filter(|&end| is_one_way || end > node);
            put_number(out, ends().count() as u64);
            let mut next = if is_one_way { 0 } else { node + 1 };
            for end in ends() {
                put_number(out, u64::from(end - next));
                next = end + 1;
            }
        }
    }

    /// Reads what was written, for no more than so many nodes. `cost` is what a leg between two costs.
    pub(crate) fn resumed(
        reader: &mut Reader<'_>,
        most_nodes: usize,
        is_one_way: bool,
        cost: impl Fn(u32, u32) -> Cost,
    ) -> Result<Self, CodecError> {
        let nodes = reader.number_up_to(most_nodes as u64, "there are not so many nodes")? as u32;
        let (mut legs, mut starts) = (Vec::new(), vec![0_u32; nodes as usize + 1]);
        for node in 0..nodes {
            let mut next = if is_one_way { 0 } else { u64::from(node) + 1 };
            for _ in 0..reader.count(1)? {
                let end = next.saturating_add(reader.number()?);
                if end >= u64::from(nodes) || end == u64::from(node) || legs.len() > (u32::MAX / 2) as usize {
                    return Err(reader.malformed("a leg leads to no node"));
                }
                legs.push((node, end as u32));
                starts[node as usize + 1] += 1;
                starts[end as usize + 1] += u32::from(!is_one_way);
                next = end + 1;
            }
        }
        for node in 0..nodes as usize {
            starts[node + 1] += starts[node];
        }
        let count = starts[nodes as usize] as usize;
        let mut graph = Self::with_room(starts, count);
        let (mut filled, mut longest) = (graph.starts().to_vec(), vec![0; nodes as usize]);
        // Those from lower nodes come first, in order.
        for (from, to) in legs {
            let cost = cost(from, to);
            if !(1..MOST_COST).contains(&cost) {
                return Err(reader.malformed("a leg costs nothing, or too much"));
            }
            for (from, to) in [(from, to), (to, from)].into_iter().take(if is_one_way { 1 } else { 2 }) {
                graph.put(filled[from as usize] as usize, to, cost);
                filled[from as usize] += 1;
                longest[from as usize] = cost.max(longest[from as usize]);
            }
        }
        if are_too_long(&longest) {
            return Err(reader.malformed("legs are too long"));
        }
        Ok(graph)
    }
}

impl HubLabels {
    /// Writes labels with the hops over a graph. What it costs to hubs for which there is no hop is written,
    /// too.
    pub(crate) fn save(&self, hops: Option<&Hops>, out: &mut Vec<u8>) {
        self.order().iter().for_each(|&node| put_number(out, u64::from(node)));
        for node in 0..self.nodes() as u32 {
            let mut entry = self.first_entry(node);
            put_number(out, self.of(node).0.len() as u64 - 1);
            let (own, mut next) = (self.rank(node), 0);
            self.for_each(node, |rank, cost| {
                if rank != own {
                    let hop = hops.map_or(NONE, |hops| hops.there(entry)).wrapping_add(1);
                    put_number(out, u64::from(rank.key() - next));
                    put_number(out, u64::from(hop));
                    if hop == 0 {
                        put_number(out, cost);
                    }
                    next = rank.key() + 1;
                }
                entry += 1;
            });
        }
    }

    /// Reads what was written for the same graph.
    pub(crate) fn resumed(
        reader: &mut Reader<'_>,
        graph: &LegGraph,
        model: CostModel,
    ) -> Result<(Self, Hops), CodecError> {
        let nodes = graph.nodes();
        let mut is_there = vec![false; nodes];
        let mut order = Vec::with_capacity(nodes);
        for _ in 0..nodes {
            let node = reader.number()?;
            match is_there.get_mut(node as usize) {
                Some(is_there) if !*is_there => *is_there = true,
                _ => return Err(reader.malformed("this is no order of the nodes")),
            }
            order.push(node as u32);
        }
        let ranks = ranks_of(&order);
        let (mut starts, mut hubs) = (Vec::with_capacity(nodes + 1), Vec::new());
        let (mut there, mut costs) = (Vec::new(), Vec::new());
        starts.push(0);
        for (node, &own) in (0..).zip(&ranks) {
            let legs = graph.legs(node).len() as u64;
            let mut next = 0;
            for _ in 0..reader.count(2)? {
                let rank = reader.number_up_to(u64::from(u32::MAX), "there is no such hub")? + next;
                let hop = reader.number_up_to(legs.min(u64::from(NONE)), "there is no such leg")? as u16;
                if rank >= u64::from(own.key()) {
                    return Err(reader.malformed("a hub comes before the node"));
                }
                next = rank + 1;
                hubs.push(HubRank::from_index(rank as usize));
                there.push(hop.wrapping_sub(1));
                let is_known = hop == 0;
                costs.push(if is_known {
                    reader.number_up_to(MOST_COST, "no way costs so much")?
                } else {
                    UNKNOWN
                });
            }
            hubs.push(own);
            there.push(NONE);
            costs.push(0);
            if hubs.len() > u32::MAX as usize {
                return Err(reader.malformed("there are too many hubs"));
            }
            starts.push(hubs.len() as u32);
        }
        let mut found = Self::of_parts(order, ranks, starts, hubs, Costs::new(model, costs.len()));
        let back =
            found.follow(graph, &there, &mut costs).ok_or_else(|| reader.malformed("a hop leads nowhere"))?;
        costs.into_iter().for_each(|cost| found.push_cost(cost));
        Ok((found, Hops::of_parts(there, back)))
    }

    /// Finds what ways to hubs cost, from their first legs; and the first legs of the ways back. `None` if a
    /// way does not get there.
    fn follow(&self, graph: &LegGraph, there: &[u16], costs: &mut [Cost]) -> Option<Vec<u16>> {
        let mut back = vec![NONE; there.len()];
        let mut trail: Vec<(usize, u32, Cost)> = Vec::new();
        for node in 0..self.nodes() as u32 {
            for first in self.range(node) {
                let (rank, hub) = (self.rank_at(first), self.hub(first));
                let (mut entry, mut at) = (first, node);
                // Up to where it is known what is left of the way.
                while costs[entry] == UNKNOWN {
                    let (end, cost) = graph.leg(at, there[entry])?;
                    costs[entry] = FOLLOWED;
                    trail.push((entry, at, cost));
                    (entry, at) = (self.find(end, rank)?, end);
                }
                let mut known = Some(costs[entry]).filter(|&cost| cost <= MOST_COST)?;
                for (before, from, leg) in trail.drain(..).rev() {
                    known = known.checked_add(leg).filter(|&cost| cost <= MOST_COST)?;
                    costs[before] = known;
                    back[before] = if at == hub {
                        let place = graph.place_of(hub, from).and_then(|place| u16::try_from(place).ok());
                        place.unwrap_or(NONE)
                    } else {
                        back[entry]
                    };
                    (entry, at) = (before, from);
                }
            }
        }
        Some(back)
    }
}

/// What a way costs is still to be found.
const UNKNOWN: Cost = Cost::MAX;
/// It is being followed: whoever comes back to it goes round in a circle.
const FOLLOWED: Cost = Cost::MAX - 1;
