//! PNG and BMP images as maps: a pixel is a cell, bright is free and dark is blocked.
//!
//! A pixel is bright if its luminance, 0.2126 red + 0.7152 green + 0.0722 blue, is at least 128 of 255.
//! Pixels that are more transparent than not are blocked, whatever their colour. So a black and white drawing
//! of a floor plan is a map, and so is a picture written with one pixel a cell.
//!
//! As weights of cells, the same luminance is the weight: black is none, for cells that nobody can walk on,
//! and white is 255. Pixels that are more transparent than not have none either.
//!
//! Images are compressed, so a few bytes can ask for gigabytes. Sizes are read first and refused unless the
//! file is long enough to hold that many pixels and the pixels fit in a quarter of a gigabyte, or in as much
//! as [`Limits`] say.

use alloc::string::ToString;
use alloc::vec::Vec;
use alloc::{format, vec};
use std::io::Cursor;

use image::{ImageDecoder, ImageError};

use super::error::quoted;
use super::{FormatError, Place};
use crate::space::{CellWeights, Limits, MAX_CELLS, TerrainMap, check_size};
use ::image::codecs::bmp::BmpDecoder;
use ::image::codecs::png::PngDecoder;

/// The most memory that the decoder may take besides, for a row of pixels and colour profiles.
const MOST_DECODER_BYTES: u64 = 1 << 26;

/// The most pixels that a byte of a file can stand for: the compression of PNG makes at most 1032 bytes of
/// one, and a byte holds at most 8 pixels.
const MOST_PIXELS_PER_BYTE: u64 = 1032 * 8;

/// The least luminance of a free cell.
const BRIGHT: u32 = 128;

/// Reads a map from a PNG or BMP image: bright pixels are ground (`.`), dark ones out of the map (`@`).
///
/// # Errors
/// If `bytes` are not such an image, or it is too large.
pub fn parse_image(bytes: &[u8]) -> Result<TerrainMap, FormatError> {
    parse_image_within(bytes, &Limits::default())
}

/// The same for an image that may ask for so much.
///
/// # Errors
/// As for [`parse_image`]; also if it has more pixels, or they take more bytes.
pub fn parse_image_within(bytes: &[u8], limits: &Limits) -> Result<TerrainMap, FormatError> {
    let pixels = parse_pixels(bytes, limits)?;
    let letters = pixels.values().map(|bright| if u32::from(bright) >= BRIGHT { b'.' } else { b'@' });
    TerrainMap::new(pixels.width, pixels.height, letters.collect())
        .map_err(|error| FormatError::new(Place::Whole, "an image with all its pixels", error.to_string()))
}

/// Reads weights from a PNG or BMP image: the luminance of a pixel, 0 to 255, is the weight of a cell.
///
/// # Errors
/// If `bytes` are not such an image, it is too large, or it has more weight than a map can have.
pub fn parse_weights_image(bytes: &[u8]) -> Result<CellWeights, FormatError> {
    parse_weights_image_within(bytes, &Limits::default())
}

/// The same for an image that may ask for so much.
///
/// # Errors
/// As for [`parse_weights_image`]; also if it has more pixels, or they take more bytes.
pub fn parse_weights_image_within(bytes: &[u8], limits: &Limits) -> Result<CellWeights, FormatError> {
    let pixels = parse_pixels(bytes, limits)?;
    CellWeights::new(pixels.width, pixels.height, pixels.values().collect())
        .map_err(|error| FormatError::new(Place::Whole, "weights that a map can have", error.to_string()))
}

/// An image as it was decoded.
struct Pixels {
    width: u32,
    height: u32,
    channels: usize,
    /// Samples have one byte or two.
    sample_bytes: usize,
    bytes: Vec<u8>,
}

fn parse_pixels(bytes: &[u8], limits: &Limits) -> Result<Pixels, FormatError> {
    if bytes.starts_with(b"\x89PNG\r\n\x1A\n") {
        let size_at = 16;
        check_dimensions(bytes, read_size(bytes, size_at), size_at, limits)?;
        let mut of_decoder = ::image::Limits::no_limits();
        of_decoder.max_alloc = Some(MOST_DECODER_BYTES);
        let decoder = PngDecoder::with_limits(Cursor::new(bytes), of_decoder);
        decode(decoder.map_err(|error| not_an_image(&error))?, bytes, size_at, limits)
    } else if bytes.starts_with(b"BM") {
        let decoder = BmpDecoder::new(Cursor::new(bytes)).map_err(|error| not_an_image(&error))?;
        decode(decoder, bytes, 18, limits)
    } else {
        let head = &bytes[..bytes.len().min(8)];
        Err(FormatError::new(Place::Byte(0), "a PNG or BMP image", quoted(head)))
    }
}

/// Reads all pixels, having checked that they are not too many. `size_at` is where the file gives its size.
fn decode(
    decoder: impl ImageDecoder,
    bytes: &[u8],
    size_at: usize,
    limits: &Limits,
) -> Result<Pixels, FormatError> {
    let (width, height) = decoder.dimensions();
    check_dimensions(bytes, Some((width, height)), size_at, limits)?;
    let color = decoder.color_type();
    let pixel_bytes = decoder.total_bytes();
    if pixel_bytes > limits.bytes {
        let expected = format!("at most {} bytes of pixels", limits.bytes);
        let found = format!("{pixel_bytes} for {width} x {height} pixels");
        return Err(FormatError::new(Place::Byte(size_at), expected, found));
    }
    let mut pixels = vec![0; pixel_bytes as usize];
    decoder.read_image(&mut pixels).map_err(|error| not_an_image(&error))?;

    let channels = usize::from(color.channel_count());
    let sample_bytes = usize::from(color.bytes_per_pixel()) / channels;
    Ok(Pixels { width, height, channels, sample_bytes, bytes: pixels })
}

impl Pixels {
    /// The luminance of each pixel, 0 if it is transparent.
    fn values(&self) -> impl Iterator<Item = u8> {
        self.bytes.chunks_exact(self.channels * self.sample_bytes).map(|pixel| self.value(pixel))
    }

    fn value(&self, pixel: &[u8]) -> u8 {
        // Samples of two bytes come in the machine's order. The high byte is precise enough.
        let high_byte = if cfg!(target_endian = "little") { self.sample_bytes - 1 } else { 0 };
        let sample = |channel: usize| u32::from(pixel[channel * self.sample_bytes + high_byte]);
        let has_colours = self.channels >= 3;
        let luminance = if has_colours {
            (2126 * sample(0) + 7152 * sample(1) + 722 * sample(2)) / 10_000
        } else {
            sample(0)
        };
        let has_alpha = self.channels == 2 || self.channels == 4;
        let is_opaque = !has_alpha || sample(self.channels - 1) >= 128;
        if is_opaque { luminance as u8 } else { 0 }
    }
}

/// Width and height as PNG files give them.
fn read_size(bytes: &[u8], at: usize) -> Option<(u32, u32)> {
    let word = |at: usize| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
    Some((word(at)?, word(at + 4)?))
}

fn check_dimensions(
    bytes: &[u8],
    size: Option<(u32, u32)>,
    size_at: usize,
    limits: &Limits,
) -> Result<(), FormatError> {
    let place = Place::Byte(size_at.min(bytes.len()));
    let Some((width, height)) = size else {
        return Err(FormatError::new(place, "the width and height of the image", "the end of the file"));
    };
    let found = || format!("{width} x {height}");
    if check_size(width, height).is_err() || !limits.allow(width, height) {
        let most = limits.cells.min(MAX_CELLS);
        return Err(FormatError::new(place, format!("an image of 1 to {most} pixels"), found()));
    }
    let most = bytes.len() as u64 * MOST_PIXELS_PER_BYTE;
    if u64::from(width) * u64::from(height) > most {
        let expected = format!("at most the {most} pixels that {} bytes can hold", bytes.len());
        return Err(FormatError::new(place, expected, found()));
    }
    Ok(())
}

fn not_an_image(error: &ImageError) -> FormatError {
    // The decoder's message may repeat pieces of the file, so its line ends are escaped.
    let message: alloc::string::String = error.to_string().chars().flat_map(char::escape_debug).collect();
    FormatError::new(Place::Whole, "a PNG or BMP image", format!("one that is damaged or unusual: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::image::{DynamicImage, ImageFormat};
    use proptest::prelude::*;

    fn encode(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// A picture of 3 x 2 pixels with bright and dark ones of several hues.
    fn small() -> DynamicImage {
        let pixels = [
            [255, 255, 255, 255],
            [0, 0, 0, 255],
            [255, 255, 255, 100],
            [0, 255, 0, 255],
            [0, 0, 255, 255],
            [128, 128, 128, 255],
        ];
        let image = ::image::RgbaImage::from_vec(3, 2, pixels.concat()).unwrap();
        DynamicImage::ImageRgba8(image)
    }

    fn letters(bytes: &[u8]) -> Vec<u8> {
        parse_image(bytes).unwrap().rows().flatten().copied().collect()
    }

    #[test]
    fn bright_and_opaque_pixels_are_free() {
        assert_eq!(letters(&encode(&small(), ImageFormat::Png)), b".@@.@.");
        let deep = DynamicImage::ImageRgba16(small().into_rgba16());
        assert_eq!(letters(&encode(&deep, ImageFormat::Png)), b".@@.@.");
        let grey = DynamicImage::ImageLuma8(small().into_luma8());
        for format in [ImageFormat::Png, ImageFormat::Bmp] {
            assert_eq!(letters(&encode(&grey, format)), b".@..@.");
        }
    }

    #[test]
    fn luminance_is_weight() {
        let grey: Vec<u8> = (0..=255).collect();
        let image = ::image::GrayImage::from_vec(16, 16, grey.clone()).unwrap();
        let colours = DynamicImage::ImageRgb8(DynamicImage::ImageLuma8(image.clone()).into_rgb8());
        for (image, format) in [
            (DynamicImage::ImageLuma8(image.clone()), ImageFormat::Png),
            (DynamicImage::ImageLuma16(DynamicImage::ImageLuma8(image).into_luma16()), ImageFormat::Png),
            (colours.clone(), ImageFormat::Png),
            (colours, ImageFormat::Bmp),
        ] {
            let weights = parse_weights_image(&encode(&image, format)).unwrap();
            assert_eq!(weights.rows().flatten().copied().collect::<Vec<_>>(), grey);
        }
        let weights = parse_weights_image(&encode(&small(), ImageFormat::Png)).unwrap();
        assert_eq!(weights.rows().flatten().copied().collect::<Vec<_>>(), [255, 0, 0, 182, 18, 128]);
        assert!(parse_weights_image(b"1 2 3").is_err());
    }

    #[test]
    fn absurd_sizes_are_refused_before_anything_is_allocated() {
        let mut png = encode(&small(), ImageFormat::Png);
        png[16..24].copy_from_slice(&[0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0]);
        assert_eq!(
            parse_image(&png).unwrap_err().to_string(),
            "byte 16: expected an image of 1 to 1073741824 pixels, found 100000 x 100000"
        );
        png[16..24].copy_from_slice(&[0, 0, 0x40, 0, 0, 0, 0x40, 0]);
        let message = parse_image(&png).unwrap_err().to_string();
        assert!(
            message.starts_with("byte 16: expected at most the ") && message.ends_with("found 16384 x 16384")
        );

        let mut bmp = encode(&DynamicImage::ImageRgb8(small().into_rgb8()), ImageFormat::Bmp);
        bmp[18..26].copy_from_slice(&[0, 0x40, 0, 0, 0, 0x40, 0, 0]);
        let message = parse_image(&bmp).unwrap_err().to_string();
        assert!(message.ends_with("found 16384 x 16384"), "{message}");
        bmp[18..26].fill(0);
        assert!(parse_image(&bmp).is_err());
    }

    #[test]
    fn what_is_no_image_or_a_part_of_one_is_an_error() {
        assert_eq!(
            parse_image(b"type octile").unwrap_err().to_string(),
            "byte 0: expected a PNG or BMP image, found \"type oct\""
        );
        assert!(parse_image(b"").is_err());
        let png = encode(&small(), ImageFormat::Png);
        // The last 12 bytes are an empty chunk that says that this is the end.
        for length in 0..png.len() - 12 {
            assert!(parse_image(&png[..length]).is_err(), "{length} bytes");
        }
        let bmp = encode(&DynamicImage::ImageRgb8(small().into_rgb8()), ImageFormat::Bmp);
        for length in 0..bmp.len() - 3 {
            assert!(parse_image(&bmp[..length]).is_err(), "{length} bytes");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(kind in 0..3, tail in proptest::collection::vec(any::<u8>(), 0..200)) {
            let head: &[u8] = [&b""[..], b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR", b"BM"][kind as usize];
            let _ = parse_image(&[head, &tail].concat());
        }

        #[test]
        fn no_damage_makes_it_panic(is_png in any::<bool>(), at in any::<proptest::sample::Index>(), put in any::<u8>()) {
            let format = if is_png { ImageFormat::Png } else { ImageFormat::Bmp };
            let mut bytes = encode(&DynamicImage::ImageRgb8(small().into_rgb8()), format);
            let at = at.index(bytes.len());
            bytes[at] = put;
            if let Err(error) = parse_image(&bytes) {
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }
}
