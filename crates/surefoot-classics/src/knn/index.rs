//! The records nearest to a problem.
//!
//! On a grid a record is a point with four coordinates: x and y of its first state, x and y of its last. The
//! points lie in the order of a balanced kd-tree that splits by the four in turn ("Case-based subgoaling",
//! JAIR 2010, section 6.2, the fifth enhancement): the middle of a range is its node, and the halves are its
//! subtrees, so that the array is the tree. A subtree is left out if the box that it lies in is farther away
//! than what was found. Ranges of up to [`LEAF`] records are looked through. Where states have no
//! coordinates, all records are.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;

use surefoot::search::Meter;
use surefoot::space::{Cell, Cost, CostModel, sorting};

/// Records in a range that is not split further.
pub(crate) const LEAF: usize = 16;

/// How the distances of the two ends make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Similarity {
    /// Their sum (kNN LRTA*, 2009).
    Sum,
    /// The larger of the two (kNN LRTA*, 2010).
    Maximum,
}

impl Similarity {
    #[inline]
    pub(crate) fn of(self, start: Cost, end: Cost) -> Cost {
        match self {
            Self::Sum => start.saturating_add(end),
            Self::Maximum => start.max(end),
        }
    }
}

/// The ends of a record on a grid: x and y of its first state, x and y of its last.
pub(crate) type Point = [u16; 4];

/// A point as the file has it.
#[inline]
pub(crate) fn point_of(bytes: &[u8; 8]) -> Point {
    let packed = u64::from_le_bytes(*bytes);
    [packed as u16, (packed >> 16) as u16, (packed >> 32) as u16, (packed >> 48) as u16]
}

/// Puts points into the order of the tree. `key` gives a point and a number that makes it unlike all others.
pub(crate) fn sort_into_tree<T>(records: &mut [T], key: &impl Fn(&T) -> (Point, u64)) {
    sort_from(records, key, 0);
}

fn sort_from<T>(records: &mut [T], key: &impl Fn(&T) -> (Point, u64), depth: usize) {
    let order = |record: &T| {
        let (point, number) = key(record);
        (point[depth % 4], point, number)
    };
    if records.len() <= LEAF {
        sorting::sort_by_key(records, order);
        return;
    }
    let middle = records.len() / 2;
    let (left, _, right) = records.select_nth_unstable_by_key(middle, order);
    sort_from(left, key, depth + 1);
    sort_from(right, key, depth + 1);
}

/// Whether points lie in the order of the tree.
pub(crate) fn is_tree(points: &[[u8; 8]]) -> bool {
    is_tree_within(points, 0, &mut [0; 4], &mut [u16::MAX; 4])
}

fn is_tree_within(points: &[[u8; 8]], depth: usize, low: &mut Point, high: &mut Point) -> bool {
    let is_inside = |point: Point, low: &Point, high: &Point| {
        (0..4).all(|axis| (low[axis]..=high[axis]).contains(&point[axis]))
    };
    if points.len() <= LEAF {
        return points.iter().all(|bytes| is_inside(point_of(bytes), low, high));
    }
    let middle = points.len() / 2;
    let (axis, point) = (depth % 4, point_of(&points[middle]));
    if !is_inside(point, low, high) {
        return false;
    }
    let (old_low, old_high) = (low[axis], high[axis]);
    high[axis] = point[axis];
    let left = is_tree_within(&points[..middle], depth + 1, low, high);
    (low[axis], high[axis]) = (point[axis], old_high);
    let right = is_tree_within(&points[middle + 1..], depth + 1, low, high);
    low[axis] = old_low;
    left && right
}

/// The nearest records to one problem after another; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Nearest {
    /// The nearest so far, the farthest of them on top.
    found: BinaryHeap<(Cost, u32)>,
    sorted: Vec<(Cost, u32)>,
    wanted: usize,
    /// How many more records may be compared.
    left: u64,
    compared: u64,
    #[cfg(test)]
    visits: u64,
}

impl Nearest {
    /// No memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The records of the last question with their distances, the nearest first; equally near ones by their
    /// place.
    #[must_use]
    pub fn records(&self) -> &[(Cost, u32)] {
        &self.sorted
    }

    /// Starts a question for the `wanted` nearest, with at most `most` comparisons.
    pub(crate) fn start(&mut self, wanted: usize, most: Option<u64>) {
        self.found.clear();
        self.wanted = wanted;
        self.left = most.unwrap_or(u64::MAX);
        self.compared = 0;
    }

    /// Ends it: the comparisons are charged.
    pub(crate) fn finish(&mut self, meter: &mut Meter) {
        meter.charge_probes(self.compared);
        self.sorted.clear();
        self.sorted.extend(self.found.drain());
        sorting::sort(&mut self.sorted);
    }

    /// Whether another record may be compared.
    pub(crate) fn may_compare(&self) -> bool {
        self.left > 0
    }

    #[inline]
    pub(crate) fn offer(&mut self, distance: Cost, record: u32, is_retired: bool) {
        self.left -= 1;
        self.compared += 1;
        if is_retired {
            return;
        }
        if self.found.len() < self.wanted {
            self.found.push((distance, record));
        } else if let Some(mut farthest) = self.found.peek_mut()
            && (distance, record) < *farthest
        {
            *farthest = (distance, record);
        }
    }

    /// Whether a subtree with this bound can hold one of the nearest. At an equal distance the lower place
    /// counts.
    #[inline]
    pub(crate) fn is_worth(&self, bound: Cost) -> bool {
        self.found.len() < self.wanted || self.found.peek().is_some_and(|&(farthest, _)| bound <= farthest)
    }
}

/// The search of a tree of points.
pub(crate) struct TreeSearch<'a> {
    pub(crate) points: &'a [[u8; 8]],
    pub(crate) query: Point,
    pub(crate) costs: CostModel,
    pub(crate) similarity: Similarity,
}

impl TreeSearch<'_> {
    /// The point of a problem: what lies outside of 16 bits is outside of every map with such points.
    pub(crate) fn query(start: Cell, goal: Cell) -> Point {
        [start.x, start.y, goal.x, goal.y].map(|number| u16::try_from(number).unwrap_or(u16::MAX))
    }

    /// Searches all points but those that are retired.
    pub(crate) fn run(&self, nearest: &mut Nearest, is_retired: impl Fn(u32) -> bool) {
        if nearest.wanted > 0 {
            self.visit((0, self.points.len()), 0, [0; 4], nearest, &is_retired);
        }
    }

    #[inline]
    fn octile(&self, dx: u16, dy: u16) -> Cost {
        let (short, long) = (dx.min(dy), dx.max(dy));
        self.costs.of_steps(u64::from(long - short), u64::from(short))
    }

    #[inline]
    fn compare(&self, at: usize, nearest: &mut Nearest, is_retired: &impl Fn(u32) -> bool) {
        let point = point_of(&self.points[at]);
        let away: Point = core::array::from_fn(|axis| point[axis].abs_diff(self.query[axis]));
        let (start, end) = (self.octile(away[0], away[1]), self.octile(away[2], away[3]));
        nearest.offer(self.similarity.of(start, end), at as u32, is_retired(at as u32));
    }

    /// Searches a range whose box is `away` from the query on each axis.
    fn visit(
        &self,
        (from, to): (usize, usize),
        depth: usize,
        away: Point,
        nearest: &mut Nearest,
        is_retired: &impl Fn(u32) -> bool,
    ) {
        #[cfg(test)]
        {
            nearest.visits += 1;
        }
        let bound = self.similarity.of(self.octile(away[0], away[1]), self.octile(away[2], away[3]));
        if !nearest.may_compare() || !nearest.is_worth(bound) {
            return;
        }
        if to - from <= LEAF {
            let most = usize::try_from(nearest.left).unwrap_or(usize::MAX).min(to - from);
            (from..from + most).for_each(|at| self.compare(at, nearest, is_retired));
            return;
        }
        let middle = from + (to - from) / 2;
        let axis = depth % 4;
        let split = point_of(&self.points[middle])[axis];
        let mut beyond = away;
        beyond[axis] = beyond[axis].max(split.abs_diff(self.query[axis]));
        let halves = [(from, middle), (middle + 1, to)];
        let (near, far) = if self.query[axis] <= split { (0, 1) } else { (1, 0) };
        self.visit(halves[near], depth + 1, away, nearest, is_retired);
        if nearest.may_compare() {
            self.compare(middle, nearest, is_retired);
        }
        self.visit(halves[far], depth + 1, beyond, nearest, is_retired);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted_tree(mut points: Vec<Point>) -> Vec<[u8; 8]> {
        let mut numbered: Vec<(Point, u64)> = points.drain(..).zip(0..).collect();
        sort_into_tree(&mut numbered, &|&record| record);
        let pack = |point: Point| {
            let mut bytes = [0; 8];
            for (pair, number) in bytes.chunks_exact_mut(2).zip(point) {
                pair.copy_from_slice(&number.to_le_bytes());
            }
            bytes
        };
        numbered.into_iter().map(|(point, _)| pack(point)).collect()
    }

    fn nearest(search: &TreeSearch<'_>, wanted: usize, most: Option<u64>) -> (Vec<(Cost, u32)>, u64) {
        let (mut nearest, mut meter) = (Nearest::new(), Meter::new());
        nearest.start(wanted, most);
        search.run(&mut nearest, |_| false);
        nearest.finish(&mut meter);
        (nearest.records().to_vec(), meter.spent().probes)
    }

    fn scan(search: &TreeSearch<'_>, wanted: usize) -> Vec<(Cost, u32)> {
        let mut scan = Nearest::new();
        scan.start(search.points.len(), None);
        (0..search.points.len()).for_each(|at| search.compare(at, &mut scan, &|_| false));
        scan.finish(&mut Meter::new());
        scan.records().iter().take(wanted).copied().collect()
    }

    proptest! {
        #[test]
        fn the_tree_finds_what_a_scan_finds(
            side in 1_u16..2000,
            points in prop::collection::vec(any::<[u16; 4]>(), 0..900),
            query in any::<[u16; 4]>(),
            wanted in 0_usize..40,
        ) {
            let points = sorted_tree(points.into_iter().map(|point| point.map(|n| n % side)).collect());
            prop_assert!(is_tree(&points));
            for costs in [CostModel::Diagonal14, CostModel::Sqrt2] {
                for similarity in [Similarity::Sum, Similarity::Maximum] {
                    let query = query.map(|number| number % side);
                    let search = TreeSearch { points: &points, query, costs, similarity };
                    let (found, compared) = nearest(&search, wanted, None);
                    prop_assert_eq!(&found, &scan(&search, wanted));
                    prop_assert!(compared <= points.len() as u64);
                    let (some, compared) = nearest(&search, wanted, Some(50));
                    prop_assert!(compared <= 50 && some.len() <= wanted);
                }
            }
        }
    }

    #[test]
    fn a_tree_is_sublinear_and_a_shuffled_one_is_noticed() {
        let spread = |number: u64| surefoot::store::draws::mix(number);
        let points: Vec<Point> = (0..60_000)
            .map(|number| core::array::from_fn(|axis| (spread(number * 4 + axis as u64) % 4096) as u16))
            .collect();
        let mut tree = sorted_tree(points);
        let query = [1000, 2000, 3000, 500];
        let search = TreeSearch {
            points: &tree,
            query,
            costs: CostModel::Diagonal14,
            similarity: Similarity::Maximum,
        };
        let (_, compared) = nearest(&search, 10, None);
        assert!(compared < 6_000, "{compared}");
        // A cap on comparisons is a cap on all work, even where it leaves some of the wanted unfound.
        let mut capped = Nearest::new();
        capped.start(10, Some(5));
        search.run(&mut capped, |_| false);
        assert!(capped.found.len() == 5 && capped.visits < 40, "{}", capped.visits);
        tree.swap(10, 40_000);
        assert!(!is_tree(&tree));
    }
}
