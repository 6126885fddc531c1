//! Levels of the editors Tiled and LDtk: the options that say what of them is the map.

use std::path::Path;

use clap::Args;
use surefoot::formats::{LevelOptions, is_level, read_any_map, read_level};
use surefoot::space::TerrainMap;

use crate::failure::Failure;

/// The options that say what of a level is the map.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct LevelArguments {
    /// The layer of a .tmx map; cells without a tile are free [default: the only one]
    #[arg(long, value_name = "NAME", help_heading = "Levels of Tiled and LDtk", conflicts_with = "int_grid")]
    layer: Option<String>,

    /// The IntGrid layer of an .ldtk project [default: the only one]
    #[arg(long, value_name = "NAME", help_heading = "Levels of Tiled and LDtk")]
    int_grid: Option<String>,

    /// The level of an .ldtk project [default: the only one]
    #[arg(long, value_name = "NAME", help_heading = "Levels of Tiled and LDtk")]
    level: Option<String>,

    /// The values of an IntGrid, or the global numbers of tiles, that can be walked on; 0 is a cell without
    /// any [default: 0]
    #[arg(long, value_name = "LIST", help_heading = "Levels of Tiled and LDtk", value_delimiter = ',')]
    walkable: Option<Vec<u32>>,

    /// The property of tiles, true or false, that says it of each tile that has it [default: walkable]
    #[arg(long, value_name = "NAME", help_heading = "Levels of Tiled and LDtk")]
    property: Option<String>,
}

impl LevelArguments {
    /// Reads a map, or what these say of a level.
    pub(crate) fn read(&self, command: &'static str, path: &Path) -> Result<TerrainMap, Failure> {
        if is_level(path) {
            let is_tmx = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tmx"));
            let (option, given, what) = match is_tmx {
                true => ("--level", self.level.is_some(), ".ldtk"),
                false => ("--property", self.property.is_some(), ".tmx"),
            };
            if given {
                let words = format!("{option} is for {what}; {} is none", path.display());
                return Err(Failure::usage(command, words));
            }
            let plain = LevelOptions::default();
            let options = LevelOptions {
                layer: self.layer.clone().or_else(|| self.int_grid.clone()),
                level: self.level.clone(),
                walkable: self.walkable.clone().unwrap_or(plain.walkable),
                property: self.property.clone().unwrap_or(plain.property),
                limits: plain.limits,
            };
            return Ok(read_level(path, &options)?);
        }
        let given = [
            ("--layer", self.layer.is_some()),
            ("--int-grid", self.int_grid.is_some()),
            ("--level", self.level.is_some()),
            ("--walkable", self.walkable.is_some()),
            ("--property", self.property.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => {
                let path = path.display();
                Err(Failure::usage(
                    command,
                    format!("{option} is for levels, .tmx and .ldtk; {path} is none"),
                ))
            }
            None => Ok(read_any_map(path)?),
        }
    }
}
