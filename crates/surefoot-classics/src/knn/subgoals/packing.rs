//! How records become bits: the way from each subgoal to the next, in as few as it needs.
//! `docs/reference/sfdb.md` has the layout.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use surefoot::space::{Cell, State};
use surefoot::store::container::DatabaseError;

use super::Record;
use crate::knn::index::LEAF;
use crate::regions::bits::{BitReader, BitWriter, number_length};

/// How states are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordLayout {
    /// The width of a grid whose cells have coordinates of 16 bits; else states are written by their numbers.
    pub width: Option<u32>,
    /// Bits that usually hold the length of a leg, and the length of a record.
    pub leg_bits: u32,
    pub record_bits: u32,
}

impl RecordLayout {
    /// The width, if cells can be written.
    pub(crate) fn width_for(size: (u32, u32)) -> Option<u32> {
        let fits = |side: u32| (1..=1 << 16).contains(&side);
        (fits(size.0) && fits(size.1)).then_some(size.0)
    }

    /// The number that is written for a leg: its longer side, or the difference of its states.
    pub(crate) fn length_of(self, from: State, to: State) -> u64 {
        match self.width {
            Some(width) => {
                let (from, to) = (cell_of(from, width), cell_of(to, width));
                u64::from(from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)))
            }
            None => u64::from(to.0.abs_diff(from.0)),
        }
    }

    pub(crate) fn put_leg(self, bits: &mut BitWriter, from: State, to: State) {
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
    pub(crate) fn take_leg(self, bits: &mut BitReader<'_>, from: State) -> Option<State> {
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

pub(crate) fn cell_of(state: State, width: u32) -> Cell {
    Cell::new(state.0 % width, state.0 / width)
}

/// The subgoals of all records in as few bits as the best choice of widths gives, and where each group
/// begins.
pub(crate) fn pack(
    width: Option<u32>,
    records: &[Record],
) -> Result<(RecordLayout, Vec<u8>, Vec<u8>), DatabaseError> {
    let legs = |record: &'_ Record| record.states.len() - 2;
    // The length of a leg is all that its width changes.
    let mut lengths_of_legs = Vec::new();
    for record in records {
        for at in 0..legs(record) {
            lengths_of_legs.push(
                RecordLayout { width, leg_bits: 0, record_bits: 0 }
                    .length_of(record.states[at], record.states[at + 1]),
            );
        }
    }
    let total = |bits: u32| lengths_of_legs.iter().map(|&length| number_length(length, bits)).sum::<u64>();
    let leg_bits = (0..=20).min_by_key(|&bits| total(bits)).unwrap_or(0);
    let layout = RecordLayout { width, leg_bits, record_bits: 0 };
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
    let layout = RecordLayout { record_bits, ..layout };
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

/// Records where they lie in the bytes of a file, without their ends: whoever has them knows those.
#[derive(Clone, Debug)]
pub(crate) struct PackedRecords {
    pub layout: RecordLayout,
    /// Where the offsets of the groups and the subgoals lie.
    pub groups: Range<usize>,
    pub subgoals: Range<usize>,
}

impl PackedRecords {
    fn group_offset(&self, all: &[u8], group: usize) -> u64 {
        let offsets: &[[u8; 4]] = all[self.groups.clone()].as_chunks().0;
        u64::from(u32::from_le_bytes(offsets[group]))
    }

    /// The place before the first subgoal of a record with these ends. `None` if the bytes are no record.
    pub(crate) fn cursor(&self, all: &[u8], record: u32, (start, last): (State, State)) -> Option<Cursor> {
        let bytes = &all[self.subgoals.clone()];
        let mut bits = BitReader::new(bytes, self.group_offset(all, record as usize / LEAF));
        for _ in 0..record as usize % LEAF {
            let length = bits.take_number(self.layout.record_bits)?;
            bits.skip(length);
        }
        let length = bits.take_number(self.layout.record_bits)?;
        let position = bits.position();
        let end = position.saturating_add(length);
        (end <= bytes.len() as u64 * 8).then_some(Cursor {
            record,
            passed: 0,
            position,
            end,
            at: start,
            last,
        })
    }

    /// The next subgoal; nothing when only the last state is left, and an error if the bytes are no subgoal.
    #[inline]
    pub(crate) fn next(&self, all: &[u8], cursor: &mut Cursor) -> Result<Option<State>, ()> {
        if cursor.position >= cursor.end {
            return if cursor.position == cursor.end { Ok(None) } else { Err(()) };
        }
        let mut bits = BitReader::new(&all[self.subgoals.clone()], cursor.position);
        let state = self.layout.take_leg(&mut bits, cursor.at).ok_or(())?;
        if bits.position() > cursor.end {
            return Err(());
        }
        (cursor.position, cursor.at) = (bits.position(), state);
        cursor.passed += 1;
        Ok(Some(state))
    }

    /// Makes sure that each of `count` records is one, and that they lie one after the other; `check_leg`
    /// hears of each leg. Counts the states.
    pub(crate) fn check(
        &self,
        all: &[u8],
        count: usize,
        ends: impl Fn(u32) -> (State, State),
        mut check_leg: impl FnMut(u32, State, State) -> Result<(), DatabaseError>,
    ) -> Result<u64, DatabaseError> {
        let malformed = |section, problem: String| Err(DatabaseError::Malformed { section, problem });
        if self.groups.len() != count.div_ceil(LEAF) * 4 {
            return malformed("grps", format!("{} bytes for {count} records", self.groups.len()));
        }
        let (mut bit, mut states) = (0, 0);
        for record in 0..count as u32 {
            let (start, end) = ends(record);
            let Some(cursor) = self.cursor(all, record, (start, end)) else {
                return malformed("subg", format!("record {record} is no record"));
            };
            let is_first = (record as usize).is_multiple_of(LEAF);
            if is_first && self.group_offset(all, record as usize / LEAF) != bit {
                return malformed("grps", format!("record {record} does not begin where it should"));
            }
            let mut subgoals = cursor;
            let mut previous = start;
            let mut is_last = false;
            while !is_last {
                let Ok(next) = self.next(all, &mut subgoals) else {
                    return malformed("subg", format!("a subgoal of record {record} is none"));
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
        let bits = self.subgoals.len() as u64 * 8;
        if bit > bits || bits - bit >= 8 {
            return malformed("subg", format!("{bits} bits, but the records take {bit}"));
        }
        Ok(states)
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
    /// The walk along a record that cannot be read: it has no subgoals.
    pub(crate) fn without_subgoals(record: u32, (at, last): (State, State)) -> Self {
        Self { record, passed: 0, position: 0, end: 0, at, last }
    }

    /// The next subgoal of a record with these states; nothing when only the last is left.
    pub(super) fn next_of(&mut self, states: &[State]) -> Option<State> {
        let next = self.passed as usize + 1;
        let state = *states.get(next).filter(|_| next + 1 < states.len())?;
        (self.at, self.passed) = (state, next as u32);
        Some(state)
    }

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
