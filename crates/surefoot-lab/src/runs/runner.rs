//! The runner: what is left of a plan's units is done, one after the other.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use surefoot::files;

use super::course::Course;
use super::folder;
use super::lock::{self, FolderLock};
use super::merge::put_together;
use super::store::Store;
use super::trees::Forest;
use super::units::{Study, Which};
use super::{Host, Provenance, ResultSet, RunError, UnitResult, unit_file};
use crate::episode::unless_stopped;
use crate::plan::Plan;

/// What a run needs to know beside its plan.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    /// Whether only the quick part of the plan is run.
    pub quick: bool,
    /// Where the relative paths of the plan begin.
    pub maps: &'a Path,
    /// The folder of results.
    pub out: &'a Path,
    /// The folder of databases and problems that were made before.
    pub cache: &'a Path,
    /// Whether results of other programs and machines in the folder are kept, and not refused.
    pub mix: bool,
    /// What the results will be made by.
    pub provenance: Provenance,
    /// Ends the run when it is set, within a few thousand moves: see [`RunError::Stopped`]. [`super::NEVER`]
    /// if nobody will.
    pub stop: &'a AtomicBool,
}

/// A finished unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Its file in the folder `units`.
    pub file: String,
    /// Whether it was done just now. Else it was there before.
    pub is_new: bool,
    /// What came of it.
    pub result: UnitResult,
}

/// Runs what is not finished of a plan, writes the rows of all of it, and gives the results.
///
/// # Errors
/// If a map, a problem or a database cannot be had, an agent does what it must not, a file cannot be written,
/// the folder has results of another program or timings of another machine, another run is at work in it, or
/// it was stopped. What was finished before stays.
pub fn run(plan: &Plan, setting: &Setting<'_>, host: &mut dyn Host) -> Result<ResultSet, RunError> {
    host.progress("looking at the maps", 0, 0);
    let study = Study::new(plan, setting.maps, setting.quick)?;
    let _lock = FolderLock::take(setting.out, lock::RUN)?;
    let done = do_units(&study, setting, &study.places(&Which::All)?, host)?;
    put_together(&study, setting, done.into_iter().map(|unit| Some(unit.result)).collect(), host)
}

/// Runs what is not finished of some units of a plan, and gives those units in the order of the plan. Each is
/// a file in the folder `units`; no tables are written: that is for [`merge`](super::merge).
///
/// Several processes may do different shares in one folder at once. Two with the same share are not: the
/// second is refused. Those with names are not locked: two that do the same unit at once do it twice, and one
/// of the two files stays, whole.
///
/// # Errors
/// As for [`run`]; also if there is no such share, or no unit of a name.
pub fn run_units(
    plan: &Plan,
    setting: &Setting<'_>,
    which: &Which,
    host: &mut dyn Host,
) -> Result<Vec<Finished>, RunError> {
    host.progress("looking at the maps", 0, 0);
    let study = Study::new(plan, setting.maps, setting.quick)?;
    let places = study.places(which)?;
    let _lock = match which {
        Which::All => Some(FolderLock::take(setting.out, lock::RUN)?),
        Which::Share { share, of } => Some(FolderLock::take(setting.out, &lock::of_share(*share, *of))?),
        Which::Named(_) => None,
    };
    do_units(&study, setting, &places, host)
}

/// Makes a folder, and those above it.
pub(super) fn make_folder(folder: &Path) -> Result<(), RunError> {
    files::make_folder(folder)
        .map_err(|error| RunError::Write(format!("cannot make the folder {}: {error}", folder.display())))
}

/// Writes which units there are, and the plan. Every share writes the same.
pub(super) fn write_list(study: &Study<'_>, out: &Path, host: &mut dyn Host) -> Result<(), RunError> {
    let list = study.list();
    host.write(&folder::list_path(out), &mut |out| Ok(serde_json::to_writer_pretty(out, &list)?))
        .map_err(RunError::Write)?;
    host.write(&out.join("plan.toml"), &mut |out| out.write_all(list.plan.as_bytes()))
        .map_err(RunError::Write)
}

/// Does what is left of the units in these places, in the order of the places. They come back in the order of
/// the plan.
fn do_units(
    study: &Study<'_>,
    setting: &Setting<'_>,
    places: &[usize],
    host: &mut dyn Host,
) -> Result<Vec<Finished>, RunError> {
    make_folder(&folder::units_path(setting.out))?;
    make_folder(setting.cache)?;
    let mut finished: Vec<(usize, Finished)> = Vec::new();
    let mut left: Vec<usize> = Vec::new();
    for &place in places {
        match found(study, setting, place, host)? {
            Some(unit) => finished.push((place, unit)),
            None => left.push(place),
        }
    }
    write_list(study, setting.out, host)?;
    let total = places.len() as u64;
    let store = Store { folder: setting.cache, provenance: &setting.provenance, stop: setting.stop };
    let mut forest = Forest::default();
    // Units of one map come together.
    for on_one_map in left.chunk_by(|&one, &other| study.units[one].world == study.units[other].world) {
        let world = &study.worlds[study.units[on_one_map[0]].world];
        host.progress(&format!("{}: the map", world.name), finished.len() as u64, total);
        go_on(setting)?;
        let mut course = Course::new(&study.plan, world, &store, host)?;
        for &place in on_one_map {
            go_on(setting)?;
            let unit = &study.units[place];
            let label = format!("{}: {}", world.name, unit.planned.spec);
            host.progress(&label, finished.len() as u64, total);
            let own_trees = study.plan.parts[unit.part].trees;
            let folds = own_trees.map(|own| forest.folds(study, &unit.planned.spec, own, &store, host));
            let result = course.run(&study.plan, unit, folds.transpose()?.as_deref(), &store, host)?;
            let file = unit.planned.file.clone();
            let path = folder::unit_path(setting.out, &file);
            host.write(&path, &mut |out| unit_file::write(&result, out)).map_err(RunError::Write)?;
            finished.push((place, Finished { file, is_new: true, result }));
        }
    }
    host.progress("done", total, total);
    finished.sort_by_key(|&(place, _)| place);
    Ok(finished.into_iter().map(|(_, unit)| unit).collect())
}

/// An error if the run is to stop.
fn go_on(setting: &Setting<'_>) -> Result<(), RunError> {
    if unless_stopped(setting.stop).is_break() { Err(RunError::Stopped) } else { Ok(()) }
}

/// A unit that was finished before; an error if it is not to be mixed with what would be done now.
fn found(
    study: &Study<'_>,
    setting: &Setting<'_>,
    place: usize,
    host: &mut dyn Host,
) -> Result<Option<Finished>, RunError> {
    let unit = &study.units[place];
    let file = unit.planned.file.clone();
    let path = folder::unit_path(setting.out, &file);
    let result = match folder::read_unit(&path, unit, &study.plan) {
        None => return Ok(None),
        Some(Err(problem)) => {
            host.tell(&format!("{} is damaged: {problem}; it is run again", path.display()));
            return Ok(None);
        }
        Some(Ok(result)) => result,
    };
    let is_ours = result.provenance.may_stand_beside(&setting.provenance, result.timed);
    if is_ours || setting.mix {
        return Ok(Some(Finished { file, is_new: false, result }));
    }
    Err(RunError::other_source(setting.out, &result.provenance, &setting.provenance))
}
