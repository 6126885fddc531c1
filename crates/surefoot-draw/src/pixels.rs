//! Pictures as pixels: what images and films are made of.

use crate::picture::{Colour, Dots, Layout, Mark, Picture, Point};

/// A picture as pixels, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

impl Picture<'_> {
    /// Draws the picture.
    #[must_use]
    pub fn to_pixels(&self) -> Pixels {
        let (width, height) = self.size();
        let (width, height) = (width as usize, height as usize);
        let mut pixels = Pixels { width, height, rgb: vec![0; 3 * width * height] };
        let side = self.layout().pixels_per_block as usize;
        self.for_each_block_row(|y, blocks| {
            for (x, &terrain) in blocks.iter().enumerate() {
                let colour = Colour::of_terrain(terrain);
                pixels.fill(x * side, y as usize * side, side, side, colour);
            }
        });
        self.draw_on(&mut pixels);
        pixels
    }

    /// Draws all but the map, which takes the most time: on a picture of the same map, for one frame of a
    /// film after another.
    pub fn draw_on(&self, pixels: &mut Pixels) {
        let layout = self.layout();
        let side = layout.pixels_per_block as usize;
        for (cells, colour) in &self.cells {
            for cell in cells {
                let block = |at: u32| (at / layout.cells_per_block) as usize * side;
                pixels.fill(block(cell.x), block(cell.y), side, side, *colour);
            }
        }
        let hair = layout.hairline_thickness() as usize;
        for (lines, colour) in &self.hairlines {
            for ends in lines {
                let [from, to] = ends.map(|end| place(end, layout));
                pixels.line(from, to, hair, *colour);
            }
        }
        let thickness = layout.line_thickness() as usize;
        for (points, colour) in &self.paths {
            let mut last = None;
            for &point in points {
                let here = place(point, layout);
                pixels.line(last.unwrap_or(here), here, thickness, *colour);
                last = Some(here);
            }
        }
        for Dots { points, colour, is_large } in &self.dots {
            let side = layout.dot_side(*is_large) as usize;
            for &point in points {
                let (x, y) = place(point, layout);
                pixels.fill(x.saturating_sub(side / 2), y.saturating_sub(side / 2), side, side, *colour);
            }
        }
        let radius = layout.mark_radius() as usize;
        for &(cell, mark) in &self.marks {
            pixels.mark(place(Point::of(cell), layout), radius, mark);
        }
        for units in &self.units {
            units.draw_on(pixels, layout);
        }
    }
}

impl Pixels {
    /// Pixels of one colour.
    pub(super) fn blank((width, height): (u32, u32), colour: Colour) -> Self {
        let (width, height) = (width as usize, height as usize);
        let rgb = [colour.red, colour.green, colour.blue].repeat(width * height);
        Self { width, height, rgb }
    }

    /// Puts other pixels on these, their upper left corner at `(x, y)`, as far as there is room.
    pub(super) fn paste(&mut self, other: &Self, (x, y): (usize, usize)) {
        let width = other.width.min(self.width.saturating_sub(x));
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let to = 3 * ((y + row) * self.width + x);
            let from = 3 * row * other.width;
            self.rgb[to..to + 3 * width].copy_from_slice(&other.rgb[from..from + 3 * width]);
        }
    }

    /// The number of pixels from left to right.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width as u32
    }

    /// The number of pixels from top to bottom.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height as u32
    }

    /// Red, green and blue of each pixel.
    #[must_use]
    pub fn rgb(&self) -> &[u8] {
        &self.rgb
    }

    /// Fills a rectangle, as much of it as there is.
    pub(super) fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        let (from, to) = (x.min(self.width), (x + width).min(self.width));
        for row in y.min(self.height)..(y + height).min(self.height) {
            let row = &mut self.rgb[3 * (row * self.width + from)..3 * (row * self.width + to)];
            for pixel in row.chunks_exact_mut(3) {
                pixel.copy_from_slice(&[colour.red, colour.green, colour.blue]);
            }
        }
    }

    /// A row of squares, so close that they are a line.
    fn line(&mut self, from: (usize, usize), to: (usize, usize), thickness: usize, colour: Colour) {
        let steps = from.0.abs_diff(to.0).max(from.1.abs_diff(to.1)).max(1);
        // Whole numbers only: the point `step` of `steps` on the way from `a` to `b`.
        let along = |a: usize, b: usize, step: usize| (a * (steps - step) + b * step + steps / 2) / steps;
        for step in 0..=steps {
            let (x, y) = (along(from.0, to.0, step), along(from.1, to.1, step));
            let shift = thickness / 2;
            self.fill(x.saturating_sub(shift), y.saturating_sub(shift), thickness, thickness, colour);
        }
    }

    /// A disc or a square.
    fn mark(&mut self, (x, y): (usize, usize), radius: usize, mark: Mark) {
        let reach = radius as isize;
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                let is_inside = !mark.is_round() || dx * dx + dy * dy <= reach * reach;
                if is_inside && let (Some(x), Some(y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy))
                {
                    self.fill(x, y, 1, 1, mark.colour());
                }
            }
        }
    }
}

/// The pixel at a point.
fn place(point: Point, layout: Layout) -> (usize, usize) {
    let fractions = Point::FRACTIONS * u64::from(layout.cells_per_block);
    let along = |at: u64| (at * u64::from(layout.pixels_per_block) / fractions) as usize;
    (along(point.x), along(point.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::parse_art;
    use surefoot::space::Cell;

    fn pixel(pixels: &Pixels, x: usize, y: usize) -> Colour {
        let at = 3 * (y * pixels.width + x);
        Colour { red: pixels.rgb[at], green: pixels.rgb[at + 1], blue: pixels.rgb[at + 2] }
    }

    #[test]
    fn paths_and_marks_are_drawn_through_the_centres() {
        let map = parse_art(b"....\n....\n....\n....").unwrap();
        let colour = Colour::of_path(2);
        let picture = Picture::new(&map).with_path([Cell::new(0, 0), Cell::new(3, 3)], colour);
        let pixels = picture.clone().with_goal(Cell::new(3, 0)).to_pixels();
        assert_eq!((pixels.width, pixels.height), (128, 128));
        for at in 16..=112 {
            assert_eq!(pixel(&pixels, at, at), colour);
        }
        assert_eq!(pixel(&pixels, 0, 0), Colour::of_terrain(surefoot::space::Terrain::Ground));
        assert_eq!(pixel(&pixels, 112, 16), Mark::Goal.colour());
        assert_eq!(pixel(&pixels, 112 - 12, 16 - 12), Mark::Goal.colour());
        let pixels = picture.clone().with_dots([Cell::new(1, 2)], Colour::of_path(1)).to_pixels();
        assert_eq!(pixel(&pixels, 48, 80), Colour::of_path(1));
        assert_eq!(pixel(&pixels, 48 - 15, 80), Colour::of_terrain(surefoot::space::Terrain::Ground));
        let pixels = picture.with_start(Cell::new(3, 0)).to_pixels();
        assert_ne!(pixel(&pixels, 112 - 12, 16 - 12), Mark::Start.colour());
    }

    #[test]
    fn cells_lie_on_the_map_and_under_the_rest() {
        let map = parse_art(b"...\n...").unwrap();
        let (red, blue) = (Colour::of_path(0), Colour::of_path(1));
        let ground = Colour::of_terrain(surefoot::space::Terrain::Ground);
        let picture = Picture::new(&map)
            .with_cells([Cell::new(1, 0), Cell::new(9, 9)], red)
            .with_path([Cell::new(1, 0), Cell::new(1, 1)], blue)
            .with_agent(Cell::new(1, 1));
        let pixels = picture.to_pixels();
        assert_eq!(pixel(&pixels, 32, 0), red);
        assert_eq!(pixel(&pixels, 48, 16), blue);
        assert_eq!(pixel(&pixels, 48, 48), Mark::Agent.colour());
        for (x, y) in [(31, 0), (64, 0), (32, 32)] {
            assert_eq!(pixel(&pixels, x, y), ground);
        }
        let mut again = Picture::new(&map).to_pixels();
        picture.draw_on(&mut again);
        assert_eq!(again, pixels);
        // Another size is no reason to panic.
        picture.draw_on(&mut Picture::new(&map).with_longer_side(2).to_pixels());
    }
}
