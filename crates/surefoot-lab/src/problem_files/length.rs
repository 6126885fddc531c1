//! The length of an optimal path as a file prints it.

use std::fmt;

/// The length of an optimal path, and how many digits of it are known.
///
/// Files round: `2.41421` stands for 1 + √2. To compare a computed cost with a printed one, the number of
/// printed decimals must be known, so both are kept; the length is printed again just as it was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length {
    value: f64,
    /// Digits after the point; negative if digits before it are unknown too, as in `1.2e+06`.
    decimals: i32,
}

/// More decimals than this are refused: no file means them, and each costs a byte when printed.
const MOST_DECIMALS: i32 = 100;

impl Length {
    /// The length 0. Between different cells it means that there is no path.
    pub const ZERO: Self = Self { value: 0.0, decimals: 0 };

    /// `value` rounded to `decimals` digits after the point (at most 100). `None` if `value` is negative or
    /// not a finite number.
    #[must_use]
    pub fn new(value: f64, decimals: u8) -> Option<Self> {
        if !value.is_finite() || value < 0.0 {
            return None;
        }
        let decimals = i32::from(decimals).min(MOST_DECIMALS);
        // Printing and reading back rounds to what a file would say, and adding zero turns -0 into 0.
        let rounded = format!("{:.*}", decimals as usize, value + 0.0).parse().ok()?;
        Some(Self { value: rounded, decimals })
    }

    /// Reads a length as files print them: `138.2`, `2.41421`, `1.23457e+06`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        // Words such as `inf` and `nan` are numbers to the standard parser.
        let starts_well = text.starts_with(|first: char| first.is_ascii_digit() || first == '.');
        let value: f64 = text.parse().ok().filter(|value: &f64| starts_well && value.is_finite())?;
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let printed = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let decimals = i32::try_from(printed).ok()?.checked_sub(exponent)?;
        if decimals > MOST_DECIMALS {
            return None;
        }
        // The digits before the point of a zero are all known.
        Some(Self { value, decimals: if value == 0.0 { decimals.max(0) } else { decimals } })
    }

    /// The length.
    #[must_use]
    pub fn value(self) -> f64 {
        self.value
    }

    /// How many digits after the point are known. Negative if digits before it are not: −1 for `1.23457e+06`.
    #[must_use]
    pub fn decimals(self) -> i32 {
        self.decimals
    }

    /// Whether `cost` is this length, to the last digit that is known of it.
    ///
    /// The difference may be half a unit of that digit, and a billionth of the length for sums that were
    /// rounded on the way.
    #[must_use]
    pub fn agrees_with(self, cost: f64) -> bool {
        let half_unit: f64 = format!("5e{}", -1 - self.decimals).parse().unwrap_or(0.0);
        let difference = if cost > self.value { cost - self.value } else { self.value - cost };
        difference <= half_unit + self.value * 1e-9
    }
}

/// As it was printed.
impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match usize::try_from(self.decimals) {
            Ok(decimals) => write!(f, "{:.decimals$}", self.value),
            Err(_) => {
                // The length is 10^exponent or a little more; its last known digit is worth 10^-decimals.
                // With many digits 1e31 prints as 9.999…e30: what counts is the exponent that is printed.
                let exponent_of = |text: &str| {
                    let exponent =
                        text.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
                    exponent.unwrap_or(0)
                };
                let with_exponent = |exponent: i32| {
                    let digits = usize::try_from(exponent + self.decimals).unwrap_or(0);
                    format!("{:.digits$e}", self.value)
                };
                let expected = exponent_of(&format!("{:e}", self.value));
                let text = with_exponent(expected);
                let printed = exponent_of(&text);
                f.write_str(&if printed == expected { text } else { with_exponent(printed) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn printed_digits_are_kept() {
        for text in ["0", "3", "138.2", "2.41421", "244.95", "10.00000000", "152.43860648748728", "5e3"] {
            assert_eq!(Length::parse(text).unwrap().to_string(), text);
        }
        let long = Length::parse("1.23457e+06").unwrap();
        assert_eq!((long.value(), long.decimals()), (1_234_570.0, -1));
        assert_eq!(long.to_string(), "1.23457e6");
        assert_eq!(Length::parse("0.05e5").unwrap().to_string(), "5e3");
        // Found by fuzzing: more digits than a number holds, next to a power of ten.
        let many = Length::parse("1.000000000000000000021402068257e+31").unwrap();
        assert_eq!(Length::parse(&many.to_string()), Some(many), "{many}");
    }

    #[test]
    fn what_is_no_length_is_refused() {
        for text in ["", "-1", "-0", "+1", "inf", "nan", "1e999", "1e-400", "x", "1e", "1,5", "0x10", " 1"] {
            assert_eq!(Length::parse(text), None, "{text}");
        }
        assert_eq!(Length::new(f64::NAN, 2), None);
        assert_eq!(Length::new(-1.0, 2), None);
        assert_eq!(Length::new(-0.0, 0), Some(Length::ZERO));
        assert_eq!(Length::new(2.71999, 2), Length::parse("2.72"));
    }

    #[test]
    fn costs_agree_to_the_last_printed_digit() {
        let root = std::f64::consts::SQRT_2;
        assert!(Length::parse("2.41421").unwrap().agrees_with(1.0 + root));
        assert!(Length::parse("2.41").unwrap().agrees_with(1.0 + root));
        assert!(!Length::parse("2.42").unwrap().agrees_with(1.0 + root));
        assert!(Length::parse("3").unwrap().agrees_with(3.0));
        assert!(!Length::parse("3.0").unwrap().agrees_with(3.1));
        assert!(Length::parse("1.23457e+06").unwrap().agrees_with(1_234_573.2));
        assert!(!Length::parse("1.23457e+06").unwrap().agrees_with(1_234_583.2));
    }

    proptest! {
        #[test]
        fn printed_lengths_read_back(value in 0.0..1e12_f64, decimals in 0..30_u8) {
            let length = Length::new(value, decimals).unwrap();
            prop_assert_eq!(Length::parse(&length.to_string()), Some(length));
        }

        #[test]
        fn read_lengths_print_and_read_back(text in "[0-9]{1,20}(\\.[0-9]{0,20})?([eE][+-]?[0-9]{1,2})?") {
            if let Some(length) = Length::parse(&text) {
                prop_assert_eq!(Length::parse(&length.to_string()), Some(length));
            }
        }
    }
}
