//! Pictures as PNG images.

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};

use crate::picture::Picture;
use crate::pixels::Pixels;

/// Writes `picture` as a PNG image.
#[must_use]
pub fn write_png(picture: &Picture<'_>) -> Vec<u8> {
    pixels_to_png(&picture.to_pixels())
}

/// Writes pixels as a PNG image: those of a [`Sheet`](crate::Sheet), for example.
#[must_use]
pub fn pixels_to_png(pixels: &Pixels) -> Vec<u8> {
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes)
        .write_image(pixels.rgb(), pixels.width(), pixels.height(), ExtendedColorType::Rgb8)
        .expect("the pixels fill a rectangle, and a vector takes any number of bytes");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::{parse_art, parse_image};
    use surefoot::space::{Cell, TerrainMap, TerrainSet};

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
