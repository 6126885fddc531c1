//! `surefoot db`: look into databases.

mod info;
mod show;
mod verify;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use surefoot::database::{BuiltFor, Database, DatabaseFileInfo};
use surefoot::formats::read_any_map;
use surefoot::space::{CostModel, MoveRule, TerrainMap, TerrainSet};

use crate::databases;
use crate::failure::Failure;
use crate::world::{WorldOptions, Worlds};

/// Look into databases: what they are, whether they hold what they promise, what they look like
#[derive(Debug, Subcommand)]
#[command(after_help = "Databases are made with 'surefoot build'.")]
pub(crate) enum Command {
    Info(info::Arguments),
    Verify(verify::Arguments),
    Show(show::Arguments),
}

impl Command {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match self {
            Self::Info(arguments) => info::run(arguments),
            Self::Verify(arguments) => verify::run(arguments),
            Self::Show(arguments) => show::run(arguments),
        }
    }
}

/// The options that name a database and its map.
#[derive(Debug, Args)]
struct DatabaseAndMap {
    /// The database
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The map that it was built for: .map, .txt, .png or .bmp
    #[arg(long, value_name = "MAP")]
    map: PathBuf,

    /// What can be walked on [default: ground, or water if the database was built for it]
    #[arg(long, value_name = "TERRAIN")]
    passable: Option<TerrainSet>,
}

impl DatabaseAndMap {
    /// Opens the database in the world of its map, which is the main one of the worlds.
    fn open(&self) -> Result<(Worlds, Database), Failure> {
        let info = databases::inspect(&self.file)?;
        let worlds = worlds_for(&info, read_any_map(&self.map)?, self.passable)?;
        let database = databases::open(&self.file, worlds.main())?;
        Ok((worlds, database))
    }
}

/// The worlds of a map under the rule and the costs that a database was built for. Which cells are passable the file does not
/// say: if nobody does, it is ground, unless the file was built for the map's water.
fn worlds_for(
    info: &DatabaseFileInfo,
    map: TerrainMap,
    passable: Option<TerrainSet>,
) -> Result<Worlds, Failure> {
    let built_for = info.built_for();
    let (Ok(rule), Ok(cost)) = (built_for.rule.parse::<MoveRule>(), built_for.costs.parse::<CostModel>())
    else {
        return Err(Failure::Other(format!("this database was built for {built_for}, not for a map")));
    };
    let is_its_own = |passable: TerrainSet| {
        let options = WorldOptions { rule, cost, passable: Some(passable) };
        BuiltFor::of(options.worlds(map.clone()).main()) == *built_for
    };
    let passable = passable.unwrap_or_else(|| {
        let is_water = !is_its_own(TerrainSet::GROUND) && is_its_own(TerrainSet::WATER);
        if is_water { TerrainSet::WATER } else { TerrainSet::GROUND }
    });
    Ok(WorldOptions { rule, cost, passable: Some(passable) }.worlds(map))
}
