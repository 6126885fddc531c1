//! The runner: which units a plan has, and how what is left of them is done.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use surefoot::agent::Spec;
use surefoot::space::GridSpace;
use surefoot::store::{Database, DatabaseConfig};
use surefoot_classics::ROSTER;
use xxhash_rust::xxh3::xxh3_64;

use super::folder::{self, FORMAT, List};
use super::lock::FolderLock;
use super::store::{Problem, Store, words_of};
use super::tables::write_tables;
use super::walks::{Walking, of_buckets};
use super::worlds::{self, World};
use super::{DatabaseFacts, Host, MapFacts, Provenance, ResultSet, RunError, UnitResult, unit_file};
use crate::plan::{self, MOST_UNITS, Part, Plan};

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
}

/// One algorithm with one database on one map.
struct Unit<'p> {
    part: &'p Part,
    spec: &'p Spec,
    seed: u64,
    /// Which of the worlds.
    world: usize,
    /// What its database is built from.
    config: Option<Box<dyn DatabaseConfig>>,
    /// Its file.
    file: String,
}

/// Runs what is not finished of a plan, writes the rows of all of it, and gives the results.
///
/// # Errors
/// If a map, a problem or a database cannot be had, an agent does what it must not, a file cannot be written,
/// the folder has results of another program or machine, or another run is at work in it. What was finished
/// before stays.
pub fn run(plan: &Plan, setting: &Setting<'_>, host: &mut dyn Host) -> Result<ResultSet, RunError> {
    let most_maps = plan.quick.maps.filter(|_| setting.quick);
    let quick = setting.quick.then(|| plan.quick());
    let plan = quick.as_ref().unwrap_or(plan);
    host.progress("looking at the maps", 0, 0);
    let worlds = worlds::find(plan, setting.maps, most_maps)?;
    let units = units(plan, &worlds)?;
    let _lock = FolderLock::take(setting.out)?;
    for folder in [&setting.out.join("units"), setting.cache] {
        fs::create_dir_all(folder).map_err(|error| {
            RunError::Write(format!("cannot make the folder {}: {error}", folder.display()))
        })?;
    }
    let mut results = finished(&units, setting, host)?;
    let list = List {
        format: FORMAT,
        name: plan.name.clone(),
        title: plan.title.clone(),
        plan: plan.text.clone(),
        quick: setting.quick,
        units: units.iter().map(|unit| unit.file.clone()).collect(),
    };
    host.write(&folder::list_path(setting.out), &mut |out| Ok(serde_json::to_writer_pretty(out, &list)?))
        .map_err(RunError::Write)?;
    host.write(&setting.out.join("plan.toml"), &mut |out| out.write_all(plan.text.as_bytes()))
        .map_err(RunError::Write)?;

    let (mut done, total) = (results.iter().flatten().count() as u64, units.len() as u64);
    let store = Store { folder: setting.cache, provenance: &setting.provenance };
    for (number, world) in worlds.iter().enumerate() {
        let mut left: Vec<usize> = (0..units.len())
            .filter(|&place| units[place].world == number && results[place].is_none())
            .collect();
        if left.is_empty() {
            continue;
        }
        // Units that share a database come together: only one is in memory.
        let mut configs: Vec<&Option<Box<dyn DatabaseConfig>>> = Vec::new();
        for &place in &left {
            if !configs.contains(&&units[place].config) {
                configs.push(&units[place].config);
            }
        }
        left.sort_by_key(|&place| configs.iter().position(|config| **config == units[place].config));
        host.progress(&format!("{}: the map", world.name), done, total);
        let mut course = Course::new(plan, world, &store, host)?;
        for place in left {
            let unit = &units[place];
            host.progress(&format!("{}: {}", world.name, unit.spec), done, total);
            let result = course.run(plan, unit, &store, host)?;
            let path = folder::unit_path(setting.out, &unit.file);
            host.write(&path, &mut |out| unit_file::write(&result, out)).map_err(RunError::Write)?;
            results[place] = Some(result);
            done += 1;
        }
    }
    host.progress("done", done, total);
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

/// The units of a plan: by algorithm, then by seed, then by map.
fn units<'p>(plan: &'p Plan, worlds: &[World]) -> Result<Vec<Unit<'p>>, RunError> {
    let count = plan::units(&plan.parts, plan.seeds, worlds.len() as u64)?;
    if count > MOST_UNITS {
        return Err(RunError::TooLarge { units: count, maps: worlds.len(), seeds: plan.seeds });
    }
    let mut units = Vec::with_capacity(count as usize);
    for part in &plan.parts {
        for spec in &part.specs {
            for seed in 1..=plan::seeds_of(spec, plan.seeds)? {
                for (number, world) in worlds.iter().enumerate() {
                    let (file, config) =
                        (file_name(plan, part, spec, seed, world), ROSTER.database_for(spec, seed)?);
                    units.push(Unit { part, spec, seed, world: number, config, file });
                }
            }
        }
    }
    Ok(units)
}

/// The file of a unit. Its name covers all that the rows depend on but the program and the machine, which are
/// in the file.
fn file_name(plan: &Plan, part: &Part, spec: &Spec, seed: u64, world: &World) -> String {
    let Plan { name, game, most_moves, .. } = plan;
    let Part { name: part_name, timed, passes, every_bucket, .. } = part;
    let identity = format!(
        "unit {FORMAT} of {name}, {part_name}: {spec} seed {seed} timed {timed} game {game:?} most moves {most_moves:?} passes {passes} \
         every bucket {every_bucket:?} on {} {}",
        world.name, world.identity
    );
    let mut words = words_of(&format!("{spec} {seed} {}", world.name));
    words.truncate(100);
    format!("{words}-{:016x}.csv", xxh3_64(identity.as_bytes()))
}

/// The units that are finished, each in its place.
fn finished(
    units: &[Unit<'_>],
    setting: &Setting<'_>,
    host: &mut dyn Host,
) -> Result<Vec<Option<UnitResult>>, RunError> {
    let mut results = Vec::new();
    for unit in units {
        let result = match folder::finished(setting.out, &unit.file) {
            Some(Ok(result)) => Some(result),
            Some(Err(problem)) => {
                let path = folder::unit_path(setting.out, &unit.file);
                host.tell(&format!("{} is damaged: {problem}; it is run again", path.display()));
                None
            }
            None => None,
        };
        if let Some(result) = result.as_ref().filter(|_| !setting.mix)
            && !result.provenance.is_same_source(&setting.provenance)
        {
            return Err(RunError::OtherSource {
                folder: setting.out.to_path_buf(),
                theirs: Box::new(result.provenance.clone()),
                ours: Box::new(setting.provenance.clone()),
            });
        }
        results.push(result);
    }
    Ok(results)
}

/// A map with its problems, and the database that was used last.
struct Course<'w> {
    world: &'w World,
    space: GridSpace,
    facts: MapFacts,
    problems: Vec<Problem>,
    database: Option<(Arc<dyn Database>, DatabaseFacts)>,
    config: Option<Box<dyn DatabaseConfig>>,
}

impl<'w> Course<'w> {
    fn new(plan: &Plan, world: &'w World, store: &Store<'_>, host: &mut dyn Host) -> Result<Self, RunError> {
        let entry = &plan.maps[world.entry];
        let space = world.space(entry)?;
        let problems = store.problems(world, entry, &space, host)?;
        let facts = MapFacts::of(&world.name, &space);
        Ok(Self { world, space, facts, problems, database: None, config: None })
    }

    fn run(
        &mut self,
        plan: &Plan,
        unit: &Unit<'_>,
        store: &Store<'_>,
        host: &mut dyn Host,
    ) -> Result<UnitResult, RunError> {
        if self.config != unit.config {
            // The one before makes room first.
            self.database = None;
            self.config.clone_from(&unit.config);
            self.database =
                unit.config.as_deref().map(|config| store.database(&self.space, config, host)).transpose()?;
        }
        let walking = Walking {
            map: &self.world.name,
            space: &self.space,
            spec: unit.spec,
            database: self.database.as_ref().map(|(database, _)| database),
            most_moves: plan.most_moves,
            timed: unit.part.timed,
            game: plan.game,
            passes: unit.part.passes,
        };
        let problems = of_buckets(&self.problems, unit.part.every_bucket, &self.space);
        Ok(UnitResult {
            experiment: plan.name.clone(),
            part: unit.part.name.clone(),
            map: self.facts.clone(),
            spec: unit.spec.clone(),
            seed: unit.seed,
            timed: unit.part.timed,
            database: self.database.as_ref().map(|(_, facts)| facts.clone()),
            provenance: store.provenance.clone(),
            rows: walking.rows(&problems)?,
        })
    }
}
