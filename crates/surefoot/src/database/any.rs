//! A database of whichever kind: what the roster asks for and hands on.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use core::fmt;

use super::abstraction::{self, Abstraction, AbstractionConfig, AbstractionFileInfo};
use super::beacons::{self, BeaconConfig, BeaconDatabase, BeaconFileInfo};
#[cfg(feature = "rayon")]
use super::builder::SubgoalBuilder;
use super::container::{BuiltFor, Container, DatabaseError};
use super::cover::{self, CoverConfig, CoverDatabase, CoverFileInfo};
use super::patterns::{self, PatternBuilder, PatternConfig, PatternDatabase, PatternFileInfo};
use super::subgoals::{SubgoalConfig, SubgoalDatabase, SubgoalFileInfo};
use super::transit::{self, TransitConfig, TransitDatabase, TransitFileInfo};
use crate::search::GridPlanner;
use crate::space::{GridSpace, World};

/// What a database is built from, beside its world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DatabaseConfig {
    /// Subgoals, for kNN LRTA*.
    Subgoals(SubgoalConfig),
    /// A clique abstraction, for PRA*.
    Abstraction(AbstractionConfig),
    /// Subgoals and depths for pairs of regions, for D LRTA*.
    Patterns(PatternConfig),
    /// Regions that cover the map and the ways between them, for HCDPS and DBA*.
    Cover(CoverConfig),
    /// Beacons at the bends of a map, for `beacon*`.
    Beacons(BeaconConfig),
    /// Transit nodes, for `transit*`.
    Transit(TransitConfig),
}

impl fmt::Display for DatabaseConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Subgoals(config) => config.fmt(f),
            Self::Abstraction(config) => config.fmt(f),
            Self::Patterns(config) => config.fmt(f),
            Self::Cover(config) => config.fmt(f),
            Self::Beacons(config) => config.fmt(f),
            Self::Transit(config) => config.fmt(f),
        }
    }
}

/// A database that many agents share.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Database {
    /// Subgoals, for kNN LRTA*.
    Subgoals(Arc<SubgoalDatabase>),
    /// A clique abstraction, for PRA*.
    Abstraction(Arc<Abstraction>),
    /// Subgoals and depths for pairs of regions, for D LRTA*.
    Patterns(Arc<PatternDatabase>),
    /// Regions that cover the map and the ways between them, for HCDPS and DBA*.
    Cover(Arc<CoverDatabase>),
    /// Beacons at the bends of a map, for `beacon*`.
    Beacons(Arc<BeaconDatabase>),
    /// Transit nodes, for `transit*`, and for `beacon*` where ground has weights.
    Transit(Arc<TransitDatabase>),
}

/// What the file of a database says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DatabaseFileInfo {
    /// Subgoals.
    Subgoals(SubgoalFileInfo),
    /// A clique abstraction.
    Abstraction(AbstractionFileInfo),
    /// Subgoals and depths for pairs of regions.
    Patterns(PatternFileInfo),
    /// Regions that cover the map and the ways between them.
    Cover(CoverFileInfo),
    /// Beacons at the bends of a map.
    Beacons(BeaconFileInfo),
    /// Transit nodes.
    Transit(TransitFileInfo),
}

impl DatabaseFileInfo {
    /// What it was built for.
    #[must_use]
    pub fn built_for(&self) -> &BuiltFor {
        match self {
            Self::Subgoals(info) => &info.built_for,
            Self::Abstraction(info) => &info.built_for,
            Self::Patterns(info) => &info.built_for,
            Self::Cover(info) => &info.built_for,
            Self::Beacons(info) => &info.built_for,
            Self::Transit(info) => &info.built_for,
        }
    }
}

impl Database {
    /// Builds a database of a grid. Subgoals are found on all cores with the feature `rayon`, else with one thread. Where there can be no beacons, because ground has
    /// weights or the map is too cluttered, transit nodes take their place.
    ///
    /// # Errors
    /// If it would be too large.
    pub fn build(space: &GridSpace, config: DatabaseConfig) -> Result<Self, DatabaseError> {
        match config {
            DatabaseConfig::Subgoals(config) => {
                #[cfg(feature = "rayon")]
                let database = {
                    let builder = SubgoalBuilder::new(space, config);
                    let records = builder.records_on_all_cores(|| GridPlanner::new(config.paths));
                    builder.finish(records)
                };
                #[cfg(not(feature = "rayon"))]
                let database = SubgoalDatabase::build(space, config, GridPlanner::new(config.paths));
                database.map(|database| Self::Subgoals(Arc::new(database)))
            }
            DatabaseConfig::Abstraction(config) => {
                Abstraction::build(space, config).map(|abstraction| Self::Abstraction(Arc::new(abstraction)))
            }
            DatabaseConfig::Patterns(config) => {
                let database = PatternBuilder::new(space, config)?.build();
                database.map(|database| Self::Patterns(Arc::new(database)))
            }
            DatabaseConfig::Cover(config) => {
                CoverDatabase::build(space, config).map(|cover| Self::Cover(Arc::new(cover)))
            }
            DatabaseConfig::Beacons(config) => match BeaconDatabase::build(space, config) {
                // Where ground has weights, or is so cluttered that labels take too much, transit nodes stand in.
                Err(DatabaseError::Unsuitable { .. } | DatabaseError::TooLarge { .. }) => {
                    Self::build(space, DatabaseConfig::Transit(config.in_place()))
                }
                beacons => beacons.map(|beacons| Self::Beacons(Arc::new(beacons))),
            },
            DatabaseConfig::Transit(config) => {
                TransitDatabase::build(space, config).map(|transit| Self::Transit(Arc::new(transit)))
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
        match Container::read(bytes.as_ref())?.contents.as_str() {
            abstraction::CONTENTS => {
                Abstraction::from_bytes(world, bytes).map(|opened| Self::Abstraction(Arc::new(opened)))
            }
            patterns::CONTENTS => {
                PatternDatabase::from_bytes(world, bytes).map(|opened| Self::Patterns(Arc::new(opened)))
            }
            cover::CONTENTS => {
                CoverDatabase::from_bytes(world, bytes).map(|opened| Self::Cover(Arc::new(opened)))
            }
            beacons::CONTENTS => {
                BeaconDatabase::from_bytes(world, bytes).map(|opened| Self::Beacons(Arc::new(opened)))
            }
            transit::CONTENTS => {
                TransitDatabase::from_bytes(world, bytes).map(|opened| Self::Transit(Arc::new(opened)))
            }
            _ => SubgoalDatabase::from_bytes(world, bytes).map(|opened| Self::Subgoals(Arc::new(opened))),
        }
    }

    /// What a file says of itself, whichever kind it is, read without the world that it was built for. What it says of that
    /// world is not checked: to use a database, [open](Self::from_bytes) it.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version.
    pub fn inspect(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<DatabaseFileInfo, DatabaseError> {
        match Container::read(bytes.as_ref())?.contents.as_str() {
            abstraction::CONTENTS => Abstraction::inspect(bytes).map(DatabaseFileInfo::Abstraction),
            patterns::CONTENTS => PatternDatabase::inspect(bytes).map(DatabaseFileInfo::Patterns),
            cover::CONTENTS => CoverDatabase::inspect(bytes).map(DatabaseFileInfo::Cover),
            beacons::CONTENTS => BeaconDatabase::inspect(bytes).map(DatabaseFileInfo::Beacons),
            transit::CONTENTS => TransitDatabase::inspect(bytes).map(DatabaseFileInfo::Transit),
            _ => SubgoalDatabase::inspect(bytes).map(DatabaseFileInfo::Subgoals),
        }
    }

    /// What it was built for; of one that was repaired, the map as it was then.
    #[must_use]
    pub fn built_for(&self) -> Cow<'_, BuiltFor> {
        match self {
            Self::Subgoals(database) => Cow::Borrowed(database.built_for()),
            Self::Abstraction(abstraction) => Cow::Owned(abstraction.built_for()),
            Self::Patterns(database) => Cow::Borrowed(database.built_for()),
            Self::Cover(cover) => Cow::Borrowed(cover.built_for()),
            Self::Beacons(beacons) => Cow::Borrowed(beacons.built_for()),
            Self::Transit(transit) => Cow::Borrowed(transit.built_for()),
        }
    }

    /// What it was built from.
    #[must_use]
    pub fn config(&self) -> DatabaseConfig {
        match self {
            Self::Subgoals(database) => DatabaseConfig::Subgoals(*database.config()),
            Self::Abstraction(abstraction) => DatabaseConfig::Abstraction(*abstraction.config()),
            Self::Patterns(database) => DatabaseConfig::Patterns(*database.config()),
            Self::Cover(cover) => DatabaseConfig::Cover(*cover.config()),
            Self::Beacons(beacons) => DatabaseConfig::Beacons(*beacons.config()),
            Self::Transit(transit) => DatabaseConfig::Transit(*transit.config()),
        }
    }

    /// The bytes of its file; of an abstraction that was repaired, newly written ones.
    #[must_use]
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Subgoals(database) => Cow::Borrowed(database.as_bytes()),
            Self::Abstraction(abstraction) => abstraction.to_bytes(),
            Self::Patterns(database) => Cow::Borrowed(database.as_bytes()),
            Self::Cover(cover) => Cow::Borrowed(cover.as_bytes()),
            Self::Beacons(beacons) => Cow::Borrowed(beacons.as_bytes()),
            Self::Transit(transit) => Cow::Borrowed(transit.as_bytes()),
        }
    }

    /// The bytes that agents look up in it: the file where that is used in place, and of beacons and transit nodes what is unpacked when they are opened.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        match self {
            Self::Beacons(beacons) => beacons.memory_bytes(),
            Self::Transit(transit) => transit.memory_bytes(),
            _ => self.to_bytes().len(),
        }
    }

    /// The states in it: the papers' measure of size.
    #[must_use]
    pub fn states(&self) -> u64 {
        match self {
            Self::Subgoals(database) => database.states(),
            Self::Abstraction(abstraction) => abstraction.states(),
            Self::Patterns(database) => database.states(),
            Self::Cover(cover) => cover.states(),
            Self::Beacons(beacons) => beacons.states(),
            Self::Transit(transit) => transit.states(),
        }
    }
}
