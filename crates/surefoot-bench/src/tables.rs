//! Tables of what was measured: a line for each measure, with its mean, its 99th of a hundred and its worst.

use surefoot_lab::measures::Sample;

/// Measures of one kind of thing, in the order in which they are printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measures {
    lines: Vec<(&'static str, Vec<f64>)>,
}

impl Measures {
    /// Adds a value to a measure.
    pub(crate) fn add(&mut self, name: &'static str, value: f64) {
        match self.lines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => self.lines.push((name, vec![value])),
        }
    }

    /// The sum of a measure.
    pub(crate) fn sum(&self, name: &str) -> f64 {
        self.lines.iter().filter(|(known, _)| *known == name).flat_map(|(_, values)| values).sum()
    }

    /// Prints them.
    pub(crate) fn print(&self) {
        println!("  {:<28} {:>12} {:>12} {:>12}", "", "mean", "99 %", "worst");
        for (name, values) in &self.lines {
            let (mean, rare, worst) = spread(values);
            println!("  {name:<28} {} {} {}", number(mean), number(rare), number(worst));
        }
    }
}

/// The mean, the 99th of a hundred and the worst.
pub(crate) fn spread(values: &[f64]) -> (f64, f64, f64) {
    let sample: Sample = values.iter().copied().collect();
    let at = |percent: f64| sample.spread().percentile(percent).unwrap_or(0.0);
    (sample.mean().unwrap_or(0.0), at(99.0), at(100.0))
}

/// A number with as many digits as it needs, twelve columns wide.
fn number(value: f64) -> String {
    let digits = match value.abs() {
        0.0 | 1000.0.. => 0,
        10.0.. => 1,
        _ => 3,
    };
    format!("{value:>12.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_keep_their_order_and_their_sums() {
        let mut measures = Measures::default();
        for (name, value) in [("b", 1.0), ("a", 5.0), ("b", 2.5)] {
            measures.add(name, value);
        }
        let names: Vec<&str> = measures.lines.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["b", "a"]);
        assert!((measures.sum("b") - 3.5).abs() < 1e-9);
        assert_eq!(spread(&[1.0, 3.0]).2, 3.0);
        assert_eq!((number(0.0).trim(), number(0.5).trim(), number(12345.6).trim()), ("0", "0.500", "12346"));
    }
}
