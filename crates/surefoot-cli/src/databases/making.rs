//! Databases in the making.

use std::sync::Arc;

use surefoot::database::{
    Database, DatabaseConfig, PatternBuilder, PatternColumn, PatternConfig, PatternScratch, Record,
    SubgoalBuilder,
};
use surefoot::search::GridPlanner;
use surefoot::space::GridSpace;

use crate::failure::Failure;
use crate::output::tell;
use crate::parallel;
use crate::progress::Progress;

/// Makes blocks of records on `threads` threads and hands each to `done`.
pub(crate) fn make_blocks(
    builder: &SubgoalBuilder<'_, GridSpace>,
    blocks: impl Iterator<Item = u64> + Send,
    threads: usize,
    mut done: impl FnMut(u64, Vec<Record>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let paths = builder.config().paths;
    parallel::for_each_done(
        threads,
        blocks,
        || GridPlanner::new(paths),
        |planner, block| (block, builder.block(block, planner)),
        |(block, records)| done(block, records),
    )
}

/// Says so if there are fewer records than were asked for.
pub(crate) fn warn_of_missing(records: u64, asked: u64) {
    if records < asked {
        let why = "the map has hardly any two cells with a way of two moves or more between them";
        tell(&format!("only {records} of {asked} records could be made: {why}"));
    }
}

/// Builds a database in memory, on all cores.
pub(super) fn build(space: &GridSpace, config: DatabaseConfig, label: String) -> Result<Database, Failure> {
    let config = match config {
        DatabaseConfig::Subgoals(config) => config,
        // So fast that there is no progress to tell of.
        DatabaseConfig::Abstraction(_) => return Database::build(space, config).map_err(Failure::other),
        DatabaseConfig::Patterns(config) => return build_patterns(space, config, label),
        _ => return Err(Failure::Other(format!("{config} cannot be built yet"))),
    };
    let builder = SubgoalBuilder::new(space, config);
    let mut progress = Progress::with_rate(label, "records", config.records, 0);
    let (mut records, mut made) = (Vec::new(), 0);
    make_blocks(&builder, 0..builder.blocks(), parallel::all_cores(), |block, new| {
        let numbers = builder.records_of(block);
        made += numbers.end - numbers.start;
        progress.done(made);
        records.extend(new);
        Ok(())
    })?;
    let database = builder.finish(records).map_err(Failure::other)?;
    warn_of_missing(database.len() as u64, config.records);
    Ok(Database::Subgoals(Arc::new(database)))
}

/// Builds a pattern database in memory, on all cores.
fn build_patterns(space: &GridSpace, config: PatternConfig, label: String) -> Result<Database, Failure> {
    let builder = PatternBuilder::new(space, config).map_err(Failure::other)?;
    let count = builder.columns();
    let mut progress = Progress::with_rate(label, "regions", u64::from(count), 0);
    let (mut columns, mut made) = (vec![PatternColumn::new(); count as usize], 0);
    parallel::for_each_done(
        parallel::all_cores(),
        0..count,
        PatternScratch::default,
        |scratch, goal| (goal, builder.column(goal, scratch)),
        |(goal, column)| {
            made += 1;
            progress.done(made);
            columns[goal as usize] = column;
            Ok(())
        },
    )?;
    let database = builder.finish(&columns).map_err(Failure::other)?;
    Ok(Database::Patterns(Arc::new(database)))
}
