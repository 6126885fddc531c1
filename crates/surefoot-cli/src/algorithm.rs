//! Algorithms as the command line names them.

use std::str::FromStr;

use surefoot::agents::{Spec, SpecError, roster};
use surefoot::database::DatabaseConfig;

/// What commands use if no algorithm is named.
pub(crate) const DEFAULT: &str = roster::DEFAULT;

/// A spec that is known to make an agent.
#[derive(Clone, Debug)]
pub(crate) struct Algorithm(Spec);

impl Algorithm {
    /// Every algorithm of the roster with its default parameters, save that databases have so many records, or regions that suit a map of
    /// so many states.
    pub(crate) fn all_with_records(records: u64, states: usize) -> impl Iterator<Item = Self> {
        roster::ENTRIES.iter().filter_map(move |entry| entry.spec_with_records(records, states).parse().ok())
    }

    /// The spec, as rows and tables name it.
    pub(crate) fn name(&self) -> String {
        self.0.to_string()
    }

    /// The roster's entry.
    pub(crate) fn entry(&self) -> Option<&'static roster::Entry> {
        roster::entry(&self.0.algorithm())
    }

    /// The spec.
    pub(crate) fn spec(&self) -> &Spec {
        &self.0
    }

    /// What its database is built from, for a seed; nothing if it needs none.
    pub(crate) fn database(&self, seed: u64) -> Option<DatabaseConfig> {
        // The spec was checked.
        roster::database_for(&self.0, seed).unwrap_or_default()
    }

    /// Whether it decides by a tree.
    pub(crate) fn has_tree(&self) -> bool {
        self.0.algorithm() == "lrta*(dt,g)"
    }

    /// Whether it needs a database.
    pub(crate) fn needs_database(&self) -> bool {
        self.database(0).is_some()
    }
}

/// Parses a spec and makes sure that it calls for an agent that exists.
impl FromStr for Algorithm {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let spec = text.parse()?;
        roster::check(&spec)?;
        Ok(Self(spec))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_there() {
        let names: Vec<String> =
            Algorithm::all_with_records(70, 1000).map(|algorithm| algorithm.spec().algorithm()).collect();
        assert_eq!(names, roster::ENTRIES.iter().map(|entry| entry.name).collect::<Vec<_>>());
        let named =
            |name: &str| Algorithm::all_with_records(70, 1000).any(|algorithm| algorithm.name() == name);
        assert!(named("lrta*") && named("knn-lrta*(n=70)"));
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        let message = "teleport*(d=3)".parse::<Algorithm>().unwrap_err().to_string();
        assert!(message.contains("there is no algorithm of this name"), "{message}");
    }
}
