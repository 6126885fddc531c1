//! Caves by a cellular automaton: cells are rock or open at random, then a few rounds of "become what most of
//! your 3 x 3 block is" let caves grow out of the noise. Beyond the edges all is rock.

use super::canvas::{Canvas, GROUND, ROCK};
use crate::random::Rng;

/// How many of 256 cells start as rock.
const ROCK_OF_256: u8 = 109;
/// After these many rounds the walls are smooth; more change little.
const ROUNDS: u32 = 5;

pub(super) fn fill(canvas: &mut Canvas, seed: u64) {
    let width = canvas.width() as usize;
    let mut rock = vec![0_u8; canvas.letters().len()];
    for (y, row) in rock.chunks_exact_mut(width).enumerate() {
        scatter(row, &mut Rng::new(seed, y as u64), |_| ROCK_OF_256);
    }
    for _ in 0..ROUNDS {
        smooth(&mut rock, width);
    }
    for (letter, &rock) in canvas.letters_mut().iter_mut().zip(&rock) {
        *letter = if rock != 0 { ROCK } else { GROUND };
    }
}

/// Makes each cell of a row rock (1) with the chance, of 256, that `density` gives for its column.
pub(super) fn scatter(row: &mut [u8], rng: &mut Rng, density: impl Fn(usize) -> u8) {
    for (chunk, cells) in row.chunks_mut(8).enumerate() {
        for (index, (cell, draw)) in cells.iter_mut().zip(rng.next_u64().to_le_bytes()).enumerate() {
            *cell = u8::from(draw < density(chunk * 8 + index));
        }
    }
}

/// One round of the automaton: a cell becomes rock (1) if at least five of the nine cells around it are.
///
/// Rows are changed in place; the sums of three that the row below still needs are kept aside.
pub(super) fn smooth(rock: &mut [u8], width: usize) {
    let height = rock.len() / width;
    // Sums of three neighbours in the rows above, at and below the one at hand. Outside all is rock.
    let mut above = vec![3_u8; width];
    let mut here = vec![0_u8; width];
    let mut below = vec![0_u8; width];
    sums_of_three(&rock[..width], &mut here);
    for y in 0..height {
        if y + 1 < height {
            sums_of_three(&rock[(y + 1) * width..(y + 2) * width], &mut below);
        } else {
            below.fill(3);
        }
        let row = &mut rock[y * width..(y + 1) * width];
        for (((cell, a), b), c) in row.iter_mut().zip(&above).zip(&here).zip(&below) {
            *cell = u8::from(a + b + c >= 5);
        }
        std::mem::swap(&mut above, &mut here);
        std::mem::swap(&mut here, &mut below);
    }
}

fn sums_of_three(row: &[u8], sums: &mut [u8]) {
    let width = row.len();
    if width == 1 {
        sums[0] = row[0] + 2;
        return;
    }
    sums[0] = 1 + row[0] + row[1];
    sums[width - 1] = row[width - 2] + row[width - 1] + 1;
    for (sum, three) in sums[1..].iter_mut().zip(row.windows(3)) {
        *sum = three[0] + three[1] + three[2];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_is_a_majority_vote() {
        let (width, height) = (13_usize, 9_usize);
        let mut rng = Rng::new(4, 4);
        let mut rock: Vec<u8> = (0..width * height).map(|_| u8::from(rng.chance(0.5))).collect();
        let before = rock.clone();
        smooth(&mut rock, width);
        for y in 0..height as isize {
            for x in 0..width as isize {
                let mut count = 0;
                for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                    let (nx, ny) = (x + dx, y + dy);
                    let inside = (0..width as isize).contains(&nx) && (0..height as isize).contains(&ny);
                    count += if inside { before[ny as usize * width + nx as usize] } else { 1 };
                }
                assert_eq!(rock[y as usize * width + x as usize], u8::from(count >= 5), "({x}, {y})");
            }
        }
    }
}
