//! How far a line is free, 64 cells at a time: straight lines from the bits of the grid, diagonal ones from
//! bits of their own.

use alloc::vec;
use alloc::vec::Vec;

use super::division::FastDivision;
use super::{BitLines, Direction, DirectionSet};

/// The legal diagonal moves, one bit each, those of one line beside each other.
///
/// Cell (x, y) lies on line x − y of the lines that fall to the south-east, and on line x + y of those that
/// fall to the south-west, both modulo the width: where a line leaves the map on one side it goes on at the
/// other, but no move leads across. So there are as many lines as columns, and as many bits as cells. Moves
/// to the north are those to the south, seen from their other end.
#[derive(Clone, Debug)]
pub(crate) struct DiagonalLines {
    /// For each 64 rows a word for each line.
    south_east: Vec<u64>,
    south_west: Vec<u64>,
    width: u32,
    modulo_width: FastDivision,
    /// A multiple of the width that is not less than the height.
    bias: u32,
}

impl DiagonalLines {
    /// The lines of a grid whose cells have these legal moves, row by row.
    pub(crate) fn new(moves: &[DirectionSet], width: u32) -> Self {
        let height = (moves.len() / width as usize) as u32;
        let words = width as usize * (height as usize).div_ceil(64);
        let mut lines = Self {
            south_east: vec![0; words],
            south_west: vec![0; words],
            width,
            modulo_width: FastDivision::by(width),
            bias: height.div_ceil(width) * width,
        };
        for (y, row) in moves.chunks_exact(width as usize).enumerate() {
            let (block, bit) = lines.block(y as u32);
            let starts = [lines.falling_line(0, y as u32), lines.rising_line(0, y as u32)];
            let sides = [&mut lines.south_east, &mut lines.south_west];
            for ((words, start), direction) in
                sides.into_iter().zip(starts).zip([Direction::SouthEast, Direction::SouthWest])
            {
                let words = &mut words[block..][..width as usize];
                // The line of the first cell, and on to the last line; then from line 0 on.
                let (last, first) = words.split_at_mut(start);
                let (before, after) = row.split_at(first.len());
                for (words, moves) in [(first, before), (last, after)] {
                    for (word, moves) in words.iter_mut().zip(moves) {
                        *word |= u64::from(moves.contains(direction)) << bit;
                    }
                }
            }
        }
        lines
    }

    /// Takes over what is legal in one cell.
    pub(crate) fn set(&mut self, x: u32, y: u32, moves: DirectionSet) {
        let (block, bit) = self.block(y);
        let (falling, rising) = (block + self.falling_line(x, y), block + self.rising_line(x, y));
        for (word, direction) in [
            (&mut self.south_east[falling], Direction::SouthEast),
            (&mut self.south_west[rising], Direction::SouthWest),
        ] {
            *word = *word & !(1 << bit) | u64::from(moves.contains(direction)) << bit;
        }
    }

    /// How many legal moves follow each other from a cell, at most `most`.
    #[inline]
    pub(crate) fn run(&self, (x, y): (u32, u32), east: bool, south: bool, most: u32) -> u32 {
        let (words, line) = if east == south {
            (&self.south_east, self.falling_line(x, y))
        } else {
            (&self.south_west, self.rising_line(x, y))
        };
        let stride = self.width as usize;
        if south {
            let (block, bit) = self.block(y);
            // No move leads out of the last row: the run ends before the words do.
            ones_up(words, stride, block + line, bit, most)
        } else if y == 0 {
            0
        } else {
            let (block, bit) = self.block(y - 1);
            ones_down(words, stride, block + line, bit, most.min(y))
        }
    }

    /// Where the words of a row begin, and its bit in them.
    #[inline]
    fn block(&self, y: u32) -> (usize, u32) {
        ((y / 64) as usize * self.width as usize, y % 64)
    }

    #[inline]
    fn falling_line(&self, x: u32, y: u32) -> usize {
        self.modulo_width.divide(x + self.bias - y).1 as usize
    }

    #[inline]
    fn rising_line(&self, x: u32, y: u32) -> usize {
        self.modulo_width.divide(x + y).1 as usize
    }
}

/// How many free cells follow each other after the one at `position` of a line, at most `most`.
#[inline]
pub(crate) fn straight_run(lines: &BitLines, line: u32, position: u32, forward: bool, most: u32) -> u32 {
    let (words, words_per_line) = lines.words();
    let start = (line as usize + 1) * words_per_line;
    // Bit p + 1 is position p, and the margins are blocked.
    if forward {
        let bit = position + 2;
        ones_up(words, 1, start + (bit / 64) as usize, bit % 64, most)
    } else {
        ones_down(words, 1, start + (position / 64) as usize, position % 64, most)
    }
}

/// How many ones there are from a bit on, up to the first zero, at most `most`; `stride` words on the line
/// goes on.
#[inline]
fn ones_up(words: &[u64], stride: usize, mut index: usize, bit: u32, most: u32) -> u32 {
    let mut ones = (!(words[index] >> bit)).trailing_zeros();
    let mut seen = 64 - bit;
    while ones == seen && ones < most {
        index += stride;
        ones += words[index].trailing_ones();
        seen += 64;
    }
    ones.min(most)
}

/// The same towards lower bits.
#[inline]
fn ones_down(words: &[u64], stride: usize, mut index: usize, bit: u32, most: u32) -> u32 {
    let mut ones = (words[index] << (63 - bit)).leading_ones();
    let mut seen = bit + 1;
    while ones == seen && ones < most {
        index -= stride;
        ones += words[index].leading_ones();
        seen += 64;
    }
    ones.min(most)
}
