//! Databases of subgoals: optimal paths between pairs of states, each cut down to the states that a
//! hill-climber needs.
//!
//! kNN LRTA* in both its forms goes by them ("kNN LRTA*", 2009: one subgoal a record; "Case-based
//! subgoaling", JAIR 2010: as many as the path needs). The bytes of a file are used as they are: the ends of
//! the records lie in the order of their index, and the subgoals between them are decoded one by one as an
//! agent gets to them.

mod changes;
mod config;
mod packing;
mod record;
mod repair;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use surefoot::search::{Meter, climb};
use surefoot::space::{Reachability, State, World, sorting};
use surefoot::store::codec::{Reader, put_number};
use surefoot::store::container::{BuiltFor, Container, DatabaseError, SharedBytes};

use self::changes::Changes;
pub use self::config::{Pairs, RecordForm, SubgoalConfig};
pub use self::packing::Cursor;
use self::packing::cell_of;
pub(crate) use self::packing::{PackedRecords, RecordLayout, pack};
pub use self::record::Record;
pub use self::repair::{SubgoalRepair, SubgoalRepairer};
use crate::knn::index::{self, Nearest, Similarity, TreeSearch};

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

/// A database of subgoals for one world.
#[derive(Clone)]
pub struct SubgoalDatabase {
    bytes: SharedBytes,
    config: SubgoalConfig,
    built_for: BuiltFor,
    /// Where the ends of the records lie in the bytes.
    ends: Range<usize>,
    records: PackedRecords,
    /// What is no longer as the bytes have it.
    changes: Changes,
    states: u64,
}

const CONTENTS: &str = "subgoals";

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
        let width = RecordLayout::width_for(built_for.size);
        records.retain(|record| record.states.len() >= 2);
        if config.form == RecordForm::Fragments {
            let fragments: Vec<Record> = records.iter().flat_map(Record::fragments).collect();
            records.extend(fragments);
        }
        let ends_of = |record: &Record| (record.states[0], record.states[record.states.len() - 1]);
        match width {
            Some(width) => index::sort_into_tree(&mut records, &|record| {
                let (start, end) = ends_of(record);
                (TreeSearch::query(cell_of(start, width), cell_of(end, width)), record.number)
            }),
            None => sorting::sort_by_key(&mut records, |record| (record.number, ends_of(record))),
        }
        let (layout, bits, groups) = pack(width, &records)?;
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
        Self::from_shared(world, &(Arc::new(bytes) as SharedBytes))
    }

    /// The same for bytes that are shared already.
    pub(crate) fn from_shared(world: &impl World, bytes: &SharedBytes) -> Result<Self, DatabaseError> {
        let mut database = Self::parse(bytes)?;
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

    /// What a file says of itself, read without the world that it was built for. What it says of that world
    /// is not checked: to use a database, [open](Self::from_bytes) it.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version or kind.
    pub fn inspect(bytes: &[u8]) -> Result<SubgoalFileInfo, DatabaseError> {
        let database = Self::parse(&(Arc::new(bytes.to_vec()) as SharedBytes))?;
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
            version: surefoot::store::codec::version_of(database.as_bytes()),
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
        let container = Container::read_of(CONTENTS, all)?;
        let mut head = Reader::new(&all[container.section("conf")?]);
        let config = SubgoalConfig::read(&mut head)?;
        let count = head.number_up_to(u64::from(u32::MAX), "no database has so many records")?;
        let leg_bits = head.number_up_to(20, "no leg needs so many bits")? as u32;
        let record_bits = head.number_up_to(20, "no record needs so many bits")? as u32;
        head.finish()?;
        let ends = container.section("ends")?;
        if ends.len() as u64 != count * 8 {
            let problem = format!("{} bytes for {count} records", ends.len());
            return Err(DatabaseError::Malformed { section: "ends", problem });
        }
        let layout =
            RecordLayout { width: RecordLayout::width_for(container.built_for.size), leg_bits, record_bits };
        let (groups, subgoals) = (container.section("grps")?, container.section("subg")?);
        let records = PackedRecords { layout, groups, subgoals };
        let (built_for, changes) = (container.built_for, Changes::default());
        Ok(Self { bytes: bytes.clone(), config, built_for, ends, records, changes, states: 0 })
    }

    /// Makes sure that each record is one, that they lie one after the other, and that their order is that of
    /// the index; `check_leg` hears of each leg. Counts the states.
    fn check_records(
        &self,
        check_leg: impl Fn(u32, State, State) -> Result<(), DatabaseError>,
    ) -> Result<u64, DatabaseError> {
        let malformed = |section, problem: String| Err(DatabaseError::Malformed { section, problem });
        if let Some(width) = self.width() {
            let is_outside = |point| {
                let [xs, ys, xe, ye] = index::point_of(point).map(u32::from);
                xs.max(xe) >= width || ys.max(ye) >= self.built_for.size.1
            };
            if let Some(record) = self.points().iter().position(is_outside) {
                return malformed("ends", format!("record {record} does not lie on the map"));
            }
        }
        let ends = |record| self.ends(record);
        let states = self.records.check(self.as_bytes(), self.len(), ends, check_leg)?;
        if self.width().is_some() && !index::is_tree(self.points()) {
            return malformed("ends", "the records are not in the order of the index".to_string());
        }
        Ok(states)
    }

    /// The number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len() / 8
    }

    /// Whether records were mended or retired since it was built.
    pub(crate) fn has_changes(&self) -> bool {
        self.changes.mark() != 0
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

    /// The bytes of its file. Of one that was repaired they are those of the map before: see
    /// [`SubgoalRepairer::repacked`].
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// The bytes of each section, by its tag.
    #[must_use]
    pub fn section_sizes(&self) -> Vec<(String, usize)> {
        Container::read(self.as_bytes()).map(|container| container.sizes().collect()).unwrap_or_default()
    }

    fn points(&self) -> &[[u8; 8]] {
        self.as_bytes()[self.ends.clone()].as_chunks().0
    }

    /// The width of a map whose cells have short coordinates.
    fn width(&self) -> Option<u32> {
        self.records.layout.width
    }

    /// The first and the last state of a record, which is below [`len`](Self::len).
    #[must_use]
    pub fn ends(&self, record: u32) -> (State, State) {
        let bytes = &self.points()[record as usize];
        match self.width() {
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

    /// The walk along a record, which is below [`len`](Self::len): it stands on the record's first state.
    #[must_use]
    pub fn walk(&self, record: u32) -> Cursor {
        let ends = self.ends(record);
        if self.changes.states(record).is_some() {
            return Cursor::without_subgoals(record, ends);
        }
        let cursor = self.records.cursor(self.as_bytes(), record, ends);
        cursor.unwrap_or(Cursor::without_subgoals(record, ends))
    }

    /// The next subgoal on the walk along a record; nothing when only its last state is left.
    pub fn next_subgoal(&self, cursor: &mut Cursor) -> Option<State> {
        match self.changes.states(cursor.place().0) {
            Some(states) => cursor.next_of(states),
            None => self.records.next(self.as_bytes(), cursor).unwrap_or(None),
        }
    }

    /// The walk along a record where so many subgoals were passed. `None` if there is no such place.
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
        bytes.last_chunk().map_or(0, |checksum| u64::from_le_bytes(*checksum)) ^ self.changes.mark()
    }

    /// Whether a record is not to be used: the map was edited, and it does not lead to its end any more.
    #[must_use]
    pub fn is_retired(&self, record: u32) -> bool {
        self.changes.is_retired(record)
    }

    /// Where a walk along a record of an earlier revision of this database goes on in this one. `None` if
    /// the record cannot be used any more, or does not lead to where the walk stands from the same state as
    /// before.
    pub(crate) fn resumed(&self, before: &Self, walk: Cursor) -> Option<Cursor> {
        let (record, passed) = walk.place();
        if self.has_same_record(before, record) {
            return Some(walk);
        }
        if self.is_retired(record) || !self.has_same_bytes(before) {
            return None;
        }
        let mut now = self.walk(record);
        let Some(last_passed) = passed.checked_sub(1) else { return Some(now) };
        let from = before.cursor_at(u64::from(record), u64::from(last_passed))?.at();
        loop {
            let at = now.at();
            if self.next_subgoal(&mut now)? == walk.at() {
                return (at == from).then_some(now);
            }
        }
    }

    /// Whether a record can be used, and its last leg is that of an earlier revision of this database.
    pub(crate) fn has_same_end(&self, before: &Self, record: u32) -> bool {
        let last_subgoal = |database: &Self| {
            let mut walk = database.walk(record);
            while database.next_subgoal(&mut walk).is_some() {}
            walk.at()
        };
        !self.is_retired(record) && self.has_same_bytes(before) && last_subgoal(self) == last_subgoal(before)
    }

    /// Whether a record is the same in both, and can be used.
    fn has_same_record(&self, other: &Self, record: u32) -> bool {
        let is_same = match (self.changes.states(record), other.changes.states(record)) {
            (Some(own), Some(others)) => own == others,
            (None, None) => self.has_same_bytes(other),
            _ => false,
        };
        is_same && !self.is_retired(record) && !other.is_retired(record)
    }

    /// Whether both were opened from the same bytes: their records have the same numbers.
    pub(crate) fn has_same_bytes(&self, other: &Self) -> bool {
        core::ptr::eq(self.as_bytes(), other.as_bytes())
    }

    /// Gives a record other subgoals; it had so many states before.
    fn set_record(&mut self, record: u32, states: &[State], before: usize) {
        self.changes.set(record, self.len(), states);
        self.states = self.states + states.len() as u64 - before as u64;
    }

    fn retire(&mut self, record: u32) {
        self.changes.retire(record, self.len());
    }

    /// All states of a record, its ends included.
    #[must_use]
    pub fn record(&self, record: u32) -> Vec<State> {
        let mut cursor = self.walk(record);
        let mut states = Vec::from([cursor.at()]);
        while let Some(state) = self.next_subgoal(&mut cursor) {
            states.push(state);
        }
        states.push(cursor.last());
        states
    }

    /// Finds the records nearest to the problem from `start` to `goal`, with at most `most` comparisons: see
    /// [`Nearest::records`]. Those that are retired are passed over.
    pub fn find_nearest(
        &self,
        world: &impl World,
        (start, goal): (State, State),
        similarity: Similarity,
        (wanted, most): (usize, Option<u64>),
        nearest: &mut Nearest,
        meter: &mut Meter,
    ) {
        nearest.start(wanted.min(self.len()), most);
        match (self.width(), world.octile_grid()) {
            (Some(_), Some(space)) => {
                let query = TreeSearch::query(space.cell(start), space.cell(goal));
                let tree = TreeSearch { points: self.points(), query, costs: space.costs(), similarity };
                tree.run(nearest, |record| self.is_retired(record));
            }
            _ => {
                for record in 0..self.len() as u32 {
                    if !nearest.may_compare() {
                        break;
                    }
                    let (first, last) = self.ends(record);
                    let distance = similarity.of(world.estimate(start, first), world.estimate(goal, last));
                    nearest.offer(distance, record, self.is_retired(record));
                }
            }
        }
        nearest.finish(meter);
    }

    /// The first record with a leg that a climb does not make, and that leg. `None` if all is well. A leg of
    /// one move is always well: on graphs with an estimate of 0 a climb may not see even a neighbour.
    #[must_use]
    pub fn first_broken_leg(&self, world: &impl World, records: Range<u32>) -> Option<(u32, State, State)> {
        let is_broken = |from: State, to: State| {
            let mut is_neighbour = false;
            world.for_each_successor(from, |state, _| is_neighbour |= state == to);
            !is_neighbour && climb(world, from, to, u64::MAX, self.config.ties).end != to
        };
        for record in records.filter(|&record| !self.is_retired(record)) {
            let states = self.record(record);
            // The one subgoal of a record of 2009 promises nothing of the way on from it.
            for pair in self.config.form.promised(&states).windows(2) {
                if is_broken(pair[0], pair[1]) {
                    return Some((record, pair[0], pair[1]));
                }
            }
        }
        None
    }
}

impl fmt::Debug for SubgoalDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.as_bytes().len();
        f.debug_struct("SubgoalDatabase").field("config", &self.config).field("bytes", &bytes).finish()
    }
}

#[cfg(test)]
mod tests;
