//! Files, read and written whole.

use std::io::Write as _;
use std::path::Path;

use surefoot_lab::io_problem;
use tempfile::NamedTempFile;

use crate::errors::{Outcome, python};

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(|error| wrong("read", path, &error))
}

/// Writes a file, whole or not at all: beside the place that it is to have, and then renamed.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Outcome<()> {
    write_with(path, |file| file.write_all(bytes)).map_err(|error| wrong("write", path, &error))
}

/// The same; `fill` gives its contents.
pub(crate) fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut std::fs::File) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // As any other new file, not for the owner alone.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file: NamedTempFile = builder.prefix(".surefoot").tempfile_in(folder)?;
    fill(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn wrong(what: &str, path: &Path, error: &std::io::Error) -> crate::errors::Problem {
    let words = format!("cannot {what} {}: {}", path.display(), io_problem(error));
    crate::errors::Problem::from(python::DatabaseError::new_err(words))
}
