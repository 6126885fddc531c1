//! The nearest records where states have no coordinates: a tree of vantage points over the heuristic.
//!
//! A range of records is split by their distance from its first one, the vantage point: the nearer half, then
//! the farther. By the triangle inequality a half is left out if it cannot hold anything nearer than what was
//! found. It is made in memory when a database is opened, and finds exactly what looking at all records
//! finds.

use alloc::vec::Vec;

use surefoot::search::Meter;
use surefoot::space::{Cost, State, World};

use super::index::{Nearest, Similarity};
use super::subgoals::SubgoalDatabase;

/// An index of the records of one database by a heuristic that is a metric: the same in both directions, and
/// no estimate longer than two that lead over a third state. Octile, Manhattan, Euclidean and differential
/// estimates are.
#[derive(Clone, Debug)]
pub(crate) struct MetricIndex {
    similarity: Similarity,
    /// The records, and for each one that is a vantage point how far away the nearer half reaches.
    nodes: Vec<(u32, Cost)>,
}

/// A heuristic that is no metric: the index would miss records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the estimate from state {} to {} differs from the one back: records have to be found without a metric index",
    from.0, to.0
)]
pub struct NotAMetric {
    /// Where the estimate starts.
    pub from: State,
    /// Where it ends.
    pub to: State,
}

impl MetricIndex {
    /// The index of a database for one kind of similarity.
    ///
    /// # Errors
    /// If the heuristic is seen to differ by direction. That it never exceeds the way over a third state is
    /// not checked.
    pub(crate) fn new(
        world: &impl World,
        database: &SubgoalDatabase,
        similarity: Similarity,
    ) -> Result<Self, NotAMetric> {
        let mut nodes: Vec<(u32, Cost)> = (0..database.len() as u32).map(|record| (record, 0)).collect();
        let mut ranges = Vec::from([(0, nodes.len())]);
        while let Some((from, to)) = ranges.pop() {
            if to - from < 2 {
                continue;
            }
            let vantage = database.ends(nodes[from].0);
            for node in &mut nodes[from + 1..to] {
                let ends = database.ends(node.0);
                for (a, b) in [(vantage.0, ends.0), (vantage.1, ends.1)] {
                    if world.estimate(a, b) != world.estimate(b, a) {
                        return Err(NotAMetric { from: a, to: b });
                    }
                }
                node.1 = distance(world, similarity, vantage, ends);
            }
            let middle = Self::middle(from, to);
            // By distance, then by record: the halves are the same whatever the sorting does within them.
            nodes[from + 1..to]
                .select_nth_unstable_by_key(middle - from - 1, |&(record, away)| (away, record));
            nodes[from].1 = nodes[middle].1;
            ranges.push((from + 1, middle));
            ranges.push((middle, to));
        }
        Ok(Self { similarity, nodes })
    }

    /// Where the farther half of a range begins.
    fn middle(from: usize, to: usize) -> usize {
        from + 1 + (to - from - 1) / 2
    }

    /// Finds the records nearest to the problem from `start` to `goal`, with at most `most` comparisons.
    /// `database` must be the one that the index was made of.
    pub(crate) fn find_nearest(
        &self,
        world: &impl World,
        database: &SubgoalDatabase,
        ends: (State, State),
        (wanted, most): (usize, Option<u64>),
        nearest: &mut Nearest,
        meter: &mut Meter,
    ) {
        nearest.start(wanted.min(self.nodes.len()), most);
        if wanted > 0 {
            self.visit(world, database, ends, (0, self.nodes.len()), nearest);
        }
        nearest.finish(meter);
    }

    fn visit(
        &self,
        world: &impl World,
        database: &SubgoalDatabase,
        ends: (State, State),
        (from, to): (usize, usize),
        nearest: &mut Nearest,
    ) {
        if from == to || !nearest.may_compare() {
            return;
        }
        let (record, radius) = self.nodes[from];
        let away = distance(world, self.similarity, ends, database.ends(record));
        nearest.offer(away, record, database.is_retired(record));
        if to - from == 1 {
            return;
        }
        let middle = Self::middle(from, to);
        // All in the nearer half are within the radius of the vantage point, all in the farther half at it or
        // beyond.
        let halves =
            [((from + 1, middle), away.saturating_sub(radius)), ((middle, to), radius.saturating_sub(away))];
        let order = if away <= radius { [0, 1] } else { [1, 0] };
        for half in order {
            let (range, bound) = halves[half];
            if nearest.is_worth(bound) {
                self.visit(world, database, ends, range, nearest);
            }
        }
    }
}

fn distance(world: &impl World, similarity: Similarity, a: (State, State), b: (State, State)) -> Cost {
    similarity.of(world.estimate(a.0, b.0), world.estimate(a.1, b.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knn::subgoals::{Pairs, RecordForm, SubgoalConfig};
    use proptest::prelude::*;
    use surefoot::search::{AStar, Paths, Ties};
    use surefoot::space::{CostModel, FnHeuristic, Graph, Grid, GridSpace, Guided, MoveRule};

    fn config(records: u64) -> SubgoalConfig {
        let (form, ties, pairs) = (RecordForm::Compressed, Ties::Far, Pairs::Random);
        SubgoalConfig { records, form, ties, pairs, paths: Paths::AStar, seed: 1 }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn the_index_finds_what_a_scan_finds(
            side in 2_u32..30, records in 0_u64..300, wanted in 0_usize..20, start in any::<u32>(), goal in any::<u32>(),
        ) {
            let space = GridSpace::new(Grid::from_fn(side, side, |_| true).unwrap(), MoveRule::NoCut, CostModel::Diagonal14);
            let octile = space.octile();
            let limit = side * side;
            // A grid that does not tell that it is one.
            let world = Guided { space, heuristic: FnHeuristic::consistent(move |a, b| surefoot::space::Heuristic::estimate(&octile, a, b)) };
            let database = SubgoalDatabase::build(&world, config(records), AStar::new()).unwrap();
            let ends = (State(start % limit), State(goal % limit));
            for similarity in [Similarity::Sum, Similarity::Maximum] {
                let index = MetricIndex::new(&world, &database, similarity).unwrap();
                let (mut scanned, mut found, mut meter) = (Nearest::new(), Nearest::new(), Meter::new());
                database.find_nearest(&world, ends, similarity, (wanted, None), &mut scanned, &mut meter);
                let mut meter = Meter::new();
                index.find_nearest(&world, &database, ends, (wanted, None), &mut found, &mut meter);
                prop_assert_eq!(found.records(), scanned.records());
                prop_assert!(meter.spent().probes <= database.len() as u64);
                index.find_nearest(&world, &database, ends, (wanted, Some(7)), &mut found, &mut Meter::new());
                prop_assert!(found.records().len() <= 7);
            }
        }
    }

    #[test]
    fn fewer_records_are_compared_than_there_are() {
        let space = GridSpace::new(
            Grid::from_fn(300, 300, |_| true).unwrap(),
            MoveRule::NoCut,
            CostModel::Diagonal14,
        );
        let octile = space.octile();
        let world = Guided {
            space,
            heuristic: FnHeuristic::consistent(move |a, b| {
                surefoot::space::Heuristic::estimate(&octile, a, b)
            }),
        };
        let database = SubgoalDatabase::build(&world, config(4000), AStar::new()).unwrap();
        let index = MetricIndex::new(&world, &database, Similarity::Maximum).unwrap();
        let (mut nearest, mut meter) = (Nearest::new(), Meter::new());
        index.find_nearest(
            &world,
            &database,
            (State(45_000), State(200)),
            (10, None),
            &mut nearest,
            &mut meter,
        );
        assert!(meter.spent().probes < 2_000, "{}", meter.spent());
    }

    #[test]
    fn an_estimate_that_differs_by_direction_is_refused() {
        let edges: Vec<(u32, u32, u32)> = (0..50).flat_map(|at| [(at, at + 1, 5), (at + 1, at, 5)]).collect();
        let graph = Graph::from_edges(51, &edges).unwrap();
        let uphill = |a: State, b: State| if a < b { Cost::from(b.0 - a.0) } else { 0 };
        let world = Guided { space: graph, heuristic: FnHeuristic::consistent(uphill) };
        let database = SubgoalDatabase::build(&world, config(20), AStar::new()).unwrap();
        assert!(MetricIndex::new(&world, &database, Similarity::Maximum).is_err());
    }
}
