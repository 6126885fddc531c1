//! Weights of ground in colours.

use surefoot::space::{Cell, GridSpace};

use crate::{Colour, Picture};

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
