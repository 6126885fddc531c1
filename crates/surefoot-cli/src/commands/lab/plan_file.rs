//! The file of a plan, and the folder of its maps.

use std::path::Path;

use surefoot_lab::io_problem;
use surefoot_lab::plan::Plan;

use crate::failure::Failure;

/// Reads a plan. What is wrong with it is told with the file, the line and the column.
pub(super) fn read(path: &Path) -> Result<Plan, Failure> {
    let in_file = |problem: String| Failure::Other(format!("{}: {problem}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| in_file(io_problem(&error)))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Plan::parse(&name, &text).map_err(|error| in_file(error.to_string()))
}

/// Where the relative paths of a plan begin: where `--maps` says, else in its own folder.
pub(super) fn maps<'a>(plan: &'a Path, maps: Option<&'a Path>) -> &'a Path {
    let beside = plan.parent().filter(|parent| *parent != Path::new(""));
    maps.or(beside).unwrap_or(Path::new("."))
}
