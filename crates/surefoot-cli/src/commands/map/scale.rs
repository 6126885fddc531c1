//! `surefoot map scale`: the same map with more cells.

use std::path::PathBuf;

use clap::Args;
use surefoot::formats::read_any_map;
use surefoot::space::{MoveRule, TerrainSet};
use surefoot_lab::maps;

use crate::failure::Failure;
use crate::maps::MapOutput;
use crate::number;
use crate::output;

/// Enlarge a map by a whole factor, in blocks or smoothly with jagged walls
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot map scale arena.map --factor 4 --out arena4.map\n  \
    surefoot map scale arena.map --factor 10 --smooth --seed 3 --largest --out large.map")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp
    #[arg(value_name = "IN")]
    map: PathBuf,

    /// How many times as wide and as high
    #[arg(long, value_name = "K", value_parser = number::positive(), allow_negative_numbers = true)]
    factor: u32,

    /// Round the walls off and make them jagged, instead of K x K blocks
    #[arg(long)]
    smooth: bool,

    /// Which jagged walls, with --smooth
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = number::any(), allow_negative_numbers = true)]
    seed: u64,

    /// Keep only the largest connected component of what is passable
    #[arg(long)]
    largest: bool,

    /// The move rule that decides what is connected, with --largest
    #[arg(long, value_name = "RULE", default_value = "no-cut")]
    rule: MoveRule,

    /// What can be walked on, with --largest: ground, water, or terrain letters such as .GSW
    #[arg(long, value_name = "TERRAIN", default_value = "ground")]
    passable: TerrainSet,

    /// The file to write: .map, .txt or .png; - for standard output
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
}

/// Enlarges a map and writes it.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    output::refuse_inputs(&arguments.out, &[&arguments.map])?;
    let map = read_any_map(&arguments.map)?;
    let output = MapOutput::create(&arguments.out)?;
    let mut scaled = if arguments.smooth {
        maps::scale_smooth(&map, arguments.factor, arguments.seed)?
    } else {
        maps::scale_blocks(&map, arguments.factor)?
    };
    if arguments.largest {
        scaled = maps::keep_largest(&scaled, arguments.passable, arguments.rule);
    }
    output.write(&scaled)
}
