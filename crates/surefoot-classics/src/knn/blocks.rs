//! Records in blocks: built on any thread and machine, and put together.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use surefoot::search::GridPlanner;
use surefoot::space::{GridSpace, State};
use surefoot::store::blocks::{
    BlockBuilder, BlockFormat, BlockPlan, Blocks, put_differences, read_differences,
};
use surefoot::store::codec::{CodecError, Reader, put_number};
use surefoot::store::division::Division;
use surefoot::store::part::PartError;
use surefoot::store::{BuiltFor, Database, DatabaseError, DatabaseKind, Fact};

use super::builder::{SubgoalBuilder, division};
use super::database::{KIND, sizes};
use super::subgoals::{Record, SubgoalConfig, SubgoalDatabase};

/// Parts of records say nothing of their kind.
pub(crate) const FORMAT: BlockFormat =
    BlockFormat { is_unnamed: true, read: |reader, _| Ok(Box::new(Plan(SubgoalConfig::read(reader)?))) };

#[derive(Debug)]
struct Plan(SubgoalConfig);

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl BlockPlan for Plan {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn unit(&self) -> &'static str {
        "records"
    }

    fn division(&self) -> Division {
        division(&self.0)
    }

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0.to_bytes());
    }

    fn check(&self, built_for: &BuiltFor, number: u64, block: &mut Reader<'_>) -> Result<(), CodecError> {
        let numbers = self.division().pieces_of(number);
        let records = read_records(block, built_for.states)?;
        if records.len() as u64 > numbers.end - numbers.start {
            return Err(block.malformed("no block has so many records"));
        }
        let is_in_order = records.is_sorted_by(|one, next| one.number < next.number);
        if !is_in_order || !records.iter().all(|record| numbers.contains(&record.number)) {
            return Err(block.malformed("this record does not belong here"));
        }
        Ok(())
    }

    fn merge(
        &self,
        built_for: &BuiltFor,
        _: Option<&GridSpace>,
        blocks: &Blocks,
    ) -> Result<Vec<u8>, PartError> {
        let records = all_records(blocks, built_for.states)?;
        Ok(SubgoalDatabase::assemble_bytes(built_for, self.0, records)?)
    }

    fn describe(&self, blocks: &Blocks, bytes: u64) -> (Vec<Fact>, Option<String>) {
        let records = all_records(blocks, u64::MAX).unwrap_or_default();
        let states = records.iter().map(|record| record.states.len() as u64).sum();
        let asked: u64 =
            blocks.keys().map(|&block| self.division().pieces_of(block)).map(|all| all.end - all.start).sum();
        (sizes(records.len() as u64, states, bytes), missing(records.len() as u64, asked))
    }
}

/// What is said if there are fewer records than were asked for.
fn missing(records: u64, asked: u64) -> Option<String> {
    let why = "the map has hardly any two cells with a way of two moves or more between them";
    (records < asked).then(|| format!("only {records} of {asked} records could be made: {why}"))
}

fn read_records(reader: &mut Reader<'_>, states: u64) -> Result<Vec<Record>, CodecError> {
    let count = reader.count(2)?;
    let mut records = Vec::with_capacity(count);
    for _ in 0..count {
        let number = reader.number()?;
        let length = reader.count(1)?;
        records.push(Record { number, states: read_differences(reader, length, states, State)? });
    }
    Ok(records)
}

fn all_records(blocks: &Blocks, states: u64) -> Result<Vec<Record>, CodecError> {
    let mut records = Vec::new();
    for block in blocks.values() {
        records.extend(read_records(&mut Reader::new(block), states)?);
    }
    Ok(records)
}

/// Makes records block by block.
pub(crate) struct Builder<'w> {
    plan: Arc<Plan>,
    builder: SubgoalBuilder<'w, GridSpace>,
}

impl<'w> Builder<'w> {
    pub(crate) fn new(space: &'w GridSpace, config: SubgoalConfig) -> Self {
        Self { plan: Arc::new(Plan(config)), builder: SubgoalBuilder::new(space, config) }
    }
}

impl BlockBuilder for Builder<'_> {
    fn plan(&self) -> Arc<dyn BlockPlan> {
        Arc::<Plan>::clone(&self.plan)
    }

    fn scratch(&self) -> Box<dyn Any + Send> {
        Box::new(GridPlanner::new(self.plan.0.paths))
    }

    fn make(&self, block: u64, scratch: &mut dyn Any) -> Vec<u8> {
        let mut own = None;
        let planner = match scratch.downcast_mut::<GridPlanner>() {
            Some(planner) => planner,
            None => own.insert(GridPlanner::new(self.plan.0.paths)),
        };
        let records = self.builder.block(block, planner);
        let mut out = Vec::new();
        put_number(&mut out, records.len() as u64);
        for record in records {
            put_number(&mut out, record.number);
            put_differences(&mut out, record.states.iter().map(|state| state.0));
        }
        out
    }

    fn finish(&self, blocks: &Blocks) -> Result<Arc<dyn Database>, DatabaseError> {
        Ok(Arc::new(self.builder.finish(all_records(blocks, u64::from(u32::MAX))?)?))
    }
}
