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
const TREES: usize = 64;

/// The labels of some beacons: for each its hubs, in order, each with the cost.
pub(super) fn hub_labels(legs: &[Vec<Leg>]) -> Vec<Vec<(u32, Cost)>> {
    let order = by_importance(legs);
    let mut labels: Vec<Vec<(u32, Cost)>> = vec![Vec::new(); legs.len()];
    let mut search =
        PrunedSearch { reached: vec![Cost::MAX; legs.len()], of_hub: vec![Cost::MAX; legs.len()] };
    for (rank, &hub) in (0..).zip(&order) {
        search.label(legs, &mut labels, rank, hub);
    }
    labels
}

struct PrunedSearch {
    reached: Vec<Cost>,
    /// What it costs from the hub at hand to the hubs before it, by rank.
    of_hub: Vec<Cost>,
}

impl PrunedSearch {
    fn label(&mut self, legs: &[Vec<Leg>], labels: &mut [Vec<(u32, Cost)>], rank: u32, hub: u32) {
        for &(rank, cost) in &labels[hub as usize] {
            self.of_hub[rank as usize] = cost;
        }
        let mut touched = Vec::from([hub]);
        self.reached[hub as usize] = 0;
        let mut open = BinaryHeap::from([Reverse((0, hub))]);
        while let Some(Reverse((cost, beacon))) = open.pop() {
            if cost > self.reached[beacon as usize] {
                continue;
            }
            let label = &mut labels[beacon as usize];
            let is_known = label.iter().any(|&(rank, known)| {
                self.of_hub[rank as usize].checked_add(known).is_some_and(|known| known <= cost)
            });
            if is_known {
                continue;
            }
            label.push((rank, cost));
            for &(to, leg) in &legs[beacon as usize] {
                let reached = &mut self.reached[to as usize];
                if cost + leg < *reached {
                    if *reached == Cost::MAX {
                        touched.push(to);
                    }
                    *reached = cost + leg;
                    open.push(Reverse((cost + leg, to)));
                }
            }
        }
        for beacon in touched {
            self.reached[beacon as usize] = Cost::MAX;
        }
        for &(rank, _) in &labels[hub as usize] {
            self.of_hub[rank as usize] = Cost::MAX;
        }
    }
}

/// The beacons, those first that many cheapest ways lead over.
fn by_importance(legs: &[Vec<Leg>]) -> Vec<u32> {
    let step = legs.len().div_ceil(TREES).max(1);
    let roots: Vec<u32> = (0..legs.len() as u32).step_by(step).collect();
    let below = in_parallel(&roots, || (), |(), &root| ways_over(legs, root));
    let mut order: Vec<(Reverse<u64>, u32)> = (0..legs.len())
        .map(|beacon| (Reverse(below.iter().map(|below| u64::from(below[beacon])).sum()), beacon as u32))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, beacon)| beacon).collect()
}

/// For each beacon to how many others the cheapest way from a root leads over it.
fn ways_over(legs: &[Vec<Leg>], root: u32) -> Vec<u32> {
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
            if (cost + leg, beacon) < reached[to as usize] {
                if cost + leg < reached[to as usize].0 {
                    open.push(Reverse((cost + leg, to)));
                }
                reached[to as usize] = (cost + leg, beacon);
            }
        }
    }
    let mut below = vec![0; legs.len()];
    for beacon in order.into_iter().rev() {
        below[beacon as usize] += 1;
        if beacon != root {
            below[reached[beacon as usize].1 as usize] += below[beacon as usize];
        }
    }
    below
}
