//! Straight jumps over 64 cells at a time.
//!
//! Moving along a line of free cells, only two things can happen: the line ends at a blocked cell, or a wall
//! beside it ends, so that turning there may be the only cheapest way to go on. Both show in three words of
//! bits: the line's own and its two neighbours'. A wall ends where a neighbour's bit turns from 0 to 1.

use crate::space::BitLines;

/// At which cell an agent that passes the end of a wall beside it has to be able to turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Level with the first free cell behind the wall: corners are not cut, or there are no diagonal moves.
    Behind,
    /// Level with the last blocked cell: from there the corner is cut, squeezing past whatever lies ahead.
    Before,
    /// Level with the last blocked cell, but the cell ahead must be free for the corner to be cut.
    BeforeIfFree,
}

/// How a straight jump ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    /// The last cell that was looked at: a jump point, or the blocked cell where the line ends.
    pub position: u32,
    pub is_jump_point: bool,
}

/// Jumps from a free cell at `position` of `line`, towards higher positions if `FORWARD`.
#[inline]
pub(super) fn scan<const FORWARD: bool>(lines: &BitLines, line: u32, position: u32, turn: Turn) -> Stop {
    let (words, words_per_line) = lines.words();
    let start = (line as usize + 1) * words_per_line;
    let bit = position as usize + 1;
    let mut index = start + bit / 64;
    let here = 1_u64 << (bit % 64);
    // Only what lies ahead counts. A wall that ends right here was dealt with by whoever stands here: for
    // turns before the wall's end, which show one cell late, its last cell is taken for free.
    let mut ahead = if FORWARD { !(here | (here - 1)) } else { here - 1 };
    let mut beside_start = if turn == Turn::Behind { 0 } else { here };
    let (mut carry_above, mut carry_below) = (0, 0);
    loop {
        let own = words[index];
        let above = words[index - words_per_line] | beside_start;
        let below = words[index + words_per_line] | beside_start;
        let wall_ends = if FORWARD {
            (above & !(above << 1 | carry_above)) | (below & !(below << 1 | carry_below))
        } else {
            (above & !(above >> 1 | carry_above)) | (below & !(below >> 1 | carry_below))
        };
        let stops = (wall_ends | !own) & ahead;
        if stops != 0 {
            let at = if FORWARD { stops.trailing_zeros() } else { 63 - stops.leading_zeros() };
            let free = own >> at & 1 != 0;
            let wall_ended = wall_ends >> at & 1 != 0;
            // Bit p + 1 is position p; the margin before the first cell wraps around.
            let found = (((index - start) as u32) * 64 + at).wrapping_sub(1);
            return match turn {
                Turn::Behind => Stop { position: found, is_jump_point: free },
                Turn::BeforeIfFree if !free => Stop { position: found, is_jump_point: false },
                _ if wall_ended => {
                    let before = if FORWARD { found - 1 } else { found + 1 };
                    Stop { position: before, is_jump_point: true }
                }
                _ => Stop { position: found, is_jump_point: false },
            };
        }
        ahead = u64::MAX;
        beside_start = 0;
        // The margins of every line are blocked: the loop ends before it leaves the line.
        if FORWARD {
            (carry_above, carry_below) = (above >> 63, below >> 63);
            index += 1;
        } else {
            (carry_above, carry_below) = (above << 63, below << 63);
            index -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same jump, one cell at a time.
    fn slow(rows: &[Vec<bool>; 3], position: u32, forward: bool, turn: Turn) -> Stop {
        let free = |row: usize, at: i64| usize::try_from(at).is_ok_and(|at| rows[row].get(at) == Some(&true));
        let step = if forward { 1 } else { -1 };
        let mut at = i64::from(position);
        loop {
            at += step;
            if !free(1, at) {
                return Stop { position: at as u32, is_jump_point: false };
            }
            let turns = [0, 2].into_iter().any(|row| match turn {
                Turn::Behind => free(row, at) && !free(row, at - step),
                Turn::Before => !free(row, at) && free(row, at + step),
                Turn::BeforeIfFree => !free(row, at) && free(row, at + step) && free(1, at + step),
            });
            if turns {
                return Stop { position: at as u32, is_jump_point: true };
            }
        }
    }

    use alloc::vec::Vec;

    proptest! {
        #[test]
        fn scans_agree_with_single_steps(
            rows in prop::array::uniform3(prop::collection::vec(prop::bool::weighted(0.9), 200)),
            position in 0_u32..200,
        ) {
            let mut rows = rows;
            rows[1][position as usize] = true;
            let mut lines = BitLines::new(3, 200);
            for (line, row) in rows.iter().enumerate() {
                for (at, &free) in row.iter().enumerate() {
                    lines.set(line as u32, at as u32, free);
                }
            }
            for turn in [Turn::Behind, Turn::Before, Turn::BeforeIfFree] {
                prop_assert_eq!(scan::<true>(&lines, 1, position, turn), slow(&rows, position, true, turn));
                prop_assert_eq!(scan::<false>(&lines, 1, position, turn), slow(&rows, position, false, turn));
            }
        }
    }
}
