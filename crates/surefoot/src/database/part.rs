//! A database in the making: the blocks of records that are done so far, in whichever order they were done.
//!
//! A part is a head and then one block after the other, each in an envelope of its own: it grows by appending, and what was
//! written before a crash can be read after it. A build on one machine has one part; a build that is split has one for
//! each shard, and all of them together make the database. `docs/sfdb.md` has the layout.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;
use core::ops::RangeInclusive;

use super::builder;
use super::container::{BuiltFor, DatabaseError};
use super::subgoals::{Record, SubgoalConfig, SubgoalDatabase};
use crate::codec::{self, CodecError, Reader, put_number, put_signed};
use crate::space::State;

const HEAD: codec::Kind =
    codec::Kind { name: "part of a surefoot database", label: *b"sfpart\r\n", version: 1 };
const BLOCK: codec::Kind = codec::Kind { name: "block of records", label: *b"sfblock\n", version: 1 };

/// Whether bytes begin as a part does.
pub(crate) fn is_part(bytes: &[u8]) -> bool {
    bytes.starts_with(&HEAD.label)
}

/// What a part is a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartHead {
    /// The world that it is built for.
    pub built_for: BuiltFor,
    /// What is built.
    pub config: SubgoalConfig,
    /// Which shard this is, from 1, and of how many: 1 of 1 is everything.
    pub shard: (u32, u32),
}

/// Why parts do not make a database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The bytes are no part, or a damaged one.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// Two parts are not of one database.
    #[error("the parts do not belong together: one is of {first}, another of {other}")]
    Different {
        /// What the first is of.
        first: String,
        /// What the other is of.
        other: String,
        /// The place of the other in the list.
        part: usize,
    },
    /// Something is missing.
    #[error("{what} is missing: build that shard, or go on with it (--resume)")]
    Missing {
        /// What.
        what: String,
        /// The place in the list of the part that should have it, if there is one.
        part: Option<usize>,
    },
    /// The same shard came twice.
    #[error("shard {shard} of {count} is there twice")]
    Twice {
        /// Which.
        shard: u32,
        /// Of how many.
        count: u32,
        /// The two places in the list.
        parts: (usize, usize),
    },
    /// The records make no database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl PartHead {
    /// The bytes that a part begins with.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        self.built_for.put(&mut body);
        body.extend_from_slice(&self.config.to_bytes());
        put_number(&mut body, u64::from(self.shard.0));
        put_number(&mut body, u64::from(self.shard.1));
        codec::seal(&HEAD, &body)
    }

    fn read(body: &[u8]) -> Result<Self, CodecError> {
        let mut reader = Reader::new(body);
        let built_for = BuiltFor::read(&mut reader)?;
        let config = SubgoalConfig::read(&mut reader)?;
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
        Ok(Self { built_for, config, shard: (first, count) })
    }

    /// The numbers of the blocks that belong to this shard.
    pub fn blocks(&self) -> impl Iterator<Item = u64> {
        let (shard, count) = self.shard;
        (u64::from(shard) - 1..builder::blocks_of(&self.config)).step_by(count as usize)
    }

    /// How many records belong to this shard.
    #[must_use]
    pub fn records(&self) -> u64 {
        let (shard, count) = (u64::from(self.shard.0), u64::from(self.shard.1));
        let blocks = builder::blocks_of(&self.config);
        let own = (blocks + count).saturating_sub(shard) / count;
        let Some(last) = own.checked_sub(1).map(|own| shard - 1 + own * count) else { return 0 };
        // All blocks are full but the very last one.
        let missing = if last + 1 == blocks { blocks * builder::BLOCK - self.config.records } else { 0 };
        own * builder::BLOCK - missing
    }
}

/// A part in words, as messages name it.
impl fmt::Display for PartHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { built_for, config, shard: (shard, count) } = self;
        write!(f, "shard {shard} of {count} of {config} for {built_for}")
    }
}

/// What was read of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is a part of.
    pub head: PartHead,
    /// The blocks that are done.
    pub blocks: BTreeMap<u64, Vec<Record>>,
    /// How many of the bytes were read: what follows was cut off in the middle of a block.
    pub length: usize,
}

impl Part {
    /// The bytes of a block, to be appended to the part that it belongs to.
    #[must_use]
    pub fn block_to_bytes(block: u64, records: &[Record]) -> Vec<u8> {
        let mut body = Vec::new();
        put_number(&mut body, block);
        put_number(&mut body, records.len() as u64);
        for record in records {
            put_number(&mut body, record.number);
            put_number(&mut body, record.states.len() as u64);
            let mut previous = 0;
            for state in &record.states {
                put_signed(&mut body, i64::from(state.0) - previous);
                previous = i64::from(state.0);
            }
        }
        codec::seal(&BLOCK, &body)
    }

    /// Reads a part as far as it is whole: the last block may have been cut off while it was written.
    ///
    /// # Errors
    /// If the head is none, or a whole block is none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PartError> {
        let (head, mut rest) = codec::open_first(&HEAD, bytes)?;
        let head = PartHead::read(head)?;
        let mut part = Self { head, blocks: BTreeMap::new(), length: 0 };
        while let Ok((body, after)) = codec::open_first(&BLOCK, rest) {
            let (block, records) = part.read_block(body)?;
            part.blocks.insert(block, records);
            rest = after;
        }
        part.length = bytes.len() - rest.len();
        Ok(part)
    }

    fn read_block(&self, body: &[u8]) -> Result<(u64, Vec<Record>), CodecError> {
        let mut reader = Reader::new(body);
        let block = reader.number()?;
        let numbers = builder::records_of(&self.head.config, block);
        let count = reader.count(2)?;
        if count as u64 > numbers.end - numbers.start {
            return Err(reader.malformed("no block has so many records"));
        }
        let mut records = Vec::with_capacity(count);
        for _ in 0..count {
            let number = reader.number()?;
            if !numbers.contains(&number) || records.last().is_some_and(|last: &Record| last.number >= number)
            {
                return Err(reader.malformed("this record does not belong here"));
            }
            let length = reader.count(1)?;
            let mut states = Vec::with_capacity(length);
            let mut state = 0_i64;
            for _ in 0..length {
                state = state.saturating_add(reader.signed()?);
                let number = u32::try_from(state)
                    .ok()
                    .filter(|&number| u64::from(number) < self.head.built_for.states);
                states.push(State(number.ok_or_else(|| reader.malformed("there is no such state"))?));
            }
            records.push(Record { number, states });
        }
        reader.finish()?;
        Ok((block, records))
    }

    /// The first block of the shard that is not there.
    #[must_use]
    pub fn first_missing(&self) -> Option<u64> {
        self.head.blocks().find(|block| !self.blocks.contains_key(block))
    }

    /// Puts all parts of a database together: the bytes of its file.
    ///
    /// # Errors
    /// If the parts are not of one database, or not all of it.
    pub fn merge(parts: Vec<Self>) -> Result<Vec<u8>, PartError> {
        let Some(first) = parts.first().map(|part| part.head.clone()) else {
            return Err(PartError::Missing { what: "every shard".to_string(), part: None });
        };
        let count = first.shard.1;
        // No vector of `count` flags: a head may name more shards than there is memory for.
        let mut seen = BTreeMap::new();
        let mut records = vec![];
        for (place, part) in parts.into_iter().enumerate() {
            let PartHead { shard, .. } = part.head;
            if part.head != (PartHead { shard, ..first.clone() }) || shard.1 != count {
                let (first, other) = (first.to_string(), part.head.to_string());
                return Err(PartError::Different { first, other, part: place });
            }
            if let Some(before) = seen.insert(shard.0, place) {
                return Err(PartError::Twice { shard: shard.0, count, parts: (before, place) });
            }
            if let Some(block) = part.first_missing() {
                return Err(PartError::Missing {
                    what: format!("block {block} of shard {} of {count}", shard.0),
                    part: Some(place),
                });
            }
            let own = part.head.blocks();
            let mut blocks = part.blocks;
            for block in own {
                records.extend(blocks.remove(&block).unwrap_or_default());
            }
        }
        if let Some(missing) = (1..=count).find(|shard| !seen.contains_key(shard)) {
            return Err(PartError::Missing { what: format!("shard {missing} of {count}"), part: None });
        }
        Ok(SubgoalDatabase::assemble_bytes(&first.built_for, first.config, records)?)
    }
}
