//! How numbers look.

use super::NOTHING;

/// A whole number with its thousands set apart.
#[must_use]
pub fn thousands(number: u64) -> String {
    group(&number.to_string())
}

/// A number with so many decimals and its thousands set apart. One that would look like 0 and is not gets two
/// digits that count.
#[must_use]
pub fn fixed(value: f64, digits: u8) -> String {
    if !value.is_finite() {
        return not_finite(value);
    }
    let text = format!("{:.*}", usize::from(digits), value);
    let is_zero = !text.bytes().any(|byte| byte.is_ascii_digit() && byte != b'0');
    match (is_zero, value == 0.0) {
        (true, false) => significant(value, 2),
        (true, true) => text.trim_start_matches('-').to_owned(),
        _ => group(&text),
    }
}

/// A number with so many digits that count, and no more decimals than they need.
#[must_use]
pub fn significant(value: f64, digits: u8) -> String {
    if !value.is_finite() {
        return not_finite(value);
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    // Rounding may add a digit, as from 9.99 to 10.0: the exponent is that of the rounded number.
    let scientific = format!("{:.*e}", usize::from(digits.max(1)) - 1, value);
    let exponent: i32 =
        scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    if !(-6..15).contains(&exponent) {
        return scientific;
    }
    let decimals = (i32::from(digits) - 1 - exponent).max(0) as usize;
    group(&format!("{value:.decimals$}"))
}

/// Whether two numbers are the same when rounded to so many decimals.
pub(super) fn is_same(one: f64, other: f64, digits: u8) -> bool {
    let rounded = |value: f64| (value * 10_f64.powi(i32::from(digits))).round();
    rounded(one) == rounded(other)
}

fn not_finite(value: f64) -> String {
    match (value.is_nan(), value > 0.0) {
        (true, _) => NOTHING.to_owned(),
        (false, true) => "∞".to_owned(),
        (false, false) => "−∞".to_owned(),
    }
}

/// Commas between the thousands before the point.
fn group(text: &str) -> String {
    let (whole, rest) = text.find('.').map_or((text, ""), |point| text.split_at(point));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("−", digits));
    let mut grouped = String::from(sign);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_like_this() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(
            [0.0, 6851.62, -1234.5, 0.004, 999.999].map(|value| fixed(value, 2)),
            ["0.00", "6,851.62", "−1,234.50", "0.0040", "1,000.00"]
        );
        assert_eq!(fixed(-0.0, 1), "0.0");
        assert_eq!(
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(|value| fixed(value, 1)),
            ["–", "∞", "−∞"]
        );
        let shown = [0.0, 1.234_5, 9.999, 12_345.6, 0.001_234, 1e-9, 2e20].map(|value| significant(value, 3));
        assert_eq!(shown, ["0", "1.23", "10.0", "12,346", "0.00123", "1.00e-9", "2.00e20"]);
    }

    #[test]
    fn what_looks_the_same_is_the_same() {
        assert!(is_same(1.004, 0.996, 2) && !is_same(1.0, 1.006, 2));
        assert!(is_same(-0.0, 0.0, 2) && !is_same(0.0, 0.006, 2));
    }
}
