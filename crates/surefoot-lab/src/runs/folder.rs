//! The folder of results: which units there are, and which of them are finished.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use surefoot::files;

use super::units::Unit;
use super::{PlannedUnit, ResultSet, RunError, UnitResult, unit_file};
use crate::plan::Plan;

/// The file that lists the units.
const LIST: &str = "run.json";

/// What the list says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct List {
    /// The version of this format.
    pub(super) format: u32,
    /// The plan's name.
    pub(super) name: String,
    /// The plan's title.
    pub(super) title: String,
    /// The plan as it was written.
    pub(super) plan: String,
    /// Whether only its quick part is run.
    pub(super) quick: bool,
    /// The files of the units, finished or not, in the order of the plan.
    pub(super) units: Vec<String>,
}

/// The one version so far.
pub(super) const FORMAT: u32 = 1;

/// Where the list is.
pub(super) fn list_path(folder: &Path) -> PathBuf {
    folder.join(LIST)
}

/// Where the units are.
pub(super) fn units_path(folder: &Path) -> PathBuf {
    folder.join("units")
}

/// Where a unit is.
pub(super) fn unit_path(folder: &Path, unit: &str) -> PathBuf {
    units_path(folder).join(unit)
}

/// The file of a unit: the unit if it is finished and whole, what is wrong if it is damaged or another one's.
pub(super) fn read_unit(path: &Path, unit: &Unit, plan: &Plan) -> Option<Result<UnitResult, String>> {
    let read = finished(path)?;
    Some(read.and_then(|result| unit.mismatch(plan, &result).map_or(Ok(result), Err)))
}

/// A file of a unit: the unit if it is whole, what is wrong if it is damaged.
fn finished(path: &Path) -> Option<Result<UnitResult, String>> {
    path.is_file().then(|| unit_file::read(path))
}

impl PlannedUnit {
    /// Whether the unit is finished in a folder of results, and its file is whole.
    #[must_use]
    pub fn is_finished_in(&self, folder: &Path) -> bool {
        matches!(finished(&unit_path(folder, &self.file)), Some(Ok(_)))
    }
}

impl ResultSet {
    /// Whether a run has left anything in a folder.
    #[must_use]
    pub fn is_in(folder: &Path) -> bool {
        list_path(folder).is_file()
    }

    /// Reads what a run has left in a folder, finished or not.
    ///
    /// # Errors
    /// If the folder is none of results, or a file in it is damaged.
    pub fn read(folder: &Path) -> Result<Self, RunError> {
        let wrong = |problem: String| RunError::NoResults { folder: folder.to_path_buf(), problem };
        let path = list_path(folder);
        if !path.is_file() {
            return Err(wrong(format!("it has no {LIST}")));
        }
        let text = files::read_text(&path).map_err(|error| RunError::read(&path, &error))?;
        let list: List = serde_json::from_str(&text).map_err(|error| wrong(format!("{LIST}: {error}")))?;
        if list.format != FORMAT {
            return Err(wrong(format!("{LIST} is of version {}, not {FORMAT}", list.format)));
        }
        let mut units = Vec::new();
        for unit in &list.units {
            match finished(&unit_path(folder, unit)) {
                Some(Ok(unit)) => units.push(unit),
                Some(Err(problem)) => {
                    return Err(wrong(format!("{unit} is damaged: {problem}; run the plan again")));
                }
                None => (),
            }
        }
        let missing = (list.units.len() - units.len()) as u64;
        let List { name, title, plan, quick, .. } = list;
        Ok(Self { name, title, plan, quick, units, missing })
    }
}
