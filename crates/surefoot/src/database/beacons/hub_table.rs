//! What it costs from an end of a way to hubs, while a decision is made.

use alloc::vec::Vec;

use crate::space::Cost;

/// For each hub, or gate, the cheapest way there from one end.
#[derive(Clone, Debug, Default)]
pub(super) struct HubTable {
    round: u32,
    entries: Vec<HubEntry>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HubEntry {
    /// It means something in this round only.
    round: u32,
    /// The first corner of the way.
    pub(super) corner: u32,
    /// Its gate.
    pub(super) gate: u32,
    pub(super) cost: Cost,
}

impl HubTable {
    /// Forgets all, and makes room for so many hubs.
    pub(super) fn begin(&mut self, hubs: usize) {
        if self.entries.len() < hubs {
            self.entries.resize(hubs, HubEntry::default());
        }
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.entries.fill(HubEntry::default());
            self.round = 1;
        }
    }

    /// Notes a way to a hub over a corner and its gate. Whether it is the cheapest so far.
    #[inline]
    pub(super) fn note(&mut self, hub: u32, (corner, gate): (u32, u32), cost: Cost) -> bool {
        let round = self.round;
        let entry = &mut self.entries[hub as usize];
        let is_better = entry.round != round || cost < entry.cost;
        if is_better {
            *entry = HubEntry { round, corner, gate, cost };
        }
        is_better
    }

    /// The cheapest way to a hub; `None` if none is known.
    #[inline]
    pub(super) fn get(&self, hub: u32) -> Option<HubEntry> {
        Some(self.entries[hub as usize]).filter(|entry| entry.round == self.round)
    }
}
