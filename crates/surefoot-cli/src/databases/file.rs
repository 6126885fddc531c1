//! Files with databases and parts of them. Every message begins with the name of the file.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::Arc;

use surefoot::space::GridSpace;
use surefoot::store::part::Part;
use surefoot::store::{Database, FileInfo, Mapped, open_mapped};
use surefoot_classics::ROSTER;
use surefoot_lab::io_problem;

use crate::failure::Failure;

/// Opens a database for a world. The file is mapped, not read.
pub(crate) fn open(path: &Path, space: &GridSpace) -> Result<Arc<dyn Database>, Failure> {
    ROSTER.open(space, map(path)?).map_err(|error| in_file(path, error))
}

/// What a database says of itself.
pub(crate) fn inspect(path: &Path) -> Result<FileInfo, Failure> {
    ROSTER.inspect(map(path)?.as_ref()).map_err(|error| in_file(path, error))
}

/// Reads a finished part.
pub(crate) fn read_part(path: &Path) -> Result<Part, Failure> {
    let bytes = map(path)?;
    let bytes = bytes.as_ref();
    let part = Part::from_bytes(bytes, ROSTER.kinds()).map_err(|error| in_file(path, error))?;
    if part.length < bytes.len() {
        let problem = format!("it is damaged from byte {} on; build this shard anew", part.length);
        return Err(in_file(path, problem));
    }
    Ok(part)
}

fn map(path: &Path) -> Result<Mapped, Failure> {
    if path.is_dir() {
        return Err(in_file(path, "this is a folder, not a file"));
    }
    if path.exists() && !path.is_file() {
        return Err(in_file(path, "only files can be mapped into memory, not pipes or devices"));
    }
    open_mapped(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => in_file(path, "no such file"),
        _ => in_file(path, io_problem(&error)),
    })
}

/// A failure that has to do with a file.
pub(crate) fn in_file(path: &Path, problem: impl Display) -> Failure {
    Failure::Other(format!("{}: {problem}", path.display()))
}
