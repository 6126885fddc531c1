//! The blocks of a part.

use alloc::vec::Vec;

use super::head::{PartConfig, PartHead};
use crate::codec::{self, CodecError, Reader, put_number, put_signed};
use crate::database::patterns::PatternColumn;
use crate::database::subgoals::Record;
use crate::space::State;

const BLOCK: codec::Kind =
    codec::Kind { name: "block of records", label: *b"sfblock\n", oldest: 1, version: 1 };

/// What is made, written and dealt out at once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Block {
    /// Records of a database of subgoals: not all that belong here can be made.
    Records(Vec<Record>),
    /// What a pattern database stores for each of some goal regions, in order.
    Columns(Vec<PatternColumn>),
}

impl Block {
    /// The bytes of this block with its number, to be appended to the part that it belongs to.
    #[must_use]
    pub fn to_bytes(&self, number: u64) -> Vec<u8> {
        let mut body = Vec::new();
        put_number(&mut body, number);
        match self {
            Self::Records(records) => {
                put_number(&mut body, records.len() as u64);
                for record in records {
                    put_number(&mut body, record.number);
                    put_differences(&mut body, record.states.iter().map(|state| state.0));
                }
            }
            Self::Columns(columns) => {
                put_number(&mut body, columns.len() as u64);
                for column in columns {
                    put_differences(&mut body, column.iter().copied());
                }
            }
        }
        codec::seal(&BLOCK, &body)
    }

    /// Takes the first envelope off bytes: what is in it, and what comes after it. Nothing if there is no whole one.
    pub(super) fn open_first(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
        codec::open_first(&BLOCK, bytes).ok()
    }

    /// Reads what is in the envelope of a block after such a head: its number, and itself.
    pub(super) fn read(head: &PartHead, body: &[u8]) -> Result<(u64, Self), CodecError> {
        let mut reader = Reader::new(body);
        let number = reader.number()?;
        let block = match &head.config {
            PartConfig::Subgoals(_) => Self::Records(read_records(&mut reader, head, number)?),
            PartConfig::Patterns { regions, .. } => {
                Self::Columns(read_columns(&mut reader, head, number, *regions)?)
            }
        };
        reader.finish()?;
        Ok((number, block))
    }
}

fn read_records(reader: &mut Reader<'_>, head: &PartHead, block: u64) -> Result<Vec<Record>, CodecError> {
    let numbers = head.config.pieces_of(block);
    let count = reader.count(2)?;
    if count as u64 > numbers.end - numbers.start {
        return Err(reader.malformed("no block has so many records"));
    }
    let mut records = Vec::with_capacity(count);
    for _ in 0..count {
        let number = reader.number()?;
        if !numbers.contains(&number) || records.last().is_some_and(|last: &Record| last.number >= number) {
            return Err(reader.malformed("this record does not belong here"));
        }
        let length = reader.count(1)?;
        let states = read_differences(reader, length, head.built_for.states, State)?;
        records.push(Record { number, states });
    }
    Ok(records)
}

/// Whether a column fits its component is known only on the map.
fn read_columns(
    reader: &mut Reader<'_>,
    head: &PartHead,
    block: u64,
    regions: u32,
) -> Result<Vec<PatternColumn>, CodecError> {
    let numbers = head.config.pieces_of(block);
    let count = reader.count(1)?;
    if count as u64 != numbers.end - numbers.start {
        return Err(reader.malformed("this block has another number of goal regions"));
    }
    let mut columns = Vec::with_capacity(count);
    for _ in 0..count {
        let length = reader.count(1)?;
        if length > regions as usize {
            return Err(reader.malformed("there are not so many regions"));
        }
        columns.push(read_differences(reader, length, u64::from(u32::MAX), |number| number)?);
    }
    Ok(columns)
}

/// Writes how many numbers there are, and each as its difference to the one before.
fn put_differences(out: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u32>) {
    put_number(out, numbers.len() as u64);
    let mut before = 0;
    for number in numbers {
        put_signed(out, i64::from(number) - before);
        before = i64::from(number);
    }
}

/// Reads so many numbers below `limit`.
fn read_differences<T>(
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
