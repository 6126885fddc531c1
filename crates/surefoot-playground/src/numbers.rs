//! Numbers of JavaScript, which may be anything: not a number, negative, with a fraction, too large.

use std::ops::RangeInclusive;

use surefoot::Cell;

/// A whole number.
///
/// # Errors
/// If it is none, or outside the range: what is meant, and what was given.
pub fn whole(value: f64, what: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    // Beyond 2^53 not every whole number is one of JavaScript's; what has no fraction is taken all the same.
    let fits = value.fract() == 0.0 && value >= *range.start() as f64 && value <= *range.end() as f64;
    if fits {
        Ok(value as u64)
    } else {
        Err(format!("{what} is {value}: expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// A cell, which may lie outside of any map.
///
/// # Errors
/// If one of both is no whole number from 0 to 2³² − 1.
pub fn cell(x: f64, y: f64, what: &str) -> Result<Cell, String> {
    let side = |value| whole(value, what, 0..=u64::from(u32::MAX)).map(|number| number as u32);
    match (side(x), side(y)) {
        (Ok(x), Ok(y)) => Ok(Cell::new(x, y)),
        _ => Err(format!("the {what} ({x}, {y}) is no cell: expected two whole numbers from 0 on")),
    }
}

/// The most that a seed may be: beyond it JavaScript does not tell two numbers apart.
pub const MOST_SEED: u64 = (1 << 53) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_whole_number_is_refused() {
        for (value, expected) in [(0.0, Some(0)), (-0.0, Some(0)), (7.0, Some(7)), (10.0, Some(10))] {
            assert_eq!(whole(value, "seed", 0..=10).ok(), expected, "{value}");
        }
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 1.5, 11.0, 1e99, -1e-9] {
            let error = whole(wrong, "seed", 0..=10).unwrap_err();
            assert!(error.starts_with("seed is ") && error.ends_with("from 0 to 10"), "{error}");
        }
    }

    #[test]
    fn cells_have_two_whole_numbers() {
        assert_eq!(cell(3.0, 4.0, "start"), Ok(Cell::new(3, 4)));
        for (x, y) in [(f64::NAN, 0.0), (0.0, -1.0), (0.5, 0.5), (4_294_967_296.0, 0.0)] {
            let error = cell(x, y, "goal").unwrap_err();
            assert!(error.starts_with("the goal ("), "{error}");
        }
    }
}
