//! The regions of an abstraction, a pattern database or a cover in colours; ground by its weight.

use std::collections::BTreeSet;

use surefoot::database::Abstraction;
use surefoot::space::{Cell, GridSpace, State};

use crate::{Colour, Picture};

/// A number for each node of a level above the ground, so that no two neighbours share one; as small as can easily be had.
#[must_use]
pub fn colouring(abstraction: &Abstraction, level: usize) -> Vec<usize> {
    let neighbours = |node| abstraction.edges(level, node).map(|(neighbour, ..)| neighbour);
    colour_all(abstraction.node_count(level) as u32, neighbours)
}

/// A number for each of `count` regions, so that no two neighbours share one.
fn colour_all<I: Iterator<Item = u32>>(count: u32, neighbours: impl Fn(u32) -> I) -> Vec<usize> {
    let mut colours: Vec<usize> = Vec::with_capacity(count as usize);
    for region in 0..count {
        let taken: Vec<usize> =
            neighbours(region).filter_map(|neighbour| colours.get(neighbour as usize).copied()).collect();
        colours.push((0..).find(|colour| !taken.contains(colour)).unwrap_or(0));
    }
    colours
}

/// Paints the regions of a level, no two that touch in one colour.
#[must_use]
pub fn with_regions<'a>(
    picture: Picture<'a>,
    abstraction: &Abstraction,
    space: &GridSpace,
    level: usize,
) -> Picture<'a> {
    let colours = colouring(abstraction, level);
    // A component that is one region on a lower level has none here.
    paint(picture, space, &colours, |state| abstraction.ancestor(state, level))
}

/// Paints so many regions, no two that touch in one colour; `region` says which one a state is in.
#[must_use]
pub fn with_labelled_regions<'a>(
    picture: Picture<'a>,
    space: &GridSpace,
    count: u32,
    region: impl Fn(State) -> Option<u32>,
) -> Picture<'a> {
    let mut neighbours: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); count as usize];
    let region_at = |x: u32, y: u32| {
        let state = space.locate(Cell::new(x, y)).ok()?;
        region(state)
    };
    for cell in space.grid().free_cells() {
        let Some(own) = region_at(cell.x, cell.y) else { continue };
        let (left, right, below) = (cell.x.wrapping_sub(1), cell.x + 1, cell.y + 1);
        for (x, y) in [(right, cell.y), (left, below), (cell.x, below), (right, below)] {
            if let Some(other) = region_at(x, y).filter(|&other| other != own) {
                neighbours[own as usize].insert(other);
                neighbours[other as usize].insert(own);
            }
        }
    }
    let colours = colour_all(count, |region| neighbours[region as usize].iter().copied());
    paint(picture, space, &colours, region)
}

/// Paints every cell in the colour of its region.
fn paint<'a>(
    mut picture: Picture<'a>,
    space: &GridSpace,
    colours: &[usize],
    region: impl Fn(State) -> Option<u32>,
) -> Picture<'a> {
    let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); colours.iter().max().map_or(0, |most| most + 1)];
    for cell in space.grid().free_cells() {
        if let Some(region) = space.state_at(cell).and_then(&region) {
            cells[colours[region as usize]].push(cell);
        }
    }
    for (at, cells) in cells.into_iter().enumerate() {
        picture = picture.with_cells(cells, pale(Colour::of_path(at)));
    }
    picture
}

/// Paints free cells the browner the heavier they are, from the lightest on the map to the heaviest.
#[must_use]
pub fn with_weights<'a>(mut picture: Picture<'a>, space: &GridSpace) -> Picture<'a> {
    let (lightest, heaviest) = space.weight_range();
    let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); SHADES as usize + 1];
    for cell in space.grid().free_cells() {
        let above = u32::from(space.weight(cell).unwrap_or(lightest) - lightest);
        let range = u32::from(heaviest - lightest).max(1);
        cells[((above * SHADES).div_ceil(range)) as usize].push(cell);
    }
    for (shade, cells) in (0..).zip(cells).filter(|(shade, _)| *shade > 0) {
        let towards = |from: u32, to: u32| ((from * (SHADES - shade) + to * shade) / SHADES) as u8;
        let colour = Colour { red: towards(246, 150), green: towards(238, 104), blue: towards(220, 50) };
        picture = picture.with_cells(cells, colour);
    }
    picture
}

/// Shades between the lightest ground and the heaviest.
const SHADES: u32 = 12;

/// Half-way to white: walls stay what is darkest.
fn pale(colour: Colour) -> Colour {
    let half = |part: u8| part / 2 + 128;
    Colour { red: half(colour.red), green: half(colour.green), blue: half(colour.blue) }
}
