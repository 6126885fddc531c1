//! Algorithms as the command line names them.

use std::str::FromStr;

use surefoot::agents::{Agent, Spec, SpecError, roster};

/// A spec that is known to make an agent.
#[derive(Clone, Debug)]
pub(crate) struct Algorithm(Spec);

impl Algorithm {
    /// Every algorithm of the roster with its default parameters.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        roster::ENTRIES.iter().filter_map(|entry| entry.name.parse().ok())
    }

    /// The spec, as rows and tables name it.
    pub(crate) fn name(&self) -> String {
        self.0.to_string()
    }

    /// The roster's entry.
    pub(crate) fn entry(&self) -> Option<&'static roster::Entry> {
        roster::entry(self.0.name())
    }

    /// A new agent.
    pub(crate) fn agent(&self) -> Result<Box<dyn Agent>, SpecError> {
        roster::agent(&self.0)
    }
}

/// Parses a spec and makes sure that it calls for an agent that exists.
impl FromStr for Algorithm {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let algorithm = Self(text.parse()?);
        algorithm.agent()?;
        Ok(algorithm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_there() {
        let names: Vec<String> = Algorithm::all().map(|algorithm| algorithm.name()).collect();
        assert_eq!(names, roster::ENTRIES.iter().map(|entry| entry.name).collect::<Vec<_>>());
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        let message = "teleport*(d=3)".parse::<Algorithm>().unwrap_err().to_string();
        assert!(message.contains("there is no algorithm of this name"), "{message}");
    }
}
