//! Single obstacles at random: each cell for itself, row by row from streams of their own.

use super::canvas::{Canvas, GROUND, ROCK};
use crate::random::Rng;

/// 35 % of the range of a 32-bit number.
const BLOCKED_BELOW: u32 = (u32::MAX as u64 * 35 / 100) as u32;

pub(super) fn fill(canvas: &mut Canvas, seed: u64) {
    for y in 0..canvas.height() {
        let mut rng = Rng::new(seed, u64::from(y));
        for pair in canvas.row_mut(y).chunks_mut(2) {
            let draw = rng.next_u64();
            for (letter, half) in pair.iter_mut().zip([draw as u32, (draw >> 32) as u32]) {
                *letter = if half < BLOCKED_BELOW { ROCK } else { GROUND };
            }
        }
    }
}
