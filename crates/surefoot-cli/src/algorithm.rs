//! Algorithms as the command line names them.

use std::ops::Deref;
use std::str::FromStr;

use surefoot::agent::SpecError;
use surefoot::store::DatabaseConfig;
use surefoot_classics::ROSTER;
use surefoot_classics::depth::WITH_TREE;

/// What commands use if no algorithm is named.
pub(crate) const DEFAULT: &str = surefoot::agent::DEFAULT;

/// An algorithm of the roster.
#[derive(Clone, Debug)]
pub(crate) struct Algorithm(surefoot::agent::Algorithm);

impl Algorithm {
    /// Every algorithm of the roster with its default parameters, save that databases have so many records,
    /// or regions that suit a map of so many states.
    pub(crate) fn all_with_records(records: u64, states: usize) -> impl Iterator<Item = Self> {
        ROSTER.entries().iter().filter_map(move |entry| entry.spec_with_records(records, states).parse().ok())
    }

    /// The spec, as rows and tables name it.
    pub(crate) fn name(&self) -> String {
        self.spec().to_string()
    }

    /// What its database is built from, for a seed. `None` if it needs none.
    pub(crate) fn database(&self, seed: u64) -> Option<Box<dyn DatabaseConfig>> {
        self.database_config(seed)
    }

    /// Whether it has a parameter of this name.
    pub(crate) fn takes(&self, parameter: &str) -> bool {
        self.entry().is_some_and(|entry| entry.parameters.iter().any(|known| known.name == parameter))
    }

    /// Whether it decides by a tree.
    pub(crate) fn has_tree(&self) -> bool {
        self.spec().algorithm() == WITH_TREE.name
    }

    /// Whether it needs a database.
    pub(crate) fn needs_database(&self) -> bool {
        self.database(0).is_some()
    }
}

impl Deref for Algorithm {
    type Target = surefoot::agent::Algorithm;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Parses a spec and makes sure that it calls for an agent that exists.
impl FromStr for Algorithm {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        ROSTER.algorithm(&text.parse()?).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_there() {
        let names: Vec<String> =
            Algorithm::all_with_records(70, 1000).map(|algorithm| algorithm.spec().algorithm()).collect();
        assert_eq!(names, ROSTER.entries().iter().map(|entry| entry.name).collect::<Vec<_>>());
        let named =
            |name: &str| Algorithm::all_with_records(70, 1000).any(|algorithm| algorithm.name() == name);
        assert!(named("lrta*") && named("knn-lrta*(n=70)"));
    }

    #[test]
    fn stars_may_be_left_out() {
        assert_eq!("beacon".parse::<Algorithm>().unwrap().name(), "beacon*");
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        let message = "teleport*(d=3)".parse::<Algorithm>().unwrap_err().to_string();
        assert!(message.contains("there is no algorithm of this name"), "{message}");
    }
}
