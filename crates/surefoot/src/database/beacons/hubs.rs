//! What the cheapest ways between beacons cost, in little room: hub labels.
//!
//! Each beacon knows what it costs to some others, its hubs, chosen so that any two beacons share one that lies on a cheapest
//! way between them. The cost between two beacons is the least sum over the hubs that both have. The labels are made by pruned
//! Dijkstra searches (Akiba, Iwata and Yoshida, "Fast exact shortest-path distance queries on large networks by pruned landmark
//! labeling", 2013), beacons first that many cheapest ways lead over which no earlier one is on. How many that are is seen from a
//! sample of trees of cheapest ways; as hubs cut the trees down others are added, which hold only ways that are not covered yet
//! (Delling, Goldberg, Pajor and Werneck, "Robust distance queries on massive networks", 2014).

use alloc::collections::{BinaryHeap, VecDeque};
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

/// The labels of some beacons: for each its hubs, in order, itself last. Made on all cores.
pub(super) fn hub_labels(legs: &[Vec<Leg>]) -> Vec<Vec<HubCost>> {
    let mut labelling = Labelling::new(legs.to_vec());
    loop {
        let mut roots = core::mem::take(&mut labelling.roots);
        let search = || PrunedSearch::new(legs.len());
        let trees = in_parallel(roots.make_contiguous(), search, |search, &root| {
            Tree::new(search, legs, &labelling.labels, root)
        });
        trees.into_iter().for_each(|(tree, _)| labelling.sample.add(tree));
        if labelling.step().is_none() {
            return labelling.labels;
        }
    }
}

/// Hub labels that are made piece by piece.
#[derive(Clone, Debug)]
pub(super) struct Labelling {
    legs: Vec<Vec<Leg>>,
    labels: Vec<Vec<HubCost>>,
    sample: Sample,
    /// Whether the sample is being refilled.
    is_filling: bool,
    /// Beacons that trees are to be made of.
    roots: VecDeque<u32>,
    queue: BinaryHeap<(u64, Reverse<u32>)>,
    search: PrunedSearch,
    /// How many beacons were chosen.
    rank: u32,
    steps: u64,
}

impl Labelling {
    pub(super) fn new(legs: Vec<Vec<Leg>>) -> Self {
        let beacons = legs.len();
        Self {
            legs,
            labels: vec![Vec::new(); beacons],
            sample: Sample::new(beacons),
            is_filling: false,
            roots: VecDeque::new(),
            queue: BinaryHeap::new(),
            search: PrunedSearch::new(beacons),
            rank: 0,
            steps: 0,
        }
    }

    /// What is labelled: the legs of each beacon.
    pub(super) fn legs(&self) -> &[Vec<Leg>] {
        &self.legs
    }

    /// How many pieces were made so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Makes the next piece, and tells what that took, in beacons that were looked at; nothing if all is done.
    pub(super) fn step(&mut self) -> Option<u64> {
        if self.rank as usize == self.legs.len() {
            return None;
        }
        self.steps += 1;
        if let Some(root) = self.roots.pop_front() {
            let (tree, looks) = Tree::new(&mut self.search, &self.legs, &self.labels, root);
            self.sample.add(tree);
            return Some(looks);
        }
        self.is_filling |= self.sample.is_low();
        if self.is_filling {
            self.roots = self.sample.next_roots();
            if self.roots.is_empty() {
                self.is_filling = false;
                self.queue = self.sample.queue();
            }
            // Each is a number that is read.
            return Some(self.legs.len() as u64 / 8);
        }
        Some(self.choose())
    }

    /// Makes the beacon a hub that most ways lead over which are not covered yet. What that took.
    fn choose(&mut self) -> u64 {
        let mut looks = 0;
        while let Some((known, Reverse(beacon))) = self.queue.pop() {
            looks += 1;
            // Numbers only fall until the sample is refilled: one that is as it was is the highest.
            let now = self.sample.counts[beacon as usize];
            if now < known {
                self.queue.push((now, Reverse(beacon)));
                continue;
            }
            looks += self.search.label(&self.legs, &mut self.labels, self.rank, beacon);
            // To look at a tree, and at what is cut off, takes far less than to look at a beacon in a search.
            looks += self.sample.choose(beacon) / 8;
            self.rank += 1;
            break;
        }
        looks
    }

    /// The labels, once all is done, and what was labelled.
    pub(super) fn finish(self) -> (Vec<Vec<HubCost>>, Vec<Vec<Leg>>) {
        (self.labels, self.legs)
    }
}

/// A search from one beacon that goes no farther where a hub already lies on a cheapest way.
#[derive(Clone, Debug)]
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

    /// Makes a beacon the hub of a rank for all whose ways to it no earlier hub is on. How many beacons were looked at.
    fn label(&mut self, legs: &[Vec<Leg>], labels: &mut [Vec<HubCost>], rank: u32, hub: u32) -> u64 {
        let mut found = Vec::new();
        let looks = self.each_uncovered(legs, labels, hub, |beacon, next, cost| {
            found.push((beacon, HubCost { rank, cost, next }));
        });
        for (beacon, hub) in found {
            labels[beacon as usize].push(hub);
        }
        looks
    }

    /// Visits the beacons whose ways from a root lead over none of its hubs, each after the one before it on the way, which is the root itself
    /// for the root. How many were looked at.
    fn each_uncovered(
        &mut self,
        legs: &[Vec<Leg>],
        labels: &[Vec<HubCost>],
        root: u32,
        mut visit: impl FnMut(u32, u32, Cost),
    ) -> u64 {
        let mut looks = 0;
        for known in &labels[root as usize] {
            self.of_hub[known.rank as usize] = known.cost;
        }
        self.touched.push(root);
        self.reached[root as usize] = (0, root);
        self.open.push(Reverse((0, root)));
        while let Some(Reverse((cost, beacon))) = self.open.pop() {
            looks += 1;
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
        looks
    }
}

/// Some trees of cheapest ways, less what lies behind the hubs that were chosen.
#[derive(Clone, Debug)]
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

    fn beacons(&self) -> usize {
        self.counts.len()
    }

    /// Whether only half of the ways are left, and there are trees to be made.
    fn is_low(&self) -> bool {
        self.ways <= TREES * self.beacons() / 2 && self.roots < self.beacons()
    }

    /// The roots of the next trees; none once there are enough.
    fn next_roots(&mut self) -> VecDeque<u32> {
        let mut roots = VecDeque::new();
        while roots.is_empty() && self.ways < TREES * self.beacons() && self.roots < self.beacons() {
            let end = self.beacons().min(self.roots + TREES_AT_ONCE);
            let numbers = (self.roots..end).map(|number| spread(number, self.beacons()) as u32);
            roots = numbers.filter(|&root| !self.is_chosen[root as usize]).collect();
            self.roots = end;
        }
        roots
    }

    fn add(&mut self, tree: Tree) {
        for (&beacon, &below) in tree.beacons.iter().zip(&tree.below) {
            self.counts[beacon as usize] += u64::from(below);
        }
        self.ways += tree.beacons.len();
        self.trees.push(tree);
    }

    /// The beacons that were not chosen, by how many ways lead over them.
    fn queue(&self) -> BinaryHeap<(u64, Reverse<u32>)> {
        let left = (0..).zip(&self.counts).filter(|&(beacon, _)| !self.is_chosen[beacon as usize]);
        left.map(|(beacon, &count)| (count, Reverse(beacon))).collect()
    }

    /// A beacon has become a hub. What was looked at.
    fn choose(&mut self, beacon: u32) -> u64 {
        self.is_chosen[beacon as usize] = true;
        let mut cut = 0;
        for tree in &mut self.trees {
            cut += tree.cut(beacon, &mut self.counts);
        }
        let trees = self.trees.len();
        self.ways -= cut;
        self.trees.retain(|tree| tree.below[0] > 0);
        (trees + cut) as u64
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
#[derive(Clone, Debug)]
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
    /// The ways from a beacon that no hub is on, and how many beacons were looked at for them.
    fn new(search: &mut PrunedSearch, legs: &[Vec<Leg>], labels: &[Vec<HubCost>], root: u32) -> (Self, u64) {
        let mut tree = Self {
            beacons: Vec::new(),
            places: vec![NOT_HERE; legs.len()],
            before: Vec::new(),
            below: Vec::new(),
        };
        let looks = search.each_uncovered(legs, labels, root, |beacon, before, _| {
            tree.places[beacon as usize] = tree.beacons.len() as u32;
            tree.before.push(tree.places[before as usize]);
            tree.beacons.push(beacon);
        });
        tree.below = vec![1; tree.beacons.len()];
        for place in (1..tree.beacons.len()).rev() {
            tree.below[tree.before[place] as usize] += tree.below[place];
        }
        (tree, looks)
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
