//! Figures of one measure over many problems.

use crate::spread::Spread;

/// Figures, with those left out that are not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    figures: Vec<f64>,
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(figures: I) -> Self {
        Self { figures: figures.into_iter().collect() }
    }
}

impl Sample {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.figures.len()
    }

    /// Their mean.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let count = self.figures.len();
        (count > 0).then(|| self.figures.iter().sum::<f64>() / count as f64)
    }

    /// Their standard deviation. `None` for fewer than two figures.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        let (mean, count) = (self.mean()?, self.figures.len() as f64);
        let squares: f64 = self.figures.iter().map(|figure| (figure - mean).powi(2)).sum();
        (count > 1.0).then(|| (squares / (count - 1.0)).sqrt())
    }

    /// The standard error of the mean: by how much it would vary from sample to sample. `None` for fewer than
    /// two figures.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        Some(self.deviation()? / (self.figures.len() as f64).sqrt())
    }

    /// The lowest and the highest. `None` if there are none.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        let low = self.figures.iter().copied().min_by(f64::total_cmp)?;
        Some((low, self.figures.iter().copied().max_by(f64::total_cmp)?))
    }

    /// The part of them that lies below a figure, from 0 to 1.
    #[must_use]
    pub fn share_below(&self, figure: f64) -> f64 {
        let below = self.figures.iter().filter(|&&own| own < figure).count();
        below as f64 / self.figures.len().max(1) as f64
    }

    /// Their percentiles.
    #[must_use]
    pub fn spread(&self) -> Spread {
        self.figures.iter().copied().map(Some).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_an_error() {
        let sample: Sample = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
        assert_eq!((sample.count(), sample.mean()), (8, Some(5.0)));
        // The sum of the squares is 32: 32 / 7 / 8.
        assert!((sample.standard_error().unwrap() - (32.0_f64 / 56.0).sqrt()).abs() < 1e-12);
        assert!((sample.deviation().unwrap() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!((sample.range(), sample.share_below(5.0)), (Some((2.0, 9.0)), 0.5));
        assert_eq!(sample.spread().percentile(50.0), Some(4.0));
        let one: Sample = [3.0].into_iter().collect();
        assert_eq!((one.mean(), one.standard_error()), (Some(3.0), None));
        assert_eq!((Sample::default().mean(), Sample::default().range()), (None, None));
    }
}
