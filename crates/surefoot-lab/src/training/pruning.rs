//! How many mistakes a leaf of a tree is to be expected to make on cases that it was not trained on: C4.5's
//! pessimistic estimate (Quinlan 1993, chapter 4).

/// The mistakes to be expected of a leaf that had `cases` to learn from and got `mistakes` of them wrong: the
/// upper end of a one-sided interval of this confidence, by Wilson's approximation with a correction for
/// continuity. The lower the confidence, the more.
#[must_use]
pub(super) fn expected_mistakes(cases: f64, mistakes: f64, confidence: f64) -> f64 {
    if cases <= 0.0 {
        return 0.0;
    }
    // Exact where there are none: all cases would have come out right with this probability.
    let for_none = cases * (1.0 - confidence.powf(1.0 / cases));
    if mistakes < 1.0 {
        let for_one = if mistakes > 0.0 { expected_mistakes(cases, 1.0, confidence) } else { for_none };
        return for_none + mistakes * (for_one - for_none);
    }
    if mistakes + 0.5 >= cases {
        return cases;
    }
    let z = normal_quantile(1.0 - confidence);
    let share = (mistakes + 0.5) / cases;
    let spread = (share / cases - share * share / cases + z * z / (4.0 * cases * cases)).sqrt();
    let upper = (share + z * z / (2.0 * cases) + z * spread) / (1.0 + z * z / cases);
    upper * cases
}

/// The value that a normal variable stays below with this probability, from one half on, to three digits
/// (Abramowitz and Stegun 26.2.23).
fn normal_quantile(probability: f64) -> f64 {
    let t = (-2.0 * (1.0 - probability).ln()).sqrt();
    let numerator = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let denominator = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    t - numerator / denominator
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (probability, quantile) in [(0.75, 0.6745), (0.9, 1.2816), (0.95, 1.6449), (0.99, 2.3263)] {
            assert!((normal_quantile(probability) - quantile).abs() < 1e-3, "{probability}");
        }
    }

    /// Quinlan's example (1993, section 4.2.1): leaves of 6, 9 and 1 cases without a mistake, at a confidence
    /// of 0.25.
    #[test]
    fn leaves_without_mistakes_are_as_in_the_book() {
        for (cases, rate) in [(6.0, 0.206), (9.0, 0.143), (1.0, 0.750)] {
            assert!((expected_mistakes(cases, 0.0, 0.25) / cases - rate).abs() < 1e-3, "{cases}");
        }
    }

    /// With 3 mistakes in 14 cases: share 3.5 / 14 = 0.25, z = 0.6745, z² = 0.4549;
    /// (0.25 + 0.4549 / 28 + 0.6745 √(0.25 / 14 − 0.0625 / 14 + 0.4549 / 784)) / (1 + 0.4549 / 14) = 0.3356.
    #[test]
    fn leaves_with_mistakes_are_as_computed_by_hand() {
        assert!((expected_mistakes(14.0, 3.0, 0.25) - 14.0 * 0.3356).abs() < 0.01);
    }

    #[test]
    fn more_mistakes_and_less_confidence_mean_more_mistakes() {
        let mut last = 0.0;
        for tenths in 0..=100 {
            let now = expected_mistakes(10.0, f64::from(tenths) / 10.0, 0.1);
            assert!(now >= last && now <= 10.0, "{tenths}: {last} {now}");
            last = now;
        }
        assert!(expected_mistakes(50.0, 5.0, 0.05) > expected_mistakes(50.0, 5.0, 0.25));
        assert_eq!(expected_mistakes(0.0, 0.0, 0.05), 0.0);
    }
}
