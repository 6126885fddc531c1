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
    let mut search = PrunedSearch::new(legs.len());
    for (rank, &hub) in (0..).zip(&order) {
        search.label(legs, &mut labels, rank, hub);
    }
    labels
}

/// Hub labels that are made piece by piece: the same as [`hub_labels`] makes at once.
#[derive(Clone, Debug)]
pub(super) struct Labelling {
    legs: Vec<Vec<Leg>>,
    stage: Stage,
    labels: Vec<Vec<HubCost>>,
    search: PrunedSearch,
    /// How many pieces were made.
    steps: u64,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Trees of cheapest ways are looked for, from every so many beacons.
    Trees(Vec<Tree>),
    /// Beacons are put in order.
    Order(Importance),
    /// Those of this order are labelled, up to a rank.
    Labels(Vec<u32>, u32),
}

impl Labelling {
    pub(super) fn new(legs: Vec<Vec<Leg>>) -> Self {
        let (labels, search) = (vec![Vec::new(); legs.len()], PrunedSearch::new(legs.len()));
        Self { legs, stage: Stage::Trees(Vec::new()), labels, search, steps: 0 }
    }

    /// What is labelled: the legs of each beacon.
    pub(super) fn legs(&self) -> &[Vec<Leg>] {
        &self.legs
    }

    /// How many pieces were made so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Makes the next piece, and tells what that took; nothing if all is done.
    pub(super) fn step(&mut self) -> Option<u64> {
        let work = match &mut self.stage {
            Stage::Trees(trees) => {
                if let Some(&root) = roots(self.legs.len()).get(trees.len()) {
                    trees.push(Tree::of_ways(&self.legs, root));
                } else {
                    let trees = core::mem::take(trees);
                    self.stage = Stage::Order(Importance::of(trees, self.legs.len()));
                }
                self.legs.len() as u64
            }
            Stage::Order(importance) => {
                let cut = importance.step();
                if cut.is_none() {
                    self.stage = Stage::Labels(core::mem::take(&mut importance.order), 0);
                }
                // A look at each tree, and at what is cut off: each takes far less than to look at a beacon in a search.
                (TREES as u64 + cut.unwrap_or(0)) / 8
            }
            Stage::Labels(order, rank) => {
                let &hub = order.get(*rank as usize)?;
                let popped = self.search.label(&self.legs, &mut self.labels, *rank, hub);
                *rank += 1;
                popped
            }
        };
        self.steps += 1;
        Some(work)
    }

    /// The labels, once all is done, and what was labelled.
    pub(super) fn finish(self) -> (Vec<Vec<HubCost>>, Vec<Vec<Leg>>) {
        (self.labels, self.legs)
    }
}

#[derive(Clone, Debug)]
struct PrunedSearch {
    /// What it costs from the hub at hand, and the beacon before on the way from there.
    reached: Vec<(Cost, u32)>,
    /// What it costs from the hub at hand to the hubs before it, by rank.
    of_hub: Vec<Cost>,
}

impl PrunedSearch {
    fn new(beacons: usize) -> Self {
        Self { reached: vec![(Cost::MAX, 0); beacons], of_hub: vec![Cost::MAX; beacons] }
    }

    /// Gives a hub to all beacons that need it. How many were looked at.
    fn label(&mut self, legs: &[Vec<Leg>], labels: &mut [Vec<HubCost>], rank: u32, hub: u32) -> u64 {
        let mut popped = 0;
        for known in &labels[hub as usize] {
            self.of_hub[known.rank as usize] = known.cost;
        }
        let mut touched = Vec::from([hub]);
        self.reached[hub as usize] = (0, hub);
        let mut open = BinaryHeap::from([Reverse((0, hub))]);
        while let Some(Reverse((cost, beacon))) = open.pop() {
            let (reached, before) = self.reached[beacon as usize];
            popped += 1;
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
        popped
    }
}

/// The beacons from which trees of cheapest ways are looked at.
fn roots(beacons: usize) -> Vec<u32> {
    let step = beacons.div_ceil(TREES).max(1);
    (0..beacons as u32).step_by(step).collect()
}

/// The beacons, those first that many cheapest ways lead over which do not lead over an earlier one.
fn by_importance(legs: &[Vec<Leg>]) -> Vec<u32> {
    let trees = in_parallel(&roots(legs.len()), || (), |(), &root| Tree::of_ways(legs, root));
    let mut importance = Importance::of(trees, legs.len());
    while importance.step().is_some() {}
    importance.order
}

/// Beacons that are being put in order.
#[derive(Clone, Debug)]
struct Importance {
    trees: Vec<Tree>,
    queue: BinaryHeap<(u64, Reverse<u32>)>,
    order: Vec<u32>,
}

impl Importance {
    fn of(trees: Vec<Tree>, beacons: usize) -> Self {
        let queue = (0..beacons as u32).map(|beacon| (ways(&trees, beacon), Reverse(beacon))).collect();
        Self { trees, queue, order: Vec::with_capacity(beacons) }
    }

    /// Looks at the first of those that are left. How many ways over it were cut off; nothing if none is left.
    fn step(&mut self) -> Option<u64> {
        let (known, Reverse(beacon)) = self.queue.pop()?;
        // Numbers only fall: one that is as it was is the highest.
        let now = ways(&self.trees, beacon);
        if now < known {
            self.queue.push((now, Reverse(beacon)));
            return Some(0);
        }
        self.order.push(beacon);
        for tree in &mut self.trees {
            tree.cut(beacon);
        }
        Some(now)
    }
}

/// How many ways of some trees lead over a beacon.
fn ways(trees: &[Tree], beacon: u32) -> u64 {
    trees.iter().map(|tree| u64::from(tree.below[beacon as usize])).sum()
}

/// The cheapest ways from one beacon to all others.
#[derive(Clone, Debug)]
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
