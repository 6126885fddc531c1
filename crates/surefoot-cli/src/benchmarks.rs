//! Where the benchmarks are: on the command line, in the environment, or in the usual place.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Where the benchmarks are if nobody says.
const USUAL_PLACE: &str = "../shared/benchmarks";

/// Where they come from, as the program is not shipped with them.
const WHERE_FROM: &str = "docs/reproduce/lab.md says where they come from (https://movingai.com/benchmarks)";

/// Where the benchmarks should be.
pub(crate) fn place(asked: Option<&Path>) -> PathBuf {
    let from_environment =
        || std::env::var_os("SUREFOOT_BENCHMARKS").filter(|value| !value.is_empty()).map(PathBuf::from);
    asked.map(Path::to_path_buf).or_else(from_environment).unwrap_or_else(|| USUAL_PLACE.into())
}

/// The folder of the benchmarks.
pub(crate) fn folder(asked: Option<&Path>) -> Result<PathBuf, Failure> {
    let folder = place(asked);
    if folder.is_dir() {
        return Ok(folder);
    }
    Err(Failure::Other(format!(
        "there is no folder of benchmarks at {}; say where it is with --benchmarks or SUREFOOT_BENCHMARKS; {WHERE_FROM}",
        folder.display()
    )))
}
