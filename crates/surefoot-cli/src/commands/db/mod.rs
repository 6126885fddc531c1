//! `surefoot db`: look into databases.

mod info;
mod show;
mod verify;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use surefoot::formats::read_any_map;
use surefoot::space::TerrainSet;
use surefoot::store::Database;

use crate::databases;
use crate::failure::Failure;
use crate::world::{SizeOption, WeightOptions, Worlds};

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

    #[command(flatten)]
    weights: WeightOptions,

    #[command(flatten)]
    size: SizeOption,
}

impl DatabaseAndMap {
    /// Opens the database in the world of its map, which is the main one of the worlds.
    fn open(&self) -> Result<(Worlds, Arc<dyn Database>), Failure> {
        let info = databases::inspect(&self.file)?;
        let map = read_any_map(&self.map)?;
        let worlds = Worlds::of_built_for(&info.built_for, &map, self.passable, &self.weights, self.size)?;
        let database = databases::open(&self.file, worlds.main())?;
        Ok((worlds, database))
    }
}
