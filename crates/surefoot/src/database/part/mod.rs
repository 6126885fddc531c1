//! A database in the making: the blocks of it that are done so far, in whichever order they were done.
//!
//! A part is a head and then one block after the other, each in an envelope of its own: it grows by appending, and what was
//! written before a crash can be read after it. A build on one machine has one part; a build that is split has one for
//! each shard, and all of them together make the database. `docs/sfdb.md` has the layout.

mod block;
mod head;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::container::DatabaseError;
use super::patterns::{PatternBuilder, PatternColumn};
use super::subgoals::{Record, SubgoalDatabase};
use crate::codec::CodecError;
use crate::space::World;

pub use block::Block;
pub(crate) use head::is_part;
pub use head::{PartConfig, PartHead};

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
    /// A pattern database was to be put together without its map.
    #[error("{what} is put together with its map: name it (--map)")]
    NeedsWorld {
        /// What the parts are of.
        what: String,
    },
    /// The records make no database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// What was read of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is a part of.
    pub head: PartHead,
    /// The blocks that are done.
    pub blocks: BTreeMap<u64, Block>,
    /// How many of the bytes were read: what follows was cut off in the middle of a block.
    pub length: usize,
}

impl Part {
    /// Reads a part as far as it is whole: the last block may have been cut off while it was written.
    ///
    /// # Errors
    /// If the head is none, or a whole block is none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PartError> {
        let (head, mut rest) = PartHead::read_first(bytes)?;
        let mut blocks = BTreeMap::new();
        while let Some((body, after)) = Block::open_first(rest) {
            let (number, block) = Block::read(&head, body)?;
            blocks.insert(number, block);
            rest = after;
        }
        Ok(Self { head, blocks, length: bytes.len() - rest.len() })
    }

    /// The bytes of the whole part. The blocks lie in the order of their numbers, whichever was done first.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.to_bytes();
        for (&number, block) in &self.blocks {
            bytes.extend(block.to_bytes(number));
        }
        bytes
    }

    /// The first block of the shard that is not there.
    #[must_use]
    pub fn first_missing(&self) -> Option<u64> {
        self.head.blocks().find(|block| !self.blocks.contains_key(block))
    }

    /// Puts all parts of a database of subgoals together: the bytes of its file.
    ///
    /// # Errors
    /// If the parts are not of one database, not all of it, or of a pattern database, for which see
    /// [`merge_on`](Self::merge_on).
    pub fn merge(parts: Vec<Self>) -> Result<Vec<u8>, PartError> {
        let (head, blocks) = gather(parts)?;
        match head.config {
            PartConfig::Subgoals(config) => {
                Ok(SubgoalDatabase::assemble_bytes(&head.built_for, config, records(blocks))?)
            }
            PartConfig::Patterns { .. } => Err(PartError::NeedsWorld { what: head.config.to_string() }),
        }
    }

    /// Puts all parts of a database for `world` together, whichever kind it is: the bytes of its file.
    ///
    /// # Errors
    /// If the parts are not of one database, not all of it, or belong to another world.
    pub fn merge_on(world: &impl World, parts: Vec<Self>) -> Result<Vec<u8>, PartError> {
        let (head, blocks) = gather(parts)?;
        head.built_for.check(world)?;
        match head.config {
            PartConfig::Subgoals(config) => {
                Ok(SubgoalDatabase::assemble_bytes(&head.built_for, config, records(blocks))?)
            }
            PartConfig::Patterns { config, .. } => {
                let builder = PatternBuilder::new(world, config)?;
                Ok(builder.finish(&columns(blocks))?.as_bytes().to_vec())
            }
        }
    }
}

/// The blocks of all parts, and the head of the first one.
fn gather(parts: Vec<Part>) -> Result<(PartHead, BTreeMap<u64, Block>), PartError> {
    let Some(first) = parts.first().map(|part| part.head.clone()) else {
        return Err(PartError::Missing { what: "every shard".to_string(), part: None });
    };
    let count = first.shard.1;
    // No vector of `count` flags: a head may name more shards than there is memory for.
    let mut seen = BTreeMap::new();
    let mut all = BTreeMap::new();
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
        let mut blocks = part.blocks;
        all.extend(part.head.blocks().filter_map(|block| Some((block, blocks.remove(&block)?))));
    }
    if let Some(missing) = (1..=count).find(|shard| !seen.contains_key(shard)) {
        return Err(PartError::Missing { what: format!("shard {missing} of {count}"), part: None });
    }
    Ok((first, all))
}

/// The records of all blocks.
fn records(blocks: BTreeMap<u64, Block>) -> Vec<Record> {
    let of_block = |block| match block {
        Block::Records(records) => records,
        Block::Columns(_) => Vec::new(),
    };
    blocks.into_values().flat_map(of_block).collect()
}

/// The columns of all blocks, in order.
fn columns(blocks: BTreeMap<u64, Block>) -> Vec<PatternColumn> {
    let of_block = |block| match block {
        Block::Columns(columns) => columns,
        Block::Records(_) => Vec::new(),
    };
    blocks.into_values().flat_map(of_block).collect()
}
