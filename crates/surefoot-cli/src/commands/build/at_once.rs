//! Databases that are built in one go: there is nothing to resume, and no shards.

use std::path::Path;
use std::time::Instant;

use surefoot::database::{BeaconDatabase, Database, DatabaseConfig};
use surefoot::formats::read_any_map;

use super::size_limit::{self, Chosen};
use super::sizes::{Line, beacon_sizes, cover_sizes, per};
use super::{Arguments, building};
use crate::algorithm::Algorithm;
use crate::databases;
use crate::failure::Failure;
use crate::interrupt::Parting;
use crate::output::{self, Output};
use crate::parallel;
use crate::table::{duration, labelled, thousands};

/// Whether what is built from `config` is built in one go.
pub(super) fn is_for(config: DatabaseConfig) -> bool {
    matches!(config, DatabaseConfig::Abstraction(_) | DatabaseConfig::Cover(_) | DatabaseConfig::Beacons(_))
}

/// Builds a database and writes it to `out`.
pub(super) fn build(
    arguments: &Arguments,
    algorithm: &Algorithm,
    out: &Path,
    config: DatabaseConfig,
) -> Result<(), Failure> {
    if arguments.shard.is_some() {
        let message = format!("--shard is for databases of records or patterns; {config} is built in one go");
        return Err(Failure::usage("build", message));
    }
    let worlds = arguments.world.worlds(read_any_map(&arguments.map)?)?;
    let _parting = Parting::new(databases::STOPPED.to_string());
    let output = Output::create(out)?;
    let begin = Instant::now();
    let threads = arguments.threads.unwrap_or_else(parallel::all_cores);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::other)?;
    let space = worlds.main();
    let build = |config, attempt| {
        let attempt = if attempt > 1 { format!(", try {attempt}") } else { String::new() };
        pool.install(|| databases::build_telling(space, config, building(out) + &attempt))
    };
    let (database, chosen) = match (arguments.size_limit, config) {
        (Some(limit), DatabaseConfig::Beacons(config)) => {
            let (database, chosen) = size_limit::build(algorithm.spec(), config, limit, build)?;
            (database, Some(chosen))
        }
        _ => (build(config, 1)?, None),
    };
    let seconds = begin.elapsed().as_secs_f64();
    output.finish_durably_with(&database.to_bytes())?;
    let algorithm = chosen.as_ref().map_or_else(|| algorithm.name(), |chosen| chosen.spec.clone());
    let mut lines = vec![("wrote", format!("{}, database for {algorithm}", out.display()))];
    lines.extend(sizes(&database)?);
    lines.extend(chosen.map(Chosen::into_line));
    lines.push(("time", duration(seconds * 1e9)));
    output::print(&labelled(&lines))
}

fn sizes(database: &Database) -> Result<Vec<Line>, Failure> {
    let bytes = database.to_bytes().len() as u64;
    Ok(match database {
        Database::Cover(cover) => {
            let paths = (u64::from(cover.links()), cover.path_states());
            cover_sizes(cover.regions(), paths, cover.pairs(), bytes).into()
        }
        Database::Beacons(beacons) => {
            let file = BeaconDatabase::inspect(beacons.as_bytes().to_vec()).map_err(Failure::other)?;
            beacon_sizes(&file).into()
        }
        _ => {
            let states = database.states();
            vec![
                ("states", format!("{}, on all levels", thousands(states))),
                ("bytes", format!("{}, {:.2} a state", thousands(bytes), per(bytes, states))),
            ]
        }
    })
}
