//! How large a plan may be. What its numbers multiply to is known before anything is made of it.

use std::ops::Range;

use surefoot::agent::{Spec, SpecError};
use surefoot_classics::ROSTER;

use super::{MapEntry, Origin, Part, Problems};

/// The most units of a plan: algorithms × seeds × maps. Each has a file of its own.
pub const MOST_UNITS: u64 = 100_000;
/// The most walks of a plan: units × problems × passes. Each has a row, and all rows are in memory at the
/// end.
pub const MOST_WALKS: u64 = 100_000_000;

/// Two different seeds: an algorithm whose database is the same for both does not depend on them.
const SEEDS: (u64, u64) = (1, 2);

/// How many seeds are run of an algorithm: all of them, or 1 if its database does not depend on one.
///
/// # Errors
/// If there is no such algorithm.
pub(crate) fn seeds_of(spec: &Spec, seeds: u64) -> Result<u64, SpecError> {
    let depends = ROSTER.database_for(spec, SEEDS.0)? != ROSTER.database_for(spec, SEEDS.1)?;
    Ok(if depends { seeds } else { 1 })
}

/// The units of a plan on so many maps.
pub(crate) fn units(parts: &[Part], seeds: u64, maps: u64) -> Result<u64, SpecError> {
    let mut units: u64 = 0;
    for part in parts {
        let (seeds, laid) = (part.seeds.unwrap_or(seeds), maps.saturating_mul(part.ways()));
        for spec in &part.specs {
            units = units.saturating_add(seeds_of(spec, seeds)?.saturating_mul(laid));
        }
    }
    Ok(units)
}

/// A number of a plan that others are multiplied with.
pub(super) struct Factor {
    /// Its key.
    pub(super) key: &'static str,
    /// The number.
    pub(super) number: u64,
    /// Where the plan has it.
    pub(super) span: Range<usize>,
}

/// A plan that is too large: what to say, and the factor to say it of.
pub(super) struct TooLarge {
    pub(super) span: Range<usize>,
    pub(super) problem: String,
}

/// Refuses plans with too many units or walks, as far as the text alone tells: how many maps a folder has,
/// and how many problems there are beside them, shows later. `factors` are the numbers that the plan has
/// written down.
pub(super) fn check(
    parts: &[Part],
    seeds: u64,
    maps: &[MapEntry],
    factors: Vec<Factor>,
) -> Result<(), TooLarge> {
    let maps_of = |entry: &MapEntry| match &entry.origin {
        Origin::Files(files) => files.len() as u64,
        Origin::Folder(_) | Origin::Generated { .. } => 1,
    };
    let problems: u64 =
        maps.iter().fold(0, |sum, entry| sum.saturating_add(maps_of(entry).saturating_mul(drawn(entry))));
    let maps: u64 = maps.iter().map(maps_of).sum();
    let mut walks: u64 = 0;
    // Specs were checked before.
    for part in parts {
        let agents = units(std::slice::from_ref(part), seeds, 1).unwrap_or(u64::MAX);
        let passes = agents.saturating_mul(u64::from(part.passes));
        walks = walks.saturating_add(passes.saturating_mul(problems));
    }
    let units = units(parts, seeds, maps).unwrap_or(u64::MAX);
    let are_units_too_many = units > MOST_UNITS;
    let (is, most) = match () {
        () if are_units_too_many => {
            (format!("{units} units (algorithms x seeds x maps)"), format!("{MOST_UNITS} units"))
        }
        () if walks > MOST_WALKS => {
            (format!("{walks} walks (units x problems x passes)"), format!("{MOST_WALKS} walks"))
        }
        () => return Ok(()),
    };
    // Problems do not make units.
    let matters = |factor: &Factor| !are_units_too_many || factor.key == "seeds";
    let (ours, others): (Vec<Factor>, Vec<Factor>) = factors.into_iter().partition(matters);
    let largest = |factors: Vec<Factor>| factors.into_iter().max_by_key(|factor| factor.number);
    let Some(largest) = largest(ours).or_else(|| largest(others)) else { return Ok(()) };
    let Factor { key, number, span } = largest;
    let problem = format!(
        "{key} is {number}, and the plan comes to {is} or more: at most {most} can be run; lower {key}, or split the plan"
    );
    Err(TooLarge { span, problem })
}

/// The problems that are drawn on a map of this entry, or in each of its buckets; 1 if they come from a file.
fn drawn(entry: &MapEntry) -> u64 {
    match entry.problems {
        Problems::Beside { .. } => 1,
        Problems::Drawn { count, .. } => count as u64,
    }
}
