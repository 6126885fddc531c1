//! Files, read and written whole.

use std::io::Write as _;
use std::path::Path;

use surefoot::files::{self, NewFile};
use surefoot_lab::io_problem;

use crate::errors::{Outcome, python};

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Outcome<Vec<u8>> {
    files::read(path).map_err(|error| wrong("read", path, &error))
}

/// Writes a file, whole or not at all: beside the place that it is to have, and then renamed.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Outcome<()> {
    write_with(path, |file| file.write_all(bytes)).map_err(|error| wrong("write", path, &error))
}

/// The same; `fill` gives its contents.
pub(crate) fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut NewFile) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut file = NewFile::create(path)?;
    fill(&mut file)?;
    file.finish()
}

fn wrong(what: &str, path: &Path, error: &std::io::Error) -> crate::errors::Problem {
    let words = format!("cannot {what} {}: {}", path.display(), io_problem(error));
    crate::errors::Problem::from(python::DatabaseError::new_err(words))
}
