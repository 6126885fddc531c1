//! `surefoot map generate`: maps from a seed.

use std::path::PathBuf;

use clap::Args;
use surefoot_lab::maps::{self, MapKind};

use crate::failure::Failure;
use crate::maps::MapOutput;
use crate::number;

/// Make a map from a seed: rooms, a maze, caves, random obstacles, or a game-like mix
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot map generate game --width 512 --height 512 --seed 7 --out world.map\n  \
    surefoot map generate maze --width 101 --height 101 --out maze.png\n\n\
    The same seed gives the same map on every machine.")]
pub(crate) struct Arguments {
    /// What to make: rooms, maze, caves, random or game
    #[arg(value_name = "KIND")]
    kind: MapKind,

    /// The number of columns
    #[arg(long, value_name = "CELLS", default_value_t = 256, value_parser = number::positive(), allow_negative_numbers = true)]
    width: u32,

    /// The number of rows
    #[arg(long, value_name = "CELLS", default_value_t = 256, value_parser = number::positive(), allow_negative_numbers = true)]
    height: u32,

    /// Which of the many maps of this kind
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = number::any(), allow_negative_numbers = true)]
    seed: u64,

    /// The file to write: .map, .txt or .png; - for standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Makes a map and writes it.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = MapOutput::create(&arguments.out)?;
    let map = maps::generate(arguments.kind, arguments.width, arguments.height, arguments.seed)?;
    output.write(&map)
}
