//! The core: the corners that are left after all those were removed that no cheapest path between others needs.
//!
//! Along a smooth wall there is a corner every few cells. Nearly all of them can go, one after the other, and what the ways between the others cost stays the same. A corner can go if,
//! wherever a path could lead from one of its legs to another, a way past it costs no more. That may be a *bent leg*: one that is walked in a certain order of its two runs, and
//! not in any. So a wall that is climbed by fifty short legs becomes one diagonal and one straight run. (Contraction: Geisberger, Sanders, Schultes and Delling, 2008, with bent legs as the only shortcuts.)
//!
//! What is left, the core, has hub labels. A corner that went knows what it costs to its *gates*, the first corners of the core on its ways, and to corners that went after it,
//! where ways meet that lead over no gate. Both are found from those of the corners that its legs lead to (`Climbs`).

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::sight::Sight;
use super::turns::{Sectors, sector_between};
use super::ways::{Run, is_open, next_run, two_runs};
use crate::database::hub_labels::{Entry, HubLabels, LegGraph};
use crate::space::{Cell, Cost, CostModel};

/// How many rounds there are. In each, every corner that is left is asked whether it can go. From a corner that went, the core is at most this many legs away.
const ROUNDS: u32 = 10;
/// So many legs are looked at for other ways past a corner.
const MOST_LOOKS: u64 = 1_000;
/// A corner with more legs than this stays.
const MOST_LEGS: usize = 256;

/// A leg of a corner, straight or bent.
#[derive(Clone, Copy, Debug)]
struct Leg {
    end: u32,
    cost: Cost,
    /// The sectors that it may begin with.
    leaves: Sectors,
    /// The sectors that it may end with.
    arrives: Sectors,
}

impl Leg {
    /// The way back, to the corner that it begins at.
    fn back(self, start: u32) -> Self {
        // What leads one way leads back eight sectors away.
        let [leaves, arrives] = [self.arrives, self.leaves].map(|sectors| sectors.rotate_left(8));
        Self { end: start, leaves, arrives, ..self }
    }
}

/// Corners that go, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Thinning {
    legs: Vec<Vec<Leg>>,
    /// The corners, those with the fewest legs first.
    order: Vec<u32>,
    /// The place in the order of the corner at hand, and which of its legs is compared next with those after it.
    at: (usize, usize),
    /// The bent legs that it takes for the corner at hand to go.
    bent: Vec<(u32, Leg)>,
    gone: Vec<u32>,
    /// For each corner, how many corners the longest chain of legs has that leads up to it over corners that went.
    depths: Vec<u32>,
    /// How often each has been asked whether it can go.
    round: u32,
    /// Whether the legs of a corner are others than when it was last asked.
    is_new: Vec<bool>,
    search: WaySearch,
}

impl Thinning {
    pub(super) fn new(sight: Sight<'_>, graph: &LegGraph) -> Self {
        let nodes = graph.nodes() as u32;
        let legs_of = |corner: u32| {
            graph.legs(corner).map(move |(end, cost)| {
                let [from, to] = [corner, end].map(|corner| sight.corners.cell(corner));
                let sector = 1 << sector_between(sight.space.rule(), from, to);
                Leg { end, cost, leaves: sector, arrives: sector }
            })
        };
        let legs: Vec<Vec<Leg>> = (0..nodes).map(|corner| legs_of(corner).collect()).collect();
        let mut order: Vec<u32> = (0..nodes).collect();
        order.sort_by_key(|&corner| legs[corner as usize].len());
        let (search, depths) = (WaySearch::new(legs.len()), vec![0; legs.len()]);
        Self {
            legs,
            order,
            at: (0, 0),
            bent: Vec::new(),
            gone: Vec::new(),
            depths,
            round: 0,
            is_new: vec![true; nodes as usize],
            search,
        }
    }

    /// The core of a graph.
    pub(super) fn of(sight: Sight<'_>, graph: &LegGraph) -> Core {
        let mut thinning = Self::new(sight, graph);
        while thinning.work_on(sight).is_some() {}
        thinning.finish()
    }

    /// Does a piece of the work. What it took; `None` once all is done.
    pub(super) fn work_on(&mut self, sight: Sight<'_>) -> Option<u64> {
        let (place, nth) = self.at;
        let Some(&corner) = self.order.get(place) else { return self.begin_round() };
        let count = self.legs[corner as usize].len();
        let is_asked = self.depths[corner as usize] <= self.round && self.is_new[corner as usize];
        if nth == 0 && !(is_asked && count <= MOST_LEGS) {
            self.at = (place + 1, 0);
            return Some(1);
        }
        if nth + 1 < count {
            let (work, can_go) = self.pass_by(sight, corner, nth);
            self.at = if can_go { (place, nth + 1) } else { (place + 1, 0) };
            if !can_go {
                self.bent.clear();
                self.is_new[corner as usize] = false;
            }
            return Some(work);
        }
        self.leave(corner);
        self.at = (place + 1, 0);
        Some(1 + count as u64)
    }

    /// Those that stayed are asked once more: others have gone since.
    fn begin_round(&mut self) -> Option<u64> {
        self.round += 1;
        if self.round >= ROUNDS {
            return None;
        }
        let mut is_gone = vec![false; self.legs.len()];
        self.gone.iter().for_each(|&corner| is_gone[corner as usize] = true);
        self.order.retain(|&corner| !is_gone[corner as usize]);
        self.order.sort_by_key(|&corner| self.legs[corner as usize].len());
        self.at = (0, 0);
        Some(1 + self.legs.len() as u64 / 16)
    }

    /// How far all rounds are, of how much; `None` except at every 1024th corner.
    pub(super) fn done(&self) -> Option<(u32, u32)> {
        let (place, nth) = self.at;
        let all = self.legs.len() as u32;
        (nth == 0 && place % 1024 == 1023).then_some((self.round * all + place as u32, ROUNDS * all))
    }

    /// Looks for ways past a corner, from the end of one of its legs to those of the legs after it. What it took, and whether there is one wherever a path could lead over the corner.
    fn pass_by(&mut self, sight: Sight<'_>, corner: u32, nth: usize) -> (u64, bool) {
        let legs = &self.legs[corner as usize];
        let from = legs[nth];
        let onwards = onwards(sight, corner, from.back(corner).arrives);
        let ways = legs[nth + 1..].iter().filter(|leg| leg.leaves & onwards != 0);
        let wanted = &mut self.search.wanted;
        wanted.clear();
        wanted.extend(ways.map(|leg| (leg.end, from.cost + leg.cost)));
        if wanted.is_empty() {
            return (1, true);
        }
        let mut work = self.search.look(&self.legs, from.end, corner);
        for &(to, _) in &self.search.wanted {
            // The search may have ended before it came to a leg.
            work += 1 + self.legs[from.end as usize].len() as u64 / 4;
            if self.legs[from.end as usize].iter().any(|leg| leg.end == to) {
                continue;
            }
            let Some(leg) = bent_leg(sight, from.end, to) else { return (work, false) };
            self.bent.push((from.end, leg));
        }
        (work, true)
    }

    /// A corner goes. Its legs stay: they lead up from there.
    fn leave(&mut self, corner: u32) {
        for place in 0..self.legs[corner as usize].len() {
            let end = self.legs[corner as usize][place].end as usize;
            self.legs[end].retain(|leg| leg.end != corner);
            self.depths[end] = self.depths[end].max(self.depths[corner as usize] + 1);
            self.is_new[end] = true;
        }
        for (start, leg) in self.bent.drain(..) {
            self.legs[start as usize].push(leg);
            self.legs[leg.end as usize].push(leg.back(start));
        }
        self.gone.push(corner);
    }

    /// What is left, once all is done.
    pub(super) fn finish(self) -> Core {
        let Self { mut legs, gone, .. } = self;
        legs.iter_mut().for_each(|legs| legs.sort_unstable_by_key(|leg| leg.end));
        let mut numbers = vec![0; legs.len()];
        gone.iter().for_each(|&corner| numbers[corner as usize] = GONE);
        let mut corners = Vec::with_capacity(legs.len() - gone.len());
        for (corner, number) in (0..).zip(&mut numbers).filter(|(_, number)| **number != GONE) {
            *number = corners.len() as u32;
            corners.push(corner);
        }
        Core { legs, gone, corners, numbers }
    }
}

/// The sectors that a path may leave a corner by that arrived in one of some.
fn onwards(sight: Sight<'_>, corner: u32, arrivals: Sectors) -> Sectors {
    let around = sight.corners.around(corner);
    let sectors = (0..16).filter(|&sector| arrivals >> sector & 1 != 0);
    sectors.fold(0, |all, sector| all | sight.turns.onwards(around, sector))
}

/// A leg that can be walked in one order of its runs at least; `None` if there is none.
fn bent_leg(sight: Sight<'_>, from: u32, to: u32) -> Option<Leg> {
    let [start, end] = [from, to].map(|corner| sight.corners.cell(corner));
    let (rule, cost) = (sight.space.rule(), sight.estimate(start, end));
    let sector = |from: Cell, (run, _): Run| 1 << sector_between(rule, from, from.after(run, 1));
    let Some([first, second]) = two_runs(rule, start, end) else {
        let (run, moves) = next_run(rule, start, end)?;
        let leaves = sector(start, (run, moves));
        let is_open = sight.space.run(start, run, moves) == moves;
        return is_open.then_some(Leg { end: to, cost, leaves, arrives: leaves });
    };
    let (mut leaves, mut arrives) = (0, 0);
    for [first, second] in [[first, second], [second, first]] {
        if is_open(sight.space, start, [first, second]) {
            leaves |= sector(start, first);
            arrives |= sector(start.after(first.0, first.1), second);
        }
    }
    (leaves != 0).then_some(Leg { end: to, cost, leaves, arrives })
}

/// Looks for ways between corners near each other.
#[derive(Clone, Debug)]
struct WaySearch {
    costs: Vec<Cost>,
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<(Cost, u32)>>,
    /// Where ways are to lead, and what they may cost. Those that are found are taken out.
    wanted: Vec<(u32, Cost)>,
}

impl WaySearch {
    fn new(nodes: usize) -> Self {
        let (touched, open, wanted) = (Vec::new(), BinaryHeap::new(), Vec::new());
        Self { costs: vec![Cost::MAX; nodes], touched, open, wanted }
    }

    /// Looks for ways from a corner to all that are wanted, past another one. How many legs were looked at.
    fn look(&mut self, legs: &[Vec<Leg>], from: u32, past: u32) -> u64 {
        let Self { costs, touched, open, wanted } = self;
        let farthest = wanted.iter().map(|&(_, cost)| cost).max().unwrap_or(0);
        costs[from as usize] = 0;
        touched.push(from);
        open.push(Reverse((0, from)));
        let mut work = 0;
        while work < MOST_LOOKS
            && !wanted.is_empty()
            && let Some(Reverse((cost, corner))) = open.pop()
        {
            if cost > costs[corner as usize] {
                continue;
            }
            wanted.retain(|&(end, most)| end != corner || cost > most);
            work += 1 + legs[corner as usize].len() as u64;
            for leg in &legs[corner as usize] {
                let (cost, known) = (cost + leg.cost, &mut costs[leg.end as usize]);
                if cost < *known && cost <= farthest && leg.end != past {
                    *known = cost;
                    touched.push(leg.end);
                    open.push(Reverse((cost, leg.end)));
                }
            }
        }
        open.clear();
        touched.drain(..).for_each(|corner| costs[corner as usize] = Cost::MAX);
        work
    }
}

/// The number of a corner that went.
const GONE: u32 = u32::MAX;

/// The corners that are left, and those that went.
#[derive(Clone, Debug)]
pub(super) struct Core {
    /// Of corners of the core those to each other. Of others those to corners that went after them, or are left.
    legs: Vec<Vec<Leg>>,
    /// Those that went, the first one first.
    gone: Vec<u32>,
    /// Those that are left, in order.
    corners: Vec<u32>,
    /// For each corner its place among these.
    numbers: Vec<u32>,
}

impl Core {
    /// The legs of the core, whose corners are numbered anew.
    pub(super) fn graph(&self) -> LegGraph {
        let legs = |corner: u32| -> Vec<(u32, Cost)> {
            let legs = &self.legs[corner as usize];
            legs.iter().map(|leg| (self.numbers[leg.end as usize], leg.cost)).collect()
        };
        LegGraph::new(self.corners.iter().map(|&corner| legs(corner)))
    }
}

/// What a corner that went knows: what it costs to another.
#[derive(Clone, Copy, Debug)]
struct Climb {
    to: Entry,
    /// The first leg of the way there, by its place.
    leg: u32,
}

/// The labels of corners that went, made one after the other: the last one that went first.
#[derive(Clone, Debug)]
pub(super) struct Climbs {
    core: Core,
    /// Those of the core.
    labels: HubLabels,
    ranks: Vec<u32>,
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
        let mut ranks: Vec<u32> = vec![0; nodes];
        for (&corner, number) in core.corners.iter().zip(0..) {
            ranks[corner as usize] = labels.rank(number);
        }
        for (&corner, rank) in core.gone.iter().rev().zip(core.corners.len() as u32..) {
            ranks[corner as usize] = rank;
        }
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

    /// Does a piece of the work. What it took; `None` once all is done.
    pub(super) fn work_on(&mut self, sight: Sight<'_>) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let corner = self.core.gone[self.left] as usize;
        let size = self.core.corners.len() as u32;
        let (mut found, mut work) = self.reach(sight, corner);
        // Gates by what it costs to get there: the others are behind the nearest ones. Then corners where ways meet that lead over no gate, those that went last first.
        found.sort_unstable_by_key(|&rank| {
            if rank < size { (0, self.best[rank as usize].0, rank) } else { (1, 0, rank) }
        });
        let (mut climbs, mut noted) = (Vec::new(), Vec::new());
        for &rank in &found {
            let (cost, leg) = self.best[rank as usize];
            work += 1;
            if rank < size {
                let number = self.labels.order()[rank as usize];
                work += self.hubs(number);
                if self.is_known(number, cost) {
                    continue;
                }
                let known = &mut self.known;
                self.labels.for_each(number, |hub, more| {
                    let known = &mut known[hub as usize];
                    noted.push(hub);
                    *known = (cost + more).min(*known);
                });
            } else {
                let others = &self.climbs[self.corner_of(rank) as usize];
                let mut is_known = |to: Entry| match cost.checked_sub(to.cost) {
                    None => false,
                    Some(rest) if to.rank < size => {
                        let number = self.labels.order()[to.rank as usize];
                        work += self.hubs(number);
                        self.is_known(number, rest)
                    }
                    Some(rest) => self.known[to.rank as usize] <= rest,
                };
                let is_known = others.iter().any(|climb| is_known(climb.to));
                work += others.len() as u64;
                if is_known {
                    continue;
                }
                noted.push(rank);
                self.known[rank as usize] = cost;
            }
            climbs.push(Climb { to: Entry { rank, cost }, leg });
        }
        found.into_iter().for_each(|rank| self.best[rank as usize].0 = Cost::MAX);
        noted.into_iter().for_each(|rank| self.known[rank as usize] = Cost::MAX);
        climbs.sort_unstable_by_key(|climb| climb.to.rank);
        self.entries += 1 + climbs.len() as u64;
        self.climbs[corner] = climbs;
        Some(work)
    }

    /// Finds what a corner gets to over its legs, by rank, and what that costs. What it took comes with it.
    fn reach(&mut self, sight: Sight<'_>, corner: usize) -> (Vec<u32>, u64) {
        let Self { core, ranks, climbs, best, .. } = self;
        let (mut found, mut work) = (Vec::new(), 0);
        let mut note = |rank: u32, cost: Cost, leg: u32| {
            let best = &mut best[rank as usize];
            if best.0 == Cost::MAX {
                found.push(rank);
            }
            if cost < best.0 {
                *best = (cost, leg);
            }
        };
        for (leg, place) in core.legs[corner].iter().zip(0..) {
            note(ranks[leg.end as usize], leg.cost, place);
            work += 1 + climbs[leg.end as usize].len() as u64;
            if climbs[leg.end as usize].is_empty() {
                continue;
            }
            let onwards = onwards(sight, leg.end, leg.arrives);
            for climb in &climbs[leg.end as usize] {
                let next = core.legs[leg.end as usize][climb.leg as usize];
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
            .for_each(number, |hub, more| least = least.min(self.known[hub as usize].saturating_add(more)));
        least <= cost
    }

    fn corner_of(&self, rank: u32) -> u32 {
        let Core { gone, corners, .. } = &self.core;
        gone[gone.len() - 1 - (rank as usize - corners.len())]
    }

    /// All labels and legs, once all is done.
    pub(super) fn finish(self, model: CostModel) -> Thinned {
        let Self { core, labels, ranks, climbs, .. } = self;
        let of_core = labels.order().iter().map(|&number| core.corners[number as usize]);
        let order: Vec<u32> = of_core.chain(core.gone.iter().rev().copied()).collect();
        let (mut lists, mut legs, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
        for (corner, climbs) in climbs.into_iter().enumerate() {
            let mut all = core.legs[corner].clone();
            let mut list: Vec<Entry> = climbs.iter().map(|climb| climb.to).collect();
            if core.numbers[corner] == GONE {
                list.push(Entry { rank: ranks[corner], cost: 0 });
                // Other legs lead nowhere.
                let mut is_used = vec![false; all.len()];
                climbs.iter().for_each(|climb| is_used[climb.leg as usize] = true);
                let mut is_used = is_used.into_iter();
                all.retain(|_| is_used.next() == Some(true));
            } else {
                labels.for_each(core.numbers[corner], |rank, cost| list.push(Entry { rank, cost }));
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
