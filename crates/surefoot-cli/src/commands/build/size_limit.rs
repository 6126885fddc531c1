//! Beacons within a size: larger regions and longer ways, until they fit.

use std::fmt;
use std::str::FromStr;

use surefoot::agents::Spec;
use surefoot::database::{BeaconConfig, Database, DatabaseConfig};
use surefoot::space::GridSpace;

use super::sizes::Line;
use crate::failure::Failure;
use crate::table::{counted, thousands};

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

/// A step of the ladder: how many times the cutoff of the default, what slack, and whether the beacons are tried on problems at all.
struct Rung {
    cutoff: u32,
    slack: u32,
    learns: bool,
}

impl Rung {
    const fn new(cutoff: u32, slack: u32) -> Self {
        Self { cutoff, slack, learns: true }
    }
}

/// From the best parameters to those that take the least room. Larger regions are fewer, and where ways may be longer there are fewer
/// beacons. The first is the default, whatever that is; the last has only those beacons that all regions need.
const LADDER: [Rung; 10] = [
    Rung::new(1, 100),
    Rung::new(1, 200),
    Rung::new(1, 500),
    Rung::new(2, 200),
    Rung::new(2, 500),
    Rung::new(2, 1_000),
    Rung::new(4, 1_000),
    Rung::new(4, 5_000),
    Rung::new(8, 5_000),
    Rung { cutoff: 8, slack: 5_000, learns: false },
];

/// Builds with one set of parameters after the other until file and memory are within the limit. What the spec says stays as it is. `build` is told
/// the number of the try.
pub(super) fn build(
    spec: &Spec,
    space: &GridSpace,
    asked: BeaconConfig,
    limit: SizeLimit,
    build: impl Fn(DatabaseConfig, usize) -> Result<Database, Failure>,
) -> Result<(Database, Chosen), Failure> {
    let is_open = |parameter: &str| spec.value(parameter).is_none();
    let mut tried: Vec<BeaconConfig> = Vec::new();
    let mut smallest = u64::MAX;
    for rung in LADDER {
        let mut config = asked;
        if is_open("cutoff") && rung.cutoff > 1 {
            config.cutoff = Some(asked.cutoff_for(space).saturating_mul(rung.cutoff));
        }
        if is_open("slack") && !tried.is_empty() {
            config.slack = rung.slack.max(asked.slack);
        }
        if is_open("problems") && !rung.learns {
            config.problems = Some(0);
        }
        if tried.contains(&config) {
            continue;
        }
        tried.push(config);
        let database = build(DatabaseConfig::Beacons(config), tried.len())?;
        let size = database.to_bytes().len().max(database.memory_bytes()) as u64;
        smallest = smallest.min(size);
        if size <= limit.0 {
            let spec = spec_of(spec, asked, config);
            return Ok((database, Chosen { spec, tries: tried.len(), limit }));
        }
    }
    let (sets, smallest) = (counted(tried.len() as u64, "set"), thousands(smallest));
    let message = format!(
        "no beacons of this map fit into {limit}: the smallest, of {sets} of parameters, take {smallest}"
    );
    Err(Failure::Other(message))
}

/// The spec that asks for a configuration.
fn spec_of(spec: &Spec, asked: BeaconConfig, config: BeaconConfig) -> String {
    let chosen = |name: &str, asked: Option<u32>, chosen: Option<u32>| {
        chosen.filter(|_| chosen != asked).map(|chosen| format!("{name}={chosen}"))
    };
    let cutoff = chosen("cutoff", asked.cutoff, config.cutoff);
    let problems = chosen("problems", asked.problems, config.problems);
    let slack = chosen("slack", Some(asked.slack), Some(config.slack));
    let more: Vec<String> = [cutoff, problems, slack].into_iter().flatten().collect();
    let text = spec.to_string();
    match (more.is_empty(), text.strip_suffix(')')) {
        (true, _) => text,
        (false, Some(open)) => format!("{open},{})", more.join(",")),
        (false, None) => format!("{text}({})", more.join(",")),
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
    fn specs_name_what_was_chosen() {
        let asked = BeaconConfig::default();
        let chosen = BeaconConfig { cutoff: Some(60), slack: 500, ..asked };
        let spec_of = |text: &str, config| spec_of(&text.parse().unwrap(), asked, config);
        assert_eq!(spec_of("beacon*", asked), "beacon*");
        assert_eq!(spec_of("beacon*", chosen), "beacon*(cutoff=60,slack=500)");
        let smallest = BeaconConfig { problems: Some(0), ..chosen };
        assert_eq!(spec_of("beacon*", smallest), "beacon*(cutoff=60,problems=0,slack=500)");
        assert_eq!(spec_of("beacon*(problems=9)", chosen), "beacon*(problems=9,cutoff=60,slack=500)");
    }
}
