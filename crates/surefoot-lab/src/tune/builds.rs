//! Databases that are built as long as there is time for it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use surefoot::space::GridSpace;
use surefoot::store::blocks::{BlockBuilder, Blocks};
use surefoot::store::{BuildEvent, Database, DatabaseConfig, DatabaseError};

/// What came of a build.
pub(super) enum Build {
    /// It is there.
    Done(Arc<dyn Database>),
    /// The time was over. All of it would have taken about so many seconds.
    TooLong(f64),
}

/// Builds a database on all cores. It is given up after so many seconds, at the next block or whenever it
/// tells of itself.
///
/// # Errors
/// If there can be no such database, or it would be too large for a file.
pub(super) fn build(
    space: &GridSpace,
    config: &dyn DatabaseConfig,
    seconds: f64,
) -> Result<Build, DatabaseError> {
    let begin = Instant::now();
    if let Some(builder) = config.blocks(space)? {
        return match in_blocks(&*builder, begin, seconds) {
            Ok(blocks) => builder.finish(&blocks).map(Build::Done),
            Err(all) => Ok(Build::TooLong(all)),
        };
    }
    let mut told = 1.0;
    let built = config.build(space, &mut |event| {
        if let BuildEvent::Progress { done, all, .. } = event {
            told = all as f64 / done.max(1) as f64;
        }
        if begin.elapsed().as_secs_f64() < seconds {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    match built {
        Err(DatabaseError::Cancelled) => Ok(Build::TooLong(begin.elapsed().as_secs_f64() * told)),
        built => built.map(Build::Done),
    }
}

/// All blocks, or the seconds that they would have taken.
fn in_blocks(builder: &dyn BlockBuilder, begin: Instant, seconds: f64) -> Result<Blocks, f64> {
    let count = builder.plan().division().blocks();
    let make = |scratch: &mut Box<dyn std::any::Any + Send>, block| {
        (begin.elapsed().as_secs_f64() < seconds).then(|| (block, builder.make(block, &mut **scratch)))
    };
    let made: Vec<_> =
        (0..count).into_par_iter().map_init(|| builder.scratch(), make).flatten_iter().collect();
    if (made.len() as u64) < count {
        return Err(begin.elapsed().as_secs_f64() * count as f64 / made.len().max(1) as f64);
    }
    Ok(made.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::space::{CostModel, Grid, MoveRule};
    use surefoot_classics::ROSTER;

    #[test]
    fn what_is_built_is_what_is_always_built() {
        let grid = Grid::from_fn(30, 20, |cell| cell.x % 7 != 3 || cell.y == 4).unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        // Whether there is anything to do between looks at the clock.
        for (spec, takes_time) in [
            ("knn-lrta*(n=200)", true),
            ("knn-lrta*(n=0)", false),
            ("d-lrta*(level=2)", true),
            ("beacon*", true),
            ("pra*", false),
        ] {
            let config = ROSTER.database_for(&spec.parse().unwrap(), 1).unwrap().unwrap();
            let Ok(Build::Done(database)) = build(&space, &*config, 1e9) else { panic!("{spec}") };
            assert_eq!(database.to_bytes(), config.build_quietly(&space).unwrap().to_bytes(), "{spec}");
            let without_time = build(&space, &*config, 0.0).unwrap();
            assert_eq!(matches!(without_time, Build::TooLong(_)), takes_time, "{spec}");
        }
    }
}
