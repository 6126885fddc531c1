//! Numbers as the command line gives them. A bad one is told what was expected; the parser's own words are
//! those of a programmer, and it takes `-1` for an option.

use std::ops::RangeInclusive;

/// A parser of whole numbers within `range`.
pub(crate) fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| is_whole && range.contains(number));
        number
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// A parser of whole numbers of 32 bits from 1 on.
pub(crate) fn positive() -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    whole(1..=u64::from(u32::MAX))
}

/// A parser of all whole numbers of 64 bits: seeds and limits.
pub(crate) fn any() -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    whole(0..=u64::MAX)
}

/// A parser of times, speeds and lengths.
pub(crate) fn above_zero(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|number| number.is_finite() && *number > 0.0)
        .ok_or_else(|| "expected a number above 0".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_speeds_are_above_zero() {
        assert_eq!((above_zero("2.5"), above_zero("1e3")), (Ok(2.5), Ok(1000.0)));
        for bad in ["", "0", "-1", "inf", "NaN", "x"] {
            assert_eq!(above_zero(bad), Err("expected a number above 0".to_string()), "{bad}");
        }
    }

    #[test]
    fn numbers_in_the_range_and_no_others() {
        assert_eq!((positive()("1"), positive()("4294967295")), (Ok(1), Ok(u32::MAX)));
        assert_eq!((any()("0"), any()("18446744073709551615")), (Ok(0), Ok(u64::MAX)));
        for bad in ["", "0", "-1", "+1", "1.5", "1e3", " 1", "NaN", "4294967296", "99999999999999999999999"] {
            let expected = "expected a whole number from 1 to 4294967295";
            assert_eq!(positive()(bad), Err(expected.to_string()), "{bad}");
        }
    }
}
