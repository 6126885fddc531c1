//! Databases that are built as long as there is time for it.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use surefoot::database::{
    Database, DatabaseConfig, DatabaseError, PatternBuilder, PatternScratch, SubgoalBuilder,
};
use surefoot::search::GridPlanner;
use surefoot::space::GridSpace;

/// What came of a build.
pub(super) enum Build {
    /// It is there.
    Done(Database),
    /// The time was over; all of it would have taken about so many seconds.
    TooLong(f64),
}

/// Builds a database on all cores. What is made of many pieces is given up after so many seconds; the rest is built in one go.
///
/// # Errors
/// If it would be too large for a file.
pub(super) fn build(space: &GridSpace, config: DatabaseConfig, seconds: f64) -> Result<Build, DatabaseError> {
    match config {
        DatabaseConfig::Subgoals(config) => {
            let builder = SubgoalBuilder::new(space, config);
            let planner = || GridPlanner::new(config.paths);
            match in_pieces(builder.blocks(), seconds, planner, |planner, block| {
                builder.block(block, planner)
            }) {
                Ok(records) => {
                    builder.finish(records).map(|built| Build::Done(Database::Subgoals(Arc::new(built))))
                }
                Err(all) => Ok(Build::TooLong(all)),
            }
        }
        DatabaseConfig::Patterns(config) => {
            let builder = PatternBuilder::new(space, config)?;
            let column = |scratch: &mut PatternScratch, block| builder.block(block, scratch);
            match in_pieces(builder.blocks(), seconds, PatternScratch::default, column) {
                Ok(columns) => {
                    builder.finish(&columns).map(|built| Build::Done(Database::Patterns(Arc::new(built))))
                }
                Err(all) => Ok(Build::TooLong(all)),
            }
        }
        config => Database::build(space, config).map(Build::Done),
    }
}

/// What all pieces have made, in order; or the seconds that they would have taken.
fn in_pieces<S, T: Send>(
    pieces: u64,
    seconds: f64,
    scratch: impl Fn() -> S + Sync + Send,
    make: impl Fn(&mut S, u64) -> Vec<T> + Sync + Send,
) -> Result<Vec<T>, f64> {
    let begin = Instant::now();
    let made: Vec<Option<Vec<T>>> = (0..pieces)
        .into_par_iter()
        .map_init(scratch, |scratch, piece| {
            (begin.elapsed().as_secs_f64() < seconds).then(|| make(scratch, piece))
        })
        .collect();
    let done = made.iter().flatten().count();
    if done < made.len() {
        return Err(begin.elapsed().as_secs_f64() * pieces as f64 / done.max(1) as f64);
    }
    Ok(made.into_iter().flatten().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::agents::roster::database_for;
    use surefoot::space::{CostModel, Grid, MoveRule};

    #[test]
    fn what_is_built_is_what_is_always_built() {
        let grid = Grid::from_fn(30, 20, |cell| cell.x % 7 != 3 || cell.y == 4).unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        for spec in ["knn-lrta*(n=200)", "d-lrta*(level=2)", "pra*"] {
            let config = database_for(&spec.parse().unwrap(), 1).unwrap().unwrap();
            let Ok(Build::Done(database)) = build(&space, config, 1e9) else { panic!("{spec}") };
            assert_eq!(database.to_bytes(), Database::build(&space, config).unwrap().to_bytes(), "{spec}");
            let without_time = build(&space, config, 0.0).unwrap();
            assert_eq!(matches!(without_time, Build::TooLong(_)), spec != "pra*", "{spec}");
        }
    }

    #[test]
    fn pieces_stay_in_order() {
        let made = in_pieces(100, 1e9, || (), |(), piece| vec![2 * piece, 2 * piece + 1]).unwrap();
        assert_eq!(made, (0..200).collect::<Vec<_>>());
        assert_eq!(in_pieces(0, 0.0, || (), |(), piece| vec![piece]), Ok(Vec::new()));
    }
}
