//! `surefoot build`: the database that an algorithm needs on a map, or a shard of it.
//!
//! Each block of records or goal regions depends on the map, the spec, the seed and its own number alone. So the bytes are the same for any
//! number of threads, for any split into shards, and however often the build was stopped on the way.

mod at_once;
mod size_limit;
mod sizes;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use clap::Args;
use surefoot::database::{
    Block, BuiltFor, Database, DatabaseConfig, DatabaseFileInfo, Part, PartConfig, PartHead,
};
use surefoot::formats::read_any_map;

use self::size_limit::SizeLimit;
pub(crate) use self::sizes::{beacon_sizes, cover_sizes, pattern_sizes, record_sizes};
use crate::algorithm::{self, Algorithm};
use crate::commands::run::file_name;
use crate::databases::{self, BlockBuilder, Blocks, Journal, warn_of_missing};
use crate::failure::Failure;
use crate::interrupt::Parting;
use crate::number;
use crate::output::{self, Output};
use crate::parallel;
use crate::progress::Progress;
use crate::table::{duration, labelled, thousands};
use crate::world::WorldOptions;

/// Build the database that an algorithm needs on a map
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot build arena.map\n  \
    surefoot build arena.map --size-limit 256KB --out small.sfdb\n  \
    surefoot build arena.map --bound 2000\n  \
    surefoot build arena.map --algorithm 'knn-lrta*(n=10000)' --out arena.sfdb\n  \
    surefoot build arena.map --algorithm 'knn-lrta*(n=10000)' --out arena.sfdb --resume\n  \
    surefoot build arena.map --algorithm 'knn-lrta*(n=1000000)' --shard 3/64 --out arena.3\n  \
    surefoot build arena.map --algorithm 'd-lrta*(level=5)' --out arena.sfdb\n  \
    surefoot build arena.map --algorithm 'hcdps*(cutoff=60)' --out arena.sfdb\n  \
    surefoot run --map arena.map --db arena.sfdb --out rows.csv\n\n\
    Without --algorithm these are the beacons of beacon*: the corners of the map, the legs between them, and hub labels that know what \
    the cheapest way between any two of them costs. Walks by them are cheapest paths. With --size-limit the file, and what agents look up \
    once it is opened, take no more than so many bytes: while they do, transit nodes take the place of corners, fewer and fewer of them, \
    and it is told what was chosen. With --bound no move looks up more for a decision; one that takes more is spread over the first \
    moves, while the unit waits. Without --out the file lies beside the map, arena.sfdb for arena.map; a file of \
    that name that is there already is replaced only if it is a database of the same kind.\n\
    The same map, options and seed give the same bytes, with any number of threads and in any number of shards; \
    'surefoot merge' puts the shards together.\n\
    What is done is kept in a journal beside the file, whose name has .journal behind it. If the build is stopped, by \
    Ctrl-C or a power cut, the same command with --resume goes on where it was. The journal is removed when the \
    file is finished. Beacons, abstractions and covers are built in one go, in seconds, without a journal or shards.")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp
    #[arg(value_name = "MAP")]
    map: PathBuf,

    /// The algorithm that the database is for; its parameters say how it is built
    #[arg(long, value_name = "SPEC", default_value = algorithm::DEFAULT)]
    algorithm: Algorithm,

    /// Choose beacons, or fewer and fewer transit nodes, so that the database takes no more: 256KB, 1.5MB
    #[arg(long, value_name = "SIZE")]
    size_limit: Option<SizeLimit>,

    /// The most that a move of beacon* looks up for a decision, the same as its parameter bound
    #[arg(long, value_name = "N", value_parser = number::whole::<u64>(1..=1_000_000_000), allow_negative_numbers = true)]
    bound: Option<u64>,

    #[command(flatten)]
    world: WorldOptions,

    /// Which of the many databases
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = number::any(), allow_negative_numbers = true)]
    seed: u64,

    /// Work on N threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = number::whole::<usize>(1..=parallel::MOST_THREADS), allow_negative_numbers = true)]
    threads: Option<usize>,

    /// The file for the database, or for the shard [default: the map's name with .sfdb, beside the map]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Build only shard K of N, for 'surefoot merge'
    #[arg(long, value_name = "K/N", requires = "out")]
    shard: Option<ShardArgument>,

    /// Go on with the journal of a build that was stopped, if there is one
    #[arg(long)]
    resume: bool,
}

/// A shard as written on the command line: `K/N`.
#[derive(Clone, Copy, Debug)]
struct ShardArgument(u32, u32);

impl FromStr for ShardArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected =
            || "expected K/N: two whole numbers from 1, the first not above the second, as in 3/64";
        let (shard, count) = text.split_once('/').ok_or_else(expected)?;
        let number = number::positive();
        let (shard, count) = (number(shard).map_err(|_| expected())?, number(count).map_err(|_| expected())?);
        if shard <= count { Ok(Self(shard, count)) } else { Err(expected().to_string()) }
    }
}

impl Arguments {
    /// The algorithm, with its bound if that has an option of its own.
    fn algorithm(&self) -> Result<Algorithm, Failure> {
        let Some(bound) = self.bound else { return Ok(self.algorithm.clone()) };
        let (spec, name) = (self.algorithm.spec(), self.algorithm.name());
        let refuse = |message: String| Err(Failure::usage("build", message));
        if !matches!(self.algorithm.database(self.seed), Some(DatabaseConfig::Beacons(_))) {
            return refuse(format!("--bound is for beacon*; what {name} takes follows from its spec"));
        }
        if spec.value("bound").is_some() {
            return refuse(format!("--bound {bound} and {name} both name a bound; leave one of them out"));
        }
        size_limit::with_parameter(spec, "bound", bound).parse().map_err(Failure::other)
    }

    /// The file for the database. One that nobody named does not take the place of anything else.
    fn file(&self, config: DatabaseConfig) -> Result<Cow<'_, Path>, Failure> {
        if let Some(out) = &self.out {
            return Ok(Cow::Borrowed(out));
        }
        let out = self.map.with_extension("sfdb");
        if !out.exists() {
            return Ok(Cow::Owned(out));
        }
        let there = match databases::inspect(&out) {
            Ok(info) if is_same_kind(&info, config) => return Ok(Cow::Owned(out)),
            Ok(_) => "it is a database of another kind",
            Err(_) => "it is no database that can be read",
        };
        let problem = format!("it is there already, and {there}; name a file with --out");
        Err(Failure::write(&out, &std::io::Error::other(problem)))
    }
}

fn is_same_kind(info: &DatabaseFileInfo, config: DatabaseConfig) -> bool {
    matches!(
        (info, config),
        (DatabaseFileInfo::Beacons(_), DatabaseConfig::Beacons(_))
            | (DatabaseFileInfo::Subgoals(_), DatabaseConfig::Subgoals(_))
            | (DatabaseFileInfo::Abstraction(_), DatabaseConfig::Abstraction(_))
            | (DatabaseFileInfo::Patterns(_), DatabaseConfig::Patterns(_))
            | (DatabaseFileInfo::Cover(_), DatabaseConfig::Cover(_))
    )
}

/// What is being done, for those who wait.
fn building(out: &Path) -> String {
    format!("building {}", file_name(out))
}

/// Builds a database and writes it.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let algorithm = &arguments.algorithm()?;
    let Some(config) = algorithm.database(arguments.seed) else {
        let message = format!("{} needs no database", algorithm.name());
        return Err(Failure::usage("build", message));
    };
    if arguments.size_limit.is_some() && !matches!(config, DatabaseConfig::Beacons(_)) {
        let name = algorithm.name();
        let message = format!("--size-limit chooses what beacon* goes by; {name} is built as its spec says");
        return Err(Failure::usage("build", message));
    }
    let out = &*arguments.file(config)?;
    if output::is_stdout(out) {
        return Err(Failure::usage("build", "a database needs a file of its own"));
    }
    output::refuse_inputs(out, &[&arguments.map])?;
    output::refuse_inputs(out, arguments.world.weights.input().as_slice())?;
    if at_once::is_for(config) {
        return at_once::build(arguments, algorithm, out, config);
    }
    let worlds = arguments.world.worlds(read_any_map(&arguments.map)?)?;
    let space = worlds.main();
    // A file that cannot be written is to be known before hours are spent; and nothing of it is to lie around meanwhile.
    let device = Some(Output::create(out)?).filter(|output| !output.is_file());
    let begin = Instant::now();
    let Some(builder) = BlockBuilder::new(space, config)? else {
        return Err(Failure::Other(format!("{config} cannot be built yet")));
    };
    let shard = arguments.shard.map_or((1, 1), |ShardArgument(shard, count)| (shard, count));
    let head = PartHead { built_for: BuiltFor::of(space), config: builder.config(), shard };
    // A pipe or a device has no place beside it, and nobody could go on with it.
    let (mut journal, blocks) = match device {
        Some(_) => (None, Blocks::new()),
        None => {
            let (journal, blocks) = Journal::open(out, &head, arguments.resume)?;
            (Some(journal), blocks)
        }
    };
    let _parting = Parting::new(match &journal {
        Some(journal) => format!(
            "surefoot: stopped; what is done is in {}: the same command with --resume goes on",
            journal.path().display()
        ),
        None => databases::STOPPED.to_string(),
    });
    let mut part = Part { head, blocks, length: 0 };
    let resumed = make(arguments, building(out), &builder, &mut part, journal.as_mut())?;
    let finished = match arguments.shard {
        Some(_) => Finished::of_part(&part),
        None => Finished::of_database(&builder, part)?,
    };
    let output = device.map_or_else(|| Output::create(out), Ok)?;
    output.finish_durably_with(&finished.to_bytes())?;
    journal.map_or(Ok(()), Journal::remove)?;
    finished.report(arguments, out, begin.elapsed().as_secs_f64(), (resumed, builder.unit()))
}

/// Makes all blocks of the part that are not there yet. Tells how many records or regions were.
fn make(
    arguments: &Arguments,
    label: String,
    builder: &BlockBuilder<'_>,
    part: &mut Part,
    mut journal: Option<&mut Journal>,
) -> Result<u64, Failure> {
    let Part { head, blocks, .. } = part;
    let pieces_of = |block: &u64| {
        let pieces = head.config.pieces_of(*block);
        pieces.end - pieces.start
    };
    let resumed = blocks.keys().map(pieces_of).sum();
    let mut progress = Progress::with_rate(label, builder.unit(), head.pieces(), resumed);
    let missing: Vec<u64> = head.blocks().filter(|block| !blocks.contains_key(block)).collect();
    let threads = arguments.threads.unwrap_or_else(parallel::all_cores);
    let mut made = resumed;
    builder.make(missing.into_iter(), threads, |number, block, pieces| {
        journal.as_mut().map_or(Ok(()), |journal| journal.add(number, &block))?;
        blocks.insert(number, block);
        made += pieces;
        progress.done(made);
        Ok(())
    })?;
    Ok(resumed)
}

/// What is to be written, and what is told of it.
struct Finished {
    contents: Contents,
    sizes: Vec<(&'static str, String)>,
}

enum Contents {
    Database(Database),
    Part(Vec<u8>),
}

impl Finished {
    fn of_part(part: &Part) -> Self {
        let (bytes, asked) = (part.to_bytes(), part.head.pieces());
        let length = bytes.len() as u64;
        let sizes = match part.head.config {
            PartConfig::Subgoals(_) => {
                let (mut records, mut states) = (0, 0);
                for block in part.blocks.values() {
                    let Block::Records(more) = block else { continue };
                    records += more.len() as u64;
                    states += more.iter().map(|record| record.states.len() as u64).sum::<u64>();
                }
                warn_of_missing(records, asked);
                record_sizes(records, states, length).into()
            }
            _ => vec![("goal regions", thousands(asked)), ("bytes", thousands(length))],
        };
        Self { contents: Contents::Part(bytes), sizes }
    }

    /// The database is opened once before it is written: nobody is to find out later that it cannot be.
    fn of_database(builder: &BlockBuilder<'_>, part: Part) -> Result<Self, Failure> {
        let asked = part.head.pieces();
        let database = builder.finish(part.blocks)?;
        let length = database.to_bytes().len() as u64;
        let sizes = match &database {
            Database::Subgoals(subgoals) => {
                warn_of_missing(subgoals.len() as u64, asked);
                record_sizes(subgoals.len() as u64, subgoals.states(), length).into()
            }
            Database::Patterns(patterns) => {
                pattern_sizes(patterns.regions(), patterns.pairs(), length).into()
            }
            _ => return Err(Failure::Other("the database is not what was asked for".to_string())),
        };
        Ok(Self { contents: Contents::Database(database), sizes })
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        match &self.contents {
            Contents::Database(database) => database.to_bytes(),
            Contents::Part(bytes) => Cow::Borrowed(bytes),
        }
    }

    /// `resumed` is what was done before, and of what.
    fn report(
        self,
        arguments: &Arguments,
        out: &Path,
        seconds: f64,
        resumed: (u64, &str),
    ) -> Result<(), Failure> {
        let what = match arguments.shard {
            Some(ShardArgument(shard, count)) => format!("shard {shard} of {count}"),
            None => "database".to_string(),
        };
        let mut lines =
            vec![("wrote", format!("{}, {what} for {}", out.display(), arguments.algorithm.name()))];
        lines.extend(self.sizes);
        let from_journal = match resumed {
            (0, _) => String::new(),
            (resumed, unit) => format!("; {} {unit} were in the journal", thousands(resumed)),
        };
        lines.push(("time", format!("{}{from_journal}", duration(seconds * 1e9))));
        output::print(&labelled(&lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_two_numbers() {
        assert!(matches!("3/64".parse(), Ok(ShardArgument(3, 64))));
        assert!(matches!("1/1".parse(), Ok(ShardArgument(1, 1))));
        for wrong in ["", "3", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b", "1/99999999999"] {
            assert!(wrong.parse::<ShardArgument>().unwrap_err().starts_with("expected K/N"), "{wrong}");
        }
    }
}
