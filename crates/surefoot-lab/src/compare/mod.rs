//! Two sets of rows side by side: what a change did, or which of two algorithms does better.
//!
//! Rows are paired by algorithm, map, start, goal and, where there are several, the seed of the database.
//! Figures are means over the pairs whose agents both arrived, and differences are those of the pairs: what a
//! problem has of difficulty is in both and drops out.

mod interval;
mod measures;
mod origins;
mod pairing;

use std::path::Path;

use serde::Serialize;
use surefoot::agent::Spec;
use surefoot_classics::ROSTER;

pub use self::interval::{FEWEST_PAIRS, Interval};
pub use self::measures::{Change, Solved, Verdict};
pub use self::origins::{Facet, Origins};
pub use self::pairing::{Unpaired, Worst};
use crate::row_files::{PlacedRow, RowSource};
use crate::rows::Row;

/// A set of rows, and what messages call it.
#[derive(Clone, Copy, Debug)]
pub struct RowSet<'a> {
    /// The file or folder that it is from.
    pub path: &'a Path,
    /// The rows.
    pub rows: &'a [PlacedRow],
    /// What they were made by, as far as they tell.
    pub sources: &'a [RowSource],
}

/// Sets that cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// No algorithm has rows in both.
    #[error(
        "no algorithm has rows in both: {a} has {of_a}; {b} has {of_b}; name one of each with --algorithm-a and --algorithm-b"
    )]
    NothingInCommon {
        /// The first set.
        a: String,
        /// The algorithms of the first set.
        of_a: String,
        /// The second set.
        b: String,
        /// The algorithms of the second set.
        of_b: String,
    },
    /// An algorithm was asked for that has no rows.
    #[error("{path} has no rows of {asked}; it has {there}")]
    NoSuchAlgorithm {
        /// The set.
        path: String,
        /// What was asked for.
        asked: String,
        /// What there is.
        there: String,
    },
    /// A problem has two rows that do not say the same.
    #[error(
        "{path}:{line}: a second row of {algorithm} for {problem}, and it differs from the one in line {first}; give a file of one run"
    )]
    Contradiction {
        /// The set.
        path: String,
        /// The line of the second row.
        line: u64,
        /// The line of the first row.
        first: u64,
        /// The algorithm.
        algorithm: String,
        /// The problem.
        problem: String,
    },
}

/// Two sets side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// What the sets were made by. If they are of different machines, times have no verdict.
    pub origins: Origins,
    /// Every algorithm that has rows in both, or the two that were asked for.
    pub algorithms: Vec<AlgorithmComparison>,
    /// Algorithms that only the first set has, with the number of their rows.
    pub only_in_a: Vec<(String, u64)>,
    /// Algorithms that only the second set has, with the number of their rows.
    pub only_in_b: Vec<(String, u64)>,
}

/// What two sets say of an algorithm, or of one algorithm each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AlgorithmComparison {
    /// The algorithm of the first set.
    pub algorithm_a: String,
    /// The algorithm of the second set.
    pub algorithm_b: String,
    /// Rows of both sets that belong together.
    pub pairs: u64,
    /// Rows of the first set without a counterpart.
    pub only_in_a: Unpaired,
    /// Rows of the second set without a counterpart.
    pub only_in_b: Unpaired,
    /// Rows of the first set that say once more what another says; they are left out.
    pub repeated_in_a: u64,
    /// The same of the second set.
    pub repeated_in_b: u64,
    /// Pairs whose optimal costs differ: then the sets are of different worlds.
    pub other_optimum: u64,
    /// Pairs whose walks differ in anything but time.
    pub differing: u64,
    /// Whether the agents arrived.
    pub solved: Solved,
    /// Suboptimality in percent; the change is a difference.
    pub suboptimality_pct: Option<Change>,
    /// Moves; the change is a ratio, here and below.
    pub moves: Option<Change>,
    /// States expanded per move.
    pub expansions_per_move: Option<Change>,
    /// Planning time per move in nanoseconds: it depends on the machine.
    pub plan_ns_per_move: Option<Change>,
    /// States expanded on the move that took the most, over all pairs.
    pub worst_expansions: Option<Worst>,
    /// The slowest move in nanoseconds, over all pairs: it depends on the machine. `None` if the walks of a
    /// set were not timed.
    pub worst_move_ns: Option<Worst>,
    /// Whether the walks got better: by how many arrive, and if that does not tell, by suboptimality.
    pub verdict: Verdict,
}

impl AlgorithmComparison {
    /// For sets of different machines: the figures stay, but nothing is concluded from them.
    fn without_verdict_on_times(mut self) -> Self {
        if let Some(change) = &mut self.plan_ns_per_move {
            change.verdict = Verdict::OtherMachine;
        }
        self
    }
}

/// Compares two sets: each algorithm with itself, or `chosen`, one of each set.
///
/// # Errors
/// If there is nothing to compare, or a set contradicts itself.
pub fn compare(
    a: RowSet<'_>,
    b: RowSet<'_>,
    chosen: Option<(&str, &str)>,
) -> Result<Comparison, CompareError> {
    let (of_a, of_b) = (algorithms(a), algorithms(b));
    let origins = Origins::of(a.sources, b.sources);
    let compared = |one: &str, other: &str| {
        let compared = pairing::compare_algorithms((a, one), (b, other))?;
        Ok(if origins.are_of_different_machines() { compared.without_verdict_on_times() } else { compared })
    };
    if let Some((one, other)) = chosen {
        let (one, other) = (find(a, &of_a, one)?, find(b, &of_b, other)?);
        let algorithms = vec![compared(one, other)?];
        return Ok(Comparison { origins, algorithms, only_in_a: Vec::new(), only_in_b: Vec::new() });
    }
    let (both, only_in_a): (Vec<_>, Vec<_>) =
        of_a.iter().cloned().partition(|(name, _)| of_b.iter().any(|(other, _)| other == name));
    if both.is_empty() {
        let (a, b) = (a.path.display().to_string(), b.path.display().to_string());
        return Err(CompareError::NothingInCommon { a, of_a: listed(&of_a), b, of_b: listed(&of_b) });
    }
    let only_in_b =
        of_b.iter().filter(|(name, _)| of_a.iter().all(|(other, _)| other != name)).cloned().collect();
    let algorithms = both.iter().map(|(name, _)| compared(name, name)).collect::<Result<_, _>>()?;
    Ok(Comparison { origins, algorithms, only_in_a, only_in_b })
}

/// The algorithms of a set in the order in which they come, with the number of their rows.
fn algorithms(set: RowSet<'_>) -> Vec<(String, u64)> {
    let mut found: Vec<(String, u64)> = Vec::new();
    for PlacedRow { row: Row { algorithm, .. }, .. } in set.rows {
        // Rows of one algorithm mostly stand together.
        match found.iter_mut().rev().find(|(name, _)| name == algorithm) {
            Some((_, count)) => *count += 1,
            None => found.push((algorithm.clone(), 1)),
        }
    }
    found
}

fn listed(algorithms: &[(String, u64)]) -> String {
    if algorithms.is_empty() {
        return "no rows".to_owned();
    }
    algorithms.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The algorithm of a set that is meant: as rows name it, or written a little differently.
fn find<'a>(set: RowSet<'_>, there: &'a [(String, u64)], asked: &str) -> Result<&'a str, CompareError> {
    let uniform = |text: &str| {
        text.parse().map_or_else(|_| text.to_owned(), |spec: Spec| ROSTER.with_star(&spec).to_string())
    };
    let asked = uniform(asked);
    match there.iter().find(|(name, _)| uniform(name) == asked) {
        Some((name, _)) => Ok(name),
        None => Err(CompareError::NoSuchAlgorithm {
            path: set.path.display().to_string(),
            asked,
            there: listed(there),
        }),
    }
}

#[cfg(test)]
mod tests;
