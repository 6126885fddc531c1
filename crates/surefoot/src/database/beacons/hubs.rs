//! What the cheapest ways between beacons cost, in little room: hub labels.
//!
//! Each beacon knows what it costs to some others, its hubs, chosen so that any two beacons share one that lies on a cheapest
//! way between them. The cost between two beacons is the least sum over the hubs that both have. The labels are made by pruned
//! Dijkstra searches (Akiba, Iwata and Yoshida, "Fast exact shortest-path distance queries on large networks by pruned landmark
//! labeling", 2013), beacons first that many cheapest ways lead over which no earlier one is on. How many that are is seen from a
//! sample of trees of cheapest ways; as hubs cut the trees down others are added, which hold only ways that are not covered yet
//! (Delling, Goldberg, Pajor and Werneck, "Robust distance queries on massive networks", 2014).

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::web::Leg;
use crate::database::parallel::in_parallel;
use crate::space::Cost;

/// How many whole trees there are at first. Later there are more, of as many ways together.
const TREES: usize = 48;
/// How many trees are made at once, on all cores.
const TREES_AT_ONCE: usize = 64;

/// A hub of a beacon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HubCost {
    pub(super) rank: u32,
    /// What the cheapest way there costs.
    pub(super) cost: Cost,
    /// The next beacon on that way, which has this hub, too; the hub itself for the hub.
    pub(super) next: u32,
}

/// The labels of some beacons: for each its hubs, in order.
pub(super) fn hub_labels(legs: &[Vec<Leg>]) -> Vec<Vec<HubCost>> {
    let mut labels: Vec<Vec<HubCost>> = vec![Vec::new(); legs.len()];
    let mut sample = Sample::new(legs.len());
    let mut search = PrunedSearch::new(legs.len());
    let mut queue = BinaryHeap::new();
    let mut rank = 0;
    while (rank as usize) < legs.len() {
        if sample.refill(legs, &labels) {
            let counts = (0..).zip(&sample.counts).filter(|&(beacon, _)| !sample.is_chosen[beacon as usize]);
            queue = counts.map(|(beacon, &count)| (count, Reverse(beacon))).collect();
        }
        let Some((known, Reverse(beacon))) = queue.pop() else { break };
        // Numbers only fall until the sample is refilled: one that is as it was is the highest.
        let now = sample.counts[beacon as usize];
        if now < known {
            queue.push((now, Reverse(beacon)));
            continue;
        }
        search.label(legs, &mut labels, rank, beacon);
        sample.choose(beacon);
        rank += 1;
    }
    labels
}

/// A search from one beacon that goes no farther where a hub already lies on a cheapest way.
struct PrunedSearch {
    /// What it costs from the beacon at hand, and the one before on the way from there.
    reached: Vec<(Cost, u32)>,
    /// What it costs from the beacon at hand to its hubs, by rank.
    of_hub: Vec<Cost>,
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<(Cost, u32)>>,
}

impl PrunedSearch {
    fn new(beacons: usize) -> Self {
        Self {
            reached: vec![(Cost::MAX, 0); beacons],
            of_hub: vec![Cost::MAX; beacons],
            touched: Vec::new(),
            open: BinaryHeap::new(),
        }
    }

    /// Makes a beacon the hub of a rank for all whose ways to it no earlier hub is on.
    fn label(&mut self, legs: &[Vec<Leg>], labels: &mut [Vec<HubCost>], rank: u32, hub: u32) {
        let mut found = Vec::new();
        self.each_uncovered(legs, labels, hub, |beacon, next, cost| {
            found.push((beacon, HubCost { rank, cost, next }));
        });
        for (beacon, hub) in found {
            labels[beacon as usize].push(hub);
        }
    }

    /// Visits the beacons whose ways from a root lead over none of its hubs, each after the one before it on the way, which is the root itself
    /// for the root.
    fn each_uncovered(
        &mut self,
        legs: &[Vec<Leg>],
        labels: &[Vec<HubCost>],
        root: u32,
        mut visit: impl FnMut(u32, u32, Cost),
    ) {
        for known in &labels[root as usize] {
            self.of_hub[known.rank as usize] = known.cost;
        }
        self.touched.push(root);
        self.reached[root as usize] = (0, root);
        self.open.push(Reverse((0, root)));
        while let Some(Reverse((cost, beacon))) = self.open.pop() {
            let (reached, before) = self.reached[beacon as usize];
            if cost > reached {
                continue;
            }
            let is_covered = labels[beacon as usize].iter().any(|known| {
                let over = self.of_hub[known.rank as usize].checked_add(known.cost);
                over.is_some_and(|over| over <= cost)
            });
            if is_covered {
                continue;
            }
            visit(beacon, before, cost);
            for &(to, leg) in &legs[beacon as usize] {
                let reached = &mut self.reached[to as usize];
                if cost + leg < reached.0 {
                    if reached.0 == Cost::MAX {
                        self.touched.push(to);
                    }
                    *reached = (cost + leg, beacon);
                    self.open.push(Reverse((cost + leg, to)));
                }
            }
        }
        for beacon in self.touched.drain(..) {
            self.reached[beacon as usize].0 = Cost::MAX;
        }
        for known in &labels[root as usize] {
            self.of_hub[known.rank as usize] = Cost::MAX;
        }
    }
}

/// Some trees of cheapest ways, less what lies behind the hubs that were chosen.
struct Sample {
    trees: Vec<Tree>,
    /// For each beacon how many ways of all trees lead over it.
    counts: Vec<u64>,
    is_chosen: Vec<bool>,
    /// How many ways there are in all trees.
    ways: usize,
    /// How many beacons have been the root of a tree.
    roots: usize,
}

impl Sample {
    fn new(beacons: usize) -> Self {
        Self {
            trees: Vec::new(),
            counts: vec![0; beacons],
            is_chosen: vec![false; beacons],
            ways: 0,
            roots: 0,
        }
    }

    /// Adds trees if only half of the ways are left. Whether there are new ones.
    fn refill(&mut self, legs: &[Vec<Leg>], labels: &[Vec<HubCost>]) -> bool {
        let enough = TREES * legs.len();
        if self.ways > enough / 2 || self.roots == legs.len() {
            return false;
        }
        self.trees.retain(|tree| tree.below[0] > 0);
        while self.ways < enough && self.roots < legs.len() {
            let roots: Vec<u32> = (self.roots..legs.len().min(self.roots + TREES_AT_ONCE))
                .map(|number| spread(number, legs.len()) as u32)
                .filter(|&root| !self.is_chosen[root as usize])
                .collect();
            self.roots = legs.len().min(self.roots + TREES_AT_ONCE);
            let search = || PrunedSearch::new(legs.len());
            for tree in in_parallel(&roots, search, |search, &root| Tree::new(search, legs, labels, root)) {
                for (&beacon, &below) in tree.beacons.iter().zip(&tree.below) {
                    self.counts[beacon as usize] += u64::from(below);
                }
                self.ways += tree.beacons.len();
                self.trees.push(tree);
            }
        }
        true
    }

    /// A beacon has become a hub.
    fn choose(&mut self, beacon: u32) {
        self.is_chosen[beacon as usize] = true;
        for tree in &mut self.trees {
            self.ways -= tree.cut(beacon, &mut self.counts);
        }
    }
}

/// The numbers below `count`, each once, in an order in which the first few lie far apart.
fn spread(number: usize, count: usize) -> usize {
    let golden = (count as u64 * 618 / 1000).max(1);
    let gcd = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let stride = (golden..).find(|&stride| gcd(stride, count as u64) == 1).unwrap_or(1);
    (number as u64 * stride % count as u64) as usize
}

/// The cheapest ways from one beacon to others.
struct Tree {
    /// Those that it leads to: the root first, each after the one before it on its way.
    beacons: Vec<u32>,
    /// The place of each.
    places: Vec<u32>,
    /// The place of the one before each on its way; the root's is its own.
    before: Vec<u32>,
    /// To how many beacons the way leads over each, itself included; none once it is cut off.
    below: Vec<u32>,
}

const NOT_HERE: u32 = u32::MAX;

impl Tree {
    fn new(search: &mut PrunedSearch, legs: &[Vec<Leg>], labels: &[Vec<HubCost>], root: u32) -> Self {
        let mut tree = Self {
            beacons: Vec::new(),
            places: vec![NOT_HERE; legs.len()],
            before: Vec::new(),
            below: Vec::new(),
        };
        search.each_uncovered(legs, labels, root, |beacon, before, _| {
            tree.places[beacon as usize] = tree.beacons.len() as u32;
            tree.before.push(tree.places[before as usize]);
            tree.beacons.push(beacon);
        });
        tree.below = vec![1; tree.beacons.len()];
        for place in (1..tree.beacons.len()).rev() {
            tree.below[tree.before[place] as usize] += tree.below[place];
        }
        tree
    }

    /// Takes the ways over a beacon out, and away from the counts. How many they are.
    fn cut(&mut self, beacon: u32, counts: &mut [u64]) -> usize {
        let place = self.places[beacon as usize];
        let ways = if place == NOT_HERE { 0 } else { self.below[place as usize] };
        if ways == 0 {
            return 0;
        }
        let mut at = place;
        while self.before[at as usize] != at {
            at = self.before[at as usize];
            self.below[at as usize] -= ways;
            counts[self.beacons[at as usize] as usize] -= u64::from(ways);
        }
        // Whatever the way leads to over it lies behind it in the list; what was cut before has nothing below it any more.
        let (mut left, mut at) = (ways, place as usize);
        while left > 0 {
            if self.below[at] > 0 && (at == place as usize || self.below[self.before[at] as usize] == 0) {
                counts[self.beacons[at] as usize] -= u64::from(self.below[at]);
                self.below[at] = 0;
                left -= 1;
            }
            at += 1;
        }
        ways as usize
    }
}
