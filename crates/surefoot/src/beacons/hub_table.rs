//! What it costs from an end of a way to hubs, while a decision is made.

use alloc::vec::Vec;

use super::BeaconId;
use crate::hub_labels::HubRank;
use crate::space::Cost;

/// For each hub, or gate, the cheapest way there from one end.
#[derive(Clone, Debug, Default)]
pub(super) struct HubTable {
    round: u32,
    entries: Vec<HubEntry>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct HubEntry {
    /// It means something in this round only.
    round: u32,
    /// The first corner of the way.
    pub(super) corner: BeaconId,
    /// Its gate.
    pub(super) gate: BeaconId,
    pub(super) cost: Cost,
}

impl HubEntry {
    /// No way is known.
    const NONE: Self = Self { round: 0, corner: BeaconId::NONE, gate: BeaconId::NONE, cost: 0 };
}

impl HubTable {
    /// Forgets all, and makes room for so many hubs.
    pub(super) fn begin(&mut self, hubs: usize) {
        if self.entries.len() < hubs {
            self.entries.resize(hubs, HubEntry::NONE);
        }
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.entries.fill(HubEntry::NONE);
            self.round = 1;
        }
    }

    /// Notes a way to a hub over a corner and its gate. Whether it is the cheapest so far.
    #[inline(always)]
    pub(super) fn note(&mut self, hub: HubRank, (corner, gate): (BeaconId, BeaconId), cost: Cost) -> bool {
        let round = self.round;
        let entry = &mut self.entries[hub.index()];
        let is_better = entry.round != round || cost < entry.cost;
        if is_better {
            *entry = HubEntry { round, corner, gate, cost };
        }
        is_better
    }

    /// The cheapest way to a hub; `None` if none is known.
    #[inline(always)]
    pub(super) fn get(&self, hub: HubRank) -> Option<HubEntry> {
        Some(self.entries[hub.index()]).filter(|entry| entry.round == self.round)
    }
}
