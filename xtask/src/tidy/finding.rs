//! What a check has to say.

use std::fmt;

/// Something that is not as it should be, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    file: String,
    line: usize,
    what: String,
}

impl Finding {
    /// About a line of a file, from 1. The file's path begins at the root of the repository.
    pub(crate) fn new(file: impl Into<String>, line: usize, what: impl Into<String>) -> Self {
        Self { file: file.into(), line, what: what.into() }
    }

    /// About one of the tables in `rules.rs`.
    pub(crate) fn in_rules(what: impl Into<String>) -> Self {
        Self::new(super::RULES, 1, what)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}
