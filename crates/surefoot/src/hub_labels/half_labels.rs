//! Labels that are being made, as bytes: what crowds save of them.
//!
//! Between two hubs all follows from the order so far, the labels so far and the trees of the sample: how
//! many ways lead over a node is counted anew.

use alloc::vec;
use alloc::vec::Vec;

use super::checkpoint::MOST_COST;
use super::graph::LegGraph;
use super::labelling::Labelling;
use super::rank::HubRank;
use super::search::LabelEntry;
use crate::store::codec::{CodecError, Reader, put_number};

impl Labelling {
    /// About how much is copied with it.
    pub(crate) fn size(&self) -> u64 {
        self.hubs.entries + self.sampler.sample.ways as u64
    }

    /// Writes how far it is. It [is between two hubs](Self::is_between_hubs).
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        put_number(out, self.hubs.order.len() as u64);
        self.hubs.order.iter().for_each(|&hub| put_number(out, u64::from(hub)));
        for label in &self.hubs.labels {
            put_number(out, label.len() as u64);
            let mut next = 0;
            for entry in label {
                put_number(out, u64::from(entry.rank.key() - next));
                put_number(out, entry.cost);
                next = entry.rank.key() + 1;
            }
        }
        put_number(out, self.sampler.roots as u64);
        self.sampler.sample.save(out);
    }

    /// Reads what was written for the same graph.
    pub(crate) fn resumed(reader: &mut Reader<'_>, graph: &LegGraph) -> Result<Self, CodecError> {
        let mut resumed = Self::new(graph);
        let nodes = graph.nodes();
        for _ in 0..reader.count(1)? {
            let hub = reader.number()?;
            if hub >= nodes as u64 || resumed.hubs.ranks[hub as usize] != HubRank::UNRANKED {
                return Err(reader.malformed("there is no such node, or it is a hub already"));
            }
            resumed.hubs.ranks[hub as usize] = HubRank::from_index(resumed.hubs.order.len());
            resumed.hubs.order.push(hub as u32);
            resumed.hubs.legs.take_out(hub as u32);
        }
        let hubs = resumed.hubs.order.len() as u64;
        for node in 0..nodes {
            let own = resumed.hubs.ranks[node];
            let mut label = Vec::new();
            let mut next = 0;
            for _ in 0..reader.count(2)? {
                let rank = reader.number_up_to(hubs, "there is no such hub")? + next;
                let cost = reader.number_up_to(MOST_COST, "no way costs so much")?;
                next = rank + 1;
                let rank = HubRank::from_index(rank as usize);
                // A hub is its own last one; no other is where it is.
                if next > hubs || rank > own || (rank == own) != (cost == 0) {
                    return Err(reader.malformed("this is no label"));
                }
                label.push(LabelEntry { rank, cost });
            }
            let is_hub = own != HubRank::UNRANKED;
            if is_hub && label.last().is_none_or(|entry| entry.rank != own) {
                return Err(reader.malformed("a hub lacks itself"));
            }
            resumed.hubs.entries += label.len() as u64;
            resumed.hubs.labels[node] = label;
        }
        resumed.sampler.roots = reader.number_up_to(nodes as u64, "there are fewer roots")? as usize;
        resumed.sampler.sample.resume(reader, nodes)?;
        resumed.sampler.sample.count(&resumed.hubs.ranks);
        Ok(resumed)
    }
}

/// The sizes of trees whose nodes come before all that lies behind them, given the place before each. `None`
/// if they are none.
pub(super) fn sizes_of(before: &[u32]) -> Option<Vec<u32>> {
    let mut sizes = vec![1; before.len()];
    // The places from a root to the node at hand.
    let mut way: Vec<u32> = Vec::new();
    for (place, &before) in (0..).zip(before) {
        while let Some(&last) = way.last()
            && last != before
        {
            way.pop();
        }
        if way.is_empty() && before != place {
            return None;
        }
        way.push(place);
    }
    for (place, &before) in before.iter().enumerate().rev() {
        if before as usize != place {
            sizes[before as usize] += sizes[place];
        }
    }
    Some(sizes)
}
