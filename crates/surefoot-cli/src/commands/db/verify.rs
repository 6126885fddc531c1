//! `surefoot db verify`: whether a database holds what it promises.

use clap::Args;
use surefoot::agents::roster;
use surefoot::database::{Abstraction, Database, RecordForm, SubgoalDatabase, TransitDatabase};
use surefoot::search::{Budget, reachable};
use surefoot::space::{GridSpace, Reachability, State, StateSpace as _};
use surefoot_lab::random::Rng;

use super::{DatabaseAndMap, beacons, cover, patterns};
use crate::failure::Failure;
use crate::number;
use crate::output;
use crate::parallel;
use crate::progress::Progress;
use crate::table::{labelled, thousands};

/// Check everything in a database on its map
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot db verify arena.sfdb --map arena.map\n  \
    surefoot db verify arena.sfdb --map arena.map --sample 10000\n\n\
    Of patterns, the regions are found again, and pairs of them are drawn, or all taken if there are fewer: new searches \
    say whether subgoals lie on cheapest paths and depths are the shallowest that serve. Of the others, every leg of every record is climbed; every group and edge of an abstraction is counted again; a cover is built again, and climbs lead from every \
    cell to the middle of its region and back; beacons are built again, and all bytes compared. Then, for records, random problems are drawn, and it is counted how an agent with default \
    parameters would begin: straight for the goal, along a record, or without one. The move rule and the costs are \
    those in the file. The exit code is 1 if the file is damaged, belongs to another map, or breaks a promise.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(super) source: DatabaseAndMap,

    /// How many random problems to draw, or pairs of regions to check
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number::any(), allow_negative_numbers = true)]
    pub(super) sample: u64,

    /// Which of the many random problems
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = number::any(), allow_negative_numbers = true)]
    pub(super) seed: u64,

    /// Work on N threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = number::whole::<usize>(1..=parallel::MOST_THREADS), allow_negative_numbers = true)]
    pub(super) threads: Option<usize>,
}

/// Records that are climbed at a time.
const PIECE: usize = 1024;

/// Checks a database.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (worlds, database) = arguments.source.open()?;
    let space = worlds.main();
    let subgoals = match &database {
        Database::Subgoals(subgoals) => subgoals,
        Database::Abstraction(abstraction) => return verify_abstraction(arguments, abstraction, space),
        Database::Patterns(database) => return patterns::verify(arguments, database, space),
        Database::Cover(database) => return cover::verify(arguments, database, space),
        Database::Beacons(database) => return beacons::verify(arguments, database, space),
        Database::Transit(database) => return verify_transit(arguments, database, space),
        _ => return Err(Failure::Other(format!("{} cannot be checked yet", database.config()))),
    };
    climb_all(arguments, subgoals, space)?;
    let coverage = Coverage::sample(arguments, &database, subgoals, space)?;
    let records = thousands(subgoals.len() as u64);
    let states = thousands(subgoals.states());
    let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / coverage.drawn.max(1) as f64);
    output::print(&labelled(&[
        ("built for", subgoals.built_for().to_string()),
        ("records", format!("{records} of {states} states; every leg can be climbed")),
        (
            "sampled",
            format!("{} random problems, as {} begins them:", thousands(coverage.drawn), coverage.algorithm),
        ),
        ("  direct", format!("{}, a climb gets to the goal", share(coverage.direct))),
        ("  by record", share(coverage.by_record)),
        ("  fall back", format!("{}, no record fits", share(coverage.fall_back))),
    ]))
}

/// Builds transit nodes anew and compares.
fn verify_transit(
    arguments: &Arguments,
    transit: &TransitDatabase,
    space: &GridSpace,
) -> Result<(), Failure> {
    transit.verify(space).map_err(|fault| {
        Failure::Other(format!("{}: {fault}; build it anew", arguments.source.file.display()))
    })?;
    output::print(&labelled(&[
        ("built for", transit.built_for().to_string()),
        ("rebuilt", "all of it is what is built from the map anew".to_string()),
    ]))
}

/// Recounts an abstraction.
fn verify_abstraction(
    arguments: &Arguments,
    abstraction: &Abstraction,
    space: &GridSpace,
) -> Result<(), Failure> {
    abstraction.verify_cliques(space).map_err(|fault| {
        Failure::Other(format!("{}: {fault}; build it anew", arguments.source.file.display()))
    })?;
    let nodes = (1..abstraction.levels()).map(|level| thousands(abstraction.node_count(level) as u64));
    output::print(&labelled(&[
        ("built for", abstraction.built_for().to_string()),
        ("states", format!("{}, each in one group", thousands(abstraction.ground_states()))),
        ("levels", format!("of {} nodes", nodes.collect::<Vec<_>>().join(", "))),
        ("recounted", "groups are cliques with orphans, edges and capacities are right".to_string()),
    ]))
}

/// Climbs every leg.
fn climb_all(arguments: &Arguments, subgoals: &SubgoalDatabase, space: &GridSpace) -> Result<(), Failure> {
    let count = subgoals.len() as u32;
    let threads = arguments.threads.unwrap_or_else(parallel::all_cores);
    let pieces = (0..count).step_by(PIECE).map(|from| from..from.saturating_add(PIECE as u32).min(count));
    let mut progress = Progress::with_rate("climbing", "records", u64::from(count), 0);
    let (mut done, mut broken) = (0, Vec::new());
    parallel::for_each_done(
        threads,
        pieces,
        || (),
        |(), piece| (piece.len() as u64, subgoals.first_broken_leg(space, piece)),
        |(length, found)| {
            done += length;
            progress.done(done);
            broken.extend(found);
            Ok(())
        },
    )?;
    drop(progress);
    // The first of all, whichever thread was first.
    let Some((record, from, to)) = broken.into_iter().min() else { return Ok(()) };
    let (file, from, to) = (arguments.source.file.display(), space.cell(from), space.cell(to));
    Err(Failure::Other(format!(
        "{file}: record {record} is broken: a climb from {from} does not get to {to}; build it anew"
    )))
}

/// How random problems would begin.
struct Coverage {
    algorithm: &'static str,
    drawn: u64,
    direct: u64,
    by_record: u64,
    fall_back: u64,
}

impl Coverage {
    fn sample(
        arguments: &Arguments,
        database: &Database,
        subgoals: &SubgoalDatabase,
        space: &GridSpace,
    ) -> Result<Self, Failure> {
        let algorithm = match subgoals.config().form {
            RecordForm::Farthest | RecordForm::BeforeFirstMiss => "knn-lrta-2009*",
            _ => "knn-lrta*",
        };
        let spec = algorithm.parse().map_err(Failure::other)?;
        let mut agent = roster::agent_with(&spec, Some(database)).map_err(Failure::other)?;
        let cutoff = roster::entry(algorithm)
            .and_then(|entry| entry.parameters.iter().find(|parameter| parameter.name == "cutoff"))
            .and_then(|parameter| parameter.default.parse().ok())
            .unwrap_or(0);
        let mut coverage = Self { algorithm, drawn: 0, direct: 0, by_record: 0, fall_back: 0 };
        let mut progress = Progress::new("sampling", arguments.sample);
        for number in 0..arguments.sample {
            let Some((start, goal)) = draw(space, &mut Rng::new(arguments.seed, number)) else { continue };
            coverage.drawn += 1;
            let mut budget = Budget::unlimited();
            agent.begin(space, start, goal)?;
            agent.step(space, &mut budget);
            if reachable(space, start, goal, cutoff, subgoals.config().ties, &mut budget) {
                coverage.direct += 1;
            } else if agent.fallbacks() > 0 {
                coverage.fall_back += 1;
            } else {
                coverage.by_record += 1;
            }
            progress.done(coverage.drawn);
        }
        Ok(coverage)
    }
}

/// Two states with a way between them; nothing if they are too hard to find.
pub(super) fn draw(space: &GridSpace, random: &mut Rng) -> Option<(State, State)> {
    const TRIES: usize = 10_000;
    let state = |random: &mut Rng| {
        let any = (0..TRIES).map(|_| State(random.below(space.state_limit() as u64) as u32));
        any.into_iter().find(|&state| space.contains(state))
    };
    for _ in 0..TRIES {
        let (start, goal) = (state(random)?, state(random)?);
        if start != goal && space.reachability(start, goal) != Reachability::No {
            return Some((start, goal));
        }
    }
    None
}
