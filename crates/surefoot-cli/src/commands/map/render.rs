//! `surefoot map render`: a picture of a map.

use std::path::PathBuf;

use clap::Args;
use surefoot::formats::{Picture, read_any_map};

use crate::failure::Failure;
use crate::maps::PictureOutput;
use crate::number;
use crate::output;

/// Draw a map as .png or .svg
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot map render arena.map --out arena.png\n  \
    surefoot map render arena.map --side 2000 --out arena.svg")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp
    #[arg(value_name = "FILE")]
    map: PathBuf,

    /// The length of the longer side in pixels, at most; cells stay square
    #[arg(long, value_name = "PIXELS", default_value_t = 1024, value_parser = number::whole::<u32>(1..=16384), allow_negative_numbers = true)]
    side: u32,

    /// The picture to write: .png or .svg
    #[arg(long, value_name = "PICTURE")]
    out: PathBuf,
}

/// Draws a map.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    output::refuse_inputs(&arguments.out, &[&arguments.map])?;
    let map = read_any_map(&arguments.map)?;
    let output = PictureOutput::create(&arguments.out)?;
    output.write(&Picture::new(&map).with_longer_side(arguments.side))
}
