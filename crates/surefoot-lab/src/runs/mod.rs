//! Runs: what a plan comes to, unit by unit.
//!
//! A unit is one algorithm with one database on the problems of one map: the piece of an experiment that is
//! done whole or not at all. What came of it is a [`UnitResult`]: the rows, and all that is needed to repeat
//! them. In the folder of results each finished unit is a file. A run that was ended early and is started
//! again does what is left; a killed one has lost the unit in progress.
//!
//! ```text
//! DIR/run.json          which units there are, in their order
//! DIR/plan.toml         the plan
//! DIR/units/*.csv       one finished unit each
//! DIR/rows.csv          all rows, once the last unit is finished
//! DIR/rows.parquet      the same
//! DIR/run.lock          locked while a run or a merge is at work here
//! DIR/run-K-of-N.lock   locked while share K of N is at work here
//! ```
//!
//! [`run`] does all of it. On many machines [`run_units`] does a share of the units, or those of some names,
//! and [`merge`] puts together what was done here and elsewhere. [`planned`] says which units there are, and
//! [`inputs`] which files they need. All go through the same pieces:
//!
//! | file | what it has |
//! | --- | --- |
//! | `units` | which units a plan has, in which order they are done, which of them make a share |
//! | `worlds`, `store` | their maps, problems and databases |
//! | `course`, `walks` | a unit is walked |
//! | `trees` | decision trees are grown from the plan's own problems |
//! | `runner` | what is not finished is done, unit by unit |
//! | `merge`, `tables` | all units become tables |
//! | `folder`, `unit_file`, `lock` | the files, and who may write them |
//! | `results`, `provenance` | what came of it, and what it was made by |
//!
//! Shares in one folder do not know of each other, and need not: every file is written whole or not at all,
//! shares have no unit in common, and what they both write (the list, the plan, the cache) is the same. A
//! whole run beside a share may do a unit twice; one of the two files stays. A merge beside a share finds
//! what is finished, and says what is missing.
//!
//! Walks that are timed are done one at a time, while nothing else is done; all else takes all cores.

mod course;
mod folder;
mod lock;
mod merge;
#[cfg(feature = "parquet")]
mod parquet_file;
mod provenance;
pub(crate) mod results;
mod runner;
mod store;
mod tables;
mod trees;
mod unit_file;
mod units;
mod walks;
mod worlds;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use surefoot::agent::SpecError;
use surefoot::formats::FileError;
use surefoot::space::{QueryError, SpaceError};
use surefoot::store::DatabaseError;

pub use merge::merge;
#[cfg(feature = "parquet")]
pub use parquet_file::write_parquet;
pub use provenance::{Machine, Provenance};
pub use results::{DatabaseFacts, MapFacts, ResultSet, UnitResult};
pub use runner::{Finished, Setting, run, run_units};
pub use store::database_file_name;
pub use tables::{UNIT_COLUMNS, columns, write_csv};
pub use units::{PlannedUnit, Which, inputs, planned};

use crate::episode::EpisodeError;
pub use crate::episode::NEVER;
use crate::io_problem;
use crate::problems::ProblemsError;

/// Where a run happens: who writes its files, and who hears of it.
pub trait Host {
    /// Writes a file, whole or not at all: `fill` gives its contents. A reason to end the run, in words, if
    /// that fails.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn write(
        &mut self,
        path: &Path,
        fill: &mut dyn FnMut(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), String>;

    /// Hears what a person should know.
    fn tell(&mut self, message: &str);

    /// Hears how far the run has come: what it is at, how many units are done, how many there are.
    fn progress(&mut self, label: &str, done: u64, total: u64);
}

/// What ended a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {problem}", path.display())]
    Read {
        /// Which one.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// A file cannot be written.
    #[error("{0}")]
    Write(String),
    /// A map or a file of problems is none.
    #[error(transparent)]
    File(#[from] FileError),
    /// A map cannot be made.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// There are no maps.
    #[error("there is no map in {}: the plan asks for {origins}", folder.display())]
    NoMaps {
        /// Where they should be.
        folder: PathBuf,
        /// What the plan asks for.
        origins: String,
    },
    /// The plan comes to more units than can be run.
    #[error(
        "the plan comes to {units} units on {maps} maps with {seeds} seeds; at most {} can be run: take fewer maps, seeds or algorithms, \
         or split the plan",
        crate::plan::MOST_UNITS
    )]
    TooLarge {
        /// How many there would be.
        units: u64,
        /// The maps that were found.
        maps: usize,
        /// The seeds of the plan.
        seeds: u64,
    },
    /// There are no such problems on a map.
    #[error("{map}: {source}")]
    Problems {
        /// The map.
        map: String,
        /// Why.
        source: ProblemsError,
    },
    /// A problem is none on its map.
    #[error("{}: {source}", file.display())]
    Query {
        /// The file of problems.
        file: PathBuf,
        /// Why.
        source: QueryError,
    },
    /// There is no such algorithm.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A database cannot be built.
    #[error(transparent)]
    Database(DatabaseError),
    /// An agent did what it must not.
    #[error(transparent)]
    Episode(EpisodeError),
    /// The folder has results that are not to be mixed with others: they are of another program, or they are
    /// timings of another machine or worker.
    #[error("{}", words_of_mixture(folder, theirs, ours))]
    OtherSource {
        /// The folder.
        folder: PathBuf,
        /// What they were made by.
        theirs: Box<Provenance>,
        /// What the others were made by, or would be.
        ours: Box<Provenance>,
    },
    /// There is no such share of the units.
    #[error("there is no share {share} of {of}: shares are counted from 1")]
    NoShare {
        /// Which one.
        share: u32,
        /// How many there are.
        of: u32,
    },
    /// The plan has no unit of a name.
    #[error("{unit} is no unit of {plan}: it is of another plan, another version of it, or other maps")]
    NoUnit {
        /// The plan.
        plan: String,
        /// The name.
        unit: String,
    },
    /// Not all units are finished.
    #[error(
        "{missing} of {all} units are missing in {}: {}{}; run the shares that are not finished again, then merge",
        folder.display(),
        first.join(", "),
        if *missing > first.len() as u64 { " …" } else { "" }
    )]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// How many are missing.
        missing: u64,
        /// How many there are in all.
        all: u64,
        /// The first few that are missing.
        first: Vec<String>,
    },
    /// [`Setting::stop`] was set.
    #[error("stopped; what is finished is kept")]
    Stopped,
    /// Another run is at work in the folder.
    #[error("another run is at work in {}: wait for its end, or choose another folder", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder is none of results.
    #[error("{} is no folder of results: {problem}", folder.display())]
    NoResults {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A mistake in the lab itself.
    #[error("{0}; this is a mistake in the program")]
    Broken(String),
}

impl RunError {
    fn read(path: &Path, error: &io::Error) -> Self {
        Self::Read { path: path.to_path_buf(), problem: io_problem(error) }
    }

    fn other_source(folder: &Path, theirs: &Provenance, ours: &Provenance) -> Self {
        let (theirs, ours) = (Box::new(theirs.clone()), Box::new(ours.clone()));
        Self::OtherSource { folder: folder.to_path_buf(), theirs, ours }
    }
}

impl From<EpisodeError> for RunError {
    fn from(error: EpisodeError) -> Self {
        match error {
            EpisodeError::Stopped => Self::Stopped,
            error => Self::Episode(error),
        }
    }
}

fn words_of_mixture(folder: &Path, theirs: &Provenance, ours: &Provenance) -> String {
    let folder = folder.display();
    if theirs.is_same_program(ours) {
        return format!(
            "{folder} would mix timings of {theirs} with timings of another machine or worker, {ours}: take all of them on one \
             machine, or say --mix to keep them as they are"
        );
    }
    format!(
        "{folder} has results of {theirs}, but this is {ours}: choose another folder, or say --mix to keep them and add to them"
    )
}

#[cfg(test)]
mod tests;
