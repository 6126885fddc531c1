//! Databases that are built in one go: there is nothing to resume, and no shards.

use std::path::Path;
use std::time::Instant;

use surefoot::store::DatabaseConfig;

use super::{Arguments, Report, building, size_limit};
use crate::databases::{self, BuildProgress};
use crate::failure::Failure;
use crate::interrupt::Parting;
use crate::output::Output;
use crate::parallel;
use crate::table::duration;

/// Builds a database and writes it to `out`.
pub(super) fn build(
    arguments: &Arguments,
    out: &Path,
    config: Box<dyn DatabaseConfig>,
) -> Result<Report, Failure> {
    if arguments.shard.is_some() {
        let message =
            format!("--shard is for databases that are built in blocks; {config} is built in one go");
        return Err(Failure::usage("build", message));
    }
    let worlds = arguments.world.worlds(arguments.terrain()?)?;
    let _parting = Parting::new(databases::STOPPED.to_string());
    let output = Output::create(out)?;
    let begin = Instant::now();
    let threads = arguments.threads.unwrap_or_else(parallel::all_cores);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::other)?;
    let space = worlds.main();
    let build = |config: &dyn DatabaseConfig, attempt| {
        let attempt = if attempt > 1 { format!(", try {attempt}") } else { String::new() };
        let progress = BuildProgress::telling(building(out) + &attempt);
        pool.install(|| databases::build_at_once(space, config, progress))
    };
    let (database, chosen) = match arguments.size_limit {
        Some(limit) => size_limit::build(config, limit, build)?,
        None => (build(&*config, 1)?, None),
    };
    let seconds = begin.elapsed().as_secs_f64();
    output.finish_durably_with(&database.to_bytes())?;
    let facts = database.describe().map_err(Failure::other)?.facts;
    Ok((facts, chosen.into_iter().chain([("time", duration(seconds * 1e9))]).collect()))
}
