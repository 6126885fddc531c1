//! A database of whichever kind: what the roster asks for and hands on.

use alloc::sync::Arc;
use core::fmt;

#[cfg(feature = "rayon")]
use super::builder::SubgoalBuilder;
use super::container::DatabaseError;
use super::subgoals::{SubgoalConfig, SubgoalDatabase};
use crate::search::GridPlanner;
use crate::space::{GridSpace, World};

/// What a database is built from, beside its world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DatabaseConfig {
    /// Subgoals, for kNN LRTA*.
    Subgoals(SubgoalConfig),
}

impl fmt::Display for DatabaseConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Subgoals(config) => config.fmt(f),
        }
    }
}

/// A database that many agents share.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Database {
    /// Subgoals, for kNN LRTA*.
    Subgoals(Arc<SubgoalDatabase>),
}

impl Database {
    /// Builds a database of a grid: on all cores with the feature `rayon`, else with one thread.
    ///
    /// # Errors
    /// If it would be too large.
    pub fn build(space: &GridSpace, config: DatabaseConfig) -> Result<Self, DatabaseError> {
        match config {
            DatabaseConfig::Subgoals(config) => {
                #[cfg(feature = "rayon")]
                let database = {
                    let builder = SubgoalBuilder::new(space, config);
                    let records = builder.records_on_all_cores(|| GridPlanner::new(config.paths), |_| ());
                    builder.finish(records)
                };
                #[cfg(not(feature = "rayon"))]
                let database = SubgoalDatabase::build(space, config, GridPlanner::new(config.paths));
                database.map(|database| Self::Subgoals(Arc::new(database)))
            }
        }
    }

    /// Opens the database in `bytes` for `world`, whichever kind it is.
    ///
    /// The world must be the one that it was built for: of a map that was edited since, open the database first and edit the map then.
    ///
    /// # Errors
    /// If the bytes are damaged, of another version, or belong to another world.
    pub fn from_bytes(
        world: &impl World,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Self, DatabaseError> {
        SubgoalDatabase::from_bytes(world, bytes).map(|database| Self::Subgoals(Arc::new(database)))
    }

    /// What it was built from.
    #[must_use]
    pub fn config(&self) -> DatabaseConfig {
        match self {
            Self::Subgoals(database) => DatabaseConfig::Subgoals(*database.config()),
        }
    }

    /// The bytes of its file.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Subgoals(database) => database.as_bytes(),
        }
    }

    /// The states in it: the papers' measure of size.
    #[must_use]
    pub fn states(&self) -> u64 {
        match self {
            Self::Subgoals(database) => database.states(),
        }
    }
}
