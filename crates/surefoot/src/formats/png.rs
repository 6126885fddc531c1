//! Pictures as PNG images.

use alloc::vec;
use alloc::vec::Vec;

use ::image::codecs::png::PngEncoder;
use ::image::{ExtendedColorType, ImageEncoder};

use super::picture::{Colour, Layout, Mark, Picture};
use crate::space::Cell;

/// Writes `picture` as a PNG image.
#[must_use]
pub fn write_png(picture: &Picture<'_>) -> Vec<u8> {
    let canvas = Canvas::draw(picture);
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes)
        .write_image(&canvas.pixels, canvas.width as u32, canvas.height as u32, ExtendedColorType::Rgb8)
        .expect("the pixels fill a rectangle, and a vector takes any number of bytes");
    bytes
}

/// Pixels to draw on, three bytes each.
struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    fn draw(picture: &Picture<'_>) -> Self {
        let layout = picture.layout();
        let (width, height) = picture.size();
        let (width, height) = (width as usize, height as usize);
        let mut canvas = Self { width, height, pixels: vec![0; 3 * width * height] };
        let side = layout.pixels_per_block as usize;
        picture.for_each_block_row(|y, blocks| {
            for (x, &terrain) in blocks.iter().enumerate() {
                let colour = Colour::of_terrain(terrain);
                canvas.fill(x * side, y as usize * side, side, side, colour);
            }
        });

        let thickness = layout.line_thickness() as usize;
        for (cells, colour) in &picture.paths {
            let mut last = None;
            for &cell in cells {
                let here = centre(cell, layout);
                canvas.line(last.unwrap_or(here), here, thickness, *colour);
                last = Some(here);
            }
        }
        let radius = layout.mark_radius() as usize;
        for &(cell, mark) in &picture.marks {
            canvas.mark(centre(cell, layout), radius, mark);
        }
        canvas
    }

    /// Fills a rectangle, as much of it as there is.
    fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        let (from, to) = (x.min(self.width), (x + width).min(self.width));
        for row in y.min(self.height)..(y + height).min(self.height) {
            let row = &mut self.pixels[3 * (row * self.width + from)..3 * (row * self.width + to)];
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

    /// A disc for a start, a square for a goal.
    fn mark(&mut self, (x, y): (usize, usize), radius: usize, mark: Mark) {
        let reach = radius as isize;
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                let is_inside = mark == Mark::Goal || dx * dx + dy * dy <= reach * reach;
                if is_inside && let (Some(x), Some(y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy))
                {
                    self.fill(x, y, 1, 1, mark.colour());
                }
            }
        }
    }
}

/// The pixel in the middle of a cell.
fn centre(cell: Cell, layout: Layout) -> (usize, usize) {
    let along = |at: u32| {
        let half_cells = (2 * u64::from(at) + 1) * u64::from(layout.pixels_per_block);
        (half_cells / (2 * u64::from(layout.cells_per_block))) as usize
    };
    (along(cell.x), along(cell.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{parse_art, parse_image};
    use crate::space::{TerrainMap, TerrainSet};

    fn pixel(canvas: &Canvas, x: usize, y: usize) -> Colour {
        let at = 3 * (y * canvas.width + x);
        Colour { red: canvas.pixels[at], green: canvas.pixels[at + 1], blue: canvas.pixels[at + 2] }
    }

    #[test]
    fn paths_and_marks_are_drawn_through_the_centres() {
        let map = parse_art(b"....\n....\n....\n....").unwrap();
        let colour = Colour::of_path(2);
        let picture = Picture::new(&map).with_path([Cell::new(0, 0), Cell::new(3, 3)], colour);
        let canvas = Canvas::draw(&picture.clone().with_goal(Cell::new(3, 0)));
        assert_eq!((canvas.width, canvas.height), (128, 128));
        for at in 16..=112 {
            assert_eq!(pixel(&canvas, at, at), colour);
        }
        assert_eq!(pixel(&canvas, 0, 0), Colour::of_terrain(crate::space::Terrain::Ground));
        assert_eq!(pixel(&canvas, 112, 16), Mark::Goal.colour());
        assert_eq!(pixel(&canvas, 112 - 12, 16 - 12), Mark::Goal.colour());
        let canvas = Canvas::draw(&picture.with_start(Cell::new(3, 0)));
        assert_ne!(pixel(&canvas, 112 - 12, 16 - 12), Mark::Start.colour());
    }

    #[test]
    fn marks_at_the_edge_are_cut_off() {
        let map = TerrainMap::new(2000, 1, [b'.'; 2000].to_vec()).unwrap();
        let picture = Picture::new(&map).with_start(Cell::new(0, 0)).with_goal(Cell::new(1999, 0));
        assert_eq!(parse_image(&write_png(&picture)).unwrap().width(), 1000);
    }

    #[test]
    fn a_picture_of_one_pixel_a_cell_reads_as_the_same_world() {
        let map = parse_art(b"..#W\nSTXG\n@.sw").unwrap();
        let image = write_png(&Picture::new(&map).with_longer_side(4));
        assert_eq!(parse_image(&image).unwrap().grid(TerrainSet::GROUND), map.grid(TerrainSet::GROUND));
    }
}
