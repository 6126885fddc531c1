//! The experiments of the PRA* paper ("Partial Pathfinding Using Map Abstraction and Refinement", Sturtevant and Buro, 2005):
//! whole paths beside A* (Figures 5 and 6) and the clocked game (Figure 7), and in that game the real-time algorithms of
//! the roster, which the paper does not have.
//!
//! s-A* and s-PRA* are A* and PRA*(∞) here: both plan once, and [the clock](crate::clock) spreads that over frames.

mod figures;

use surefoot::agents::Spec;

pub use self::figures::{Measure, write_figures};
pub use crate::clock::PLANNING_MS;
use crate::problems::bucket_of;
use crate::rows::Row;
use crate::runs::ResultSet;

/// The buckets of the paper: paths of length 0 up to 512, 4 to a bucket.
pub const BUCKETS: u32 = 128;

/// What a bucket spans.
pub const BUCKET_LENGTH: u32 = 4;

/// The part of the plan that has the algorithms of the paper.
const OF_THE_PAPER: &str = "paper";

/// What came of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// The bucket of the optimal path.
    pub bucket: u32,
    /// Whether the walk arrived; else it was cut off, and what follows is how far it came.
    pub solved: bool,
    /// The length of the walk, in tiles.
    pub length: f64,
    /// The length of a shortest path.
    pub optimal: f64,
    /// All planning, in milliseconds at the pace of the experiment.
    pub planning_ms: f64,
    /// All planning, in expansions.
    pub expansions: f64,
    /// The frames until arrival, for each of [`PLANNING_MS`].
    pub frames: [u64; 3],
    /// The frames that the walk would take without any thinking.
    pub least: u64,
    /// The frames that a shortest path takes in one go, without any thinking.
    pub shortest: u64,
}

/// The walks of one algorithm: those of the first map by bucket, then those of the second …
#[derive(Clone, Debug)]
pub struct Walks {
    /// The algorithm.
    pub spec: Spec,
    /// Whether it walked every path, or a sample of them only.
    pub every_path: bool,
    /// Its walks.
    pub walks: Vec<Walk>,
}

/// The walks of each algorithm of each part of the plan, in its order. Rows that were not on the clock of the game are left out.
#[must_use]
pub fn walks(results: &ResultSet) -> Vec<Walks> {
    let mut all: Vec<(&str, Walks)> = Vec::new();
    for unit in &results.units {
        let is_its = |(part, walks): &(&str, Walks)| *part == unit.part && walks.spec == unit.spec;
        let place = all.iter().position(is_its).unwrap_or_else(|| {
            let every_path = unit.part == OF_THE_PAPER;
            all.push((&unit.part, Walks { spec: unit.spec.clone(), every_path, walks: Vec::new() }));
            all.len() - 1
        });
        all[place].1.walks.extend(unit.rows.iter().filter_map(Walk::of));
    }
    all.into_iter().map(|(_, walks)| walks).collect()
}

impl Walk {
    /// The walk of a row; nothing if it was not on the clock of the game.
    fn of(row: &Row) -> Option<Self> {
        let optimal = row.optimal_cost?;
        Some(Self {
            bucket: bucket_of(optimal),
            solved: row.solved,
            length: row.travel_cost,
            optimal,
            planning_ms: row.planning_ms?,
            expansions: row.planning_expansions?,
            frames: [row.frames_10_ms?, row.frames_2_ms?, row.frames_1_ms?],
            least: row.frames_without_thinking?,
            shortest: row.frames_of_shortest?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Pace, Sequence};
    use crate::rows::tests::row;
    use crate::runs::results::tests::{results, unit};

    #[test]
    fn the_same_algorithm_in_two_parts_is_two_sets_of_walks() {
        let sequence = Sequence { planning_ns: 3_000_000, expansions: 5.0, straight: 9, diagonal: 1 };
        let on_clock = || row(9, Some(9), true).in_game(&[sequence], Pace::Measured);
        let all = walks(&results(vec![
            unit("paper", "pra*(k=16)", 1, "x", vec![on_clock(), on_clock()]),
            unit("paper", "pra*(k=16)", 1, "y", vec![on_clock()]),
            unit("real-time", "pra*(k=16)", 1, "x", vec![on_clock(), row(9, Some(9), true)]),
        ]));
        let counts: Vec<(bool, usize)> =
            all.iter().map(|walks| (walks.every_path, walks.walks.len())).collect();
        assert_eq!(counts, [(true, 3), (false, 1)]);
        let walk = all[0].walks[0];
        assert_eq!((walk.bucket, walk.solved, walk.planning_ms, walk.expansions), (2, true, 3.0, 5.0));
        assert_eq!((walk.frames, walk.least, walk.shortest), ([1 + 11, 2 + 11, 3 + 11], 11, 11));
    }
}
