//! Databases: the one that was named, the one in the cache, or one that is built on the spot.

mod cache;
mod file;
mod journal;
mod making;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use surefoot::agent::Agent;
use surefoot::space::GridSpace;
use surefoot::store::{Database, DatabaseConfig, Fact};
use surefoot_classics::depth::agent_with_tree;

pub(crate) use self::file::{in_file, inspect, open, read_part};
pub(crate) use self::journal::Journal;
pub(crate) use self::making::{BuildProgress, STOPPED, build_at_once, finish, make_blocks};
use crate::algorithm::Algorithm;
use crate::failure::Failure;
use crate::number;
use crate::output::tell;
use crate::table::{duration, thousands};
use crate::trees;

/// A label, and what there is to say.
pub(crate) type Line = (&'static str, String);

/// What there is to say of a database, line by line.
pub(crate) fn lines_of(facts: Vec<Fact>) -> impl Iterator<Item = Line> {
    facts.into_iter().map(|fact| (fact.label, fact.text))
}

/// Where databases come from.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct DatabaseOptions {
    /// The database to use, as 'surefoot build' writes it [default: what the algorithm needs is built first]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cache", "db_seed"])]
    pub(crate) db: Option<PathBuf>,

    /// Keep databases that are built in this folder, and use those that are there
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,

    /// Which of the many databases to build [default: 1]
    #[arg(long, value_name = "NUMBER", value_parser = number::any(), allow_negative_numbers = true)]
    db_seed: Option<u64>,

    /// The decision tree for 'lrta*(dt,g)', as 'surefoot train' writes it [default: one that is built in]
    #[arg(long, value_name = "FILE")]
    pub(crate) tree: Option<PathBuf>,
}

impl DatabaseOptions {
    /// Refuses options that would change nothing: a database that nobody would use, a seed that nothing
    /// depends on.
    pub(crate) fn check(&self, command: &'static str, algorithms: &[Algorithm]) -> Result<(), Failure> {
        if let Some(tree) = &self.tree {
            if !algorithms.iter().any(Algorithm::has_tree) {
                let names: Vec<String> = algorithms.iter().map(Algorithm::name).collect();
                let message = format!("--tree names a decision tree, but {} has none", names.join(", "));
                return Err(Failure::usage(command, message));
            }
            // What is wrong with it is to be known before anything is read or built.
            trees::read(tree)?;
        }
        let needed = algorithms.iter().any(Algorithm::needs_database);
        let seeded = algorithms.iter().any(|algorithm| algorithm.database(0) != algorithm.database(1));
        let asked = if self.db.is_some() && !needed {
            "--db names a database"
        } else if self.cache.is_some() && !needed {
            "--cache keeps databases"
        } else if self.db_seed.is_some() && !seeded {
            "--db-seed chooses among databases of random records"
        } else {
            return Ok(());
        };
        let names: Vec<String> = algorithms.iter().map(Algorithm::name).collect();
        Err(Failure::usage(command, format!("{asked}, but {} needs none", names.join(", "))))
    }

    /// The files that are read.
    pub(crate) fn inputs(&self) -> Vec<&Path> {
        self.db.iter().chain(&self.tree).map(PathBuf::as_path).collect()
    }

    fn seed(&self) -> u64 {
        self.db_seed.unwrap_or(1)
    }
}

/// The databases of a run. Algorithms that need the same one share it.
pub(crate) struct Databases<'a> {
    options: &'a DatabaseOptions,
    known: Vec<Known<'a>>,
}

struct Known<'a> {
    /// The algorithm that asked first.
    algorithm: String,
    space: &'a GridSpace,
    /// What it was asked to be built from. `None` if it was named.
    config: Option<Box<dyn DatabaseConfig>>,
    database: Arc<dyn Database>,
    origin: Origin,
    /// Whether it was told where it came from.
    is_told: bool,
}

/// Where a database came from and what it took.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Origin {
    source: Source,
    /// How long it took to build or open it: no part of any planning time.
    seconds: f64,
    bytes: u64,
    states: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Source {
    Built,
    Cache,
    File,
}

impl Origin {
    fn new(source: Source, begin: Instant, database: &dyn Database) -> Self {
        let bytes = database.to_bytes().len() as u64;
        Self { source, seconds: begin.elapsed().as_secs_f64(), bytes, states: database.states() }
    }

    pub(crate) fn to_text(self) -> String {
        let verb = match self.source {
            Source::Built => "built",
            Source::Cache => "taken from the cache",
            Source::File => "opened",
        };
        let (bytes, states) = (thousands(self.bytes), thousands(self.states));
        format!("{verb} in {}, {bytes} bytes, {states} states", duration(self.seconds * 1e9))
    }
}

impl<'a> Databases<'a> {
    /// None yet.
    pub(crate) fn new(options: &'a DatabaseOptions) -> Self {
        Self { options, known: Vec::new() }
    }

    /// A new agent for a world, with the database that it needs. `map` is what messages call the world.
    pub(crate) fn agent(
        &mut self,
        algorithm: &Algorithm,
        space: &'a GridSpace,
        map: &str,
    ) -> Result<Box<dyn Agent>, Failure> {
        if let Some(tree) = self.options.tree.as_ref().filter(|_| algorithm.has_tree()) {
            return agent_with_tree(algorithm.spec(), trees::read(tree)?).map_err(Failure::other);
        }
        let file = self.options.db.clone();
        let known = self.known(algorithm, space, map)?;
        let database = known.as_ref().map(|known| &known.database);
        let agent = algorithm.agent(database).map_err(|error| match file {
            Some(file) => Failure::Other(format!("{}: {}", file.display(), error.problem())),
            None => Failure::other(error),
        })?;
        if let Some(known) = known.filter(|known| !known.is_told) {
            known.is_told = true;
            tell(&format!("{map}: the database of {} was {}", algorithm.name(), known.origin.to_text()));
        }
        Ok(agent)
    }

    /// The database that an algorithm needs in a world. `None` if it needs none.
    pub(crate) fn database(
        &mut self,
        algorithm: &Algorithm,
        space: &'a GridSpace,
        map: &str,
    ) -> Result<Option<&Arc<dyn Database>>, Failure> {
        Ok(self.known(algorithm, space, map)?.map(|known| &known.database))
    }

    /// Where the database that an algorithm needs in a world comes from. `None` if it needs none.
    pub(crate) fn origin(
        &mut self,
        algorithm: &Algorithm,
        space: &'a GridSpace,
        map: &str,
    ) -> Result<Option<Origin>, Failure> {
        Ok(self.known(algorithm, space, map)?.map(|known| known.origin))
    }

    /// What an algorithm in a world goes by: what its database was built from, or the file of its tree.
    /// `None` if it needs neither.
    pub(crate) fn config(
        &mut self,
        algorithm: &Algorithm,
        space: &'a GridSpace,
        map: &str,
    ) -> Result<Option<String>, Failure> {
        if let Some(tree) = self.options.tree.as_ref().filter(|_| algorithm.has_tree()) {
            return Ok(Some(format!("tree {}", tree.display())));
        }
        Ok(self.known(algorithm, space, map)?.map(|known| known.database.config().to_string()))
    }

    /// The algorithms that databases were needed for, and where these came from.
    pub(crate) fn origins(&self) -> impl Iterator<Item = (&str, Origin)> {
        self.known.iter().map(|known| (known.algorithm.as_str(), known.origin))
    }

    fn known(
        &mut self,
        algorithm: &Algorithm,
        space: &'a GridSpace,
        map: &str,
    ) -> Result<Option<&mut Known<'a>>, Failure> {
        let Some(asked) = algorithm.database(self.options.seed()) else { return Ok(None) };
        let config = self.options.db.is_none().then(|| asked.clone());
        let is_it = |known: &Known<'_>| std::ptr::eq(known.space, space) && known.config == config;
        let place = match self.known.iter().position(is_it) {
            Some(place) => place,
            None => {
                let (database, origin) = self.obtain(algorithm, &*asked, space, map)?;
                let algorithm = algorithm.name();
                self.known.push(Known { algorithm, space, config, database, origin, is_told: false });
                self.known.len() - 1
            }
        };
        Ok(Some(&mut self.known[place]))
    }

    fn obtain(
        &self,
        algorithm: &Algorithm,
        config: &dyn DatabaseConfig,
        space: &GridSpace,
        map: &str,
    ) -> Result<(Arc<dyn Database>, Origin), Failure> {
        let begin = Instant::now();
        if let Some(path) = &self.options.db {
            let database = open(path, space)?;
            let origin = Origin::new(Source::File, begin, &*database);
            return Ok((database, origin));
        }
        let label = || format!("{map}: building for {}", algorithm.name());
        let Some(folder) = &self.options.cache else {
            let database = making::build(space, config, label())?;
            let origin = Origin::new(Source::Built, begin, &*database);
            return Ok((database, origin));
        };
        let slot = cache::Slot::new(folder, space, config)?;
        if let Some(database) = slot.read(space) {
            let origin = Origin::new(Source::Cache, begin, &*database);
            return Ok((database, origin));
        }
        // What keeps the file from being written is to be known before the database is built.
        let output = slot.create()?;
        let begin = Instant::now();
        let database = making::build(space, config, label())?;
        let origin = Origin::new(Source::Built, begin, &*database);
        output.finish_with(&database.to_bytes())?;
        Ok((database, origin))
    }
}
