//! A share of a job, as written on the command line.

use std::str::FromStr;

use crate::number;

/// Share `K/N`: number K of N, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share(pub(crate) u32, pub(crate) u32);

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected =
            || "expected K/N: two whole numbers from 1, the first not above the second, as in 3/64";
        let (share, count) = text.split_once('/').ok_or_else(expected)?;
        let number = number::positive();
        let (share, count) = (number(share).map_err(|_| expected())?, number(count).map_err(|_| expected())?);
        if share <= count { Ok(Self(share, count)) } else { Err(expected().to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_two_numbers() {
        assert_eq!("3/64".parse(), Ok(Share(3, 64)));
        assert_eq!("1/1".parse(), Ok(Share(1, 1)));
        for wrong in ["", "3", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b", "1/99999999999"] {
            assert!(wrong.parse::<Share>().unwrap_err().starts_with("expected K/N"), "{wrong}");
        }
    }
}
