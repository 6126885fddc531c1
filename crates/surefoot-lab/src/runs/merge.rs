//! The finished units of a plan, wherever they were done, become its tables.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use surefoot::files;

use super::folder;
use super::lock::{self, FolderLock};
use super::runner::{Setting, make_folder, write_list};
use super::tables::write_tables;
use super::units::{Study, Unit};
use super::{Host, ResultSet, RunError, UnitResult};
use crate::plan::Plan;

/// So many units are named where some are missing.
const MOST_NAMED: usize = 3;

/// Puts the finished units of a plan together: those in the folder of results, and those in the folders
/// `from`, which are folders of results, too, of shares that were done elsewhere. What is missing here is
/// copied as it is. Then the tables are written, as [`run`](super::run) writes them.
///
/// Nothing is walked, and nothing is built: of the setting the cache is not used, and of its provenance only
/// the program counts. Shares may be at work meanwhile: what they have not finished is missing.
///
/// # Errors
/// If a unit is missing or damaged, or units are of different programs, or timed on different machines or by
/// different workers, or a map cannot be read, or a file cannot be written, or a run is at work in the
/// folder. What was copied stays.
pub fn merge(
    plan: &Plan,
    setting: &Setting<'_>,
    from: &[PathBuf],
    host: &mut dyn Host,
) -> Result<ResultSet, RunError> {
    host.progress("looking at the maps", 0, 0);
    let study = Study::new(plan, setting.maps, setting.quick)?;
    for folder in from {
        look_through(&study, folder, host)?;
    }
    let _lock = FolderLock::take(setting.out, lock::RUN)?;
    make_folder(&folder::units_path(setting.out))?;
    write_list(&study, setting.out, host)?;
    let own = [setting.out];
    let folders: Vec<&Path> = own.into_iter().chain(from.iter().map(PathBuf::as_path)).collect();
    let mut results = Vec::new();
    for unit in &study.units {
        results.push(take(&study, unit, setting.out, &folders, host)?);
    }
    if !setting.mix {
        refuse_mixture(setting, &results)?;
    }
    put_together(&study, setting, results, host)
}

/// Writes the tables of a plan whose units are all there.
pub(super) fn put_together(
    study: &Study<'_>,
    setting: &Setting<'_>,
    results: Vec<Option<UnitResult>>,
    host: &mut dyn Host,
) -> Result<ResultSet, RunError> {
    let missing: Vec<&str> = study
        .units
        .iter()
        .zip(&results)
        .filter(|(_, result)| result.is_none())
        .map(|(unit, _)| unit.planned.file.as_str())
        .collect();
    if !missing.is_empty() {
        let first = missing.iter().take(MOST_NAMED).map(ToString::to_string).collect();
        let (missing, all) = (missing.len() as u64, study.units.len() as u64);
        return Err(RunError::Missing { folder: setting.out.to_path_buf(), missing, all, first });
    }
    let list = study.list();
    let results = ResultSet {
        name: list.name,
        title: list.title,
        plan: list.plan,
        quick: list.quick,
        units: results.into_iter().flatten().collect(),
        missing: 0,
    };
    write_tables(&results, setting.out, host)?;
    Ok(results)
}

/// Tells of files in the `units` of a folder that are none of this plan.
fn look_through(study: &Study<'_>, folder: &Path, host: &mut dyn Host) -> Result<(), RunError> {
    let units = folder::units_path(folder);
    if !units.is_dir() {
        let problem = "it has no folder units".to_owned();
        return Err(RunError::NoResults { folder: folder.to_path_buf(), problem });
    }
    let known: HashSet<&str> = study.units.iter().map(|unit| unit.planned.file.as_str()).collect();
    let mut others = 0;
    for entry in fs::read_dir(&units).map_err(|error| RunError::read(&units, &error))? {
        let entry = entry.map_err(|error| RunError::read(&units, &error))?;
        others += u64::from(!entry.file_name().to_str().is_some_and(|name| known.contains(name)));
    }
    if others > 0 {
        let name = &study.plan.name;
        host.tell(&format!("{}: {others} files are no units of {name}; they are left out", units.display()));
    }
    Ok(())
}

/// The first whole file of a unit in one of the folders. One from elsewhere is copied to `out`, byte for
/// byte.
fn take(
    study: &Study<'_>,
    unit: &Unit,
    out: &Path,
    folders: &[&Path],
    host: &mut dyn Host,
) -> Result<Option<UnitResult>, RunError> {
    let own = folder::unit_path(out, &unit.planned.file);
    for folder in folders {
        let path = folder::unit_path(folder, &unit.planned.file);
        match folder::read_unit(&path, unit, &study.plan) {
            None => (),
            Some(Err(problem)) => host.tell(&format!("{} is damaged: {problem}", path.display())),
            Some(Ok(result)) => {
                if path != own {
                    let bytes = files::read(&path).map_err(|error| RunError::read(&path, &error))?;
                    host.write(&own, &mut |out| out.write_all(&bytes)).map_err(RunError::Write)?;
                }
                return Ok(Some(result));
            }
        }
    }
    Ok(None)
}

/// Units must be of this program, and the timed ones of one machine and one worker.
fn refuse_mixture(setting: &Setting<'_>, results: &[Option<UnitResult>]) -> Result<(), RunError> {
    let mut timed: Option<&UnitResult> = None;
    for unit in results.iter().flatten() {
        if !unit.provenance.is_same_program(&setting.provenance) {
            return Err(RunError::other_source(setting.out, &unit.provenance, &setting.provenance));
        }
        if unit.timed {
            let first = timed.get_or_insert(unit);
            if !unit.provenance.may_stand_beside(&first.provenance, true) {
                return Err(RunError::other_source(setting.out, &unit.provenance, &first.provenance));
            }
        }
    }
    Ok(())
}
