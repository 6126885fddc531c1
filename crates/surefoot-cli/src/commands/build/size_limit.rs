//! Beacons within a size: labels of all corners, of the core, or transit nodes in their place.

use std::fmt;
use std::str::FromStr;

use surefoot::agents::Spec;
use surefoot::database::{BeaconConfig, Database, DatabaseConfig, Labelled};

use super::sizes::Line;
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

/// The parameters that were chosen.
pub(super) struct Chosen {
    /// With them in it.
    pub(super) spec: String,
    tries: usize,
    limit: SizeLimit,
}

impl Chosen {
    pub(super) fn into_line(self) -> Line {
        let Self { spec, tries, limit } = self;
        let how = match tries {
            1 => "the default fits".to_string(),
            _ => format!("the first of {tries} tries that fits"),
        };
        ("chosen", format!("{spec}, {how} into {limit}"))
    }
}

/// What is tried after exact walks: transit nodes of which more and more ways need not lead over one, in ten-thousandths.
const LADDER: [u32; 3] = [500, 1_500, 4_000];

/// Tries databases until neither the file nor what is in memory is above the limit: beacons, beacons of which only the core has labels, and transit nodes, fewer each time.
/// `build` is told the number of the try.
pub(super) fn build(
    spec: &Spec,
    asked: BeaconConfig,
    limit: SizeLimit,
    build: impl Fn(DatabaseConfig, usize) -> Result<Database, Failure>,
) -> Result<(Database, Chosen), Failure> {
    let transit = LADDER.map(|left| asked.in_place().with_left(left));
    let core = asked.with_labels(Labelled::Core);
    let mut configs = Vec::from([asked, core].map(DatabaseConfig::Beacons));
    configs.extend(transit.map(DatabaseConfig::Transit));
    let (mut smallest, mut tries) = (u64::MAX, 0);
    // Nothing that was built is built once more as a core: not a core, nor transit nodes in its place.
    let mut can_be_core = true;
    for config in configs {
        if !can_be_core && matches!(config, DatabaseConfig::Beacons(_)) {
            continue;
        }
        tries += 1;
        let database = build(config, tries)?;
        can_be_core = matches!(&database, Database::Beacons(beacons) if !beacons.figures().is_thin);
        let size = database.to_bytes().len().max(database.memory_bytes()) as u64;
        smallest = smallest.min(size);
        if size <= limit.0 {
            let spec = match database.config() {
                DatabaseConfig::Transit(config) => format!("transit*(left={})", config.left),
                DatabaseConfig::Beacons(config) if config != asked => with_parameter(spec, "labels", "core"),
                _ => spec.to_string(),
            };
            return Ok((database, Chosen { spec, tries, limit }));
        }
    }
    let smallest = thousands(smallest);
    Err(Failure::Other(format!(
        "no database of this map fits into {limit}: the smallest that was tried takes {smallest}; allow as much with --size-limit"
    )))
}

/// A spec with a parameter more.
pub(super) fn with_parameter(spec: &Spec, name: &str, value: impl fmt::Display) -> String {
    let text = spec.to_string();
    match text.strip_suffix(')') {
        Some(open) => format!("{open},{name}={value})"),
        None => format!("{text}({name}={value})"),
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

    #[test]
    fn specs_get_a_parameter_more() {
        let with = |text: &str| with_parameter(&text.parse().unwrap(), "bound", 9);
        assert_eq!(with("beacon*"), "beacon*(bound=9)");
        assert_eq!(with("transit*(left=5)"), "transit*(left=5,bound=9)");
    }
}
