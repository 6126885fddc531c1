//! How sure a difference of means is: intervals by resampling.
//!
//! Suboptimality has heavy tails: most walks are near the optimum, a few are many times as long. A t interval
//! takes the mean to lie symmetrically between its bounds, which it does not; the bootstrap asks the pairs
//! themselves what other draws of as many problems would have given. Each resample has a random stream of its
//! own, so that the bounds are the same on every machine, with any number of threads.

use rayon::prelude::*;
use serde::Serialize;

use crate::random::Rng;

/// Resamples for one interval: the bounds then move by a few hundredths of their distance with another seed.
const RESAMPLES: u64 = 2000;
/// Fewer pairs than this say nothing about the draws that did not happen.
pub const FEWEST_PAIRS: usize = 8;
const SEED: u64 = 2010;

/// A 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// One draw in 40 gives less.
    pub low: f64,
    /// One draw in 40 gives more.
    pub high: f64,
}

impl Interval {
    /// Whether `value` lies between the bounds.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// The interval of mean of the second − mean of the first; nothing for too few pairs.
#[must_use]
pub(super) fn of_difference(pairs: &[(f64, f64)]) -> Option<Interval> {
    let count = pairs.len() as f64;
    bootstrap(pairs, |first, second| (second - first) / count)
}

/// The interval of mean of the second / mean of the first; nothing for too few pairs, or if there is nothing
/// to divide by.
#[must_use]
pub(super) fn of_ratio(pairs: &[(f64, f64)]) -> Option<Interval> {
    bootstrap(pairs, |first, second| second / first)
        .filter(|interval| interval.low.is_finite() && interval.high.is_finite())
}

/// The percentile bootstrap of a statistic of both sums.
fn bootstrap(pairs: &[(f64, f64)], statistic: impl Fn(f64, f64) -> f64 + Sync) -> Option<Interval> {
    if pairs.len() < FEWEST_PAIRS {
        return None;
    }
    let resample = |stream: u64| {
        let mut rng = Rng::new(SEED, stream);
        let (mut first, mut second) = (0.0, 0.0);
        for _ in 0..pairs.len() {
            let (a, b) = pairs[rng.below(pairs.len() as u64) as usize];
            first += a;
            second += b;
        }
        statistic(first, second)
    };
    let mut statistics: Vec<f64> = (0..RESAMPLES).into_par_iter().map(resample).collect();
    statistics.sort_by(f64::total_cmp);
    let tail = (RESAMPLES / 40) as usize;
    Some(Interval { low: statistics[tail - 1], high: statistics[RESAMPLES as usize - tail] })
}

/// How likely it is that a fair coin falls at least as unevenly as `heads` against `tails`: the sign test.
#[must_use]
pub(super) fn chance_of_split(heads: u64, tails: u64) -> f64 {
    let (tosses, fewer) = (heads + tails, heads.min(tails));
    // Terms of the binomial distribution by their logarithms: 2⁻ⁿ alone is too small for large n.
    let mut logarithm = -(tosses as f64) * std::f64::consts::LN_2;
    let mut sum = 0.0;
    for count in 0..=fewer {
        sum += logarithm.exp();
        logarithm += ((tosses - count) as f64 / (count + 1) as f64).ln();
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_repeat_and_lie_around_the_mean() {
        let pairs: Vec<(f64, f64)> = (0..100).map(|at| (f64::from(at), f64::from(at + at % 7))).collect();
        let difference = of_difference(&pairs).unwrap();
        assert_eq!(of_difference(&pairs), Some(difference));
        // The mean of 0 to 6, over and over, is 2.95; its standard error is 0.2.
        assert!(difference.contains(2.95) && !difference.contains(0.0), "{difference:?}");
        assert!((difference.high - difference.low - 4.0 * 0.2).abs() < 0.1, "{difference:?}");
        let ratio = of_ratio(&pairs).unwrap();
        assert!(ratio.contains(1.0 + 2.95 / 49.5) && ratio.low > 1.0, "{ratio:?}");
    }

    #[test]
    fn too_little_says_nothing() {
        assert_eq!(of_difference(&[(1.0, 2.0); FEWEST_PAIRS - 1]), None);
        assert_eq!(of_difference(&[(1.0, 2.0); FEWEST_PAIRS]), Some(Interval { low: 1.0, high: 1.0 }));
        assert_eq!(of_ratio(&[(0.0, 2.0); 20]), None);
        assert_eq!(of_ratio(&[(0.0, 0.0); 20]), None);
    }

    #[test]
    fn the_true_mean_is_mostly_inside() {
        // Differences as changes make them: four of five walks are as before, the others longer by 10^x, x up
        // to 2.
        let draw =
            |rng: &mut Rng| if rng.chance(0.8) { 0.0 } else { 10_f64.powf(rng.below(2000) as f64 / 1000.0) };
        let mean = 0.2 * 99.0 / (2.0 * 10_f64.ln());
        let covered = (0..200).filter(|&trial| {
            let mut rng = Rng::new(5, trial);
            let pairs: Vec<(f64, f64)> = (0..200).map(|_| (0.0, draw(&mut rng))).collect();
            of_difference(&pairs).unwrap().contains(mean)
        });
        let covered = covered.count();
        assert!((182..=198).contains(&covered), "{covered} of 200");
    }

    #[test]
    fn coins() {
        assert_eq!((chance_of_split(0, 0), chance_of_split(3, 3)), (1.0, 1.0));
        assert!((chance_of_split(0, 5) - 2.0 / 32.0).abs() < 1e-12);
        assert!((chance_of_split(6, 1) - 2.0 * 8.0 / 128.0).abs() < 1e-12);
        let many = chance_of_split(5200, 4800);
        assert!((6e-5..7e-5).contains(&many), "{many}");
    }
}
