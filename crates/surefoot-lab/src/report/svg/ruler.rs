//! Axes: where a value lies, and which values are written beside it.

use crate::report::figure::Scale;
use crate::report::numbers::{significant, thousands};

/// What is left free at either end of an axis of ratios.
const MARGIN: f64 = 10.0;
/// What 0 takes on it.
const ZERO_ROOM: f64 = 30.0;
/// Where 0 stands in that.
const ZERO_PLACE: f64 = 10.0;

/// A value beside an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// Where.
    pub(super) place: f64,
    /// What is written there.
    pub(super) label: String,
}

/// An axis with its range.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ruler {
    scale: Scale,
    /// The first and last value; logarithms for ratios.
    range: (f64, f64),
    /// Where they lie.
    span: (f64, f64),
    /// Where 0 lies, if it has a place of its own.
    zero: Option<f64>,
    ticks: Vec<Tick>,
}

impl Ruler {
    /// An axis for values, from one place to another, with numbers at least `room` apart.
    pub(super) fn new(scale: Scale, values: &[f64], span: (f64, f64), room: f64) -> Self {
        let count = ((span.1 - span.0).abs() / room).max(2.0);
        match scale {
            Scale::Linear => Self::linear(values, span, count),
            Scale::Log => Self::log(values, span, count),
        }
    }

    fn linear(values: &[f64], span: (f64, f64), count: f64) -> Self {
        let (mut low, mut high) = extremes(values.iter().copied()).unwrap_or((0.0, 1.0));
        // An axis that nearly begins at 0 begins there.
        if low > 0.0 && low < 0.4 * high {
            low = 0.0;
        }
        if high - low <= f64::EPSILON * high.abs() {
            let half = if high == 0.0 { 0.5 } else { high.abs() / 2.0 };
            (low, high) = (low - half, high + half);
        }
        let step = nice_step((high - low) / count);
        // To the next round number if it is near, else as far as the values go and a little more.
        let margin = (high - low) * 0.04;
        let range = (
            (low - margin).max((low / step).floor() * step),
            (high + margin).min((high / step).ceil() * step),
        );
        let (first, last) = ((range.0 / step - 1e-9).ceil(), (range.1 / step + 1e-9).floor());
        let mut ruler = Self { scale: Scale::Linear, range, span, zero: None, ticks: Vec::new() };
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        for at in 0..=(last - first) as u32 {
            let value = (first + f64::from(at)) * step;
            let label =
                if value.abs() >= 1e9 { significant(value, 3) } else { with_decimals(value, decimals) };
            ruler.ticks.push(Tick { place: ruler.place(value), label });
        }
        ruler
    }

    fn log(values: &[f64], span: (f64, f64), count: f64) -> Self {
        let (low, high) =
            extremes(values.iter().copied().filter(|&value| value > 0.0)).unwrap_or((1.0, 10.0));
        let direction = (span.1 - span.0).signum();
        let has_zero = values.contains(&0.0);
        // Markers at either end stand free of the axis.
        let begin = span.0 + direction * if has_zero { ZERO_ROOM } else { MARGIN };
        let marks = log_marks(low, high);
        let (first, last) = (marks[0], marks[marks.len() - 1]);
        let mut ruler = Self {
            scale: Scale::Log,
            range: (value_of(first).log10(), value_of(last).log10()),
            span: (begin, span.1 - direction * MARGIN),
            zero: has_zero.then_some(span.0 + direction * ZERO_PLACE),
            ticks: Vec::new(),
        };
        ruler.ticks.extend(ruler.zero.map(|place| Tick { place, label: "0".to_owned() }));
        // All of 1, 2 and 5 if there is room for them, else powers of ten, or every other one of these …
        let decades = (ruler.range.1 - ruler.range.0).max(1.0);
        let every = if decades * 3.0 <= count { 0 } else { (decades / count).ceil().max(1.0) as i32 };
        for mark in marks {
            let (digit, power) = mark;
            if every == 0 || (digit == 1 && power.rem_euclid(every) == 0) {
                let tick = Tick { place: ruler.place(value_of(mark)), label: log_label(mark) };
                ruler.ticks.push(tick);
            }
        }
        ruler
    }

    /// Where a value lies.
    pub(super) fn place(&self, value: f64) -> f64 {
        let value = match (self.scale, self.zero) {
            (Scale::Log, Some(zero)) if value == 0.0 => return zero,
            (Scale::Log, _) => value.log10(),
            (Scale::Linear, _) => value,
        };
        let part = (value - self.range.0) / (self.range.1 - self.range.0);
        self.span.0 + part * (self.span.1 - self.span.0)
    }

    /// The values beside it.
    pub(super) fn ticks(&self) -> &[Tick] {
        &self.ticks
    }

    /// The middle between 0 and the ratios, where the axis is broken.
    pub(super) fn gap(&self) -> Option<f64> {
        self.zero.map(|zero| f64::midpoint(zero, self.span.0))
    }
}

/// The smallest and the largest.
fn extremes(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |known, value| {
        let (low, high) = known.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

/// The next of 1, 2, 5, 10 … times a power of ten.
fn nice_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= least * (1.0 - 1e-9));
    digit.unwrap_or(10.0) * power
}

/// 1, 2 and 5 times powers of ten, as digit and power: from the last one that is not above `low` to the first
/// that is not below `high`, and two at least.
fn log_marks(low: f64, high: f64) -> Vec<(i32, i32)> {
    let powers = low.log10().floor() as i32 - 1..=high.log10().ceil() as i32 + 1;
    let all: Vec<(i32, i32)> = powers.flat_map(|power| [1, 2, 5].map(|digit| (digit, power))).collect();
    let first = all.iter().rposition(|&mark| value_of(mark) <= low).unwrap_or(0);
    let last = all.iter().position(|&mark| value_of(mark) >= high).unwrap_or(all.len() - 1);
    all[first..=last.max(first + 1).min(all.len() - 1)].to_vec()
}

fn value_of((digit, power): (i32, i32)) -> f64 {
    f64::from(digit) * 10_f64.powi(power)
}

fn log_label((digit, power): (i32, i32)) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    if (-4..6).contains(&power) {
        return significant(value_of((digit, power)), 1);
    }
    let sign = if power < 0 { "⁻" } else { "" };
    let raised: String =
        power.abs().to_string().bytes().map(|byte| RAISED[usize::from(byte - b'0')]).collect();
    if digit == 1 { format!("10{sign}{raised}") } else { format!("{digit}·10{sign}{raised}") }
}

fn with_decimals(value: f64, decimals: usize) -> String {
    if decimals == 0 && value >= 0.0 { thousands(value as u64) } else { format!("{value:.decimals$}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, values: &[f64]) -> Vec<String> {
        let ruler = Ruler::new(scale, values, (0.0, 600.0), 100.0);
        ruler.ticks().iter().map(|tick| tick.label.clone()).collect()
    }

    #[test]
    fn linear_axes_have_round_numbers() {
        assert_eq!(labels(Scale::Linear, &[3.0, 508.0]), ["0", "100", "200", "300", "400", "500"]);
        assert_eq!(labels(Scale::Linear, &[1.0, 1.047]), ["1.00", "1.01", "1.02", "1.03", "1.04"]);
        assert_eq!(labels(Scale::Linear, &[-1.5, 1.5]), ["-1.5", "-1.0", "-0.5", "0.0", "0.5", "1.0", "1.5"]);
        assert_eq!(labels(Scale::Linear, &[]).first().unwrap(), "0.0");
        assert!(labels(Scale::Linear, &[7.0]).len() > 1);
        assert!(labels(Scale::Linear, &[0.0]).len() > 1);
    }

    #[test]
    fn ratio_axes_have_powers_of_ten() {
        assert_eq!(labels(Scale::Log, &[0.03, 0.4]), ["0.02", "0.05", "0.1", "0.2", "0.5"]);
        assert_eq!(labels(Scale::Log, &[1.0, 88_138.0]), ["1", "10", "100", "1,000", "10,000", "100,000"]);
        assert_eq!(labels(Scale::Log, &[1e-9, 1e8]), ["10⁻⁹", "10⁻⁶", "0.001", "1", "1,000", "10⁶"]);
        assert_eq!(labels(Scale::Log, &[20.0]), ["20", "50"]);
        assert!(labels(Scale::Log, &[]).len() > 1);
    }

    #[test]
    fn zero_has_a_place_before_all_ratios() {
        let ruler = Ruler::new(Scale::Log, &[0.0, 1.0, 100.0], (340.0, 0.0), 40.0);
        assert_eq!(ruler.ticks()[0], Tick { place: 330.0, label: "0".to_owned() });
        assert_eq!((ruler.place(0.0), ruler.place(1.0), ruler.place(100.0)), (330.0, 310.0, 10.0));
        assert_eq!(ruler.gap(), Some(320.0));
        let ruler = Ruler::new(Scale::Log, &[0.0], (0.0, 100.0), 40.0);
        assert_eq!(ruler.place(0.0), 10.0);
    }

    #[test]
    fn numbers_stand_apart() {
        for high in [0.001, 1.5, 37.0, 512.0, 9_999.0, 1e7] {
            for scale in [Scale::Linear, Scale::Log] {
                for width in [120.0, 300.0, 680.0] {
                    let ruler = Ruler::new(scale, &[high / 1234.0, high], (0.0, width), 50.0);
                    let places: Vec<f64> = ruler.ticks().iter().map(|tick| tick.place).collect();
                    let nearest = places.windows(2).map(|two| two[1] - two[0]).fold(f64::INFINITY, f64::min);
                    assert!(nearest > 30.0, "{high} {scale:?} {width}: {places:?}");
                    assert!(places.iter().all(|place| (-0.1..=width + 0.1).contains(place)));
                }
            }
        }
    }
}
