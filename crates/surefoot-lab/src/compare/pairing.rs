//! Which rows belong together.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::measures::{Change, Kind, Pair, Solved, overall};
use super::{AlgorithmComparison, CompareError, RowSet};
use crate::row_files::PlacedRow;
use crate::rows::Row;

/// How many rows without a counterpart are named.
const EXAMPLES: usize = 3;

/// Rows without a counterpart in the other set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Unpaired {
    /// How many.
    pub count: u64,
    /// The problems of the first few.
    pub examples: Vec<String>,
}

/// The largest figure in each set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Worst {
    /// In the first.
    pub a: u64,
    /// In the second.
    pub b: u64,
}

/// A problem, as rows name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Problem<'a> {
    map: &'a str,
    ends: [u32; 4],
    /// The seed of the database, if it tells rows apart.
    seed: Option<&'a str>,
}

impl<'a> Problem<'a> {
    fn of(row: &'a Row, with_seed: bool) -> Self {
        let ends = [row.start_x, row.start_y, row.goal_x, row.goal_y];
        Self { map: &row.map, ends, seed: seed_of(row).filter(|_| with_seed) }
    }
}

impl std::fmt::Display for Problem<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [start_x, start_y, goal_x, goal_y] = self.ends;
        write!(f, "{} from ({start_x}, {start_y}) to ({goal_x}, {goal_y})", self.map)?;
        self.seed.map_or(Ok(()), |seed| write!(f, " with database seed {seed}"))
    }
}

/// The seed of a row's database: databases tell what they were built from, as in `subgoals(n=10, …, seed=3)`.
fn seed_of(row: &Row) -> Option<&str> {
    let (_, text) = row.database.as_deref()?.rsplit_once("seed=")?;
    text.split(|c: char| !c.is_ascii_digit()).next().filter(|digits| !digits.is_empty())
}

/// The rows of one algorithm, each problem once.
struct Rows<'a> {
    rows: Vec<&'a Row>,
    seeds: HashSet<&'a str>,
    repeated: u64,
}

impl<'a> Rows<'a> {
    fn of(set: RowSet<'a>, algorithm: &str) -> Result<Self, CompareError> {
        let mut first_of: HashMap<Problem<'_>, &PlacedRow> = HashMap::new();
        let (mut rows, mut seeds, mut repeated) = (Vec::new(), HashSet::new(), 0);
        for placed in set.rows.iter().filter(|placed| placed.row.algorithm == algorithm) {
            let problem = Problem::of(&placed.row, true);
            if let Some(first) = first_of.get(&problem) {
                if walk_of(&first.row) != walk_of(&placed.row) {
                    return Err(CompareError::Contradiction {
                        path: set.path.display().to_string(),
                        line: placed.line,
                        first: first.line,
                        algorithm: algorithm.to_owned(),
                        problem: problem.to_string(),
                    });
                }
                repeated += 1;
                continue;
            }
            first_of.insert(problem, placed);
            rows.push(&placed.row);
            seeds.extend(seed_of(&placed.row));
        }
        Ok(Self { rows, seeds, repeated })
    }
}

/// A row without what does not belong to the walk: its name, and what the clock says.
fn walk_of(row: &Row) -> Row {
    Row {
        algorithm: String::new(),
        database: None,
        file_cost: None,
        plan_ns_mean: None,
        plan_ns_median: None,
        plan_ns_max: None,
        first_move_ns: None,
        steps20_ns: None,
        planning_ms: None,
        frames_10_ms: None,
        frames_2_ms: None,
        frames_1_ms: None,
        ..row.clone()
    }
}

/// Pairs the rows of an algorithm of each set and compares them.
pub(super) fn compare_algorithms(
    (set_a, algorithm_a): (RowSet<'_>, &str),
    (set_b, algorithm_b): (RowSet<'_>, &str),
) -> Result<AlgorithmComparison, CompareError> {
    let (a, b) = (Rows::of(set_a, algorithm_a)?, Rows::of(set_b, algorithm_b)?);
    let (pairs, only_in_a, only_in_b) = pair(&a, &b);
    let solved = Solved::of(&pairs);
    let suboptimality_pct = Change::of(&pairs, Kind::Difference, |row| row.suboptimality_pct);
    let differing = pairs.iter().filter(|(a, b)| walk_of(a) != walk_of(b)).count() as u64;
    let worst = |figure: fn(&Row) -> Option<u64>| {
        let a = pairs.iter().filter_map(|(a, _)| figure(a)).max()?;
        let b = pairs.iter().filter_map(|(_, b)| figure(b)).max()?;
        Some(Worst { a, b })
    };
    Ok(AlgorithmComparison {
        algorithm_a: algorithm_a.to_owned(),
        algorithm_b: algorithm_b.to_owned(),
        pairs: pairs.len() as u64,
        only_in_a,
        only_in_b,
        repeated_in_a: a.repeated,
        repeated_in_b: b.repeated,
        other_optimum: pairs.iter().filter(|(a, b)| a.optimal_cost != b.optimal_cost).count() as u64,
        differing,
        solved,
        suboptimality_pct,
        // A walk of no moves has no figures per move.
        moves: Change::of(&pairs, Kind::Ratio, |row| Some(row.moves as f64)),
        expansions_per_move: Change::of(&pairs, Kind::Ratio, |row| {
            (row.moves > 0).then_some(row.expansions_mean)
        }),
        plan_ns_per_move: Change::of(&pairs, Kind::Ratio, |row| row.plan_ns_mean.filter(|_| row.moves > 0)),
        worst_expansions: worst(|row| Some(row.expansions_max)),
        worst_move_ns: worst(|row| row.plan_ns_max),
        verdict: overall(differing, solved.verdict, suboptimality_pct.map(|change| change.verdict)),
    })
}

/// The pairs, and the rows of either set that have no counterpart.
///
/// Seeds count where a set has several: without that, two runs that differ in nothing but the seed can be
/// compared. Where the other set has none, as an algorithm without a database has, its row belongs to those
/// of all seeds.
fn pair<'a>(a: &Rows<'a>, b: &Rows<'a>) -> (Vec<Pair<'a>>, Unpaired, Unpaired) {
    let with_seeds = a.seeds.len() > 1 || b.seeds.len() > 1;
    // The rows of the side with more seeds each look for their one counterpart.
    let is_turned = b.seeds.len() > a.seeds.len();
    let (many, few) = if is_turned { (b, a) } else { (a, b) };
    let counterparts: HashMap<Problem<'_>, &'a Row> =
        few.rows.iter().map(|row| (Problem::of(row, with_seeds), *row)).collect();
    let (mut pairs, mut found, mut alone) = (Vec::new(), HashSet::new(), Vec::new());
    for &row in &many.rows {
        let problem = Problem::of(row, with_seeds);
        let without_seed = Problem { seed: None, ..problem };
        match counterparts.get_key_value(&problem).or_else(|| counterparts.get_key_value(&without_seed)) {
            Some((problem, other)) => {
                found.insert(*problem);
                pairs.push(if is_turned { (*other, row) } else { (row, *other) });
            }
            None => alone.push(problem),
        }
    }
    let left: Vec<Problem<'_>> = few
        .rows
        .iter()
        .map(|row| Problem::of(row, with_seeds))
        .filter(|problem| !found.contains(problem))
        .collect();
    let (alone, left) = (Unpaired::of(&alone), Unpaired::of(&left));
    if is_turned { (pairs, left, alone) } else { (pairs, alone, left) }
}

impl Unpaired {
    fn of(problems: &[Problem<'_>]) -> Self {
        let examples = problems.iter().take(EXAMPLES).map(ToString::to_string).collect();
        Self { count: problems.len() as u64, examples }
    }
}
