//! How figures are spread: percentiles, where a walk that was cut off counts as longer than all others.

/// Figures on their way to their percentiles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    /// Sorted.
    figures: Vec<f64>,
    /// How many there are that are not known, but above all others.
    cut_off: u64,
}

impl Spread {
    /// How many figures there are, with those that are not known.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.figures.len() as u64 + self.cut_off
    }

    /// How many of them are not known.
    #[must_use]
    pub const fn cut_off(&self) -> u64 {
        self.cut_off
    }

    /// The figure that `percent` of a hundred do not exceed: the smallest one for which that is so. Nothing
    /// if there is none, or if it is one of those that are not known.
    #[must_use]
    pub fn percentile(&self, percent: f64) -> Option<f64> {
        let rank = (self.count() as f64 * percent / 100.0).ceil().max(1.0) as usize;
        self.figures.get(rank - 1).copied()
    }

    /// The largest. `None` if there is none, or it is not known.
    #[must_use]
    pub fn max(&self) -> Option<f64> {
        self.percentile(100.0)
    }

    /// Which part of the figures is at most `limit`: 1 for all.
    #[must_use]
    pub fn part_within(&self, limit: f64) -> f64 {
        let within = self.figures.partition_point(|&figure| figure <= limit);
        if self.count() == 0 { 0.0 } else { within as f64 / self.count() as f64 }
    }
}

/// Nothing stands for a figure that is not known.
impl FromIterator<Option<f64>> for Spread {
    fn from_iter<I: IntoIterator<Item = Option<f64>>>(figures: I) -> Self {
        let mut spread = Self::default();
        for figure in figures {
            match figure {
                Some(figure) => spread.figures.push(figure),
                None => spread.cut_off += 1,
            }
        }
        spread.figures.sort_by(f64::total_cmp);
        spread
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_by_nearest_rank() {
        let spread: Spread = [15.0, 20.0, 35.0, 40.0, 50.0].into_iter().rev().map(Some).collect();
        let known = [5.0, 30.0, 40.0, 50.0, 98.0, 100.0].map(|percent| spread.percentile(percent));
        assert_eq!(known, [15.0, 20.0, 20.0, 35.0, 50.0, 50.0].map(Some));
        assert_eq!((spread.max(), spread.count(), spread.cut_off()), (Some(50.0), 5, 0));
        assert_eq!([14.9, 15.0, 36.0, 50.0].map(|limit| spread.part_within(limit)), [0.0, 0.2, 0.6, 1.0]);
    }

    #[test]
    fn what_is_not_known_is_above_all() {
        let spread: Spread = [Some(2.0), None, Some(1.0), Some(3.0)].into_iter().collect();
        assert_eq!((spread.count(), spread.cut_off()), (4, 1));
        assert_eq!((spread.percentile(75.0), spread.percentile(76.0), spread.max()), (Some(3.0), None, None));
        assert_eq!(spread.part_within(10.0), 0.75);
        let empty = Spread::default();
        assert_eq!((empty.percentile(50.0), empty.part_within(1.0)), (None, 0.0));
    }
}
