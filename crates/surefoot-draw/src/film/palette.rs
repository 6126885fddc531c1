//! All colours of a film, known beforehand, so that none is rounded.

use surefoot::space::Terrain;

use crate::{Colour, Pixels};

/// Colours by number.
pub(super) struct Palette {
    colours: Vec<Colour>,
}

impl Palette {
    /// The colours of terrains, then `more`.
    pub(super) fn of_map(more: impl IntoIterator<Item = Colour>) -> Self {
        let terrains = [
            Terrain::Ground,
            Terrain::Swamp,
            Terrain::Water,
            Terrain::Trees,
            Terrain::OutOfMap,
            Terrain::Other,
        ];
        let mut colours: Vec<Colour> = terrains.map(Colour::of_terrain).to_vec();
        colours.extend(more);
        Self { colours }
    }

    /// The number of the last colour.
    pub(super) fn last(&self) -> u8 {
        (self.colours.len() - 1) as u8
    }

    /// Red, green and blue of each colour.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.colours.iter().flat_map(|colour| [colour.red, colour.green, colour.blue]).collect()
    }

    /// Each pixel's place in the palette.
    pub(super) fn indices(&self, pixels: &Pixels) -> Vec<u8> {
        // Neighbours are mostly alike: look only where the colour changes.
        let mut last: Option<(Colour, u8)> = None;
        let index = |rgb: &[u8]| {
            let colour = Colour { red: rgb[0], green: rgb[1], blue: rgb[2] };
            match last {
                Some((known, place)) if known == colour => place,
                _ => {
                    let place = self.colours.iter().position(|known| *known == colour).unwrap_or(0) as u8;
                    last = Some((colour, place));
                    place
                }
            }
        };
        pixels.rgb().chunks_exact(3).map(index).collect()
    }

    /// Whether no colour is there twice.
    #[cfg(test)]
    pub(super) fn has_each_once(&self) -> bool {
        (1..self.colours.len()).all(|place| !self.colours[..place].contains(&self.colours[place]))
    }
}
