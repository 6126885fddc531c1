//! Smooth random landscapes in whole numbers: value noise in several octaves.
//!
//! An octave is a lattice of random heights, a period apart, with smooth slopes between. A row of the
//! landscape is made at once: the lattice's rows above and below are blended first, and what is left for each
//! cell is one blend of two numbers, which compilers turn into vector code.

use crate::random::mix;

/// A sum of octaves. Heights are in 0..=[`Noise::HIGHEST`], most of them near the middle.
#[derive(Clone, Debug)]
pub(super) struct Noise {
    octaves: Vec<Octave>,
    /// The sum of the octaves' strengths.
    strength: u32,
}

#[derive(Clone, Debug)]
struct Octave {
    seed: u64,
    strength: u32,
    /// The slope from 0 to 1024 over one period: 3t² − 2t³.
    slope: Vec<i32>,
    /// The lattice row at hand, blended between the two lattice rows around it.
    lattice: Vec<i32>,
}

/// What a slope of full length rises by.
const ONE: i32 = 1024;

impl Noise {
    /// The highest height.
    pub(super) const HIGHEST: i32 = 1023;

    /// Octaves from `longest` period down to `shortest`, each half as long as the one before and
    /// `persistence` percent as strong.
    pub(super) fn new(seed: u64, longest: u32, shortest: u32, persistence: u32) -> Self {
        let mut octaves = Vec::new();
        let (mut period, mut strength) = (longest.max(1), 256_u32);
        loop {
            octaves.push(Octave {
                seed: mix(seed ^ mix(u64::from(period))),
                strength,
                slope: (0..period).map(|step| slope(step, period)).collect(),
                lattice: Vec::new(),
            });
            period /= 2;
            strength = strength * persistence / 100;
            if period < shortest.max(1) || strength == 0 {
                break;
            }
        }
        let strength = octaves.iter().map(|octave| octave.strength).sum();
        Self { octaves, strength }
    }

    /// The heights of row `y`, from column 0 on.
    pub(super) fn fill_row(&mut self, y: u32, heights: &mut [i32]) {
        heights.fill(0);
        for octave in &mut self.octaves {
            octave.add_row(y, heights);
        }
        // Octaves add up to 1023 · strength; the division is a multiplication by a fixed-point reciprocal.
        let reciprocal = (1_i64 << 32) / i64::from(self.strength) + 1;
        for height in heights {
            *height = ((i64::from(*height) * reciprocal) >> 32) as i32;
        }
    }
}

/// The height of the slope after `step` of `period` steps.
fn slope(step: u32, period: u32) -> i32 {
    let (t, p) = (u64::from(step), u64::from(period));
    (t * t * (3 * p - 2 * t) * ONE as u64 / (p * p * p)) as i32
}

impl Octave {
    fn add_row(&mut self, y: u32, heights: &mut [i32]) {
        let period = self.slope.len();
        let (row, step) = (y as usize / period, y as usize % period);
        let columns = heights.len().div_ceil(period) + 1;
        let weight = self.slope[step];
        let strength = self.strength as i32;
        self.lattice.clear();
        for column in 0..columns {
            let (above, below) = (self.knot(column, row), self.knot(column, row + 1));
            self.lattice.push((above * ONE + (below - above) * weight) / ONE * strength);
        }
        for (segment, ends) in heights.chunks_mut(period).zip(self.lattice.windows(2)) {
            let (from, rise) = (ends[0], ends[1] - ends[0]);
            for (height, slope) in segment.iter_mut().zip(&self.slope) {
                *height += from + ((rise * slope) >> 10);
            }
        }
    }

    /// The lattice's random height at one knot, 0 to 1023.
    #[inline]
    fn knot(&self, column: usize, row: usize) -> i32 {
        (mix(self.seed ^ ((row as u64) << 32 | column as u64)) >> 54) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_stay_in_their_range_and_are_smooth() {
        let mut noise = Noise::new(5, 64, 4, 50);
        let mut rows = vec![vec![0; 300]; 200];
        for (y, row) in rows.iter_mut().enumerate() {
            noise.fill_row(y as u32, row);
        }
        let (mut low, mut high) = (i32::MAX, i32::MIN);
        for (y, row) in rows.iter().enumerate() {
            for (x, &height) in row.iter().enumerate() {
                (low, high) = (low.min(height), high.max(height));
                if y > 0 {
                    assert!(height.abs_diff(rows[y - 1][x]) < 120);
                }
                if x > 0 {
                    assert!(height.abs_diff(row[x - 1]) < 120);
                }
            }
        }
        assert!(low >= 0 && high <= Noise::HIGHEST, "{low} {high}");
        assert!(high - low > 400, "{low} {high}");
    }

    #[test]
    fn a_row_does_not_depend_on_the_rows_before() {
        let (mut a, mut b) = (Noise::new(1, 20, 3, 60), Noise::new(1, 20, 3, 60));
        let (mut row_a, mut row_b) = (vec![0; 50], vec![0; 50]);
        for y in 0..30 {
            a.fill_row(y, &mut row_a);
        }
        b.fill_row(29, &mut row_b);
        assert_eq!(row_a, row_b);
    }
}
