//! What the cheapest ways between beacons cost, in little room: hub labels.
//!
//! Each beacon knows what it costs to some others, its hubs, chosen so that any two beacons share one that lies on a cheapest
//! way between them. The cost between two beacons is the least sum over the hubs that both have. The labels are made by pruned
//! Dijkstra searches (Akiba, Iwata and Yoshida, "Fast exact shortest-path distance queries on large networks by pruned landmark
//! labeling", 2013), beacons that many cheapest ways lead over first.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::web::Leg;
use crate::database::parallel::in_parallel;
use crate::space::Cost;

/// How many trees of cheapest ways are looked at to see which beacons many ways lead over.
const TREES: usize = 192;

/// A hub of a beacon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HubCost {
    pub(super) rank: u32,
    /// What the cheapest way there costs.
    pub(super) cost: Cost,
    /// The place among the beacon's legs of the one that the way begins with; 0 for the hub itself.
    pub(super) leg: u32,
}

/// The labels of some beacons: for each its hubs, in order.
pub(super) fn hub_labels(legs: &[Vec<Leg>]) -> Vec<Vec<HubCost>> {
    let order = by_importance(legs);
    let mut labels: Vec<Vec<HubCost>> = vec![Vec::new(); legs.len()];
    let mut search =
        PrunedSearch { reached: vec![(Cost::MAX, 0); legs.len()], of_hub: vec![Cost::MAX; legs.len()] };
    for (rank, &hub) in (0..).zip(&order) {
        search.label(legs, &mut labels, rank, hub);
    }
    labels
}

struct PrunedSearch {
    /// What it costs from the hub at hand, and the beacon before on the way from there.
    reached: Vec<(Cost, u32)>,
    /// What it costs from the hub at hand to the hubs before it, by rank.
    of_hub: Vec<Cost>,
}

impl PrunedSearch {
    fn label(&mut self, legs: &[Vec<Leg>], labels: &mut [Vec<HubCost>], rank: u32, hub: u32) {
        for known in &labels[hub as usize] {
            self.of_hub[known.rank as usize] = known.cost;
        }
        let mut touched = Vec::from([hub]);
        self.reached[hub as usize] = (0, hub);
        let mut open = BinaryHeap::from([Reverse((0, hub))]);
        while let Some(Reverse((cost, beacon))) = open.pop() {
            let (reached, before) = self.reached[beacon as usize];
            if cost > reached {
                continue;
            }
            let label = &mut labels[beacon as usize];
            let is_known = label.iter().any(|known| {
                let over = self.of_hub[known.rank as usize].checked_add(known.cost);
                over.is_some_and(|over| over <= cost)
            });
            if is_known {
                continue;
            }
            let own_legs = &legs[beacon as usize];
            let leg = own_legs.binary_search_by_key(&before, |&(to, _)| to).unwrap_or(0) as u32;
            label.push(HubCost { rank, cost, leg });
            for &(to, leg) in own_legs {
                let reached = &mut self.reached[to as usize];
                if cost + leg < reached.0 {
                    if reached.0 == Cost::MAX {
                        touched.push(to);
                    }
                    *reached = (cost + leg, beacon);
                    open.push(Reverse((cost + leg, to)));
                }
            }
        }
        for beacon in touched {
            self.reached[beacon as usize].0 = Cost::MAX;
        }
        for known in &labels[hub as usize] {
            self.of_hub[known.rank as usize] = Cost::MAX;
        }
    }
}

/// The beacons, those first that many cheapest ways lead over which do not lead over an earlier one.
fn by_importance(legs: &[Vec<Leg>]) -> Vec<u32> {
    let step = legs.len().div_ceil(TREES).max(1);
    let roots: Vec<u32> = (0..legs.len() as u32).step_by(step).collect();
    let mut trees = in_parallel(&roots, || (), |(), &root| Tree::of_ways(legs, root));
    let ways = |trees: &[Tree], beacon: u32| {
        trees.iter().map(|tree| u64::from(tree.below[beacon as usize])).sum::<u64>()
    };
    let beacons = 0..legs.len() as u32;
    let mut queue: BinaryHeap<(u64, Reverse<u32>)> =
        beacons.map(|beacon| (ways(&trees, beacon), Reverse(beacon))).collect();
    let mut order = Vec::with_capacity(legs.len());
    while let Some((known, Reverse(beacon))) = queue.pop() {
        // Numbers only fall: one that is as it was is the highest.
        let now = ways(&trees, beacon);
        if now < known {
            queue.push((now, Reverse(beacon)));
            continue;
        }
        order.push(beacon);
        for tree in &mut trees {
            tree.cut(beacon);
        }
    }
    order
}

/// The cheapest ways from one beacon to all others.
struct Tree {
    /// The beacon before each on its way; the root's is itself.
    before: Vec<u32>,
    /// Those that come next on some way.
    after: Vec<Vec<u32>>,
    /// To how many beacons the way leads over each, itself included; none once it is cut off.
    below: Vec<u32>,
}

impl Tree {
    fn of_ways(legs: &[Vec<Leg>], root: u32) -> Self {
        let mut reached = vec![(Cost::MAX, root); legs.len()];
        reached[root as usize] = (0, root);
        let mut open = BinaryHeap::from([Reverse((0, root))]);
        let mut order = Vec::new();
        while let Some(Reverse((cost, beacon))) = open.pop() {
            if cost > reached[beacon as usize].0 {
                continue;
            }
            order.push(beacon);
            for &(to, leg) in &legs[beacon as usize] {
                if cost + leg < reached[to as usize].0 {
                    reached[to as usize] = (cost + leg, beacon);
                    open.push(Reverse((cost + leg, to)));
                }
            }
        }
        let before: Vec<u32> = reached.into_iter().map(|(_, before)| before).collect();
        let (mut below, mut after) = (vec![0; legs.len()], vec![Vec::new(); legs.len()]);
        for beacon in order.into_iter().rev() {
            below[beacon as usize] += 1;
            if beacon != root {
                let before = before[beacon as usize];
                below[before as usize] += below[beacon as usize];
                after[before as usize].push(beacon);
            }
        }
        Self { before, after, below }
    }

    /// Takes the ways over a beacon out.
    fn cut(&mut self, beacon: u32) {
        let ways = self.below[beacon as usize];
        if ways == 0 {
            return;
        }
        let mut at = beacon;
        while self.before[at as usize] != at {
            at = self.before[at as usize];
            self.below[at as usize] -= ways;
        }
        let mut cut = Vec::from([beacon]);
        while let Some(beacon) = cut.pop() {
            if self.below[beacon as usize] > 0 {
                self.below[beacon as usize] = 0;
                cut.extend(&self.after[beacon as usize]);
            }
        }
    }
}
