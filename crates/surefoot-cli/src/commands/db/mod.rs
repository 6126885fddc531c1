//! `surefoot db`: look into databases.

mod info;
mod show;
mod verify;

use clap::Subcommand;
use surefoot::database::{BuiltFor, DatabaseFileInfo};
use surefoot::space::{CostModel, MoveRule, TerrainMap, TerrainSet};

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
