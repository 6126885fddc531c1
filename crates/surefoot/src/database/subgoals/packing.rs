//! How records become bits: the way from each subgoal to the next, in as few as it needs. `docs/sfdb.md` has the layout.

use alloc::format;
use alloc::vec::Vec;

use super::Record;
use crate::database::bits::{BitReader, BitWriter, number_length};
use crate::database::container::DatabaseError;
use crate::database::index::LEAF;
use crate::space::{Cell, State};

/// How states are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The width of a grid whose cells have coordinates of 16 bits; else states are written by their numbers.
    pub width: Option<u32>,
    /// Bits that usually hold the length of a leg, and the length of a record.
    pub leg_bits: u32,
    pub record_bits: u32,
}

impl Layout {
    /// The width, if cells can be written.
    pub(super) fn width_for(size: (u32, u32)) -> Option<u32> {
        let fits = |side: u32| (1..=1 << 16).contains(&side);
        (fits(size.0) && fits(size.1)).then_some(size.0)
    }

    /// The number that is written for a leg: its longer side, or the difference of its states.
    pub(super) fn length_of(self, from: State, to: State) -> u64 {
        match self.width {
            Some(width) => {
                let (from, to) = (cell_of(from, width), cell_of(to, width));
                u64::from(from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)))
            }
            None => u64::from(to.0.abs_diff(from.0)),
        }
    }

    pub(super) fn put_leg(self, bits: &mut BitWriter, from: State, to: State) {
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
    pub(super) fn take_leg(self, bits: &mut BitReader<'_>, from: State) -> Option<State> {
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

pub(super) fn cell_of(state: State, width: u32) -> Cell {
    Cell::new(state.0 % width, state.0 / width)
}

/// The subgoals of all records in as few bits as the best choice of widths gives, and where each group begins.
pub(super) fn pack(
    width: Option<u32>,
    records: &[Record],
) -> Result<(Layout, Vec<u8>, Vec<u8>), DatabaseError> {
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
    let total = |bits: u32| lengths_of_legs.iter().map(|&length| number_length(length, bits)).sum::<u64>();
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
