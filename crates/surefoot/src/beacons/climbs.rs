//! What corners outside the core know: what it costs to their gates, and to corners that went after them.
//! Both are found from those of the corners that their legs lead to.

use alloc::vec;
use alloc::vec::Vec;

use super::BeaconId;
use super::sight::Sight;
use super::thinning::{CoreLeg, onwards};
use super::turns::Sectors;
use crate::hub_labels::{HubLabels, HubRank, LabelEntry, LegGraph};
use crate::space::{Cost, CostModel, sorting};

/// The node of a corner that went: it has none.
const GONE: u32 = u32::MAX;

/// The corners that are left, and those that went.
#[derive(Clone, Debug)]
pub(super) struct Core {
    /// Of corners of the core those to each other. Of others those to corners that went after them, or are
    /// left.
    pub(super) legs: Vec<Vec<CoreLeg>>,
    /// Those that went, the first one first.
    pub(super) gone: Vec<BeaconId>,
    /// Those that are left, in order.
    pub(super) corners: Vec<BeaconId>,
    /// For each corner its place among these: its node in the graph of the core.
    pub(super) numbers: Vec<u32>,
}

impl Core {
    /// What is left of corners with these legs, which are in order, when some are gone.
    pub(super) fn new(legs: Vec<Vec<CoreLeg>>, gone: Vec<BeaconId>) -> Self {
        let mut numbers = vec![0; legs.len()];
        gone.iter().for_each(|&corner| numbers[corner.index()] = GONE);
        let mut corners = Vec::with_capacity(legs.len() - gone.len());
        for (corner, number) in
            BeaconId::first(legs.len()).zip(&mut numbers).filter(|(_, number)| **number != GONE)
        {
            *number = corners.len() as u32;
            corners.push(corner);
        }
        Self { legs, gone, corners, numbers }
    }

    /// The legs of the core, whose corners are numbered anew.
    pub(super) fn graph(&self) -> LegGraph {
        let legs = |corner: BeaconId| -> Vec<(u32, Cost)> {
            let legs = &self.legs[corner.index()];
            legs.iter().map(|leg| (self.numbers[leg.end.index()], leg.cost)).collect()
        };
        LegGraph::new(self.corners.iter().map(|&corner| legs(corner)))
    }
}

/// What a corner that went knows: what it costs to another.
#[derive(Clone, Copy, Debug)]
struct Climb {
    to: LabelEntry,
    /// The first leg of the way there, by its place.
    leg: u32,
}

/// The labels of corners that went, made one after the other: the last one that went first.
#[derive(Clone, Debug)]
pub(super) struct Climbs {
    core: Core,
    /// Those of the core.
    labels: HubLabels,
    ranks: Vec<HubRank>,
    climbs: Vec<Vec<Climb>>,
    /// How many corners are still to come.
    left: usize,
    /// How many entries all labels have so far.
    entries: u64,
    /// By rank, the cheapest way from the corner at hand, and its first leg.
    best: Vec<(Cost, u32)>,
    /// By rank, the cheapest way over what it is certain to know.
    known: Vec<Cost>,
}

impl Climbs {
    pub(super) fn new(core: Core, labels: HubLabels) -> Self {
        let nodes = core.legs.len();
        let mut ranks = vec![HubRank::UNRANKED; nodes];
        for (&corner, number) in core.corners.iter().zip(0..) {
            ranks[corner.index()] = labels.rank(number);
        }
        let after_core = HubRank::from_index(core.corners.len()).onwards();
        core.gone.iter().rev().zip(after_core).for_each(|(corner, rank)| ranks[corner.index()] = rank);
        let (left, entries) = (core.gone.len(), labels.entries() as u64);
        let (best, known) = (vec![(Cost::MAX, 0); nodes], vec![Cost::MAX; nodes]);
        Self { core, labels, ranks, climbs: vec![Vec::new(); nodes], left, entries, best, known }
    }

    /// Those of all corners.
    pub(super) fn of(sight: Sight<'_>, core: Core, labels: HubLabels) -> Thinned {
        let mut climbs = Self::new(core, labels);
        while climbs.work_on(sight).is_some() {}
        climbs.finish(sight.space.costs())
    }

    /// How many corners outside the core have labels, of how many.
    pub(super) fn done(&self) -> (u64, u64) {
        let all = self.core.gone.len() as u64;
        (all - self.left as u64, all)
    }

    /// Does a piece of the work. What it took; `None` once all is done.
    pub(super) fn work_on(&mut self, sight: Sight<'_>) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let corner = self.core.gone[self.left];
        let size = self.core.corners.len() as u32;
        let (mut found, mut work) = self.reach(sight, corner);
        // Gates by what it costs to get there: the others are behind the nearest ones. Then corners where
        // ways meet that lead over no gate, those that went last first.
        sorting::sort_by_key(&mut found, |&rank| {
            if rank.is_among_first(size) { (0, self.best[rank.index()].0, rank) } else { (1, 0, rank) }
        });
        let (mut climbs, mut noted) = (Vec::new(), Vec::new());
        for &rank in &found {
            let (cost, leg) = self.best[rank.index()];
            work += 1;
            if rank.is_among_first(size) {
                let number = self.labels.node(rank);
                work += self.hubs(number);
                if self.is_known(number, cost) {
                    continue;
                }
                let known = &mut self.known;
                self.labels.for_each(number, |hub, more| {
                    let known = &mut known[hub.index()];
                    noted.push(hub);
                    *known = (cost + more).min(*known);
                });
            } else {
                let others = &self.climbs[self.corner_of(rank).index()];
                let mut is_known = |to: LabelEntry| match cost.checked_sub(to.cost) {
                    None => false,
                    Some(rest) if to.rank.is_among_first(size) => {
                        let number = self.labels.node(to.rank);
                        work += self.hubs(number);
                        self.is_known(number, rest)
                    }
                    Some(rest) => self.known[to.rank.index()] <= rest,
                };
                let is_known = others.iter().any(|climb| is_known(climb.to));
                work += others.len() as u64;
                if is_known {
                    continue;
                }
                noted.push(rank);
                self.known[rank.index()] = cost;
            }
            climbs.push(Climb { to: LabelEntry { rank, cost }, leg });
        }
        found.into_iter().for_each(|rank| self.best[rank.index()].0 = Cost::MAX);
        noted.into_iter().for_each(|rank| self.known[rank.index()] = Cost::MAX);
        sorting::sort_by_key(&mut climbs, |climb| climb.to.rank);
        self.entries += 1 + climbs.len() as u64;
        self.climbs[corner.index()] = climbs;
        Some(work)
    }

    /// Finds what a corner gets to over its legs, by rank, and what that costs. What it took comes with it.
    fn reach(&mut self, sight: Sight<'_>, corner: BeaconId) -> (Vec<HubRank>, u64) {
        let Self { core, ranks, climbs, best, .. } = self;
        let (mut found, mut work) = (Vec::new(), 0);
        let mut note = |rank: HubRank, cost: Cost, leg: u32| {
            let best = &mut best[rank.index()];
            if best.0 == Cost::MAX {
                found.push(rank);
            }
            if cost < best.0 {
                *best = (cost, leg);
            }
        };
        for (leg, place) in core.legs[corner.index()].iter().zip(0..) {
            note(ranks[leg.end.index()], leg.cost, place);
            work += 1 + climbs[leg.end.index()].len() as u64;
            if climbs[leg.end.index()].is_empty() {
                continue;
            }
            let onwards = onwards(sight, leg.end, leg.arrives);
            for climb in &climbs[leg.end.index()] {
                let next = core.legs[leg.end.index()][climb.leg as usize];
                if next.leaves & onwards != 0 {
                    note(climb.to.rank, leg.cost + climb.to.cost, place);
                }
            }
        }
        (found, work)
    }

    /// How many hubs a corner of the core has.
    fn hubs(&self, number: u32) -> u64 {
        self.labels.of(number).0.len() as u64
    }

    /// How many entries all labels have so far.
    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    /// Whether a way to a corner of the core that costs no more leads over a gate.
    fn is_known(&self, number: u32, cost: Cost) -> bool {
        let mut least = Cost::MAX;
        self.labels
            .for_each(number, |hub, more| least = least.min(self.known[hub.index()].saturating_add(more)));
        least <= cost
    }

    fn corner_of(&self, rank: HubRank) -> BeaconId {
        let Core { gone, corners, .. } = &self.core;
        gone[gone.len() - 1 - (rank.index() - corners.len())]
    }

    /// All labels and legs, once all is done.
    pub(super) fn finish(self, model: CostModel) -> Thinned {
        let Self { core, labels, ranks, climbs, .. } = self;
        let of_core = labels.order().iter().map(|&number| core.corners[number as usize]);
        let order = of_core.chain(core.gone.iter().rev().copied()).map(BeaconId::node).collect();
        let (mut lists, mut legs, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
        for (corner, climbs) in climbs.into_iter().enumerate() {
            let mut all = core.legs[corner].clone();
            let mut list: Vec<LabelEntry> = climbs.iter().map(|climb| climb.to).collect();
            if core.numbers[corner] == GONE {
                list.push(LabelEntry { rank: ranks[corner], cost: 0 });
                // Other legs lead nowhere.
                let mut is_used = vec![false; all.len()];
                climbs.iter().for_each(|climb| is_used[climb.leg as usize] = true);
                let mut is_used = is_used.into_iter();
                all.retain(|_| is_used.next() == Some(true));
            } else {
                labels.for_each(core.numbers[corner], |rank, cost| list.push(LabelEntry { rank, cost }));
            }
            lists.push(list);
            leaves.extend(all.iter().map(|leg| leg.leaves));
            legs.push(all.iter().map(|leg| (leg.end, leg.cost)).collect::<Vec<_>>());
        }
        let labels = HubLabels::new(model, order, &lists);
        Thinned { graph: LegGraph::one_way(&legs), leaves, labels, core: core.corners.len() as u32 }
    }
}

/// Labels over a core.
pub(super) struct Thinned {
    pub(super) graph: LegGraph,
    /// For each leg the sectors that it may begin with.
    pub(super) leaves: Vec<Sectors>,
    pub(super) labels: HubLabels,
    /// How many corners the core has: they come first in the order.
    pub(super) core: u32,
}
