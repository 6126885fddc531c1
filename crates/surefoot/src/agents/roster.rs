//! Every algorithm with its parameters: one line each. Whoever needs a list of the algorithms — the program's
//! help, the conformance cases, the benchmarks — takes it from here.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::plan_once::PlanOnce;
use super::{Agent, Spec, SpecError};
use crate::search::{AStar, Dijkstra, Gamma, JumpPoints};

/// A parameter of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The key in a spec.
    pub name: &'static str,
    /// The value if none is given, written as in a spec.
    pub default: &'static str,
    /// What it sets, and which values it takes.
    pub meaning: &'static str,
}

/// How much planning one move can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bound {
    /// As much as the map makes necessary.
    NotRealTime,
}

impl core::fmt::Display for Bound {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NotRealTime => f.write_str("not real-time"),
        }
    }
}

/// An algorithm of the roster.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name in a spec.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Whether every path it finds is a cheapest one.
    pub optimal: bool,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// How much planning one move can take.
    pub bound: Bound,
    /// What it needs of a map beyond states and moves.
    pub needs: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    make: fn(&Arguments<'_>) -> Result<Box<dyn Agent>, SpecError>,
}

/// Every algorithm.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "a*",
        summary: "a cheapest path, by A* with the octile distance; plans once, then walks",
        optimal: true,
        parameters: &[],
        bound: Bound::NotRealTime,
        needs: "nothing",
        paper: "Hart, Nilsson, Raphael 1968",
        make: |_| Ok(Box::new(PlanOnce::new(AStar::new()))),
    },
    Entry {
        name: "weighted-a*",
        summary: "a good path with less work: A* with f = gamma g + h; plans once, then walks",
        optimal: false,
        parameters: &[Parameter {
            name: "gamma",
            default: "0.2",
            meaning: "weight of the cost so far, above 0 and at most 1; 1 is A*",
        }],
        bound: Bound::NotRealTime,
        needs: "nothing",
        paper: "Pohl 1970; weight as in Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
        make: |arguments| Ok(Box::new(PlanOnce::new(AStar::weighted(arguments.parse::<Gamma>("gamma")?)))),
    },
    Entry {
        name: "dijkstra",
        summary: "a cheapest path without a heuristic; plans once, then walks",
        optimal: true,
        parameters: &[],
        bound: Bound::NotRealTime,
        needs: "nothing",
        paper: "Dijkstra 1959",
        make: |_| Ok(Box::new(PlanOnce::new(Dijkstra::new()))),
    },
    Entry {
        name: "jps",
        summary: "a cheapest path far faster than A*, by jump points on bitmaps; plans once, then walks",
        optimal: true,
        parameters: &[],
        bound: Bound::NotRealTime,
        needs: "a grid",
        paper: "after Harabor, Grastien 2011 and 2014",
        make: |_| Ok(Box::new(PlanOnce::new(JumpPoints::new()))),
    },
];

/// A spec's arguments, completed with the defaults of its entry.
struct Arguments<'a> {
    entry: &'a Entry,
    spec: &'a Spec,
}

impl Arguments<'_> {
    fn parse<T: core::str::FromStr<Err: core::fmt::Display>>(&self, key: &str) -> Result<T, SpecError> {
        let default = self.entry.parameters.iter().find(|parameter| parameter.name == key);
        let value = self.spec.value(key).or(default.map(|parameter| parameter.default)).unwrap_or_default();
        value.parse().map_err(|problem: T::Err| {
            let column = match self.spec.value(key) {
                Some(_) => self.spec.column_of(Some(key)) + key.len() + 1,
                None => 1,
            };
            SpecError::new(self.spec, column, format!("{key} is \"{value}\": {problem}"))
        })
    }
}

/// The entry of a name.
#[must_use]
pub fn entry(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// The agent that a spec calls for.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value.
pub fn agent(spec: &Spec) -> Result<Box<dyn Agent>, SpecError> {
    let Some(entry) = entry(spec.name()) else {
        let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
        return Err(SpecError::new(
            spec,
            1,
            format!("there is no algorithm of this name; there are: {}", names.join(", ")),
        ));
    };
    let known = || {
        let names: Vec<String> =
            entry.parameters.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
        if names.is_empty() {
            format!("{} takes no parameters", entry.name)
        } else {
            format!("{} takes: {}", entry.name, names.join(", "))
        }
    };
    if let Some(value) = spec.positional().next() {
        return Err(SpecError::new(
            spec,
            spec.column_of(None),
            format!("\"{value}\" needs a key, as in key={value}; {}", known()),
        ));
    }
    if let Some(key) = spec.keys().find(|key| entry.parameters.iter().all(|p| p.name != *key)) {
        let column = spec.column_of(Some(key));
        return Err(SpecError::new(spec, column, format!("there is no parameter \"{key}\"; {}", known())));
    }
    (entry.make)(&Arguments { entry, spec })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn every_default_makes_an_agent() {
        for entry in ENTRIES {
            agent(&entry.name.parse().unwrap()).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    #[test]
    fn mistakes_say_what_there_is() {
        let message = |text: &str| match agent(&text.parse().unwrap()) {
            Ok(_) => panic!("{text} was accepted"),
            Err(error) => error.to_string(),
        };
        assert!(message("b*").contains("there are: a*, weighted-a*"));
        assert!(message("a*(d=3)").ends_with("a* takes no parameters"));
        assert!(message("weighted-a*(gama=1)").contains("column 13: there is no parameter \"gama\""));
        assert!(message("weighted-a*(gamma=2)").contains("column 19: gamma is \"2\": expected a number"));
        assert!(message("weighted-a*(0.5)").contains("column 13: \"0.5\" needs a key"));
        assert!(message("weighted-a*(gamma=1,0.5)").contains("column 21: \"0.5\" needs a key"));
        assert!(message("weighted-a*(gamma=1, ma=1)").contains("column 21: there is no parameter \"ma\""));
    }
}
