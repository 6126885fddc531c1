//! What a database of subgoals is built from.

use alloc::vec::Vec;
use core::fmt;

use surefoot::search::{Paths, Ties};
use surefoot::store::codec::{Reader, put_number};

/// What a record keeps of an optimal path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordForm {
    /// Both ends and the farthest state that a climb from the start arrives at: the text of the 2009 paper.
    Farthest,
    /// Both ends and the state before the first that a climb from the start misses, and no record if it
    /// misses none: Figure 4 of the 2009 paper.
    BeforeFirstMiss,
    /// As many states as a climb needs to get from one to the next: the 2010 paper.
    Compressed,
    /// The same, but each climb costs no more than its part of the path.
    Lossless,
    /// As compressed, and beside each record all its fragments as records of their own (2010, end of section
    /// 6.2, where they disappoint).
    Fragments,
}

/// How the ends of the records are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pairs {
    /// At random, as in the papers.
    Random,
    /// Spread evenly over all pairs of states.
    Even,
}

/// What a database of subgoals is built from, beside its world: the same numbers give the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubgoalConfig {
    /// How many records.
    pub records: u64,
    /// What a record keeps.
    pub form: RecordForm,
    /// How the climbs break ties; agents that use the database break them the same way.
    pub ties: Ties,
    /// How the ends are chosen.
    pub pairs: Pairs,
    /// Which optimal paths are cut down. The builder must be given a search that finds these.
    pub paths: Paths,
    /// Another seed chooses other ends.
    pub seed: u64,
}

impl fmt::Display for SubgoalConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match self.form {
            RecordForm::Farthest => "farthest",
            RecordForm::BeforeFirstMiss => "before-first-miss",
            RecordForm::Compressed => "compressed",
            RecordForm::Lossless => "lossless",
            RecordForm::Fragments => "fragments",
        };
        let ties = match self.ties {
            Ties::Near => "low-g",
            Ties::Far => "high-g",
        };
        let pairs = match self.pairs {
            Pairs::Random => "random",
            Pairs::Even => "even",
        };
        let paths = self.paths.name();
        let Self { records, seed, .. } = self;
        write!(
            f,
            "subgoals(n={records}, form={form}, ties={ties}, pairs={pairs}, paths={paths}, seed={seed})"
        )
    }
}

impl SubgoalConfig {
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_number(&mut bytes, self.records);
        put_number(&mut bytes, self.seed);
        bytes.push(match self.form {
            RecordForm::Farthest => 0,
            RecordForm::BeforeFirstMiss => 1,
            RecordForm::Compressed => 2,
            RecordForm::Lossless => 3,
            RecordForm::Fragments => 4,
        });
        bytes.push(u8::from(self.ties == Ties::Far));
        bytes.push(u8::from(self.pairs == Pairs::Even));
        bytes.push(u8::from(self.paths == Paths::JumpPoints));
        bytes
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, surefoot::CodecError> {
        let records = reader.number_up_to(MOST_RECORDS, "no database has so many records")?;
        let seed = reader.number()?;
        let form = match reader.byte()? {
            0 => RecordForm::Farthest,
            1 => RecordForm::BeforeFirstMiss,
            2 => RecordForm::Compressed,
            3 => RecordForm::Lossless,
            4 => RecordForm::Fragments,
            _ => return Err(reader.malformed("there is no such form of records")),
        };
        let flag = |reader: &mut Reader<'_>| match reader.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(reader.malformed("this should be 0 or 1")),
        };
        let ties = if flag(reader)? { Ties::Far } else { Ties::Near };
        let pairs = if flag(reader)? { Pairs::Even } else { Pairs::Random };
        let paths = if flag(reader)? { Paths::JumpPoints } else { Paths::AStar };
        Ok(Self { records, form, ties, pairs, paths, seed })
    }
}

/// No configuration asks for more records.
const MOST_RECORDS: u64 = u32::MAX as u64;
