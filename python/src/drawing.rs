//! Pictures, as notebooks and files have them.

use surefoot::space::TerrainMap;
use surefoot::store::Sketch;
use surefoot::{Cell, Map};
use surefoot_draw::sketch::{legend_of_sketch, sheet_of_sketch, with_marks};
use surefoot_draw::{
    Colour, Picture, pixels_to_png, pixels_with_legend, svg_with_legend, with_weights, write_png,
};

/// How large pictures in a notebook are, in pixels.
pub(crate) const NOTEBOOK_SIDE: u32 = 480;

/// The smallest and the largest side that is drawn.
const SIDES: std::ops::RangeInclusive<u32> = 16..=8192;

fn sized<'a>(picture: Picture<'a>, side: u32) -> Picture<'a> {
    picture.with_longer_side(side.clamp(*SIDES.start(), *SIDES.end()))
}

fn ground<'a>(terrain: &'a TerrainMap, map: &Map) -> Picture<'a> {
    let picture = Picture::new(terrain);
    if map.space().is_weighted() { with_weights(picture, map.space()) } else { picture }
}

fn terrain(map: &Map) -> TerrainMap {
    TerrainMap::from_grid(map.space().grid())
}

/// A map.
pub(crate) fn map(map: &Map, side: u32) -> Vec<u8> {
    write_png(&sized(ground(&terrain(map), map), side))
}

/// A path on its map.
pub(crate) fn path(map: &Map, cells: &[Cell], side: u32) -> Vec<u8> {
    let terrain = terrain(map);
    let mut picture = ground(&terrain, map).with_path(cells.iter().copied(), Colour::of_path(0));
    if let (Some(&start), Some(&goal)) = (cells.first(), cells.last()) {
        picture = picture.with_start(start).with_goal(goal);
    }
    write_png(&sized(picture, side))
}

/// What is in a database, as pixels.
pub(crate) fn sketch_png(map: &Map, sketch: &Sketch, side: u32) -> Vec<u8> {
    let terrain = terrain(map);
    match &sketch.panels[..] {
        [(.., marks)] => {
            let picture = sized(with_marks(Picture::new(&terrain), marks), side);
            pixels_to_png(&pixels_with_legend(&picture, &legend_of_sketch(sketch)))
        }
        _ => pixels_to_png(&sheet_of_sketch(&terrain, sketch, side).to_pixels()),
    }
}

/// What is in a database, with words that say what its colours mean.
pub(crate) fn sketch_svg(map: &Map, sketch: &Sketch, side: u32) -> String {
    let terrain = terrain(map);
    match &sketch.panels[..] {
        [(.., marks)] => {
            let picture = sized(with_marks(Picture::new(&terrain), marks), side);
            svg_with_legend(&picture, &legend_of_sketch(sketch)).0
        }
        _ => sheet_of_sketch(&terrain, sketch, side).to_svg(),
    }
}

/// A map with units on it.
pub(crate) fn units(grid: &surefoot::space::Grid, cells: Vec<Cell>, side: u32) -> Vec<u8> {
    let terrain = TerrainMap::from_grid(grid);
    write_png(&sized(Picture::new(&terrain).with_units(cells, 1, Colour::of_path(0)), side))
}
