//! What the pairs of one algorithm come to, measure by measure.

use serde::Serialize;

use super::interval::{self, Interval};
use crate::rows::Row;

/// How likely an uneven outcome may be by chance and still be taken for a difference.
const SIGNIFICANT: f64 = 0.05;

/// What a change did to a measure. Less is better in all of them but the number of problems solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every pair has the same figure.
    Same,
    /// The second set is better, and chance alone would hardly do that.
    Better,
    /// The second set is worse, and chance alone would hardly do that.
    Worse,
    /// The figures differ, but not by more than chance alone would do.
    NoDifference,
    /// The figures differ, but there are too few pairs to tell what chance would do.
    TooFew,
    /// The figures are times of different machines, which say nothing about the sets.
    OtherMachine,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Same => "same",
            Self::Better => "better",
            Self::Worse => "worse",
            Self::NoDifference => "no difference seen",
            Self::TooFew => "too few to tell",
            Self::OtherMachine => "other machine",
        })
    }
}

/// A measure in both sets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Pairs that have the measure in both sets.
    pub pairs: u64,
    /// The mean in the first set.
    pub a: f64,
    /// The mean in the second set.
    pub b: f64,
    /// b - a or b / a. `None` if there is nothing to divide by.
    pub change: Option<f64>,
    /// Where the change lies if other problems of the kind are drawn, in 95 of 100 draws; nothing for too few
    /// pairs.
    pub interval: Option<Interval>,
    /// Pairs in which the second set has less.
    pub less: u64,
    /// Pairs in which the second set has more.
    pub more: u64,
    /// What that says.
    pub verdict: Verdict,
}

/// Whether the agents arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Solved {
    /// Pairs that the first set has solved.
    pub a: u64,
    /// Pairs that the second set has solved.
    pub b: u64,
    /// Pairs that only the first set has solved.
    pub only_a: u64,
    /// Pairs that only the second set has solved.
    pub only_b: u64,
    /// What that says.
    pub verdict: Verdict,
}

/// A pair of rows: of the first set, and of the second.
pub(super) type Pair<'a> = (&'a Row, &'a Row);

/// How two means are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Difference,
    Ratio,
}

impl Solved {
    pub(super) fn of(pairs: &[Pair<'_>]) -> Self {
        let count = |is: fn(&Pair<'_>) -> bool| pairs.iter().filter(|pair| is(pair)).count() as u64;
        let only_a = count(|(a, b)| a.solved && !b.solved);
        let only_b = count(|(a, b)| !a.solved && b.solved);
        // The sign test: what both solve, or neither, says nothing about which solves more.
        let verdict = match (only_a, only_b) {
            (0, 0) => Verdict::Same,
            _ if interval::chance_of_split(only_a, only_b) > SIGNIFICANT => Verdict::NoDifference,
            _ if only_b > only_a => Verdict::Better,
            _ => Verdict::Worse,
        };
        Self { a: count(|(a, _)| a.solved), b: count(|(_, b)| b.solved), only_a, only_b, verdict }
    }
}

impl Change {
    /// The change of a measure over the pairs that were solved in both sets and have it. `None` if there is
    /// no such pair.
    pub(super) fn of(pairs: &[Pair<'_>], kind: Kind, measure: fn(&Row) -> Option<f64>) -> Option<Self> {
        let measure = |row: &Row| measure(row).filter(|figure| figure.is_finite());
        let figures: Vec<(f64, f64)> = pairs
            .iter()
            .filter(|(a, b)| a.solved && b.solved)
            .filter_map(|(a, b)| measure(a).zip(measure(b)))
            .collect();
        if figures.is_empty() {
            return None;
        }
        let mean = |of: fn(&(f64, f64)) -> f64| figures.iter().map(of).sum::<f64>() / figures.len() as f64;
        let (a, b) = (mean(|figures| figures.0), mean(|figures| figures.1));
        let (change, interval, neutral) = match kind {
            Kind::Difference => (Some(b - a), interval::of_difference(&figures), 0.0),
            Kind::Ratio => ((a != 0.0).then_some(b / a), interval::of_ratio(&figures), 1.0),
        };
        let count = |is: fn(&(f64, f64)) -> bool| figures.iter().filter(|pair| is(pair)).count() as u64;
        let (less, more) = (count(|(a, b)| b < a), count(|(a, b)| b > a));
        let verdict = match interval {
            _ if less == 0 && more == 0 => Verdict::Same,
            None => Verdict::TooFew,
            Some(interval) if interval.contains(neutral) => Verdict::NoDifference,
            Some(interval) if interval.high < neutral => Verdict::Better,
            Some(_) => Verdict::Worse,
        };
        Some(Self { pairs: figures.len() as u64, a, b, change, interval, less, more, verdict })
    }
}

/// What solved problems and suboptimality say together. Arriving comes first: the means leave out the
/// problems that only one set solves.
pub(super) fn overall(differing: u64, solved: Verdict, suboptimality: Option<Verdict>) -> Verdict {
    match (differing, solved) {
        (0, _) => Verdict::Same,
        (_, Verdict::Better | Verdict::Worse) => solved,
        _ => match suboptimality {
            // The walks differ, but neither in length nor in how many there are.
            Some(Verdict::Same) | None => Verdict::NoDifference,
            Some(verdict) => verdict,
        },
    }
}
