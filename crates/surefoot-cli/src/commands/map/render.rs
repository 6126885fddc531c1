//! `surefoot map render`: a picture of a map.

use std::path::PathBuf;

use clap::Args;
use surefoot::database::{Abstraction, AbstractionConfig};
use surefoot::formats::{Colour, Picture, read_any_map};
use surefoot::space::{Cell, TerrainMap};

use crate::failure::Failure;
use crate::maps::PictureOutput;
use crate::number;
use crate::output;
use crate::world::WorldOptions;

/// Draw a map as .png or .svg
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot map render arena.map --out arena.png\n  \
    surefoot map render arena.map --side 2000 --out arena.svg\n  \
    surefoot map render arena.map --level 4 --out regions.png")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp
    #[arg(value_name = "FILE")]
    map: PathBuf,

    /// The length of the longer side in pixels, at most; cells stay square
    #[arg(long, value_name = "PIXELS", default_value_t = 1024, value_parser = number::whole::<u32>(1..=16384), allow_negative_numbers = true)]
    side: u32,

    /// Show the regions of this level of the clique abstraction, in colours; level 1 groups cells
    #[arg(long, value_name = "LEVEL", value_parser = number::positive(), allow_negative_numbers = true)]
    level: Option<u32>,

    #[command(flatten)]
    world: WorldOptions,

    /// The picture to write: .png or .svg
    #[arg(long, value_name = "PICTURE")]
    out: PathBuf,
}

/// Draws a map.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    output::refuse_inputs(&arguments.out, &[&arguments.map])?;
    let map = read_any_map(&arguments.map)?;
    let output = PictureOutput::create(&arguments.out)?;
    let regions = match arguments.level {
        Some(level) => regions(arguments, map.clone(), level as usize)?,
        None => Vec::new(),
    };
    let mut picture = Picture::new(&map).with_longer_side(arguments.side);
    for (at, cells) in regions.into_iter().enumerate() {
        picture = picture.with_cells(cells, pale(Colour::of_path(at)));
    }
    output.write(&picture)
}

/// The cells of each colour, so that no two regions that touch share one.
fn regions(arguments: &Arguments, map: TerrainMap, level: usize) -> Result<Vec<Vec<Cell>>, Failure> {
    let worlds = arguments.world.worlds(map);
    let space = worlds.main();
    let abstraction = Abstraction::build(space, AbstractionConfig::default()).map_err(Failure::other)?;
    let highest = abstraction.levels().saturating_sub(1);
    if level > highest {
        let message = format!("the abstraction of this map has levels 1 to {highest}, and no level {level}");
        return Err(Failure::usage("map render", message));
    }
    let mut colours: Vec<usize> = Vec::with_capacity(abstraction.node_count(level));
    for node in 0..abstraction.node_count(level) as u32 {
        let taken: Vec<usize> = abstraction
            .edges(level, node)
            .filter_map(|(neighbour, ..)| colours.get(neighbour as usize).copied())
            .collect();
        colours.push((0..).find(|colour| !taken.contains(colour)).unwrap_or(0));
    }
    let mut cells = vec![Vec::new(); colours.iter().max().map_or(0, |most| most + 1)];
    for cell in space.grid().free_cells() {
        // A component that is one region on a lower level has none here.
        if let Some(node) = abstraction.ancestor(space.state(cell), level) {
            cells[colours[node as usize]].push(cell);
        }
    }
    Ok(cells)
}

/// Half-way to white: walls stay what is darkest.
fn pale(colour: Colour) -> Colour {
    let half = |part: u8| part / 2 + 128;
    Colour { red: half(colour.red), green: half(colour.green), blue: half(colour.blue) }
}
