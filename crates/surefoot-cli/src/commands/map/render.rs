//! `surefoot map render`: a picture of a map.

use std::path::PathBuf;

use clap::Args;
use surefoot::agent::Spec;
use surefoot::formats::read_any_map;
use surefoot::store::View;
use surefoot_classics::ROSTER;
use surefoot_draw::sketch::{legend_of_sketch, with_marks};
use surefoot_draw::{Picture, with_weights};

use crate::failure::Failure;
use crate::maps::PictureOutput;
use crate::output;
use crate::picture_options::PictureOptions;
use crate::world::WorldOptions;

/// Draw a map as .png or .svg
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot map render arena.map --out arena.png\n  \
    surefoot map render arena.map --side 2000 --out arena.svg\n  \
    surefoot map render arena.map --weights arena.csv --out weights.png\n  \
    surefoot map render arena.map --level 4 --out regions.png")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp
    #[arg(value_name = "FILE")]
    map: PathBuf,

    #[command(flatten)]
    picture: PictureOptions,

    #[command(flatten)]
    world: WorldOptions,

    /// The picture to write: .png or .svg
    #[arg(long, value_name = "PICTURE")]
    out: PathBuf,
}

/// Draws a map.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    output::refuse_inputs(&arguments.out, &[&arguments.map])?;
    output::refuse_inputs(&arguments.out, arguments.world.weights.input().as_slice())?;
    let map = read_any_map(&arguments.map)?;
    let output = PictureOutput::create(&arguments.out)?;
    let worlds = arguments.world.worlds(map)?;
    let mut picture = Picture::new(worlds.map()).with_longer_side(arguments.picture.side);
    if arguments.world.weights.input().is_some() {
        picture = with_weights(picture, worlds.main());
    }
    if let Some(level) = arguments.picture.level {
        let space = worlds.main();
        let levels = ROSTER.build_database(&Spec::of_name("pra*"), space, 1).map_err(Failure::other)?;
        let levels = levels.ok_or_else(|| Failure::Other("pra* has no levels".to_string()))?;
        let regions = levels.sketch(space, &View { level: Some(level), ..View::default() });
        let regions = regions.map_err(|error| Failure::usage("map render", error.to_string()))?;
        picture = regions.panels.iter().fold(picture, |picture, (.., marks)| with_marks(picture, marks));
        return output.write_with_legend(&picture, &legend_of_sketch(&regions));
    }
    output.write(&picture)
}
