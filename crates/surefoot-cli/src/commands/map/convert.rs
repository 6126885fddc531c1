//! `surefoot map convert`: the same map in another format.

use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::levels::LevelArguments;
use crate::maps::MapOutput;
use crate::output;

/// Convert a map between .map, .txt (ASCII art) and images, or make one of a level of Tiled or LDtk
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot map convert island.bmp island.map\n  \
    surefoot map convert arena.map arena.txt\n  \
    surefoot map convert level.tmx level.map --layer walls\n\n\
    Images have one pixel per cell; an image read back is the same map as far as images can say.\n\
    To draw a map larger or smaller, use 'surefoot map render'.")]
pub(crate) struct Arguments {
    /// The map to read: .map, .txt, .png or .bmp; or a level of Tiled (.tmx) or LDtk (.ldtk)
    #[arg(value_name = "IN")]
    map: PathBuf,

    /// The file to write: .map, .txt or .png; - for standard output
    #[arg(value_name = "OUT")]
    out: PathBuf,

    #[command(flatten)]
    levels: LevelArguments,
}

/// Reads a map and writes it in the format that the new name asks for.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    output::refuse_inputs(&arguments.out, &[&arguments.map])?;
    let map = arguments.levels.read("map convert", &arguments.map)?;
    MapOutput::create(&arguments.out)?.write(&map)
}
