//! The core: the corners that are left after all those were removed that no cheapest path between others
//! needs.
//!
//! Along a smooth wall there is a corner every few cells. Nearly all of them can go, one after the other, and
//! what the ways between the others cost stays the same. A corner can go if, wherever a path could lead from
//! one of its legs to another, a way past it costs no more. That may be a *bent leg*: one that is walked in a
//! certain order of its two runs, and not in any. So a wall that is climbed by fifty short legs becomes one
//! diagonal and one straight run. (Contraction: Geisberger, Sanders, Schultes and Delling, 2008, with bent
//! legs as the only shortcuts.)
//!
//! What is left, the core, has hub labels. A corner that went knows what it costs to its *gates*, the first
//! corners of the core on its ways, and to corners that went after it, where ways meet that lead over no
//! gate. Both are found from those of the corners that its legs lead to (`climbs.rs`).

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::BeaconId;
use super::climbs::Core;
use super::sight::Sight;
use super::tuning::{MOST_LEGS, MOST_LOOKS, ROUNDS};
use super::turns::{Sectors, sector_between};
use super::ways::{StraightRun, is_open, two_runs};
use crate::hub_labels::LegGraph;
use crate::space::{Cell, Cost, next_run, sorting};

/// A leg of a corner, straight or bent.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoreLeg {
    pub(super) end: BeaconId,
    pub(super) cost: Cost,
    /// The sectors that it may begin with.
    pub(super) leaves: Sectors,
    /// The sectors that it may end with.
    pub(super) arrives: Sectors,
}

impl CoreLeg {
    /// The way back, to the corner that it begins at.
    fn back(self, start: BeaconId) -> Self {
        // What leads one way leads back eight sectors away.
        let [leaves, arrives] = [self.arrives, self.leaves].map(|sectors| sectors.rotate_left(8));
        Self { end: start, leaves, arrives, ..self }
    }
}

/// Corners that go, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Thinning {
    pub(super) legs: Vec<Vec<CoreLeg>>,
    /// The corners, those with the fewest legs first.
    pub(super) order: Vec<BeaconId>,
    /// The place in the order of the corner at hand, and which of its legs is compared next with those after
    /// it.
    pub(super) at: (usize, usize),
    /// The bent legs that it takes for the corner at hand to go.
    pub(super) bent: Vec<(BeaconId, CoreLeg)>,
    pub(super) gone: Vec<BeaconId>,
    /// For each corner, how many corners the longest chain of legs has that leads up to it over corners that
    /// went.
    pub(super) depths: Vec<u32>,
    /// How often each has been asked whether it can go.
    pub(super) round: u32,
    /// Whether the legs of a corner are others than when it was last asked.
    pub(super) is_new: Vec<bool>,
    search: WaySearch,
}

impl Thinning {
    pub(super) fn new(sight: Sight<'_>, graph: &LegGraph) -> Self {
        let all = BeaconId::first(graph.nodes());
        let legs_of = |corner: BeaconId| {
            graph.legs_of_corner(corner).map(move |(end, cost)| {
                let [from, to] = [corner, end].map(|corner| sight.corners.cell(corner));
                let sector = 1 << sector_between(sight.space.rule(), from, to);
                CoreLeg { end, cost, leaves: sector, arrives: sector }
            })
        };
        let legs: Vec<Vec<CoreLeg>> = all.clone().map(|corner| legs_of(corner).collect()).collect();
        let mut order: Vec<BeaconId> = all.collect();
        sorting::sort_stably_by_key(&mut order, |&corner| legs[corner.index()].len());
        let found = (vec![0; legs.len()], vec![true; legs.len()]);
        Self::half_done((legs, Vec::new()), order, (0, 0), Vec::new(), found, 0)
    }

    /// One that is as far as this.
    pub(super) fn half_done(
        (legs, gone): (Vec<Vec<CoreLeg>>, Vec<BeaconId>),
        order: Vec<BeaconId>,
        at: (usize, usize),
        bent: Vec<(BeaconId, CoreLeg)>,
        (depths, is_new): (Vec<u32>, Vec<bool>),
        round: u32,
    ) -> Self {
        let search = WaySearch::new(legs.len());
        Self { legs, order, at, bent, gone, depths, round, is_new, search }
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
        let count = self.legs[corner.index()].len();
        let is_asked = self.depths[corner.index()] <= self.round && self.is_new[corner.index()];
        if nth == 0 && !(is_asked && count <= MOST_LEGS) {
            self.at = (place + 1, 0);
            return Some(1);
        }
        if nth + 1 < count {
            let (work, can_go) = self.pass_by(sight, corner, nth);
            self.at = if can_go { (place, nth + 1) } else { (place + 1, 0) };
            if !can_go {
                self.bent.clear();
                self.is_new[corner.index()] = false;
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
        self.gone.iter().for_each(|&corner| is_gone[corner.index()] = true);
        self.order.retain(|&corner| !is_gone[corner.index()]);
        sorting::sort_stably_by_key(&mut self.order, |&corner| self.legs[corner.index()].len());
        self.at = (0, 0);
        Some(1 + self.legs.len() as u64 / 16)
    }

    /// How far all rounds are, of how much; `None` except at every 1024th corner.
    pub(super) fn done(&self) -> Option<(u32, u32)> {
        let ((place, nth), (done, all)) = (self.at, self.so_far());
        (nth == 0 && place % 1024 == 1023).then_some((done as u32, all as u32))
    }

    /// How far all rounds are, of how much.
    pub(super) fn so_far(&self) -> (u64, u64) {
        let all = self.legs.len() as u64;
        (u64::from(self.round) * all + self.at.0 as u64, u64::from(ROUNDS) * all)
    }

    /// Looks for ways past a corner, from the end of one of its legs to those of the legs after it. What it
    /// took, and whether there is one wherever a path could lead over the corner.
    fn pass_by(&mut self, sight: Sight<'_>, corner: BeaconId, nth: usize) -> (u64, bool) {
        let legs = &self.legs[corner.index()];
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
            work += 1 + self.legs[from.end.index()].len() as u64 / 4;
            if self.legs[from.end.index()].iter().any(|leg| leg.end == to) {
                continue;
            }
            let Some(leg) = bent_leg(sight, from.end, to) else { return (work, false) };
            self.bent.push((from.end, leg));
        }
        (work, true)
    }

    /// A corner goes. Its legs stay: they lead up from there.
    fn leave(&mut self, corner: BeaconId) {
        for place in 0..self.legs[corner.index()].len() {
            let end = self.legs[corner.index()][place].end.index();
            self.legs[end].retain(|leg| leg.end != corner);
            self.depths[end] = self.depths[end].max(self.depths[corner.index()] + 1);
            self.is_new[end] = true;
        }
        for (start, leg) in self.bent.drain(..) {
            self.legs[start.index()].push(leg);
            self.legs[leg.end.index()].push(leg.back(start));
        }
        self.gone.push(corner);
    }

    /// What is left, once all is done.
    pub(super) fn finish(self) -> Core {
        let Self { mut legs, gone, .. } = self;
        legs.iter_mut().for_each(|legs| sorting::sort_by_key(legs, |leg| leg.end));
        Core::new(legs, gone)
    }
}

/// The sectors that a path may leave a corner by that arrived in one of some.
pub(super) fn onwards(sight: Sight<'_>, corner: BeaconId, arrivals: Sectors) -> Sectors {
    let around = sight.corners.around(corner);
    let sectors = (0..16).filter(|&sector| arrivals >> sector & 1 != 0);
    sectors.fold(0, |all, sector| all | sight.turns.onwards(around, sector))
}

/// A leg that can be walked in one order of its runs at least; `None` if there is none.
fn bent_leg(sight: Sight<'_>, from: BeaconId, to: BeaconId) -> Option<CoreLeg> {
    let [start, end] = [from, to].map(|corner| sight.corners.cell(corner));
    let (rule, cost) = (sight.space.rule(), sight.estimate(start, end));
    let sector = |from: Cell, (run, _): StraightRun| 1 << sector_between(rule, from, from.after(run, 1));
    let Some([first, second]) = two_runs(rule, start, end) else {
        let (run, moves) = next_run(rule, start, end)?;
        let leaves = sector(start, (run, moves));
        let is_open = sight.space.run(start, run, moves) == moves;
        return is_open.then_some(CoreLeg { end: to, cost, leaves, arrives: leaves });
    };
    let (mut leaves, mut arrives) = (0, 0);
    for [first, second] in [[first, second], [second, first]] {
        if is_open(sight.space, start, [first, second]) {
            leaves |= sector(start, first);
            arrives |= sector(start.after(first.0, first.1), second);
        }
    }
    (leaves != 0).then_some(CoreLeg { end: to, cost, leaves, arrives })
}

/// Looks for ways between corners near each other.
#[derive(Clone, Debug)]
struct WaySearch {
    costs: Vec<Cost>,
    touched: Vec<BeaconId>,
    open: BinaryHeap<Reverse<(Cost, BeaconId)>>,
    /// Where ways are to lead, and what they may cost. Those that are found are taken out.
    wanted: Vec<(BeaconId, Cost)>,
}

impl WaySearch {
    fn new(nodes: usize) -> Self {
        let (touched, open, wanted) = (Vec::new(), BinaryHeap::new(), Vec::new());
        Self { costs: vec![Cost::MAX; nodes], touched, open, wanted }
    }

    /// Looks for ways from a corner to all that are wanted, past another one. How many legs were looked at.
    fn look(&mut self, legs: &[Vec<CoreLeg>], from: BeaconId, past: BeaconId) -> u64 {
        let Self { costs, touched, open, wanted } = self;
        let farthest = wanted.iter().map(|&(_, cost)| cost).max().unwrap_or(0);
        costs[from.index()] = 0;
        touched.push(from);
        open.push(Reverse((0, from)));
        let mut work = 0;
        while work < MOST_LOOKS
            && !wanted.is_empty()
            && let Some(Reverse((cost, corner))) = open.pop()
        {
            if cost > costs[corner.index()] {
                continue;
            }
            wanted.retain(|&(end, most)| end != corner || cost > most);
            work += 1 + legs[corner.index()].len() as u64;
            for leg in &legs[corner.index()] {
                let (cost, known) = (cost + leg.cost, &mut costs[leg.end.index()]);
                if cost < *known && cost <= farthest && leg.end != past {
                    *known = cost;
                    touched.push(leg.end);
                    open.push(Reverse((cost, leg.end)));
                }
            }
        }
        open.clear();
        touched.drain(..).for_each(|corner| costs[corner.index()] = Cost::MAX);
        work
    }
}
