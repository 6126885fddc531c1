//! One bit per cell, in lines with a blocked margin, so that scans need no bounds of their own.

use alloc::vec;
use alloc::vec::Vec;

/// Lines of bits, 1 for a free cell. Each line starts and ends with at least one 0, and a line of zeros lies
/// above the first and below the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitLines {
    words_per_line: usize,
    words: Vec<u64>,
}

impl BitLines {
    /// All cells blocked.
    pub(crate) fn new(lines: u32, length: u32) -> Self {
        let words_per_line = (length as usize + 2).div_ceil(64);
        Self { words_per_line, words: vec![0; words_per_line * (lines as usize + 2)] }
    }

    #[inline]
    fn place(&self, line: u32, position: u32) -> (usize, u32) {
        let bit = position as usize + 1;
        ((line as usize + 1) * self.words_per_line + bit / 64, (bit % 64) as u32)
    }

    #[inline]
    pub(crate) fn get(&self, line: u32, position: u32) -> bool {
        let (word, bit) = self.place(line, position);
        self.words[word] >> bit & 1 != 0
    }

    #[inline]
    pub(crate) fn set(&mut self, line: u32, position: u32, free: bool) {
        let (word, bit) = self.place(line, position);
        let mask = 1 << bit;
        if free {
            self.words[word] |= mask;
        } else {
            self.words[word] &= !mask;
        }
    }

    pub(crate) fn count_ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The words of a line, margins included; bit p + 1 is position p. Lines −1 and `lines` are all zero.
    #[inline]
    pub(crate) fn line(&self, line: i64) -> &[u64] {
        let start = (line + 1) as usize * self.words_per_line;
        &self.words[start..start + self.words_per_line]
    }

    /// All lines at once, and how many words one takes: for scans that pick their own words.
    #[inline]
    pub(crate) fn words(&self) -> (&[u64], usize) {
        (&self.words, self.words_per_line)
    }

    /// The runs of ones in a line, as (first position, one past the last).
    pub(crate) fn runs(&self, line: u32) -> impl Iterator<Item = (u32, u32)> {
        let words = self.line(i64::from(line));
        let mut at = 0_usize;
        core::iter::from_fn(move || {
            let start = next_bit(words, at, 0)?;
            let end = next_bit(words, start, u64::MAX)?; // the margin ends every run
            at = end;
            Some((start as u32 - 1, end as u32 - 1))
        })
    }
}

/// The first bit at or after `from` that differs from the bits of `background`.
fn next_bit(words: &[u64], from: usize, background: u64) -> Option<usize> {
    let mut index = from / 64;
    let mut word = (*words.get(index)? ^ background) & (u64::MAX << (from % 64));
    while word == 0 {
        index += 1;
        word = *words.get(index)? ^ background;
    }
    Some(index * 64 + word.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_across_words() {
        let mut lines = BitLines::new(2, 200);
        for position in (3..70).chain(126..200) {
            lines.set(1, position, true);
        }
        assert_eq!(lines.runs(0).count(), 0);
        assert_eq!(lines.runs(1).collect::<Vec<_>>(), [(3, 70), (126, 200)]);
        assert_eq!(lines.count_ones(), 67 + 74);
        assert!(lines.get(1, 69) && !lines.get(1, 70));
    }
}
