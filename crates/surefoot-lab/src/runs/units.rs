//! The units of a plan: which there are, in which order they are done, and which of them make a share.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use surefoot::agent::Spec;
use surefoot::store::DatabaseConfig;
use surefoot_classics::ROSTER;
use xxhash_rust::xxh3::xxh3_64;

use super::folder::{FORMAT, List};
use super::store::words_of;
use super::worlds::{self, World};
use super::{RunError, UnitResult};
use crate::maps::Symmetry;
use crate::plan::{self, MOST_UNITS, Part, Plan};

/// A unit of a plan: one algorithm with one database on the problems of one map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedUnit {
    /// The name of its file in the folder `units`. It covers all that the rows depend on but the program, and
    /// is the same on every machine that has the same maps.
    pub file: String,
    /// The name of the part of the plan that has the algorithm; empty if parts have no names.
    pub part: String,
    /// The algorithm.
    pub spec: Spec,
    /// The seed of the database; 1 where nothing depends on it.
    pub seed: u64,
    /// The name of the map.
    pub map: String,
    /// Whether walks are timed, one at a time.
    pub timed: bool,
    /// What its database is built from, if it needs one.
    pub database: Option<String>,
}

/// Some of the units of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    All,
    /// A piece of them. Pieces differ by at most one unit in size. Units of one map and one database come
    /// together, so that few databases are built more than once.
    Share {
        /// Which piece, from 1.
        share: u32,
        /// How many pieces there are.
        of: u32,
    },
    /// Those with these files, as [`PlannedUnit::file`] has them.
    Named(BTreeSet<String>),
}

/// The units of a plan in their order: by algorithm, then by seed, then by map. `maps` is where the relative
/// paths of the plan begin; `quick` is for its quick run.
///
/// # Errors
/// If a map cannot be read, an algorithm is not there, or there are too many units.
pub fn planned(plan: &Plan, maps: &Path, quick: bool) -> Result<Vec<PlannedUnit>, RunError> {
    Ok(Study::new(plan, maps, quick)?.units.into_iter().map(|unit| unit.planned).collect())
}

/// Every file that the units of a plan need: maps, and the files of problems beside them. A machine that has
/// these, and nothing else, comes to the same units and the same rows.
///
/// Paths are relative to `maps`, as the plan has them (one that begins with `..` there begins with `..`
/// here); absolute ones stay absolute. Of a folder all maps are given, also for a quick run that walks on
/// some of them: which ones these are depends on all that there are.
///
/// # Errors
/// If a folder cannot be read, or a file is not there.
pub fn inputs(plan: &Plan, maps: &Path, quick: bool) -> Result<Vec<PathBuf>, RunError> {
    let (plan, most_maps) = wanted(plan, quick);
    worlds::inputs(&plan, maps, most_maps)
}

/// The plan, or its quick run, and how many maps of each entry that has at most.
fn wanted(plan: &Plan, quick: bool) -> (Cow<'_, Plan>, Option<usize>) {
    if quick { (Cow::Owned(plan.quick()), plan.quick.maps) } else { (Cow::Borrowed(plan), None) }
}

/// A unit, and what it is made from.
pub(super) struct Unit {
    pub(super) planned: PlannedUnit,
    /// Which of the parts of the plan.
    pub(super) part: usize,
    /// Which of the worlds.
    pub(super) world: usize,
    /// What its database is built from.
    pub(super) config: Option<Box<dyn DatabaseConfig>>,
}

impl Unit {
    /// What a result is instead of that of this unit, if it is another one's.
    pub(super) fn mismatch(&self, plan: &Plan, result: &UnitResult) -> Option<String> {
        let PlannedUnit { part, spec, seed, map, timed, .. } = &self.planned;
        let is_own = result.experiment == plan.name
            && result.part == *part
            && result.spec == *spec
            && result.seed == *seed
            && result.map.name == *map
            && result.timed == *timed;
        let UnitResult { experiment, spec, seed, map, .. } = result;
        (!is_own).then(|| format!("it has the rows of {spec}, seed {seed}, on {} of {experiment}", map.name))
    }
}

/// A plan with its maps and units.
pub(super) struct Study<'p> {
    pub(super) plan: Cow<'p, Plan>,
    pub(super) quick: bool,
    pub(super) worlds: Vec<World>,
    /// In the order of the plan.
    pub(super) units: Vec<Unit>,
}

impl<'p> Study<'p> {
    pub(super) fn new(plan: &'p Plan, maps: &Path, quick: bool) -> Result<Self, RunError> {
        let (plan, most_maps) = wanted(plan, quick);
        let worlds = worlds::find(&plan, maps, most_maps)?;
        let units = units(&plan, &worlds)?;
        Ok(Self { plan, quick, worlds, units })
    }

    /// What the list of units says.
    pub(super) fn list(&self) -> List {
        List {
            format: FORMAT,
            name: self.plan.name.clone(),
            title: self.plan.title.clone(),
            plan: self.plan.text.clone(),
            quick: self.quick,
            units: self.units.iter().map(|unit| unit.planned.file.clone()).collect(),
        }
    }

    /// The places of some units, in the order in which they are done: map by map, and units that share a
    /// database together, so that only one is in memory.
    ///
    /// # Errors
    /// If there is no such share, or no unit of a name.
    pub(super) fn places(&self, which: &Which) -> Result<Vec<usize>, RunError> {
        let mut places: Vec<usize> = (0..self.units.len()).collect();
        // The first units that have their map and database, map by map.
        let mut firsts: Vec<Vec<usize>> = vec![Vec::new(); self.worlds.len()];
        let mut first_of = |place: usize| {
            let Unit { world, config, .. } = &self.units[place];
            let known = &mut firsts[*world];
            let first = known.iter().copied().find(|&first| self.units[first].config == *config);
            first.unwrap_or_else(|| {
                known.push(place);
                place
            })
        };
        places.sort_by_cached_key(|&place| (self.units[place].world, first_of(place), place));
        match which {
            Which::All => Ok(places),
            &Which::Share { share, of } => {
                if share == 0 || share > of {
                    return Err(RunError::NoShare { share, of });
                }
                let end = |share: u32| (u128::from(share) * places.len() as u128 / u128::from(of)) as usize;
                Ok(places[end(share - 1)..end(share)].to_vec())
            }
            Which::Named(names) => {
                places.retain(|&place| names.contains(&self.units[place].planned.file));
                let known: HashSet<&str> =
                    places.iter().map(|&place| self.units[place].planned.file.as_str()).collect();
                match names.iter().find(|name| !known.contains(name.as_str())) {
                    Some(name) => Err(RunError::NoUnit { plan: self.plan.name.clone(), unit: name.clone() }),
                    None => Ok(places),
                }
            }
        }
    }
}

/// The units of a plan: by algorithm, then by seed, then by map.
fn units(plan: &Plan, worlds: &[World]) -> Result<Vec<Unit>, RunError> {
    let maps = worlds.iter().filter(|world| world.symmetry == Symmetry::NONE).count();
    let count = plan::units(&plan.parts, plan.seeds, maps as u64)?;
    if count > MOST_UNITS {
        return Err(RunError::TooLarge { units: count, maps, seeds: plan.seeds });
    }
    let mut units = Vec::with_capacity(count as usize);
    for (place, part) in plan.parts.iter().enumerate() {
        for spec in &part.specs {
            for seed in 1..=plan::seeds_of(spec, part.seeds.unwrap_or(plan.seeds))? {
                for (number, world) in worlds.iter().enumerate() {
                    if world.symmetry != Symmetry::NONE && !part.symmetries {
                        continue;
                    }
                    let config = ROSTER.database_for(spec, seed)?;
                    let planned = PlannedUnit {
                        file: file_name(plan, part, spec, seed, (world, worlds)),
                        part: part.name.clone(),
                        spec: spec.clone(),
                        seed,
                        map: world.name.clone(),
                        timed: part.timed,
                        database: config.as_ref().map(ToString::to_string),
                    };
                    units.push(Unit { planned, part: place, world: number, config });
                }
            }
        }
    }
    Ok(units)
}

/// The file of a unit. Its name covers all that the rows depend on but the program and the machine, which are
/// in the file.
fn file_name(
    plan: &Plan,
    part: &Part,
    spec: &Spec,
    seed: u64,
    (world, worlds): (&World, &[World]),
) -> String {
    let Plan { name, game, .. } = plan;
    let Part { name: part_name, timed, passes, every_bucket, .. } = part;
    let most_moves = part.most_moves.or(plan.most_moves);
    // Own trees are grown from the problems of all maps.
    let trees = part.trees.map_or(String::new(), |own| {
        let upright = worlds.iter().filter(|world| world.symmetry == Symmetry::NONE);
        let all: Vec<&str> = upright.map(|world| world.identity.as_str()).collect();
        format!(" trees {own:?} of {}", all.join(", "))
    });
    let identity = format!(
        "unit {FORMAT} of {name}, {part_name}: {spec} seed {seed} timed {timed} game {game:?} most moves {most_moves:?} passes {passes} \
         every bucket {every_bucket:?}{trees} on {} {}",
        world.name, world.identity
    );
    let mut words = words_of(&format!("{spec} {seed} {}", world.name));
    words.truncate(100);
    format!("{words}-{:016x}.csv", xxh3_64(identity.as_bytes()))
}
