//! Patterns in blocks of goal regions: built on any thread and machine, and put together on the map.

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use surefoot::space::GridSpace;
use surefoot::store::blocks::{
    BlockBuilder, BlockFormat, BlockPlan, Blocks, put_differences, read_differences,
};
use surefoot::store::codec::{CodecError, Reader, put_number};
use surefoot::store::division::Division;
use surefoot::store::part::PartError;
use surefoot::store::{BuiltFor, Database, DatabaseError, DatabaseKind, Fact, thousands};

use super::database::KIND;
use super::patterns::{PatternBuilder, PatternColumn, PatternConfig, PatternScratch, division};

pub(super) const FORMAT: BlockFormat = BlockFormat {
    is_unnamed: false,
    read: |reader, built_for| {
        let config = PatternConfig::read(reader)?;
        let most = built_for.states.min(u64::from(u32::MAX));
        let regions = reader.number_up_to(most, "there are more regions than states")? as u32;
        Ok(Box::new(Plan { config, regions }))
    },
};

#[derive(Debug)]
struct Plan {
    config: PatternConfig,
    regions: u32,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.config.fmt(f)
    }
}

impl BlockPlan for Plan {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn unit(&self) -> &'static str {
        "regions"
    }

    fn division(&self) -> Division {
        division(self.regions, self.config.contents)
    }

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.config.to_bytes());
        put_number(out, u64::from(self.regions));
    }

    /// Whether a column fits its component is known only on the map.
    fn check(&self, _: &BuiltFor, number: u64, block: &mut Reader<'_>) -> Result<(), CodecError> {
        let numbers = self.division().pieces_of(number);
        let columns = read_columns(block)?;
        if columns.len() as u64 != numbers.end - numbers.start {
            return Err(block.malformed("this block has another number of goal regions"));
        }
        let most = self.regions as usize * if self.config.contents.has_goal_depths() { 2 } else { 1 };
        if columns.iter().any(|column| column.len() > most) {
            return Err(block.malformed("there are not so many regions"));
        }
        Ok(())
    }

    fn merge(&self, _: &BuiltFor, space: Option<&GridSpace>, blocks: &Blocks) -> Result<Vec<u8>, PartError> {
        let space = space.ok_or_else(|| PartError::NeedsWorld { what: self.to_string() })?;
        let builder = PatternBuilder::new(space, self.config)?;
        Ok(builder.finish(&all_columns(blocks)?)?.as_bytes().to_vec())
    }

    fn describe(&self, blocks: &Blocks, bytes: u64) -> (Vec<Fact>, Option<String>) {
        let columns = all_columns(blocks).unwrap_or_default().len() as u64;
        let facts = [
            Fact::new("goal regions", thousands(columns)).with_count("goal_regions", columns),
            Fact::new("bytes", thousands(bytes)),
        ];
        (facts.into(), None)
    }
}

fn read_columns(reader: &mut Reader<'_>) -> Result<Vec<PatternColumn>, CodecError> {
    let count = reader.count(1)?;
    let mut columns = Vec::with_capacity(count);
    for _ in 0..count {
        let length = reader.count(1)?;
        columns.push(read_differences(reader, length, u64::from(u32::MAX), |number| number)?);
    }
    Ok(columns)
}

fn all_columns(blocks: &Blocks) -> Result<Vec<PatternColumn>, CodecError> {
    let mut columns = Vec::new();
    for block in blocks.values() {
        columns.extend(read_columns(&mut Reader::new(block))?);
    }
    Ok(columns)
}

/// Makes patterns block by block.
pub(super) struct Builder<'w> {
    plan: Arc<Plan>,
    builder: PatternBuilder<'w, GridSpace>,
}

impl<'w> Builder<'w> {
    pub(super) fn new(space: &'w GridSpace, config: PatternConfig) -> Result<Self, DatabaseError> {
        let builder = PatternBuilder::new(space, config)?;
        Ok(Self { plan: Arc::new(Plan { config, regions: builder.columns() }), builder })
    }
}

impl BlockBuilder for Builder<'_> {
    fn plan(&self) -> Arc<dyn BlockPlan> {
        Arc::<Plan>::clone(&self.plan)
    }

    fn scratch(&self) -> Box<dyn Any + Send> {
        Box::new(PatternScratch::default())
    }

    fn make(&self, block: u64, scratch: &mut dyn Any) -> Vec<u8> {
        let mut own = None;
        let scratch = match scratch.downcast_mut::<PatternScratch>() {
            Some(scratch) => scratch,
            None => own.insert(PatternScratch::default()),
        };
        let columns = self.builder.block(block, scratch);
        let mut out = Vec::new();
        put_number(&mut out, columns.len() as u64);
        columns.iter().for_each(|column| put_differences(&mut out, column.iter().copied()));
        out
    }

    fn finish(&self, blocks: &Blocks) -> Result<Arc<dyn Database>, DatabaseError> {
        Ok(Arc::new(self.builder.finish(&all_columns(blocks)?)?))
    }
}
