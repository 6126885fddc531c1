//! LDtk projects: the `IntGrid` layer of a level.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::Value;

use super::{LevelOptions, cell_of, choose, terrain, whole};
use crate::formats::{FormatError, Place, quoted};
use crate::space::TerrainMap;

/// Reads a level of an LDtk project: its `IntGrid` layer.
///
/// # Errors
/// If it is no project, has no such level or layer, or there are more or fewer values than cells.
pub fn parse_ldtk(bytes: &[u8], options: &LevelOptions) -> Result<TerrainMap, FormatError> {
    let project: Value = serde_json::from_slice(bytes).map_err(|error| {
        let place = Place::Text { line: error.line().max(1), column: error.column().max(1) };
        FormatError::new(place, "an LDtk project, which is JSON", error.to_string())
    })?;
    let levels = list(&project, "levels", "a project with levels")?;
    // Projects of several worlds have their levels in these.
    let worlds = project.get("worlds").and_then(Value::as_array).into_iter().flatten();
    let of_worlds = worlds.filter_map(|world| world.get("levels").and_then(Value::as_array)).flatten();
    let named = levels.iter().chain(of_worlds).map(|level| (text(level, "identifier"), level));
    let (level_name, level) = choose("level", options.level.as_deref(), named)?;
    let outside = || {
        let found = format!("the level {} in a file of its own", quoted(level_name.as_bytes()));
        whole("levels in the project itself (save it without \"separate level files\")", found)
    };
    let layers = level.get("layerInstances").and_then(Value::as_array).ok_or_else(outside)?;
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
    terrain(width, height, &free)
}

fn list<'a>(value: &'a Value, key: &str, expected: &str) -> Result<&'a Vec<Value>, FormatError> {
    let found = || whole(format!("{expected} (a list {key:?})"), "none");
    value.get(key).and_then(Value::as_array).ok_or_else(found)
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}
