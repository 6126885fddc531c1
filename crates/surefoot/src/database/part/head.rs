//! The head of a part: what it is a part of.

use alloc::vec::Vec;
use core::fmt;
use core::ops::{Range, RangeInclusive};

use crate::codec::{self, CodecError, Reader, put_number, put_text};
use crate::database::builder;
use crate::database::container::BuiltFor;
use crate::database::division::Division;
use crate::database::patterns::{self, PatternConfig};
use crate::database::subgoals::SubgoalConfig;

const NAME: &str = "part of a surefoot database";
const LABEL: [u8; 8] = *b"sfpart\r\n";
/// Parts of databases of subgoals say nothing of their kind.
const SUBGOALS: codec::Kind = codec::Kind { name: NAME, label: LABEL, oldest: 1, version: 1 };
/// All others do.
const NAMED: codec::Kind = codec::Kind { name: NAME, label: LABEL, oldest: 1, version: 2 };

/// Whether bytes begin as a part does.
pub(crate) fn is_part(bytes: &[u8]) -> bool {
    bytes.starts_with(&LABEL)
}

/// What a part is a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartHead {
    /// The world that it is built for.
    pub built_for: BuiltFor,
    /// What is built.
    pub config: PartConfig,
    /// Which shard this is, from 1, and of how many: 1 of 1 is everything.
    pub shard: (u32, u32),
}

/// What is built in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartConfig {
    /// A database of subgoals, in blocks of records.
    Subgoals(SubgoalConfig),
    /// A pattern database, in blocks of goal regions.
    Patterns {
        /// What it is built from.
        config: PatternConfig,
        /// How many regions the map has.
        regions: u32,
    },
}

impl PartConfig {
    fn division(&self) -> Division {
        match self {
            Self::Subgoals(config) => builder::division(config),
            Self::Patterns { regions, .. } => patterns::division(*regions),
        }
    }

    /// The numbers of the records or goal regions in a block; none if there is no such block.
    #[must_use]
    pub fn pieces_of(&self, block: u64) -> Range<u64> {
        self.division().pieces_of(block)
    }
}

impl From<SubgoalConfig> for PartConfig {
    fn from(config: SubgoalConfig) -> Self {
        Self::Subgoals(config)
    }
}

impl fmt::Display for PartConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Subgoals(config) => config.fmt(f),
            Self::Patterns { config, .. } => config.fmt(f),
        }
    }
}

impl PartHead {
    /// The bytes that a part begins with.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        let kind = match &self.config {
            PartConfig::Subgoals(config) => {
                self.built_for.put(&mut body);
                body.extend_from_slice(&config.to_bytes());
                SUBGOALS
            }
            PartConfig::Patterns { config, regions } => {
                put_text(&mut body, patterns::CONTENTS);
                self.built_for.put(&mut body);
                body.extend_from_slice(&config.to_bytes());
                put_number(&mut body, u64::from(*regions));
                NAMED
            }
        };
        put_number(&mut body, u64::from(self.shard.0));
        put_number(&mut body, u64::from(self.shard.1));
        codec::seal(&kind, &body)
    }

    /// Reads the head that bytes begin with: the head, and what comes after it.
    pub(super) fn read_first(bytes: &[u8]) -> Result<(Self, &[u8]), CodecError> {
        let (body, rest) = codec::open_first(&NAMED, bytes)?;
        let mut reader = Reader::new(body);
        let is_named = codec::version_of(bytes) >= NAMED.version;
        if is_named && reader.text()? != patterns::CONTENTS {
            return Err(reader.malformed("no such database is built in parts"));
        }
        let built_for = BuiltFor::read(&mut reader)?;
        let config = if is_named {
            let config = PatternConfig::read(&mut reader)?;
            let most = built_for.states.min(u64::from(u32::MAX));
            let regions = reader.number_up_to(most, "there are more regions than states")? as u32;
            PartConfig::Patterns { config, regions }
        } else {
            PartConfig::Subgoals(SubgoalConfig::read(&mut reader)?)
        };
        let mut number = |range: RangeInclusive<u64>| {
            let number = reader.number()?;
            if range.contains(&number) {
                Ok(number as u32)
            } else {
                Err(reader.malformed("there is no such shard"))
            }
        };
        let first = number(1..=u64::from(u32::MAX))?;
        let count = number(u64::from(first)..=u64::from(u32::MAX))?;
        reader.finish()?;
        Ok((Self { built_for, config, shard: (first, count) }, rest))
    }

    /// The numbers of the blocks that belong to this shard.
    pub fn blocks(&self) -> impl Iterator<Item = u64> {
        self.config.division().blocks_of(self.shard)
    }

    /// How many records or goal regions belong to this shard.
    #[must_use]
    pub fn pieces(&self) -> u64 {
        self.config.division().pieces_of_shard(self.shard)
    }
}

/// A part in words, as messages name it.
impl fmt::Display for PartHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { built_for, config, shard: (shard, count) } = self;
        write!(f, "shard {shard} of {count} of {config} for {built_for}")
    }
}
