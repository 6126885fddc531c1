//! Which region each state belongs to, in as few bytes as that takes: packed numbers, or, on grids where it
//! is shorter, runs of equal numbers row by row.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use surefoot::space::{Cell, GridSpace, StateSpace};
use surefoot::store::codec::{Reader, put_number};
use surefoot::store::container::{DatabaseError, malformed};

use super::RegionId;
use super::bits::{BitReader, BitWriter};

/// How many bits numbers up to `most` need.
pub(crate) fn bits_for(most: u64) -> u32 {
    u64::BITS - most.leading_zeros()
}

/// The labels of all states, where they lie in the bytes of a file.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    layout: LabelLayout,
    label_bits: u32,
    states: usize,
    /// The packed bits.
    range: Range<usize>,
}

#[derive(Clone, Debug)]
enum LabelLayout {
    /// A label for each state.
    Packed,
    /// For each row the columns where runs begin and their labels.
    Runs { width: u32, column_bits: u32, row_starts: Vec<u32> },
}

impl Labels {
    /// Writes labels. `width` is that of a grid, 0 without one. What is no state has no label: it counts to
    /// the run around it.
    pub(crate) fn write(
        labels: impl ExactSizeIterator<Item = Option<RegionId>> + Clone,
        regions: u32,
        width: u32,
    ) -> Vec<u8> {
        let label_bits = bits_for(u64::from(regions.max(1) - 1));
        let packed_bits = labels.len() as u64 * u64::from(label_bits);
        let (runs, row_starts) = if width == 0 { Default::default() } else { runs_of(labels.clone(), width) };
        let column_bits = bits_for(u64::from(width.max(1) - 1));
        let run_bits = runs.len() as u64 * u64::from(column_bits + label_bits) + row_starts.len() as u64 * 16;
        let mut out = Vec::new();
        let mut bits = BitWriter::default();
        if width != 0 && run_bits < packed_bits {
            out.push(1);
            put_number(&mut out, runs.len() as u64);
            for rows in row_starts.windows(2) {
                put_number(&mut out, u64::from(rows[1] - rows[0]));
            }
            for (column, label) in runs {
                bits.put(u64::from(column), column_bits);
                bits.put(u64::from(label.number()), label_bits);
            }
        } else {
            out.push(0);
            for label in labels {
                bits.put(u64::from(label.map_or(0, RegionId::number)), label_bits);
            }
        }
        out.extend_from_slice(&bits.into_bytes());
        out
    }

    /// Takes labels apart that lie in `all[range]`, and makes sure that each is that of a region.
    pub(crate) fn read(
        all: &[u8],
        range: Range<usize>,
        regions: u32,
        (states, width): (usize, u32),
    ) -> Result<Self, String> {
        let mut reader = Reader::new(&all[range.clone()]);
        let wrong = |error: surefoot::store::codec::CodecError| error.to_string();
        let label_bits = bits_for(u64::from(regions.max(1) - 1));
        let column_bits = bits_for(u64::from(width.max(1) - 1));
        let layout = match reader.byte().map_err(wrong)? {
            0 => LabelLayout::Packed,
            1 if width > 0 => {
                let runs = reader.number_up_to(states as u64, "there are too many runs").map_err(wrong)?;
                // Each row takes a byte at least: no more room is taken than there are bytes.
                let rows = states / width as usize;
                if rows > reader.left() {
                    return Err("there are not so many rows".to_string());
                }
                let mut row_starts = Vec::with_capacity(rows + 1);
                row_starts.push(0);
                let mut next = 0;
                for _ in 0..rows {
                    next +=
                        reader.number_up_to(u64::from(width), "a row has too many runs").map_err(wrong)?;
                    row_starts.push(next as u32);
                }
                if next != runs {
                    return Err("the runs of the rows are not all".to_string());
                }
                LabelLayout::Runs { width, column_bits, row_starts }
            }
            _ => return Err("there is no such way to write labels".to_string()),
        };
        let count = match &layout {
            LabelLayout::Packed => (states as u64).saturating_mul(u64::from(label_bits)),
            LabelLayout::Runs { row_starts, .. } => {
                u64::from(*row_starts.last().unwrap_or(&0)) * u64::from(column_bits + label_bits)
            }
        };
        if reader.left() as u64 != count.div_ceil(8) {
            return Err(format!("there should be {} bytes of labels", count.div_ceil(8)));
        }
        // Numbers below 1 take no bits, and neither do those below 0: without regions no state has a label.
        let states = if regions == 0 { 0 } else { states };
        let labels = Self { layout, label_bits, states, range: range.end - reader.left()..range.end };
        labels.check(all, regions)?;
        Ok(labels)
    }

    /// Makes sure that labels are regions, and that runs begin in the order of their columns, the first at
    /// the first one.
    fn check(&self, all: &[u8], regions: u32) -> Result<(), String> {
        let bytes = &all[self.range.clone()];
        let mut reader = BitReader::new(bytes, 0);
        let too_high = || "a label is that of no region".to_string();
        match &self.layout {
            // There is one region, for however many states, or none.
            LabelLayout::Packed if self.label_bits == 0 => {}
            LabelLayout::Packed => {
                for _ in 0..self.states {
                    if reader.take(self.label_bits) >= u64::from(regions) {
                        return Err(too_high());
                    }
                }
            }
            LabelLayout::Runs { width, column_bits, row_starts } => {
                for row in row_starts.windows(2) {
                    let mut after = None;
                    for _ in row[0]..row[1] {
                        let column = reader.take(*column_bits);
                        let is_in_order = after.map_or(column == 0, |last| column > last);
                        if !is_in_order || column >= u64::from(*width) {
                            return Err("the runs of a row are not in order".to_string());
                        }
                        after = Some(column);
                        if reader.take(self.label_bits) >= u64::from(regions) {
                            return Err(too_high());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes sure that every state of a map has a label.
    pub(crate) fn check_coverage(&self, all: &[u8], space: &GridSpace) -> Result<(), DatabaseError> {
        for y in 0..space.grid().height() {
            let Some((first, _)) = space.grid().row_runs(y).next() else { continue };
            let state = space.state_of(Cell::new(first, y));
            // A row has a label for each of its states, or none at all.
            if self.of(all, state.index()).is_none() {
                return Err(malformed("labl", format!("{} is in no region", space.describe(state))));
            }
        }
        Ok(())
    }

    /// The label of a state; of what is no state any, or none.
    #[inline]
    pub(crate) fn of(&self, all: &[u8], state: usize) -> Option<RegionId> {
        let bytes = &all[self.range.clone()];
        let label = match &self.layout {
            LabelLayout::Packed => {
                let at = state as u64 * u64::from(self.label_bits);
                (state < self.states).then(|| BitReader::new(bytes, at).take(self.label_bits))
            }
            LabelLayout::Runs { column_bits, .. } => {
                let (run, _) = self.run_of(bytes, state)?;
                let mut reader = self.run_at(bytes, run);
                reader.skip(u64::from(*column_bits));
                Some(reader.take(self.label_bits))
            }
        };
        label.map(|label| RegionId::from_number(label as u32))
    }

    fn run_at<'a>(&self, bytes: &'a [u8], run: u32) -> BitReader<'a> {
        let column_bits =
            if let LabelLayout::Runs { column_bits, .. } = &self.layout { *column_bits } else { 0 };
        BitReader::new(bytes, u64::from(run) * u64::from(column_bits + self.label_bits))
    }

    /// The run that a state lies in, and the first one of the next row.
    #[inline]
    fn run_of(&self, bytes: &[u8], state: usize) -> Option<(u32, u32)> {
        let LabelLayout::Runs { width, column_bits, row_starts } = &self.layout else { return None };
        let (row, column) = (state / *width as usize, state as u64 % u64::from(*width));
        let (mut first, after) = (*row_starts.get(row)?, *row_starts.get(row + 1)?);
        if first == after {
            return None;
        }
        let mut last = after;
        // The last run that begins at this column or before: the first one begins at the first.
        while last - first > 1 {
            let middle = first + (last - first) / 2;
            let is_before = self.run_at(bytes, middle).take(*column_bits) <= column;
            if is_before { first = middle } else { last = middle }
        }
        Some((first, after))
    }
}

/// The runs of all rows, each with its first column, and where the runs of each row begin, and one more. A
/// row without states has none.
fn runs_of(
    mut labels: impl ExactSizeIterator<Item = Option<RegionId>>,
    width: u32,
) -> (Vec<(u32, RegionId)>, Vec<u32>) {
    let (mut runs, mut row_starts) = (Vec::new(), Vec::from([0]));
    while labels.len() > 0 {
        let mut last = None;
        for (column, label) in labels.by_ref().take(width as usize).enumerate() {
            let Some(label) = label else { continue };
            if last != Some(label) {
                // What comes before the first state of a row belongs to its run.
                runs.push((if last.is_none() { 0 } else { column as u32 }, label));
                last = Some(label);
            }
        }
        row_starts.push(runs.len() as u32);
    }
    (runs, row_starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_state_keeps_its_label(
            width in 1_u32..12,
            rows in prop::collection::vec(prop::collection::vec(prop::option::of(0_u32..5), 12), 1..12),
            is_grid in any::<bool>(),
            stretch in 1_usize..6,
        ) {
            // Long runs make the one layout shorter, short ones the other.
            let width = width * stretch as u32;
            let labels: Vec<Option<RegionId>> = rows
                .iter()
                .flat_map(|row| (0..width as usize).map(|column| row[column / stretch % 12].map(RegionId::from_number)))
                .collect();
            let bytes = Labels::write(labels.iter().copied(), 5, if is_grid { width } else { 0 });
            let shape = (labels.len(), if is_grid { width } else { 0 });
            let read = Labels::read(&bytes, 0..bytes.len(), 5, shape).unwrap();
            for (state, label) in labels.iter().enumerate() {
                if label.is_some() {
                    prop_assert_eq!(read.of(&bytes, state), *label);
                }
            }
            prop_assert_eq!(read.of(&bytes, labels.len() + width as usize), None);
        }
    }

    /// Found by fuzzing: a few bytes asked for more memory than there is.
    #[test]
    fn a_file_that_claims_a_huge_map_is_refused_at_once() {
        for runs in [[1, 0], [0, 0]] {
            assert!(Labels::read(&runs, 0..2, 2, (usize::MAX, 1)).is_err());
        }
        assert!(Labels::read(&[0], 0..1, 1, (usize::MAX, 1)).is_ok(), "labels of one region take no bits");
    }

    #[test]
    fn without_regions_no_state_has_a_label() {
        for width in [0, 3] {
            let bytes = Labels::write(core::iter::repeat_n(None, 6), 0, width);
            let read = Labels::read(&bytes, 0..bytes.len(), 0, (6, width)).unwrap();
            assert!((0..6).all(|state| read.of(&bytes, state).is_none()));
        }
    }

    #[test]
    fn a_label_of_no_region_is_refused() {
        let bytes = Labels::write([0, 4].map(RegionId::from_number).map(Some).into_iter(), 5, 0);
        assert!(Labels::read(&bytes, 0..bytes.len(), 5, (2, 0)).is_ok());
        assert!(Labels::read(&bytes, 0..bytes.len(), 8, (3, 0)).is_err(), "too short");
        let bytes = Labels::write([0, 7].map(RegionId::from_number).map(Some).into_iter(), 8, 0);
        assert!(Labels::read(&bytes, 0..bytes.len(), 5, (2, 0)).is_err());
    }
}
