//! Databases within a size: what was asked for, or what there is instead of it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use surefoot::store::{Database, DatabaseConfig};

use crate::databases::Line;
use crate::failure::Failure;
use crate::table::thousands;

/// A size as written on the command line, in bytes: `200000`, `256KB`, `1.5MB`, `1MiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SizeLimit(u64);

const UNITS: [(&str, f64); 7] = [
    ("kib", 1024.0),
    ("mib", 1048576.0),
    ("gib", 1073741824.0),
    ("kb", 1e3),
    ("mb", 1e6),
    ("gb", 1e9),
    ("b", 1.0),
];

impl FromStr for SizeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lower = text.to_ascii_lowercase();
        let (number, unit) = UNITS
            .iter()
            .find_map(|&(name, unit)| Some((lower.strip_suffix(name)?.trim_end(), unit)))
            .unwrap_or((&lower, 1.0));
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let bytes = number.parse::<f64>().ok().filter(|_| is_number).map(|number| number * unit);
        bytes
            .filter(|bytes| (1.0..1e15).contains(bytes))
            .map(|bytes| Self(bytes as u64))
            .ok_or_else(|| "expected a size, as in 256KB, 1.5MB or 200000".to_string())
    }
}

impl fmt::Display for SizeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", thousands(self.0))
    }
}

/// Tries databases until neither the file nor what is in memory is above the limit. `build` is told the
/// number of the try. What was chosen is told in a line.
pub(super) fn build(
    mut config: Box<dyn DatabaseConfig>,
    limit: SizeLimit,
    build: impl Fn(&dyn DatabaseConfig, usize) -> Result<Arc<dyn Database>, Failure>,
) -> Result<(Arc<dyn Database>, Option<Line>), Failure> {
    let (mut smallest, mut tries) = (u64::MAX, 0);
    loop {
        tries += 1;
        let database = build(&*config, tries)?;
        let size = database.to_bytes().len().max(database.memory_bytes()) as u64;
        if size <= limit.0 {
            let how = match tries {
                1 => "which fits".to_string(),
                _ => format!("the first of {tries} tries that fits"),
            };
            let chosen = format!("{}, {how} into {limit}", database.config());
            return Ok((database, Some(("chosen", chosen))));
        }
        smallest = smallest.min(size);
        config = database.instead().ok_or_else(|| {
            let smallest = thousands(smallest);
            Failure::Other(format!(
                "no database of this map fits into {limit}: the smallest that was tried takes {smallest}; allow as much with --size-limit"
            ))
        })?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let bytes = |text: &str| text.parse().map(|SizeLimit(bytes)| bytes);
        for (text, expected) in [
            ("256KB", 256_000),
            ("1.5MB", 1_500_000),
            ("1 MiB", 1 << 20),
            ("200000", 200_000),
            ("7b", 7),
            ("2gb", 2_000_000_000),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for wrong in ["", "KB", "-1KB", "1e3", "0", "1.2.3MB", "5 apples", "inf", "nan", "1TB", "99999999GB"]
        {
            assert!(bytes(wrong).unwrap_err().starts_with("expected a size"), "{wrong}");
        }
    }
}
