//! Which parameters are worth a try on a map: for whoever looks for the best algorithm there.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use surefoot::agent::{Entry, Scale};

/// Parameters that trade quality for time more than others, and what to try. An algorithm is tried with the
/// values of the first that it has; one that has none of them, as it is.
const MAIN: &[(&str, &[&str])] = &[
    ("expansions", &["10", "100", "1000"]),
    ("slice", &["50", "500", "5000"]),
    ("queue", &["30", "100"]),
    ("dmax", &["5", "10", "20"]),
    ("d", &["1", "3", "6"]),
    ("sector", &["16", "32", "64"]),
    ("gamma", &["0.2", "0.5"]),
    ("k", &["none", "16"]),
];

/// What records can be improved by, at the price of larger databases and longer choices.
const THOROUGH: &[(&str, &str)] = &[("lossless", "yes"), ("pairs", "even"), ("k", "3"), ("candidates", "30")];

/// Algorithms that are there to be compared with: this one looks at every depth in order to choose one.
const NOT_FOR_USE: &[&str] = &["lrta*(oracle,g)"];

/// Numbers of records that the papers have.
const RECORD_COUNTS: [u64; 3] = [1_000, 10_000, 60_000];

/// Specs of an algorithm that are worth a try on a map of so many states, the cheaper ones first. None if it
/// is not for use.
#[must_use]
pub fn trial_specs(entry: &Entry, states: usize) -> Vec<String> {
    let has = |name: &str| entry.parameters.iter().any(|parameter| parameter.name == name);
    if NOT_FOR_USE.contains(&entry.name) {
        return Vec::new();
    }
    match entry.scale {
        Scale::Records => {
            // A record for every few states is more than any map needs; a round number is easier to remember.
            let most = (states as u64 / 4).max(10);
            let most = if most < 1000 { most } else { most / 1000 * 1000 };
            let mut counts: Vec<u64> = RECORD_COUNTS.iter().map(|&count| count.min(most)).collect();
            counts.dedup();
            let mut specs: Vec<String> =
                counts.iter().map(|&count| entry.spec_with(&[("n", count)])).collect();
            if THOROUGH.iter().all(|(name, _)| has(name)) {
                let count = counts.last().map(ToString::to_string).unwrap_or_default();
                let mut parameters = Vec::from([("n", &*count)]);
                parameters.extend(THOROUGH);
                specs.push(entry.spec_with(&parameters));
            }
            specs
        }
        Scale::Regions | Scale::WalkedLevel => {
            // A thousand regions or so on open ground at the first level, and a quarter at each further one;
            // more elsewhere.
            let fine = (u64::from(states.max(1).ilog2()) / 2).saturating_sub(5).max(1);
            (fine..fine + 3).rev().map(|level| entry.spec_with(&[("level", level)])).collect()
        }
        Scale::TwoLevels => Vec::from([entry.quick_spec(states)]),
        _ => match MAIN.iter().find(|(name, _)| has(name)) {
            Some((name, values)) => values.iter().map(|value| entry.spec_with(&[(name, value)])).collect(),
            None => Vec::from([String::from(entry.name)]),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ROSTER;

    #[test]
    fn every_trial_is_a_spec_of_its_entry() {
        for states in [0, 1, 50, 10_000, 10_000_000] {
            for entry in ROSTER.entries() {
                let specs = trial_specs(entry, states);
                assert_eq!(specs.is_empty(), entry.summary.contains("not for use"), "{}", entry.name);
                for text in specs {
                    let spec = text.parse().unwrap_or_else(|error| panic!("{error}"));
                    ROSTER.check(&spec).unwrap_or_else(|error| panic!("{error}"));
                    assert_eq!(spec.algorithm(), entry.name);
                }
            }
        }
    }

    #[test]
    fn trials_suit_the_map() {
        let trials = |name: &str, states| trial_specs(ROSTER.entry(name).unwrap(), states);
        assert_eq!(trials("knn-lrta-2009*", 100), ["knn-lrta-2009*(n=25)"]);
        assert_eq!(trials("knn-lrta-2009*", 8_000), ["knn-lrta-2009*(n=1000)", "knn-lrta-2009*(n=2000)"]);
        assert_eq!(trials("knn-lrta*", 1_000_000).len(), 4);
        assert_eq!(
            trials("lrta*(f,pdb)", 150_000),
            ["lrta*(f,pdb;level=5)", "lrta*(f,pdb;level=4)", "lrta*(f,pdb;level=3)"]
        );
        assert_eq!(trials("beacon*", 100), ["beacon*"]);
        assert_eq!(trials("jps", 100), ["jps"]);
    }
}
