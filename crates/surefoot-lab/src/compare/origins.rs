//! Where two sets of rows come from: what was made by another program or on another machine is not compared
//! without a word.

use serde::Serialize;

use crate::row_files::RowSource;

/// What the rows of two sets were made by, and in what that differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Origins {
    /// What the first set was made by; more than one if it is a mixed one, none if its rows do not tell.
    pub a: Vec<RowSource>,
    /// The same of the second set.
    pub b: Vec<RowSource>,
    /// What is not the same in all of them.
    pub differ_in: Vec<Facet>,
}

/// A part of what rows were made by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Facet {
    /// The version of the program.
    Version,
    /// The revision of its source.
    Revision,
    /// The compiler.
    Compiler,
    /// The processor, the number of cores or the system.
    Machine,
    /// The name of the machine, or of the worker on it.
    Worker,
}

impl std::fmt::Display for Facet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Version => "version",
            Self::Revision => "revision",
            Self::Compiler => "compiler",
            Self::Machine => "machine",
            Self::Worker => "worker",
        })
    }
}

impl Origins {
    pub(super) fn of(a: &[RowSource], b: &[RowSource]) -> Self {
        let differs = |facet: fn(&RowSource) -> (&str, &str)| {
            let mut values = a.iter().chain(b).map(facet);
            let first = values.next();
            values.any(|value| Some(value) != first)
        };
        let facets = [
            (Facet::Version, differs(|own| (&own.version, ""))),
            (Facet::Revision, differs(|own| (&own.revision, ""))),
            (Facet::Compiler, differs(|own| (&own.compiler, ""))),
            (Facet::Machine, differs(|own| (&own.processor, &own.machine))),
            (Facet::Worker, differs(|own| (&own.worker, ""))),
        ];
        let differ_in = facets.into_iter().filter(|(_, differs)| *differs).map(|(facet, _)| facet).collect();
        Self { a: a.to_vec(), b: b.to_vec(), differ_in }
    }

    /// Whether times are known to be of different machines or workers: then they cannot be compared.
    #[must_use]
    pub fn are_of_different_machines(&self) -> bool {
        self.differ_in.contains(&Facet::Machine) || self.differ_in.contains(&Facet::Worker)
    }
}
