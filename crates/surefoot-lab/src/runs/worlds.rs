//! The maps of a plan: found at once, read when they are needed.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use surefoot::formats;
use surefoot::space::{GridSpace, TerrainMap};
use xxhash_rust::xxh3::xxh3_128;

use super::RunError;
use crate::maps::{Symmetry, generate, keep_largest, scale_blocks, scale_smooth};
use crate::plan::{MapEntry, Origin, Part, Plan, Problems};
use crate::problem_files::{maps_in, scen_beside};

/// A map of a plan.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// Its name.
    pub(super) name: String,
    /// Which entry of the plan it belongs to.
    pub(super) entry: usize,
    /// Its file. `None` if it is generated.
    file: Option<PathBuf>,
    /// The file with its problems, if they are not drawn.
    pub(super) scen: Option<PathBuf>,
    /// All that the map, as it is, and its problems depend on.
    pub(super) identity: String,
    /// How it is laid.
    pub(super) symmetry: Symmetry,
}

/// The maps of a plan, in its order, and where a part of the plan wants it each of them in the eight ways to
/// lay it. `folder` is where relative paths begin; `most` maps are taken of each entry.
pub(super) fn find(plan: &Plan, folder: &Path, most: Option<usize>) -> Result<Vec<World>, RunError> {
    let mut worlds: Vec<World> = Vec::new();
    for (number, entry) in plan.maps.iter().enumerate() {
        let files = match &entry.origin {
            // One that has no file.
            Origin::Generated { .. } => vec![None],
            _ => chosen(&files(entry, folder)?, most).cloned().map(Some).collect(),
        };
        for own in files {
            let name = name_of(entry, own.as_deref());
            // Two maps of the same name are told apart by their folders, as the plan has them: where the
            // maps are on this machine is not part of any name.
            let name = if worlds.iter().any(|world| world.name == name) {
                let parent = own.as_deref().and_then(Path::parent).and_then(Path::file_name);
                format!("{}/{name}", parent.map_or_else(|| ".".into(), |parent| parent.to_string_lossy()))
            } else {
                name
            };
            let file = own.map(|own| folder.join(own));
            let scen = file.as_deref().filter(|_| is_beside(entry)).map(scen_beside);
            let identity = identity(entry, file.as_deref(), scen.as_deref())?;
            let ways = plan.parts.iter().map(Part::ways).max().unwrap_or(1);
            for symmetry in Symmetry::all().take(ways as usize) {
                let name = match symmetry {
                    Symmetry::NONE => name.clone(),
                    _ => format!("{name} {symmetry}"),
                };
                let (file, scen, identity) = (file.clone(), scen.clone(), identity.clone());
                worlds.push(World { name, entry: number, file, scen, identity, symmetry });
            }
        }
    }
    if worlds.is_empty() {
        let origins: Vec<String> = plan.maps.iter().map(|entry| words_of(&entry.origin)).collect();
        return Err(RunError::NoMaps { folder: folder.to_path_buf(), origins: origins.join(", ") });
    }
    Ok(worlds)
}

fn words_of(origin: &Origin) -> String {
    match origin {
        Origin::Folder(folder) => folder.clone(),
        Origin::Files(files) => files.join(", "),
        Origin::Generated { kind, .. } => format!("a generated map ({kind})"),
    }
}

/// Every file that the maps of a plan and their problems are made from, once, as the plan has it: relative
/// paths are relative to `folder`.
pub(super) fn inputs(plan: &Plan, folder: &Path, most: Option<usize>) -> Result<Vec<PathBuf>, RunError> {
    let (mut inputs, mut known) = (Vec::new(), HashSet::new());
    for entry in &plan.maps {
        let files = files(entry, folder)?;
        // All of them, not only those that are chosen: the choice depends on what there is to choose from.
        for file in &files {
            let needed = [Some(file.clone()), is_beside(entry).then(|| scen_beside(file))];
            for own in needed.into_iter().flatten() {
                let path = folder.join(&own);
                match fs::metadata(&path) {
                    Ok(_) if known.insert(own.clone()) => inputs.push(own),
                    Ok(_) => (),
                    Err(error) if chosen(&files, most).any(|chosen| chosen == file) => {
                        return Err(RunError::read(&path, &error));
                    }
                    Err(_) => (),
                }
            }
        }
    }
    Ok(inputs)
}

/// Whether the problems of an entry are in files beside its maps.
fn is_beside(entry: &MapEntry) -> bool {
    matches!(entry.problems, Problems::Beside { .. })
}

/// All files of an entry, as the plan has them; none for a map that is generated.
fn files(entry: &MapEntry, folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    match &entry.origin {
        Origin::Generated { .. } => Ok(Vec::new()),
        Origin::Folder(name) => {
            let folder = folder.join(name);
            if entry.optional && !folder.is_dir() {
                return Ok(Vec::new());
            }
            let mut maps = maps_in(&folder).map_err(|error| RunError::read(&folder, &error))?;
            if is_beside(entry) {
                maps.retain(|map| scen_beside(map).is_file());
            }
            let names = maps.iter().filter_map(|map| map.file_name());
            Ok(names.map(|own| Path::new(name).join(own)).collect())
        }
        Origin::Files(names) => {
            let is_wanted = |file: &&String| !entry.optional || folder.join(file).is_file();
            Ok(names.iter().filter(is_wanted).map(PathBuf::from).collect())
        }
    }
}

/// At most so many of the files, spread evenly.
fn chosen(files: &[PathBuf], most: Option<usize>) -> impl Iterator<Item = &PathBuf> {
    let wanted = most.unwrap_or(files.len()).clamp(1, files.len().max(1));
    files.iter().step_by(files.len().div_ceil(wanted).max(1))
}

fn name_of(entry: &MapEntry, file: Option<&Path>) -> String {
    let mut name = match (&entry.origin, file) {
        (Origin::Generated { kind, width, height, .. }, _) => format!("{kind} {width} x {height}"),
        (_, file) => file.and_then(Path::file_stem).unwrap_or_default().to_string_lossy().into_owned(),
    };
    if entry.scale > 1 {
        name += &format!(" x{}", entry.scale);
    }
    if entry.smooth {
        name += " smooth";
    }
    name
}

/// All that a map and its problems depend on, as words: the files by their contents, not by their names.
fn identity(entry: &MapEntry, file: Option<&Path>, scen: Option<&Path>) -> Result<String, RunError> {
    let contents = |path: &Path| {
        let bytes = surefoot::files::read(path).map_err(|error| RunError::read(path, &error))?;
        Ok::<_, RunError>(format!("{:032x}", xxh3_128(&bytes)))
    };
    let map = file.map(contents).transpose()?;
    let scen = scen.map(contents).transpose()?;
    let origin = match &entry.origin {
        Origin::Generated { .. } => format!("{:?}", entry.origin),
        _ => String::new(),
    };
    let MapEntry { scale, smooth, largest, rule, cost, terrain, problems, .. } = entry;
    Ok(format!(
        "map {map:?} {origin} scale {scale} smooth {smooth} largest {largest} rule {rule} cost {cost} terrain {terrain:?} \
         problems {scen:?} {problems:?}"
    ))
}

impl World {
    /// Reads or makes the map as it is, not laid in any other way.
    pub(super) fn space(&self, entry: &MapEntry) -> Result<GridSpace, RunError> {
        let map = self.map(entry)?;
        let map = if entry.largest { keep_largest(&map, entry.terrain, entry.rule) } else { map };
        Ok(GridSpace::new(map.grid(entry.terrain), entry.rule, entry.cost))
    }

    fn map(&self, entry: &MapEntry) -> Result<TerrainMap, RunError> {
        let original = match (&entry.origin, &self.file) {
            (&Origin::Generated { kind, width, height, seed }, _) => generate(kind, width, height, seed)?,
            (_, Some(file)) => formats::read_any_map(file)?,
            (_, None) => return Err(RunError::Broken("a map has no file".to_owned())),
        };
        match (entry.scale, entry.smooth) {
            (1, _) => Ok(original),
            (factor, true) => Ok(scale_smooth(&original, factor, 1)?),
            (factor, false) => Ok(scale_blocks(&original, factor)?),
        }
    }
}
