//! The maps of a plan: found at once, read when they are needed.

use std::fs;
use std::path::{Path, PathBuf};

use surefoot::formats;
use surefoot::space::{GridSpace, TerrainMap};
use xxhash_rust::xxh3::xxh3_128;

use super::RunError;
use crate::maps::{generate, keep_largest, scale_blocks, scale_smooth};
use crate::plan::{MapEntry, Origin, Plan};
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
    /// All that the map and its problems depend on.
    pub(super) identity: String,
}

/// The maps of a plan, in its order. `folder` is where relative paths begin; `most` maps are taken of each
/// entry.
pub(super) fn find(plan: &Plan, folder: &Path, most: Option<usize>) -> Result<Vec<World>, RunError> {
    let mut worlds: Vec<World> = Vec::new();
    for (number, entry) in plan.maps.iter().enumerate() {
        for file in files(entry, folder, most)? {
            let name = name_of(entry, file.as_deref());
            // Two maps of the same name are told apart by their folders.
            let is_taken = worlds.iter().any(|world| world.name == name);
            let parent = file.as_deref().and_then(Path::parent).and_then(Path::file_name);
            let name = match parent.filter(|_| is_taken) {
                Some(parent) => format!("{}/{name}", parent.to_string_lossy()),
                None => name,
            };
            let from_file = matches!(entry.problems, crate::plan::Problems::Beside { .. });
            let scen = file.as_deref().filter(|_| from_file).map(scen_beside);
            let identity = identity(entry, file.as_deref(), scen.as_deref())?;
            worlds.push(World { name, entry: number, file, scen, identity });
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

/// The files of an entry; one that is none for a map that is generated.
fn files(entry: &MapEntry, folder: &Path, most: Option<usize>) -> Result<Vec<Option<PathBuf>>, RunError> {
    let files = match &entry.origin {
        Origin::Generated { .. } => return Ok(vec![None]),
        Origin::Folder(name) => {
            let folder = folder.join(name);
            if entry.optional && !folder.is_dir() {
                return Ok(Vec::new());
            }
            let mut maps = maps_in(&folder).map_err(|error| RunError::read(&folder, &error))?;
            if matches!(entry.problems, crate::plan::Problems::Beside { .. }) {
                maps.retain(|map| scen_beside(map).is_file());
            }
            maps
        }
        Origin::Files(names) => {
            let files = names.iter().map(|name| folder.join(name));
            files.filter(|file| !entry.optional || file.is_file()).collect()
        }
    };
    let wanted = most.unwrap_or(files.len()).clamp(1, files.len().max(1));
    Ok(files.iter().step_by(files.len().div_ceil(wanted).max(1)).cloned().map(Some).collect())
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
        let bytes = fs::read(path).map_err(|error| RunError::read(path, &error))?;
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
    /// Reads or makes the map.
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
