//! Databases that are built block by block: by any thread, on any machine, in any order.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use super::codec::{CodecError, Reader, put_number, put_signed};
use super::container::{BuiltFor, DatabaseError};
use super::database::{Database, DatabaseKind};
use super::describe::Fact;
use super::division::Division;
use super::part::PartError;
use crate::space::GridSpace;

/// A block: what is made, written and dealt out at once, as the technique writes it.
pub type Block = Vec<u8>;

/// Blocks, by their numbers.
pub type Blocks = BTreeMap<u64, Block>;

/// What is built in blocks: all that there is to know of it without its map.
pub trait BlockPlan: fmt::Debug + fmt::Display + Send + Sync {
    /// Which kind of database it is.
    fn kind(&self) -> &'static DatabaseKind;

    /// What a block consists of, in the plural: records, regions.
    fn unit(&self) -> &'static str;

    /// How it is divided into blocks.
    fn division(&self) -> Division;

    /// Writes the plan.
    fn put(&self, out: &mut Vec<u8>);

    /// Makes sure that a block is one of this plan.
    ///
    /// # Errors
    /// If it is not.
    fn check(&self, built_for: &BuiltFor, number: u64, block: &mut Reader<'_>) -> Result<(), CodecError>;

    /// Puts all blocks together: the bytes of the file. Some kinds need the map for it.
    ///
    /// # Errors
    /// If they do not make a database, or the map is needed.
    fn merge(
        &self,
        built_for: &BuiltFor,
        space: Option<&GridSpace>,
        blocks: &Blocks,
    ) -> Result<Vec<u8>, PartError>;

    /// What there is to say of some blocks in a file of so many bytes, and what of them should make one
    /// wonder.
    fn describe(&self, blocks: &Blocks, bytes: u64) -> (Vec<Fact>, Option<alloc::string::String>);
}

/// Makes a database block by block.
pub trait BlockBuilder: Sync {
    /// What it builds.
    fn plan(&self) -> Arc<dyn BlockPlan>;

    /// Memory that [`make`](Self::make) uses again from block to block.
    fn scratch(&self) -> Box<dyn Any + Send>;

    /// Makes a block.
    fn make(&self, block: u64, scratch: &mut dyn Any) -> Block;

    /// Puts all blocks together.
    ///
    /// # Errors
    /// If they are not what this builder makes, or the database would be too large.
    fn finish(&self, blocks: &Blocks) -> Result<Arc<dyn Database>, DatabaseError>;
}

/// A plan that was read, or why there is none.
pub type ReadPlan = Result<Box<dyn BlockPlan>, CodecError>;

/// How a kind that is built in blocks is read from the head of a part.
#[derive(Clone, Copy)]
pub struct BlockFormat {
    /// Whether parts do not say of which kind they are. One kind may do so.
    pub is_unnamed: bool,
    /// Reads the plan.
    pub read: fn(&mut Reader<'_>, &BuiltFor) -> ReadPlan,
}

/// Builds a database of blocks on all cores with the feature `rayon`. `done` hears how many pieces are done,
/// and ends the build if it says no.
///
/// # Errors
/// If the blocks make no database, or `done` said no.
pub fn build_in_blocks(
    builder: &dyn BlockBuilder,
    mut done: impl FnMut(u64, u64) -> bool,
) -> Result<Arc<dyn Database>, DatabaseError> {
    let division = builder.plan().division();
    let all: Vec<u64> = (0..division.blocks()).collect();
    let mut blocks = Blocks::new();
    let mut pieces = 0;
    // So many blocks a thread that threads seldom wait, and so few that one hears of it soon.
    for some in all.chunks((super::parallel::threads() * 16).max(1)) {
        let made = super::parallel::in_parallel(
            some,
            || builder.scratch(),
            |scratch, &block| builder.make(block, &mut **scratch),
        );
        pieces +=
            some.iter().map(|&block| division.pieces_of(block)).map(|all| all.end - all.start).sum::<u64>();
        blocks.extend(some.iter().copied().zip(made));
        if !done(pieces, division.pieces) {
            return Err(DatabaseError::Cancelled);
        }
    }
    builder.finish(&blocks)
}

/// Writes how many numbers there are, and each as its difference to the one before.
pub fn put_differences(out: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u32>) {
    put_number(out, numbers.len() as u64);
    let mut before = 0;
    for number in numbers {
        put_signed(out, i64::from(number) - before);
        before = i64::from(number);
    }
}

/// Reads so many numbers below `limit`.
///
/// # Errors
/// If there are not so many, or one is not below it.
pub fn read_differences<T>(
    reader: &mut Reader<'_>,
    count: usize,
    limit: u64,
    of: impl Fn(u32) -> T,
) -> Result<Vec<T>, CodecError> {
    let mut numbers = Vec::with_capacity(count);
    let mut number = 0_i64;
    for _ in 0..count {
        number = number.saturating_add(reader.signed()?);
        let known = u32::try_from(number).ok().filter(|&number| u64::from(number) < limit);
        numbers.push(of(known.ok_or_else(|| reader.malformed("there is no such state"))?));
    }
    Ok(numbers)
}
