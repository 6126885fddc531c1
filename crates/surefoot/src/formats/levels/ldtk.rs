//! LDtk projects: the `IntGrid` layer of a level.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::Value;

use super::{LevelOptions, cell_of, choose, terrain, whole};
use crate::formats::{FormatError, Place, quoted};
use crate::space::TerrainMap;

/// Reads a level of an LDtk project: its `IntGrid` layer. `file` gives the bytes of levels in files of their
/// own (`.ldtkl`), by the name that the project has for them.
///
/// # Errors
/// If it is no project, has no such level or layer, or there are more or fewer values than cells.
pub fn parse_ldtk(
    bytes: &[u8],
    options: &LevelOptions,
    file: &mut dyn FnMut(&str) -> Result<Vec<u8>, FormatError>,
) -> Result<TerrainMap, FormatError> {
    let project = json(bytes, "an LDtk project, which is JSON", options)?;
    let levels = list(&project, "levels", "a project with levels")?;
    // Projects of several worlds have their levels in these.
    let worlds = project.get("worlds").and_then(Value::as_array).into_iter().flatten();
    let of_worlds = worlds.filter_map(|world| world.get("levels").and_then(Value::as_array)).flatten();
    let named = levels.iter().chain(of_worlds).map(|level| (text(level, "identifier"), level));
    let (level_name, level) = choose("level", options.level.as_deref(), named)?;
    let expected = format!("layers of the level {}", quoted(level_name.as_bytes()));
    let separate = match level.get("externalRelPath").and_then(Value::as_str) {
        Some(name) if level.get("layerInstances").is_none_or(Value::is_null) => {
            let within = |error: FormatError| {
                let found = format!("{}: {error}", quoted(name.as_bytes()));
                whole(expected.as_str(), found)
            };
            Some(json(&file(name)?, "a level of LDtk, which is JSON", options).map_err(within)?)
        }
        _ => None,
    };
    let layers = list(separate.as_ref().unwrap_or(level), "layerInstances", &expected)?;
    let grids = layers.iter().filter(|layer| text(layer, "__type") == "IntGrid");
    let named = grids.map(|layer| (text(layer, "__identifier"), layer));
    let (name, layer) = choose("int-grid", options.layer.as_deref(), named)?;
    let side = |key: &str| {
        let side = layer.get(key).and_then(Value::as_u64).and_then(|side| u32::try_from(side).ok());
        let layer = quoted(name.as_bytes());
        side.ok_or_else(|| whole(format!("a number {key:?} in the layer {layer}"), "none"))
    };
    let (width, height) = (side("__cWid")?, side("__cHei")?);
    let values = list(layer, "intGridCsv", "a layer with values")?;
    let cells = u64::from(width) * u64::from(height);
    if values.len() as u64 != cells {
        let layer = quoted(name.as_bytes());
        let expected = format!("{cells} values in the layer {layer} of {width} x {height} cells");
        return Err(whole(expected, values.len().to_string()));
    }
    let mut free = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        let wrong = || whole(format!("a whole number at {}", cell_of(&name, at, width)), value.to_string());
        free.push(options.walkable.contains(&number.ok_or_else(wrong)?));
    }
    terrain(width, height, &free, &options.limits)
}

/// JSON takes some sixty times its bytes once it is read, so that fewer are read of it than of others.
const SHARE: u64 = 4;

fn json(bytes: &[u8], expected: &'static str, options: &LevelOptions) -> Result<Value, FormatError> {
    let most = options.limits.bytes / SHARE;
    if bytes.len() as u64 > most {
        return Err(whole(format!("{expected}, of at most {most} bytes"), bytes.len().to_string()));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let place = Place::Text { line: error.line().max(1), column: error.column().max(1) };
        FormatError::new(place, expected, error.to_string())
    })
}

fn list<'a>(value: &'a Value, key: &str, expected: &str) -> Result<&'a Vec<Value>, FormatError> {
    let found = || whole(format!("{expected} (a list {key:?})"), "none");
    value.get(key).and_then(Value::as_array).ok_or_else(found)
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}
