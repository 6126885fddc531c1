//! `surefoot db verify`: whether a database holds what it promises.

use clap::Args;

use super::DatabaseAndMap;
use crate::commands::run::file_name;
use crate::databases::{BuildProgress, in_file, lines_of};
use crate::failure::Failure;
use crate::number;
use crate::output;
use crate::parallel;
use crate::table::labelled;

/// Check everything in a database on its map
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot db verify arena.sfdb --map arena.map\n  \
    surefoot db verify arena.sfdb --map arena.map --sample 10000\n\n\
    What is checked, by what the database holds:\n\
    \x20 records       every leg is climbed. Then random problems are drawn, and it is counted how an\n\
    \x20               agent with default parameters would begin: straight for the goal, along a record,\n\
    \x20               or without one\n\
    \x20 abstraction   every group and every edge is counted again\n\
    \x20 patterns      the regions are found again, and pairs of them are drawn, or all taken if there\n\
    \x20               are fewer. New searches say whether subgoals lie on cheapest paths, and whether\n\
    \x20               depths are the shallowest that serve\n\
    \x20 cover         it is built again, and climbs lead from every cell to the middle of its region\n\
    \x20               and back\n\
    \x20 beacons, transit nodes\n\
    \x20               they are built again, and all bytes compared\n\
    The move rule and the costs are those in the file.\n\
    The exit code is 1 if the file is damaged, belongs to another map, or breaks a promise.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: DatabaseAndMap,

    /// How many random problems to draw, or pairs of regions to check
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number::any(), allow_negative_numbers = true)]
    sample: u64,

    /// Which of the many random problems
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = number::any(), allow_negative_numbers = true)]
    seed: u64,

    /// Work on N threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = number::whole::<usize>(1..=parallel::MOST_THREADS), allow_negative_numbers = true)]
    threads: Option<usize>,
}

/// Checks a database.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { source, sample, seed, threads } = arguments;
    let (worlds, database) = source.open()?;
    let space = worlds.main();
    let threads = threads.unwrap_or_else(parallel::all_cores);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::other)?;
    let mut progress = BuildProgress::new(format!("checking {}", file_name(&source.file)));
    let verified = pool.install(|| database.verify(space, *sample, *seed, &mut |event| progress.show(event)));
    drop(progress);
    let facts = verified.map_err(|fault| in_file(&source.file, format!("{fault}; build it anew")))?;
    let mut lines = vec![("built for", database.built_for().to_string())];
    lines.extend(lines_of(facts));
    output::print(&labelled(&lines))
}
