//! What ways between regions cost: found when a cover is opened, for agents that choose by it.

use alloc::vec;
use alloc::vec::Vec;

use super::CoverDatabase;
use crate::space::Cost;

/// Regions around each one that are remembered.
const AROUND: usize = 8;

/// Costs are counted in parts of a straight move, so many at most: they have 32 bits.
const PARTS: u64 = 256;

#[derive(Clone, Debug)]
pub(super) struct WayCosts {
    /// For each region large ones with the cheapest paths from it, and where these begin, and one more.
    around: Vec<u32>,
    around_starts: Vec<u32>,
    /// For each region and each of its component the cost of the chain of paths, rounded up, and where each region's begin.
    chains: Vec<u32>,
    rows: Vec<usize>,
    /// What these costs are counted in.
    unit: Cost,
}

impl WayCosts {
    /// Takes the cost of each link of a cover whose chains all end, and how many states each region has.
    pub(super) fn new(
        cover: &CoverDatabase,
        link_costs: &[Cost],
        sizes: &[u64],
        straight_move: Cost,
    ) -> Self {
        let unit = (straight_move / PARTS).max(1);
        // Nooks behind jagged walls are regions, too, but no way leads better over their middles.
        let is_small = |region: u32| cover.config.partition.is_small(sizes[region as usize]);
        let mut costs = Self {
            around: Vec::new(),
            around_starts: Vec::from([0]),
            chains: Vec::new(),
            rows: Vec::with_capacity(cover.regions.len()),
            unit,
        };
        let mut links: Vec<(bool, Cost, u32)> = Vec::new();
        let mut length = 0;
        for region in &cover.regions {
            let own = region.first_link as usize..(region.first_link + region.links) as usize;
            links.clear();
            links.extend(own.map(|link| {
                let to = cover.links[link];
                (is_small(to), link_costs[link], to)
            }));
            links.sort_unstable();
            costs.around.extend(links.iter().take(AROUND).map(|&(.., to)| to));
            costs.around_starts.push(costs.around.len() as u32);
            costs.rows.push(length);
            length += (region.component.1 - region.component.0) as usize;
        }
        costs.chains = vec![u32::MAX; length];
        let mut chain = Vec::new();
        for (goal, region) in (0..).zip(&cover.regions) {
            let (first, after) = region.component;
            let at = |from: u32| costs.rows[from as usize] + (goal - first) as usize;
            costs.chains[at(goal)] = 0;
            for from in first..after {
                // Up to where the rest is known, and back.
                let mut here = from;
                while costs.chains[at(here)] == u32::MAX {
                    let Some(link) = cover.next_link(here, goal) else { break };
                    chain.push((here, link));
                    here = cover.links[link as usize];
                }
                let mut rest = costs.chains[at(here)];
                for (region, link) in chain.drain(..).rev() {
                    let parts = link_costs[link as usize].div_ceil(unit);
                    rest = rest.saturating_add(u32::try_from(parts).unwrap_or(u32::MAX)).min(u32::MAX - 1);
                    costs.chains[at(region)] = rest;
                }
            }
        }
        costs
    }

    #[inline]
    pub(super) fn around(&self, region: u32) -> &[u32] {
        let region = region as usize;
        &self.around[self.around_starts[region] as usize..self.around_starts[region + 1] as usize]
    }

    /// The cost of the chain to the region at a place in the component.
    #[inline]
    pub(super) fn of_chain(&self, from: u32, place: u32) -> Cost {
        let parts = self.chains[self.rows[from as usize] + place as usize];
        Cost::from(parts).saturating_mul(self.unit)
    }
}
