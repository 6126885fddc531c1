//! The hubs of beacons as agents look them up: what a way between two beacons costs, and which leg it begins with.

use alloc::vec;
use alloc::vec::Vec;

use super::hubs::HubCost;
use super::lists::Lists;
use super::web;

/// The highest cost of a way to a hub: what three bytes hold.
pub(super) const MOST_UNITS: u32 = (1 << 24) - 1;
/// In place of a leg whose place a byte does not hold.
pub(super) const UNKNOWN_LEG: u8 = u8::MAX;

/// The hubs of the beacons of the trunk.
#[derive(Clone, Debug)]
pub(super) struct Hubs {
    /// Their ranks, in order.
    pub(super) ranks: Lists<u16>,
    /// For each what the way there costs, in units.
    pub(super) costs: Vec<[u8; 3]>,
    /// For each the place among the beacon's legs of the one that the way there begins with.
    pub(super) legs: Vec<u8>,
}

impl Hubs {
    /// The hubs of beacons with these legs, whose costs are counted in units.
    pub(super) fn of(labels: &[Vec<HubCost>], legs: &[Vec<web::Leg>]) -> Self {
        let mut hubs = Self { ranks: Lists::new(), costs: Vec::new(), legs: Vec::new() };
        for (label, legs) in labels.iter().zip(legs) {
            for hub in label {
                let cost = u32::try_from(hub.cost).unwrap_or(MOST_UNITS).min(MOST_UNITS);
                let leg = legs.binary_search_by_key(&hub.next, |&(to, _)| to).unwrap_or(0);
                hubs.put(hub.rank, cost, leg as u32);
            }
            hubs.ranks.end_list();
        }
        hubs
    }

    pub(super) fn put(&mut self, rank: u32, cost: u32, leg: u32) {
        let [low, middle, high, _] = cost.to_le_bytes();
        self.ranks.items.push(rank as u16);
        self.costs.push([low, middle, high]);
        self.legs.push(u8::try_from(leg).unwrap_or(UNKNOWN_LEG));
    }

    #[inline]
    pub(super) fn cost(&self, at: usize) -> u32 {
        let [low, middle, high] = self.costs[at];
        u32::from_le_bytes([low, middle, high, 0])
    }

    pub(super) fn set_cost(&mut self, at: usize, cost: u32) {
        let [low, middle, high, _] = cost.to_le_bytes();
        self.costs[at] = [low, middle, high];
    }

    /// Where a beacon's hub of some rank is.
    pub(super) fn place(&self, beacon: u32, rank: u16) -> Option<usize> {
        let place = self.ranks.of(beacon).binary_search(&rank).ok()?;
        Some(self.ranks.starts[beacon as usize] as usize + place)
    }

    /// The cost of the cheapest way between two beacons of the trunk, and where their common hub is in the lists.
    #[inline]
    pub(super) fn best(&self, a: u32, b: u32) -> Option<(u32, usize, usize)> {
        let ranks = &self.ranks;
        let (of_a, of_b) = (ranks.of(a), ranks.of(b));
        let (first_a, first_b) = (ranks.starts[a as usize] as usize, ranks.starts[b as usize] as usize);
        let (mut at, mut other) = (0, 0);
        let mut best = (u32::MAX, 0, 0);
        while let (Some(&rank), Some(&other_rank)) = (of_a.get(at), of_b.get(other)) {
            if rank == other_rank {
                let cost = self.cost(first_a + at) + self.cost(first_b + other);
                if cost < best.0 {
                    best = (cost, first_a + at, first_b + other);
                }
            }
            at += usize::from(rank <= other_rank);
            other += usize::from(other_rank <= rank);
        }
        (best.0 != u32::MAX).then_some(best)
    }
}

/// What ways cost from any beacons of the trunk to a certain one: its hubs, where each is found by its rank at once.
pub(crate) struct CostsTo<'a> {
    hubs: &'a Hubs,
    /// A hash table of ranks and costs, at most an eighth full, with [`EMPTY`] slots.
    slots: Vec<(u16, u32)>,
}

/// The cost in an empty slot.
const EMPTY: u32 = u32::MAX;

impl<'a> CostsTo<'a> {
    pub(super) fn new(hubs: &'a Hubs, beacon: u32) -> Self {
        let (ranks, first) = (hubs.ranks.of(beacon), hubs.ranks.starts[beacon as usize] as usize);
        let slots = vec![(0, EMPTY); (ranks.len() * 8).next_power_of_two()];
        let mut costs = Self { hubs, slots };
        for (number, &rank) in ranks.iter().enumerate() {
            let slot = costs.slot(rank);
            costs.slots[slot] = (rank, hubs.cost(first + number));
        }
        costs
    }

    /// Where a rank is, or would be.
    #[inline]
    fn slot(&self, rank: u16) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = usize::from(rank) & mask;
        while self.slots[slot].1 != EMPTY && self.slots[slot].0 != rank {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// What the cheapest way from a beacon of the trunk costs, in units; nothing if there is none.
    #[inline]
    pub(crate) fn from(&self, beacon: u32) -> Option<u32> {
        let first = self.hubs.ranks.starts[beacon as usize] as usize;
        let mut best = u32::MAX;
        for (number, &rank) in self.hubs.ranks.of(beacon).iter().enumerate() {
            let (_, cost) = self.slots[self.slot(rank)];
            if cost != EMPTY {
                best = best.min(cost + self.hubs.cost(first + number));
            }
        }
        (best != u32::MAX).then_some(best)
    }
}
