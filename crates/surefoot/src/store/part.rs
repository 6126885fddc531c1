//! A database in the making: the blocks of it that are done so far, in whichever order they were done.
//!
//! A part is a head and then one block after the other, each in an envelope of its own: it grows by
//! appending, and what was written before a crash can be read after it. A build on one machine has one part;
//! a build that is split has one for each shard, and all of them together make the database.
//! `docs/reference/sfdb.md` has the layout.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeInclusive;

use super::blocks::{BlockBuilder, BlockPlan, Blocks};
use super::codec::{self, CodecError, Envelope, Reader, put_number, put_text};
use super::container::{BuiltFor, DatabaseError, PART_LABEL};
use super::database::DatabaseKind;
use crate::space::GridSpace;

const NAME: &str = "part of a surefoot database";
/// Parts of one kind of database say nothing of their kind.
const UNNAMED: Envelope = Envelope { name: NAME, label: PART_LABEL, oldest: 1, version: 1 };
/// All others do.
const NAMED: Envelope = Envelope { name: NAME, label: PART_LABEL, oldest: 1, version: 2 };
const BLOCK: Envelope = Envelope { name: "block of records", label: *b"sfblock\n", oldest: 1, version: 1 };

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
    /// A database that takes its map was to be put together without it.
    #[error("{what} is put together with its map: name it (--map)")]
    NeedsWorld {
        /// What the parts are of.
        what: String,
    },
    /// The records make no database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// What a part is a part of.
#[derive(Clone, Debug)]
pub struct PartHead {
    /// The world that it is built for.
    pub built_for: BuiltFor,
    /// What is built.
    pub plan: Arc<dyn BlockPlan>,
    /// Which shard this is, from 1, and of how many: 1 of 1 is everything.
    pub shard: (u32, u32),
}

/// Two heads are the same if their bytes are.
impl PartialEq for PartHead {
    fn eq(&self, other: &Self) -> bool {
        self.to_bytes() == other.to_bytes()
    }
}

impl PartHead {
    /// The bytes that a part begins with.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let kind = self.plan.kind();
        let is_unnamed = kind.blocks.is_some_and(|format| format.is_unnamed);
        let mut body = Vec::new();
        if !is_unnamed {
            put_text(&mut body, kind.name);
        }
        self.built_for.put(&mut body);
        self.plan.put(&mut body);
        put_number(&mut body, u64::from(self.shard.0));
        put_number(&mut body, u64::from(self.shard.1));
        codec::seal(if is_unnamed { &UNNAMED } else { &NAMED }, &body)
    }

    /// Reads the head that bytes begin with: the head, and what comes after it.
    fn read_first<'a>(
        bytes: &'a [u8],
        kinds: &[&'static DatabaseKind],
    ) -> Result<(Self, &'a [u8]), CodecError> {
        let (body, rest) = codec::open_first(&NAMED, bytes)?;
        let mut reader = Reader::new(body);
        let is_named = codec::version_of(bytes) >= NAMED.version;
        let name = if is_named { Some(reader.text()?) } else { None };
        let format = kinds.iter().find_map(|kind| {
            let format = kind.blocks?;
            name.map_or(format.is_unnamed, |name| name == kind.name && !format.is_unnamed).then_some(format)
        });
        let format = format.ok_or_else(|| reader.malformed("no such database is built in parts"))?;
        let built_for = BuiltFor::read(&mut reader)?;
        let plan: Box<dyn BlockPlan> = (format.read)(&mut reader, &built_for)?;
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
        Ok((Self { built_for, plan: plan.into(), shard: (first, count) }, rest))
    }

    /// The numbers of the blocks that belong to this shard.
    pub fn blocks(&self) -> impl Iterator<Item = u64> {
        self.plan.division().blocks_of(self.shard)
    }

    /// How many pieces belong to this shard.
    #[must_use]
    pub fn pieces(&self) -> u64 {
        self.plan.division().pieces_of_shard(self.shard)
    }

    /// How many pieces a block has.
    #[must_use]
    pub fn pieces_of(&self, block: u64) -> u64 {
        let pieces = self.plan.division().pieces_of(block);
        pieces.end - pieces.start
    }
}

/// A part in words, as messages name it.
impl fmt::Display for PartHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { built_for, plan, shard: (shard, count) } = self;
        write!(f, "shard {shard} of {count} of {plan} for {built_for}")
    }
}

/// The bytes of a block with its number, to be appended to the part that it belongs to.
#[must_use]
pub fn block_to_bytes(number: u64, block: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    put_number(&mut body, number);
    body.extend_from_slice(block);
    codec::seal(&BLOCK, &body)
}

/// What was read of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is a part of.
    pub head: PartHead,
    /// The blocks that are done.
    pub blocks: Blocks,
    /// How many of the bytes were read: what follows was cut off in the middle of a block.
    pub length: usize,
}

impl Part {
    /// Shard `shard.0` of `shard.1` of what a builder makes in a world. Nothing of it is done yet.
    #[must_use]
    pub fn new(space: &GridSpace, builder: &dyn BlockBuilder, shard: (u32, u32)) -> Self {
        let head = PartHead { built_for: BuiltFor::of(space), plan: builder.plan(), shard };
        Self { head, blocks: Blocks::new(), length: 0 }
    }

    /// Reads a part of a database of one of these kinds, as far as it is whole: the last block may have been
    /// cut off while it was written.
    ///
    /// # Errors
    /// If the head is none, or a whole block is none.
    pub fn from_bytes(bytes: &[u8], kinds: &[&'static DatabaseKind]) -> Result<Self, PartError> {
        let (head, mut rest) = PartHead::read_first(bytes, kinds)?;
        let mut blocks = Blocks::new();
        while let Ok((body, after)) = codec::open_first(&BLOCK, rest) {
            let mut reader = Reader::new(body);
            let number = reader.number()?;
            let block = body[body.len() - reader.left()..].to_vec();
            head.plan.check(&head.built_for, number, &mut reader)?;
            reader.finish()?;
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
            bytes.extend(block_to_bytes(number, block));
        }
        bytes
    }

    /// The first block of the shard that is not there.
    #[must_use]
    pub fn first_missing(&self) -> Option<u64> {
        self.head.blocks().find(|block| !self.blocks.contains_key(block))
    }

    /// Puts all parts of a database together: the bytes of its file. Some kinds need the map for it.
    ///
    /// # Errors
    /// If the parts are not of one database, not all of it, or belong to another map, or the map is needed.
    pub fn merge(space: Option<&GridSpace>, parts: Vec<Self>) -> Result<Vec<u8>, PartError> {
        let (head, blocks) = gather(parts)?;
        if let Some(space) = space {
            head.built_for.check(space)?;
        }
        head.plan.merge(&head.built_for, space, &blocks)
    }
}

/// The blocks of all parts, and the head of the first one.
fn gather(parts: Vec<Part>) -> Result<(PartHead, Blocks), PartError> {
    let Some(first) = parts.first().map(|part| part.head.clone()) else {
        return Err(PartError::Missing { what: "every shard".to_string(), part: None });
    };
    let count = first.shard.1;
    // No vector of `count` flags: a head may name more shards than there is memory for.
    let mut seen = BTreeMap::new();
    let mut all = BTreeMap::new();
    for (place, part) in parts.into_iter().enumerate() {
        let shard = part.head.shard;
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
