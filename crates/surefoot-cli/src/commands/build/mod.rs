//! `surefoot build`: the database that an algorithm needs on a map, or a shard of it.
//!
//! Each block of records or goal regions depends on the map, the spec, the seed and its own number alone. So
//! the bytes are the same for any number of threads, for any split into shards, and however often the build
//! was stopped on the way.

mod at_once;
mod in_blocks;
mod size_limit;

use std::borrow::Cow;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use surefoot::agent::{Parameter, Spec};
use surefoot::space::TerrainMap;
use surefoot::store::{DatabaseConfig, Fact};
use surefoot_classics::ROSTER;

use self::size_limit::SizeLimit;
use crate::algorithm::{self, Algorithm};
use crate::commands::run::file_name;
use crate::databases::{self, Line};
use crate::failure::Failure;
use crate::levels::LevelArguments;
use crate::number;
use crate::output;
use crate::parallel;
use crate::share::Share;
use crate::table::labelled;
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
    surefoot build level.tmx --layer walls\n  \
    surefoot build world.ldtk --level Cave --int-grid Collisions --walkable 0,2\n  \
    surefoot run --map arena.map --db arena.sfdb --out rows.csv\n\n\
    Without --algorithm these are the beacons of beacon*: the corners of the map, the legs between\n\
    them, and hub labels that know what the cheapest way between any two of them costs. Walks by them\n\
    are cheapest paths.\n\
    \x20 --size-limit  the file, and what agents look up once it is opened, take no more than so many\n\
    \x20               bytes. Transit nodes take the place of corners if need be, fewer and fewer of\n\
    \x20               them. It is told what was chosen\n\
    \x20 --bound       no move looks up more for a decision. One that takes more is spread over the\n\
    \x20               first moves, while the unit waits\n\
    \x20 --out         without it the file lies beside the map: arena.sfdb for arena.map. A file of that\n\
    \x20               name that is there already is replaced only if it is a database of the same kind\n\
    \x20 --resume      what is done is kept in a journal beside the file, whose name has .journal behind\n\
    \x20               it. If the build was stopped, by Ctrl-C or a power cut, the same command goes on\n\
    \x20               where it was. The journal is removed when the file is finished\n\
    \x20 --shard       'surefoot merge' puts the shards together\n\
    The same map, options and seed give the same bytes, with any number of threads and shards.\n\
    Beacons, transit nodes, abstractions and covers are built in one go, without a journal or shards.")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp; or a level of Tiled (.tmx) or LDtk (.ldtk)
    #[arg(value_name = "MAP")]
    map: PathBuf,

    /// The algorithm that the database is for; its parameters say how it is built
    #[arg(long, value_name = "SPEC", default_value = algorithm::DEFAULT)]
    algorithm: Algorithm,

    /// Choose beacons, or fewer and fewer transit nodes, so that the database takes no more: 256KB, 1.5MB
    #[arg(long, value_name = "SIZE")]
    size_limit: Option<SizeLimit>,

    /// The most that a move of beacon* or transit* looks up for a decision, the same as the parameter bound
    #[arg(long, value_name = "N", value_parser = number::whole::<u64>(1..=1_000_000_000), allow_negative_numbers = true)]
    bound: Option<u64>,

    #[command(flatten)]
    world: WorldOptions,

    #[command(flatten)]
    levels: LevelArguments,

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
    shard: Option<Share>,

    /// Go on with the journal of a build that was stopped, if there is one
    #[arg(long)]
    resume: bool,
}

impl Arguments {
    /// The map, or the layer of a level that is one.
    fn terrain(&self) -> Result<TerrainMap, Failure> {
        self.levels.read("build", &self.map)
    }

    /// The algorithm, with its bound if that has an option of its own.
    fn algorithm(&self) -> Result<Algorithm, Failure> {
        let Some(bound) = self.bound else { return Ok(self.algorithm.clone()) };
        let (spec, name) = (self.algorithm.spec(), self.algorithm.name());
        let refuse = |message: String| Err(Failure::usage("build", message));
        if !self.algorithm.takes("bound") {
            let takes = |parameter: &Parameter| parameter.name == "bound";
            let entries = ROSTER.entries().iter().filter(|entry| entry.parameters.iter().any(takes));
            let names: Vec<&str> = entries.map(|entry| entry.name).collect();
            let names = names.join(" and ");
            return refuse(format!("--bound is for {names}; what {name} takes follows from its spec"));
        }
        if spec.value("bound").is_some() {
            return refuse(format!("--bound {bound} and {name} both name a bound; leave one of them out"));
        }
        with_parameter(spec, "bound", bound).parse().map_err(Failure::other)
    }

    /// The file for the database. One that nobody named does not take the place of anything else.
    fn file(&self, config: &dyn DatabaseConfig) -> Result<Cow<'_, Path>, Failure> {
        if let Some(out) = &self.out {
            return Ok(Cow::Borrowed(out));
        }
        let out = self.map.with_extension("sfdb");
        if !out.exists() {
            return Ok(Cow::Owned(out));
        }
        let there = match databases::inspect(&out) {
            Ok(info) if info.config.kind() == config.kind() => return Ok(Cow::Owned(out)),
            Ok(_) => "it is a database of another kind",
            Err(_) => "it is no database that can be read",
        };
        let problem = format!("it is there already, and {there}; name a file with --out");
        Err(Failure::write(&out, &std::io::Error::other(problem)))
    }
}

/// A spec with a parameter more.
fn with_parameter(spec: &Spec, name: &str, value: impl Display) -> String {
    let text = spec.to_string();
    match text.strip_suffix(')') {
        Some(open) => format!("{open},{name}={value})"),
        None => format!("{text}({name}={value})"),
    }
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
    if arguments.size_limit.is_some() && config.instead().is_none() {
        let name = algorithm.name();
        let message =
            format!("--size-limit chooses among databases; for {name} there is one, as its spec says");
        return Err(Failure::usage("build", message));
    }
    let out = &*arguments.file(&*config)?;
    if output::is_stdout(out) {
        return Err(Failure::usage("build", "a database needs a file of its own"));
    }
    output::refuse_inputs(out, &[&arguments.map])?;
    output::refuse_inputs(out, arguments.world.weights.input().as_slice())?;
    let (facts, more) = match config.kind().blocks {
        Some(_) => in_blocks::build(arguments, out, &*config)?,
        None => at_once::build(arguments, out, config)?,
    };
    let what = match arguments.shard {
        Some(Share(shard, count)) => format!("shard {shard} of {count}"),
        None => "database".to_string(),
    };
    let mut lines = vec![("wrote", format!("{}, {what} for {}", out.display(), algorithm.name()))];
    lines.extend(databases::lines_of(facts).chain(more));
    output::print(&labelled(&lines))
}

/// What is told of a build: what was made, and what it took.
type Report = (Vec<Fact>, Vec<Line>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_get_a_parameter_more() {
        let with = |text: &str| with_parameter(&text.parse().unwrap(), "bound", 9);
        assert_eq!(with("beacon*"), "beacon*(bound=9)");
        assert_eq!(with("transit*(left=5)"), "transit*(left=5,bound=9)");
    }
}
