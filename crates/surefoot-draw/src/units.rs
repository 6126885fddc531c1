//! Units on a map: squares with a dark rim, so that they are seen on any ground.
//!
//! A unit is of a bright colour, and its rim is black. Of the two, one always stands out: the rim on
//! bright ground, and the unit on dark ground. A test holds that for every ground, wall and shade of traffic.

use std::fmt::Write as _;

use surefoot::space::Cell;

use crate::picture::{Colour, Layout, Picture};
use crate::pixels::Pixels;

/// The least side of a unit in pixels, without its rim.
const LEAST_SIDE: u32 = 4;

/// The rim of units. Words are of this colour, too.
pub(super) const RIM: Colour = Colour { red: 0, green: 0, blue: 0 };

/// Cells that are blocked now and were free on the map.
pub(super) const WALL: Colour = Colour { red: 0x8A, green: 0x10, blue: 0x78 };

/// Units of one group.
#[derive(Clone, Debug)]
pub(super) struct Units {
    /// Where they stand: the top left cells.
    cells: Vec<Cell>,
    /// How many cells each is wide and high.
    size: u32,
    colour: Colour,
    has_rim: bool,
}

impl Colour {
    /// The colour of the n-th group of units. There are six, which begin anew after that: all of them are
    /// bright, and have a dark rim in pictures.
    #[must_use]
    pub const fn of_units(group: usize) -> Self {
        const COLOURS: [Colour; 6] = [
            Colour { red: 0xFF, green: 0xD6, blue: 0x0A }, // yellow
            Colour { red: 0xFF, green: 0x66, blue: 0x80 }, // red
            Colour { red: 0x5C, green: 0xE1, blue: 0xFF }, // sky
            Colour { red: 0x6B, green: 0xF2, blue: 0x6B }, // green
            Colour { red: 0xFF, green: 0xFF, blue: 0xFF }, // white
            Colour { red: 0xD9, green: 0x9B, blue: 0xFF }, // violet
        ];
        COLOURS[group % COLOURS.len()]
    }

    /// How well two colours can be told apart by their brightness: from 1, not at all, to 21, black and
    /// white. 3 is what the guidelines for web pages ask of things that have to be seen (WCAG 2.1, 1.4.11).
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (one, another) = (self.brightness() + 0.05, other.brightness() + 0.05);
        one.max(another) / one.min(another)
    }

    /// Relative luminance, from 0 to 1.
    fn brightness(self) -> f64 {
        let light = |channel: u8| {
            let channel = f64::from(channel) / 255.0;
            if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * light(self.red) + 0.7152 * light(self.green) + 0.0722 * light(self.blue)
    }
}

impl Picture<'_> {
    /// Draws units, over all else, each as a square with a dark rim: as large as it is on the map, but at
    /// least four pixels. `cells` are their top left cells, and each unit is `size` cells wide and high.
    /// Units outside the map are left out.
    #[must_use]
    pub fn with_units(self, cells: impl IntoIterator<Item = Cell>, size: u32, colour: Colour) -> Self {
        self.with_figures(cells, size.max(1), colour, true)
    }

    /// Draws walls as units are drawn, without a rim: they are seen where cells are small.
    pub(super) fn with_walls(self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.with_figures(cells, 1, WALL, false)
    }

    fn with_figures(
        mut self,
        cells: impl IntoIterator<Item = Cell>,
        size: u32,
        colour: Colour,
        has_rim: bool,
    ) -> Self {
        let (width, height) = (self.map.width(), self.map.height());
        let mut cells: Vec<Cell> =
            cells.into_iter().filter(|cell| cell.x < width && cell.y < height).collect();
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        self.units.push(Units { cells, size, colour, has_rim });
        self
    }
}

impl Units {
    /// The side of a unit and the thickness of its rim, in pixels.
    fn sides(&self, layout: Layout) -> (u32, u32) {
        let whole =
            u64::from(self.size) * u64::from(layout.pixels_per_block) / u64::from(layout.cells_per_block);
        if !self.has_rim {
            return ((whole as u32).max(LEAST_SIDE), 0);
        }
        // Of a large cell some ground stays to be seen.
        let whole = (whole as u32).saturating_sub(layout.pixels_per_block / 4);
        let rim = (whole / 10).max(1);
        (whole.saturating_sub(2 * rim).max(LEAST_SIDE), rim)
    }

    /// The left and top edges of the units in pixels; above and left of the picture they are below 0.
    fn corners(&self, layout: Layout) -> impl Iterator<Item = (i64, i64)> {
        let side = i64::from(self.sides(layout).0);
        let size = self.size;
        self.cells.iter().map(move |cell| {
            let along = |at: u32| {
                let middle = (2 * i64::from(at) + i64::from(size)) * i64::from(layout.pixels_per_block);
                middle / (2 * i64::from(layout.cells_per_block)) - side / 2
            };
            (along(cell.x), along(cell.y))
        })
    }

    pub(super) fn draw_on(&self, pixels: &mut Pixels, layout: Layout) {
        let (side, rim) = self.sides(layout);
        for (x, y) in self.corners(layout) {
            pixels.unit((x, y), side, rim, self.colour);
        }
    }

    /// As SVG, in blocks.
    pub(super) fn to_svg(&self, layout: Layout) -> String {
        let (side, rim) = self.sides(layout);
        let blocks = |pixels: i64| {
            let hundredths = pixels * 100 / i64::from(layout.pixels_per_block);
            format!("{}.{:02}", hundredths / 100, hundredths % 100)
        };
        let mut shapes = String::new();
        let along = blocks(i64::from(side));
        for (x, y) in self.corners(layout) {
            // Writing to a string cannot fail.
            let _ = write!(shapes, "M{} {}h{along}v{along}h-{along}z", blocks(x.max(0)), blocks(y.max(0)));
        }
        let (colour, rim) = (self.colour, blocks(i64::from(rim)));
        format!("<path fill=\"{colour}\" stroke=\"{RIM}\" stroke-width=\"{rim}\" d=\"{shapes}\"/>\n")
    }
}

impl Pixels {
    /// A square with a rim around it, its left and top edges without the rim at `(x, y)`. What lies outside
    /// is cut off.
    pub(super) fn unit(&mut self, (x, y): (i64, i64), side: u32, rim: u32, colour: Colour) {
        let mut square = |by: i64, colour: Colour| {
            let span = |at: i64| {
                let (from, to) = ((at - by).max(0), (at + i64::from(side) + by).max(0));
                (from as usize, (to - from) as usize)
            };
            let ((left, width), (top, height)) = (span(x), span(y));
            self.fill(left, top, width, height, colour);
        };
        square(i64::from(rim), RIM);
        square(0, colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::KINDS;
    use crate::traffic::Traffic;
    use crate::write_svg;
    use surefoot::formats::parse_art;
    use surefoot::space::TerrainMap;

    fn count(pixels: &Pixels, colour: Colour) -> usize {
        pixels.rgb().chunks(3).filter(|rgb| **rgb == [colour.red, colour.green, colour.blue]).count()
    }

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        let grey = |light| Colour { red: light, green: light, blue: light };
        assert!((grey(0).contrast(grey(255)) - 21.0).abs() < 1e-9);
        assert!((grey(0x77).contrast(grey(255)) - 4.48).abs() < 0.01);
        assert!((grey(9).contrast(grey(9)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn units_stand_out_on_every_ground() {
        let ground =
            KINDS.map(Colour::of_terrain).into_iter().chain((0..Traffic::BANDS).map(Traffic::colour));
        for ground in ground.chain([WALL]) {
            for group in 0..6 {
                let unit = Colour::of_units(group);
                let best = unit.contrast(ground).max(RIM.contrast(ground));
                assert!(best >= 3.0, "units {group} on {ground}: {best:.2}");
                assert!(unit.contrast(RIM) >= 6.0, "units {group} in their rim");
            }
        }
        for group in 1..6 {
            assert!((0..group).all(|other| Colour::of_units(other) != Colour::of_units(group)));
        }
    }

    #[test]
    fn units_are_seen_on_large_maps_and_cut_off_at_the_edge() {
        let map = TerrainMap::new(3000, 2000, vec![b'.'; 6_000_000]).unwrap();
        let colour = Colour::of_units(0);
        let picture = Picture::new(&map).with_longer_side(1000).with_units([Cell::new(1500, 900)], 1, colour);
        let pixels = picture.to_pixels();
        assert_eq!((count(&pixels, colour), count(&pixels, RIM)), (16, 20));
        let corners = [Cell::new(0, 0), Cell::new(2999, 1999), Cell::new(3000, 0)];
        let pixels = Picture::new(&map).with_longer_side(1000).with_units(corners, 1, colour).to_pixels();
        assert!((12..=32).contains(&count(&pixels, colour)), "two of three");
        let pixels = Picture::new(&map).with_longer_side(1000).with_walls([Cell::new(9, 9)]).to_pixels();
        assert_eq!((count(&pixels, WALL), count(&pixels, RIM)), (16, 0));
    }

    #[test]
    fn a_large_unit_covers_its_cells() {
        let map = parse_art(b"....\n....\n....\n....").unwrap();
        let colour = Colour::of_units(1);
        let side = |size| {
            let picture = Picture::new(&map).with_units([Cell::new(1, 1)], size, colour);
            let square = count(&picture.to_pixels(), colour) + count(&picture.to_pixels(), RIM);
            assert_eq!(square.isqrt().pow(2), square);
            square.isqrt()
        };
        assert_eq!((side(1), side(3)), (24, 88));
        let svg = write_svg(&Picture::new(&map).with_units([Cell::new(1, 1)], 1, colour));
        assert!(svg.contains(&format!("fill=\"{colour}\" stroke=\"{RIM}\"")), "{svg}");
    }
}
