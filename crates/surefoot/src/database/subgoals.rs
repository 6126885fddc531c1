//! Databases of subgoals: optimal paths between pairs of states, each cut down to the states that a hill-climber needs.
//!
//! kNN LRTA* in both its forms goes by them ("kNN LRTA*", 2009: one subgoal a record; "Case-based subgoaling", JAIR 2010: as
//! many as the path needs). The bytes of a file are used as they are: the ends of the records lie in the order of their
//! index, and the subgoals between them are decoded one by one as an agent gets to them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::bits::{BitReader, BitWriter, number_length};
use super::container::{BuiltFor, Container, DatabaseError};
use super::index::{self, LEAF, Nearest, Similarity, TreeSearch};
use crate::codec::{Reader, put_number};
use crate::search::{Budget, Paths, Ties, climb};
use crate::space::{Cell, Cost, Reachability, State, World};

/// What a record keeps of an optimal path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordForm {
    /// Both ends and the farthest state that a climb from the start arrives at: the text of the 2009 paper.
    Farthest,
    /// Both ends and the state before the first that a climb from the start misses, and no record if it misses none:
    /// Figure 4 of the 2009 paper.
    BeforeFirstMiss,
    /// As many states as a climb needs to get from one to the next: the 2010 paper.
    Compressed,
    /// The same, but each climb costs no more than its part of the path.
    Lossless,
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
        };
        let ties = match self.ties {
            Ties::Near => "low-g",
            Ties::Far => "high-g",
        };
        let pairs = match self.pairs {
            Pairs::Random => "random",
            Pairs::Even => "even",
        };
        let paths = match self.paths {
            Paths::AStar => "a*",
            Paths::JumpPoints => "jps",
        };
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
        });
        bytes.push(u8::from(self.ties == Ties::Far));
        bytes.push(u8::from(self.pairs == Pairs::Even));
        bytes.push(u8::from(self.paths == Paths::JumpPoints));
        bytes
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, crate::CodecError> {
        let records = reader.number_up_to(MOST_RECORDS, "no database has so many records")?;
        let seed = reader.number()?;
        let form = match reader.byte()? {
            0 => RecordForm::Farthest,
            1 => RecordForm::BeforeFirstMiss,
            2 => RecordForm::Compressed,
            3 => RecordForm::Lossless,
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
pub(crate) const MOST_RECORDS: u64 = u32::MAX as u64;

/// A record on its way into a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number, from 0: what it was drawn by.
    pub number: u64,
    /// Its states: the first, the subgoals, the last.
    pub states: Vec<State>,
}

/// What the file of a database says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SubgoalFileInfo {
    /// The version of the format.
    pub version: u32,
    /// What it holds, in a word.
    pub contents: String,
    /// What it was built for.
    pub built_for: BuiltFor,
    /// What it was built from.
    pub config: SubgoalConfig,
    /// The records in it.
    pub records: u64,
    /// The states in all records: the papers' measure of size.
    pub states: u64,
    /// The bytes of the file.
    pub bytes: u64,
    /// The bytes of each section, by its tag.
    pub sections: Vec<(String, usize)>,
}

/// Bytes that many may share: a file in memory, a mapped file, part of a program.
type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A database of subgoals for one world.
#[derive(Clone)]
pub struct SubgoalDatabase {
    bytes: SharedBytes,
    config: SubgoalConfig,
    built_for: BuiltFor,
    layout: Layout,
    /// Where the ends, the group offsets and the subgoals lie in the bytes.
    ends: Range<usize>,
    groups: Range<usize>,
    subgoals: Range<usize>,
    states: u64,
}

/// How states are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// The width of a grid whose cells have coordinates of 16 bits; else states are written by their numbers.
    width: Option<u32>,
    /// Bits that usually hold the length of a leg, and the length of a record.
    leg_bits: u32,
    record_bits: u32,
}

const CONTENTS: &str = "subgoals";

impl Layout {
    /// The width, if cells can be written.
    fn width_for(size: (u32, u32)) -> Option<u32> {
        let fits = |side: u32| (1..=1 << 16).contains(&side);
        (fits(size.0) && fits(size.1)).then_some(size.0)
    }

    /// The number that is written for a leg: its longer side, or the difference of its states.
    fn length_of(self, from: State, to: State) -> u64 {
        match self.width {
            Some(width) => {
                let (from, to) = (cell_of(from, width), cell_of(to, width));
                u64::from(from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)))
            }
            None => u64::from(to.0.abs_diff(from.0)),
        }
    }

    fn put_leg(self, bits: &mut BitWriter, from: State, to: State) {
        let length = self.length_of(from, to);
        match self.width {
            Some(width) => {
                let (from, to) = (cell_of(from, width), cell_of(to, width));
                let (ax, ay) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
                bits.put(u64::from(to.x < from.x), 1);
                bits.put(u64::from(to.y < from.y), 1);
                bits.put(u64::from(ax < ay), 1);
                bits.put_number(length, self.leg_bits);
                bits.put_up_to(u64::from(ax.min(ay)), length);
            }
            None => {
                bits.put(u64::from(to < from), 1);
                bits.put_number(length, self.leg_bits);
            }
        }
    }

    #[inline]
    fn take_leg(self, bits: &mut BitReader<'_>, from: State) -> Option<State> {
        match self.width {
            Some(width) => {
                let cell = cell_of(from, width);
                let (west, north, tall) = (bits.take(1), bits.take(1), bits.take(1));
                let long = bits.take_number(self.leg_bits)?;
                let short = bits.take_up_to(long)?;
                let (ax, ay) = if tall == 1 { (short, long) } else { (long, short) };
                let step = |from: u32, away: u64, back: u64| {
                    let (from, away) = (i64::from(from), i64::try_from(away).ok()?);
                    u32::try_from(if back == 1 { from - away } else { from + away }).ok()
                };
                let (x, y) = (step(cell.x, ax, west)?, step(cell.y, ay, north)?);
                let state = u64::from(y) * u64::from(width) + u64::from(x);
                u32::try_from(state).ok().filter(|_| x < width).map(State)
            }
            None => {
                let back = bits.take(1) == 1;
                let away = u32::try_from(bits.take_number(self.leg_bits)?).ok()?;
                if back { from.0.checked_sub(away) } else { from.0.checked_add(away) }.map(State)
            }
        }
    }
}

fn cell_of(state: State, width: u32) -> Cell {
    Cell::new(state.0 % width, state.0 / width)
}

impl SubgoalDatabase {
    /// Puts records together, in whichever order they come: they are sorted by their ends and numbers.
    ///
    /// # Errors
    /// If there are more than a file can hold.
    pub fn assemble(
        world: &impl World,
        config: SubgoalConfig,
        records: Vec<Record>,
    ) -> Result<Self, DatabaseError> {
        let bytes = Self::assemble_bytes(&BuiltFor::of(world), config, records)?;
        Self::from_bytes(world, bytes)
    }

    /// The bytes of a file with these records, which were made for such a world.
    ///
    /// # Errors
    /// If there are more than a file can hold.
    pub fn assemble_bytes(
        built_for: &BuiltFor,
        config: SubgoalConfig,
        mut records: Vec<Record>,
    ) -> Result<Vec<u8>, DatabaseError> {
        let width = Layout::width_for(built_for.size);
        records.retain(|record| record.states.len() >= 2);
        let ends_of = |record: &Record| (record.states[0], record.states[record.states.len() - 1]);
        match width {
            Some(width) => index::sort_into_tree(&mut records, &|record| {
                let (start, end) = ends_of(record);
                (TreeSearch::query(cell_of(start, width), cell_of(end, width)), record.number)
            }),
            None => records.sort_unstable_by_key(|record| record.number),
        }
        let (layout, bits, groups) = Self::pack(width, &records)?;
        let mut ends = Vec::with_capacity(records.len() * 8);
        for record in &records {
            let (start, end) = ends_of(record);
            match width {
                Some(width) => {
                    for number in TreeSearch::query(cell_of(start, width), cell_of(end, width)) {
                        ends.extend_from_slice(&number.to_le_bytes());
                    }
                }
                None => [start, end].iter().for_each(|state| ends.extend_from_slice(&state.0.to_le_bytes())),
            }
        }
        let mut head = config.to_bytes();
        put_number(&mut head, records.len() as u64);
        put_number(&mut head, u64::from(layout.leg_bits));
        put_number(&mut head, u64::from(layout.record_bits));
        let sections = [(*b"conf", head), (*b"ends", ends), (*b"grps", groups), (*b"subg", bits)];
        Ok(Container::write(CONTENTS, built_for, &sections))
    }

    /// The subgoals of all records in as few bits as the best choice of widths gives, and where each group begins.
    fn pack(width: Option<u32>, records: &[Record]) -> Result<(Layout, Vec<u8>, Vec<u8>), DatabaseError> {
        let legs = |record: &'_ Record| record.states.len() - 2;
        // The length of a leg is all that its width changes.
        let mut lengths_of_legs = Vec::new();
        for record in records {
            for at in 0..legs(record) {
                lengths_of_legs.push(
                    Layout { width, leg_bits: 0, record_bits: 0 }
                        .length_of(record.states[at], record.states[at + 1]),
                );
            }
        }
        let total =
            |bits: u32| lengths_of_legs.iter().map(|&length| number_length(length, bits)).sum::<u64>();
        let leg_bits = (0..=20).min_by_key(|&bits| total(bits)).unwrap_or(0);
        let layout = Layout { width, leg_bits, record_bits: 0 };
        let body = |record: &Record| {
            let mut body = BitWriter::default();
            for at in 0..legs(record) {
                layout.put_leg(&mut body, record.states[at], record.states[at + 1]);
            }
            body.length()
        };
        let lengths: Vec<u64> = records.iter().map(body).collect();
        let record_bits = (0..=20)
            .min_by_key(|&usual| lengths.iter().map(|&length| number_length(length, usual)).sum::<u64>())
            .unwrap_or(0);
        let layout = Layout { record_bits, ..layout };
        let mut bits = BitWriter::default();
        let mut groups = Vec::new();
        for (place, record) in records.iter().enumerate() {
            if place % LEAF == 0 {
                let offset = u32::try_from(bits.length()).map_err(|_| DatabaseError::TooLarge {
                    problem: format!("the subgoals of {} records take more than 512 MB", records.len()),
                })?;
                groups.extend_from_slice(&offset.to_le_bytes());
            }
            bits.put_number(lengths[place], record_bits);
            for at in 0..legs(record) {
                layout.put_leg(&mut bits, record.states[at], record.states[at + 1]);
            }
        }
        Ok((layout, bits.into_bytes(), groups))
    }

    /// Opens a database for `world`, once everything in the bytes is known to make sense there.
    ///
    /// The bytes are kept and used in place: a `Vec<u8>`, a mapped file, `&'static [u8]` …
    ///
    /// # Errors
    /// If the bytes are damaged, of another version or kind, or belong to another world.
    pub fn from_bytes(
        world: &impl World,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Self, DatabaseError> {
        let mut database = Self::parse(&(Arc::new(bytes) as SharedBytes))?;
        database.built_for.check(world)?;
        let malformed = |section, problem: String| Err(DatabaseError::Malformed { section, problem });
        database.states = database.check_records(|record, from, to| {
            if let Some(state) = [from, to].into_iter().find(|&state| !world.contains(state)) {
                return malformed(
                    "ends",
                    format!("state {} of record {record} is none of this map", state.0),
                );
            }
            if world.reachability(from, to) == Reachability::No {
                return malformed("subg", format!("record {record} leads where no way leads"));
            }
            Ok(())
        })?;
        Ok(database)
    }

    /// What a file says of itself, read without the world that it was built for. What it says of that world is not
    /// checked: to use a database, [open](Self::from_bytes) it.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version or kind.
    pub fn inspect(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<SubgoalFileInfo, DatabaseError> {
        let database = Self::parse(&(Arc::new(bytes) as SharedBytes))?;
        let limit = database.built_for.states;
        let states = database.check_records(|record, from, to| {
            match [from, to].into_iter().find(|state| u64::from(state.0) >= limit) {
                Some(state) => Err(DatabaseError::Malformed {
                    section: "ends",
                    problem: format!("state {} of record {record} is none of its map", state.0),
                }),
                None => Ok(()),
            }
        })?;
        Ok(SubgoalFileInfo {
            version: crate::codec::version_of(database.as_bytes()),
            contents: CONTENTS.to_string(),
            built_for: database.built_for.clone(),
            config: database.config,
            records: database.len() as u64,
            states,
            bytes: database.as_bytes().len() as u64,
            sections: database.section_sizes(),
        })
    }

    /// Takes a file apart.
    fn parse(bytes: &SharedBytes) -> Result<Self, DatabaseError> {
        let all: &[u8] = (**bytes).as_ref();
        let container = Container::read(all)?;
        if container.contents != CONTENTS {
            return Err(DatabaseError::OtherContents {
                expected: CONTENTS.to_string(),
                found: container.contents,
            });
        }
        let mut head = Reader::new(&all[container.section("conf")?]);
        let config = SubgoalConfig::read(&mut head)?;
        let count = head.number_up_to(u64::from(u32::MAX), "no database has so many records")?;
        let leg_bits = head.number_up_to(20, "no leg needs so many bits")? as u32;
        let record_bits = head.number_up_to(20, "no record needs so many bits")? as u32;
        head.finish()?;
        let (ends, groups) = (container.section("ends")?, container.section("grps")?);
        let malformed = |section, problem: String| Err(DatabaseError::Malformed { section, problem });
        if ends.len() as u64 != count * 8 {
            return malformed("ends", format!("{} bytes for {count} records", ends.len()));
        }
        if groups.len() != (count as usize).div_ceil(LEAF) * 4 {
            return malformed("grps", format!("{} bytes for {count} records", groups.len()));
        }
        let subgoals = container.section("subg")?;
        let layout = Layout { width: Layout::width_for(container.built_for.size), leg_bits, record_bits };
        let built_for = container.built_for;
        Ok(Self { bytes: bytes.clone(), config, built_for, layout, ends, groups, subgoals, states: 0 })
    }

    /// Makes sure that each record is one, that they lie one after the other, and that their order is that of the index;
    /// `check_leg` hears of each leg. Counts the states.
    fn check_records(
        &self,
        check_leg: impl Fn(u32, State, State) -> Result<(), DatabaseError>,
    ) -> Result<u64, DatabaseError> {
        let malformed = |section, problem: String| Err(DatabaseError::Malformed { section, problem });
        let mut bit = 0;
        let mut states = 0;
        for record in 0..self.len() as u32 {
            let Some(cursor) = self.cursor(record) else {
                return malformed("subg", format!("record {record} is no record"));
            };
            if (record as usize).is_multiple_of(LEAF) && self.group_offset(record as usize / LEAF) != bit {
                return malformed("grps", format!("record {record} does not begin where it should"));
            }
            if let Some(width) = self.layout.width {
                let [xs, ys, xe, ye] = index::point_of(&self.points()[record as usize]).map(u32::from);
                if xs.max(xe) >= width || ys.max(ye) >= self.built_for.size.1 {
                    return malformed("ends", format!("record {record} does not lie on the map"));
                }
            }
            let (start, end) = self.ends(record);
            let mut subgoals = cursor;
            let mut previous = start;
            let mut is_last = false;
            while !is_last {
                let next = match self.next_of(&mut subgoals) {
                    Ok(next) => next,
                    Err(()) => return malformed("subg", format!("a subgoal of record {record} is none")),
                };
                is_last = next.is_none();
                let next = next.unwrap_or(end);
                if next == previous && !is_last {
                    return malformed("subg", format!("a leg of record {record} leads nowhere"));
                }
                states += 1;
                check_leg(record, previous, next)?;
                previous = next;
            }
            states += 1;
            bit = cursor.end;
        }
        let bits = self.section(&self.subgoals).len() as u64 * 8;
        if bit > bits || bits - bit >= 8 {
            return malformed("subg", format!("{bits} bits, but the records take {bit}"));
        }
        if self.layout.width.is_some() && !index::is_tree(self.points()) {
            return malformed("ends", "the records are not in the order of the index".to_string());
        }
        Ok(states)
    }

    /// The number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len() / 8
    }

    /// Whether there is no record: the world has no two states at least two moves apart.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What it was built from.
    #[must_use]
    pub fn config(&self) -> &SubgoalConfig {
        &self.config
    }

    /// What it was built for.
    #[must_use]
    pub fn built_for(&self) -> &BuiltFor {
        &self.built_for
    }

    /// The states in all records: the papers' measure of size.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The bytes of its file.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// The bytes of each section, by its tag.
    #[must_use]
    pub fn section_sizes(&self) -> Vec<(String, usize)> {
        Container::read(self.as_bytes()).map(|container| container.sizes().collect()).unwrap_or_default()
    }

    fn section(&self, range: &Range<usize>) -> &[u8] {
        &self.as_bytes()[range.clone()]
    }

    fn points(&self) -> &[[u8; 8]] {
        self.section(&self.ends).as_chunks().0
    }

    fn group_offset(&self, group: usize) -> u64 {
        let offsets: &[[u8; 4]] = self.section(&self.groups).as_chunks().0;
        u64::from(u32::from_le_bytes(offsets[group]))
    }

    /// The first and the last state of a record, which is below [`len`](Self::len).
    #[must_use]
    pub fn ends(&self, record: u32) -> (State, State) {
        let bytes = &self.points()[record as usize];
        match self.layout.width {
            Some(width) => {
                let [xs, ys, xe, ye] = index::point_of(bytes).map(u32::from);
                (
                    State(ys.wrapping_mul(width).wrapping_add(xs)),
                    State(ye.wrapping_mul(width).wrapping_add(xe)),
                )
            }
            None => {
                let packed = u64::from_le_bytes(*bytes);
                (State(packed as u32), State((packed >> 32) as u32))
            }
        }
    }

    /// The place before the first subgoal of a record; nothing if the bytes are no record.
    fn cursor(&self, record: u32) -> Option<Cursor> {
        let bytes = self.section(&self.subgoals);
        let mut bits = BitReader::new(bytes, self.group_offset(record as usize / LEAF));
        for _ in 0..record as usize % LEAF {
            let length = bits.take_number(self.layout.record_bits)?;
            bits.skip(length);
        }
        let length = bits.take_number(self.layout.record_bits)?;
        let end = bits.position().saturating_add(length);
        let (start, last) = self.ends(record);
        let position = bits.position();
        (end <= bytes.len() as u64 * 8).then_some(Cursor {
            record,
            passed: 0,
            position,
            end,
            at: start,
            last,
        })
    }

    fn next_of(&self, cursor: &mut Cursor) -> Result<Option<State>, ()> {
        if cursor.position >= cursor.end {
            return if cursor.position == cursor.end { Ok(None) } else { Err(()) };
        }
        let mut bits = BitReader::new(self.section(&self.subgoals), cursor.position);
        let state = self.layout.take_leg(&mut bits, cursor.at).ok_or(())?;
        if bits.position() > cursor.end {
            return Err(());
        }
        (cursor.position, cursor.at) = (bits.position(), state);
        cursor.passed += 1;
        Ok(Some(state))
    }

    /// The walk along a record, which is below [`len`](Self::len): it stands on the record's first state.
    #[must_use]
    pub fn walk(&self, record: u32) -> Cursor {
        let (start, last) = self.ends(record);
        self.cursor(record).unwrap_or(Cursor { record, passed: 0, position: 0, end: 0, at: start, last })
    }

    /// The next subgoal on the walk along a record; nothing when only its last state is left.
    pub fn next_subgoal(&self, cursor: &mut Cursor) -> Option<State> {
        self.next_of(cursor).unwrap_or(None)
    }

    /// The walk along a record where so many subgoals were passed; nothing if there is no such place.
    pub(crate) fn cursor_at(&self, record: u64, passed: u64) -> Option<Cursor> {
        let mut cursor =
            self.walk(u32::try_from(record).ok().filter(|&record| (record as usize) < self.len())?);
        for _ in 0..passed {
            self.next_subgoal(&mut cursor)?;
        }
        Some(cursor)
    }

    /// What tells this database from others: the checksum of its file.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let bytes = self.as_bytes();
        bytes.last_chunk().map_or(0, |checksum| u64::from_le_bytes(*checksum))
    }

    /// All states of a record, its ends included.
    #[must_use]
    pub fn record(&self, record: u32) -> Vec<State> {
        let mut cursor = self.walk(record);
        let mut states = Vec::from([cursor.at]);
        while let Some(state) = self.next_subgoal(&mut cursor) {
            states.push(state);
        }
        states.push(cursor.last);
        states
    }

    /// Finds the records nearest to the problem from `start` to `goal`, with at most `most` comparisons: see
    /// [`Nearest::records`].
    pub fn find_nearest(
        &self,
        world: &impl World,
        (start, goal): (State, State),
        similarity: Similarity,
        (wanted, most): (usize, Option<u64>),
        nearest: &mut Nearest,
        budget: &mut Budget,
    ) {
        nearest.start(wanted.min(self.len()), most);
        match (self.layout.width, world.octile_grid()) {
            (Some(_), Some(space)) => {
                let query = TreeSearch::query(space.cell(start), space.cell(goal));
                TreeSearch { points: self.points(), query, costs: space.costs(), similarity }.run(nearest);
            }
            _ => {
                for record in 0..self.len() as u32 {
                    if !nearest.may_compare() {
                        break;
                    }
                    let (first, last) = self.ends(record);
                    let distance = similarity.of(world.estimate(start, first), world.estimate(goal, last));
                    nearest.offer(distance, record);
                }
            }
        }
        nearest.finish(budget);
    }

    /// The first record with a leg that a climb does not make, and that leg; nothing if all is well. A leg of one move is
    /// always well: on graphs a climb may prefer another way even to a neighbour.
    #[must_use]
    pub fn first_broken_leg(&self, world: &impl World, records: Range<u32>) -> Option<(u32, State, State)> {
        let is_broken = |from: State, to: State| {
            let mut is_neighbour = false;
            world.for_each_successor(from, |state, _| is_neighbour |= state == to);
            !is_neighbour && climb(world, from, to, u64::MAX, self.config.ties).end != to
        };
        for record in records {
            let states = self.record(record);
            // The one subgoal of a record of 2009 promises nothing of the way on from it.
            let checked = match self.config.form {
                RecordForm::Farthest | RecordForm::BeforeFirstMiss => 2,
                RecordForm::Compressed | RecordForm::Lossless => states.len(),
            };
            for pair in states[..checked.min(states.len())].windows(2) {
                if is_broken(pair[0], pair[1]) {
                    return Some((record, pair[0], pair[1]));
                }
            }
        }
        None
    }

    /// What walking a record costs by the heuristic, leg by leg: what a climb takes at least.
    #[must_use]
    pub fn estimated_cost(&self, world: &impl World, record: u32) -> Cost {
        let states = self.record(record);
        states.windows(2).map(|pair| world.estimate(pair[0], pair[1])).sum()
    }
}

impl fmt::Debug for SubgoalDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.as_bytes().len();
        f.debug_struct("SubgoalDatabase").field("config", &self.config).field("bytes", &bytes).finish()
    }
}

/// How far a walk along a record has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    record: u32,
    /// Subgoals that were passed.
    passed: u32,
    position: u64,
    end: u64,
    at: State,
    last: State,
}

impl Cursor {
    /// The record, and how many of its subgoals were passed: what brings back the cursor.
    pub(crate) fn place(&self) -> (u32, u32) {
        (self.record, self.passed)
    }

    /// The state of the record that the walk stands on.
    #[must_use]
    pub fn at(&self) -> State {
        self.at
    }

    /// The last state of the record.
    #[must_use]
    pub fn last(&self) -> State {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Agent, KnnLrtaStar, KnnSettings, Step};
    use crate::codec::{self, Kind};
    use crate::database::container::with_changed_body;
    use crate::formats::grid_from_art;
    use crate::search::{GridPlanner, JumpPoints};
    use crate::space::{CostModel, Grid, GridSpace, MoveRule};
    use proptest::prelude::*;

    fn space() -> GridSpace {
        let art = "..........
                   .########.
                   .#......#.
                   .#.####.#.
                   ....#.....";
        GridSpace::new(grid_from_art(art).unwrap(), MoveRule::Squeeze, CostModel::Diagonal14)
    }

    fn config(form: RecordForm) -> SubgoalConfig {
        let (ties, pairs, paths) = (Ties::Far, Pairs::Random, Paths::JumpPoints);
        SubgoalConfig { records: 20, form, ties, pairs, paths, seed: 3 }
    }

    fn database(space: &GridSpace) -> SubgoalDatabase {
        SubgoalDatabase::build(space, config(RecordForm::Compressed), JumpPoints::new()).unwrap()
    }

    /// Walks across the map with the records at hand: whatever they are, no move may be illegal, and the agent arrives.
    fn try_out(space: &GridSpace, database: SubgoalDatabase) {
        let mut agent = KnnLrtaStar::new(KnnSettings::default(), Arc::new(database));
        let (start, goal) = (space.state(Cell::new(2, 2)), space.state(Cell::new(5, 4)));
        agent.begin(space, start, goal).unwrap();
        for _ in 0..2000 {
            let before = agent.position_in(space);
            let mut budget = Budget::limited(Agent::<GridSpace>::bound(&agent).unwrap());
            match agent.step(space, &mut budget) {
                Step::Moved(next) => {
                    assert!(
                        space.moves(before).iter().any(|direction| space.step(before, direction) == next)
                    );
                }
                Step::Arrived => return,
                step => assert_eq!(step, Step::Waiting),
            }
            assert!(!budget.is_overdrawn());
        }
        panic!("the agent does not arrive");
    }

    impl KnnLrtaStar {
        fn position_in(&self, _: &GridSpace) -> State {
            Agent::<GridSpace>::position(self)
        }
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let space = space();
        let bytes = database(&space).as_bytes().to_vec();
        for length in 0..bytes.len() {
            assert!(SubgoalDatabase::from_bytes(&space, bytes[..length].to_vec()).is_err(), "{length} bytes");
        }
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[place] ^= 1 << bit;
                assert!(SubgoalDatabase::from_bytes(&space, changed).is_err(), "byte {place}, bit {bit}");
            }
        }
    }

    #[test]
    fn hostile_bytes_behind_a_proper_checksum_are_refused_or_harmless() {
        let space = space();
        let bytes = database(&space).as_bytes().to_vec();
        let (mut accepted, mut refused) = (0, 0);
        for place in 0..bytes.len() - 28 {
            for change in [0, 1, 2, 0x7f, 0x80, 0xff] {
                let changed = with_changed_body(&bytes, |body| body[place] ^= change);
                match SubgoalDatabase::from_bytes(&space, changed) {
                    Ok(database) => {
                        accepted += 1;
                        try_out(&space, database);
                    }
                    Err(_) => refused += 1,
                }
            }
            let cut = with_changed_body(&bytes, |body| body.truncate(place));
            assert!(SubgoalDatabase::from_bytes(&space, cut).is_err());
        }
        // Another subgoal that is one of the map's states makes another database, and not a wrong one.
        assert!(accepted > 100 && refused > 1000, "{accepted} {refused}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let space = space();
        let database = database(&space);
        let message = |space: &GridSpace, bytes: &[u8]| {
            SubgoalDatabase::from_bytes(space, bytes.to_vec()).unwrap_err().to_string()
        };
        let bytes = database.as_bytes();
        assert!(message(&space, b"type octile").contains("this is no surefoot database"));
        assert!(message(&space, &bytes[..100]).contains("it was cut off or added to"));
        let mut other = space.clone();
        other.set(Cell::new(4, 0), false);
        let text = message(&other, bytes);
        assert!(text.contains("was built for a map of 10 x 5 cells, rule squeeze, cost 1.4"), "{text}");
        let sqrt2 = GridSpace::new(space.grid().clone(), MoveRule::Squeeze, CostModel::Sqrt2);
        assert!(message(&sqrt2, bytes).contains("not for a map of 10 x 5 cells, rule squeeze, cost sqrt2"));
        let future = {
            let mut bytes = bytes.to_vec();
            bytes[8] = 9;
            bytes
        };
        assert!(message(&space, &future).contains("has version 9, and this program reads up to 1"));
    }

    #[test]
    fn records_come_back_as_they_went_in() {
        let space = space();
        let builder = crate::database::SubgoalBuilder::new(&space, config(RecordForm::Compressed));
        let records = builder.block(0, &mut JumpPoints::new());
        let database = builder.finish(records.clone()).unwrap();
        assert_eq!(database.len(), 20);
        let mut expected: Vec<Vec<State>> = records.into_iter().map(|record| record.states).collect();
        let mut found: Vec<Vec<State>> = (0..20).map(|record| database.record(record)).collect();
        assert_eq!(database.states(), found.iter().map(|states| states.len() as u64).sum::<u64>());
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn records_of_a_grid_too_wide_for_short_coordinates_are_found_by_looking_at_all() {
        let grid = crate::space::Grid::from_fn(70_000, 2, |cell| cell.x % 100 != 50 || cell.y == 1).unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        let database = database(&space);
        assert!(database.layout.width.is_none());
        let (start, end) = database.ends(7);
        let mut nearest = Nearest::new();
        let mut budget = Budget::unlimited();
        let wanted = (3, None);
        database.find_nearest(&space, (start, end), Similarity::Maximum, wanted, &mut nearest, &mut budget);
        assert_eq!((nearest.records()[0], budget.spent().probes), ((0, 7), 20));
        assert_eq!(database.first_broken_leg(&space, 0..20), None);
    }

    fn built() -> (GridSpace, SubgoalDatabase) {
        let grid = Grid::from_fn(40, 30, |cell| cell.x % 8 != 3 || cell.y % 7 == 0).unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        let (form, pairs) = (RecordForm::Compressed, Pairs::Random);
        let config =
            SubgoalConfig { records: 60, form, ties: Ties::Far, pairs, paths: Paths::JumpPoints, seed: 1 };
        let database = SubgoalDatabase::build(&space, config, GridPlanner::new(config.paths)).unwrap();
        (space, database)
    }

    #[test]
    fn a_file_says_of_itself_what_the_database_knows() {
        let (_, database) = built();
        let info = SubgoalDatabase::inspect(database.as_bytes().to_vec()).unwrap();
        assert_eq!((info.version, info.records, info.states), (1, 60, database.states()));
        assert_eq!((info.config, &info.built_for), (*database.config(), database.built_for()));
        assert_eq!(
            (info.bytes as usize, info.sections),
            (database.as_bytes().len(), database.section_sizes())
        );
        let counted: usize = (0..60).map(|record| database.record(record).len()).sum();
        assert_eq!(info.states, counted as u64);
    }

    proptest! {
        /// Whoever means harm sees to the checksum.
        #[test]
        fn bytes_that_were_changed_and_sealed_again_are_read_or_refused(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        ) {
            let (space, database) = built();
            let kind = Kind { name: "surefoot database", label: *b"sfdb\r\n\x1a\n", version: 1 };
            let mut body = codec::open(&kind, database.as_bytes()).unwrap().to_vec();
            for (at, byte) in changes {
                let at = at.index(body.len());
                body[at] = byte;
            }
            let bytes = codec::seal(&kind, &body);
            let inspected = SubgoalDatabase::inspect(bytes.clone());
            if let Ok(opened) = SubgoalDatabase::from_bytes(&space, bytes) {
                prop_assert_eq!(inspected.unwrap().states, opened.states());
                let _ = opened.first_broken_leg(&space, 0..opened.len() as u32);
            }
        }
    }
}
