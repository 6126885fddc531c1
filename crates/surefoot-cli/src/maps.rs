//! Files that maps and pictures are written to. The extension of the name says in which format.

use std::path::Path;

use surefoot::formats::{write_art, write_map};
use surefoot::space::{TerrainMap, TerrainSet};
use surefoot_draw::{
    Colour, Picture, Sheet, pixels_to_png, pixels_with_legend, svg_with_legend, write_png, write_svg,
};

use crate::failure::Failure;
use crate::output::{self, Output, tell};
use crate::table::thousands;

/// A map file in the making.
pub(crate) struct MapOutput {
    output: Output,
    format: MapFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MapFormat {
    MovingAi,
    Art,
    Png,
}

impl MapOutput {
    /// Opens a file for a map. Standard output gets the `.map` format.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let format = match extension(path).as_deref() {
            _ if output::is_stdout(path) => MapFormat::MovingAi,
            Some("map") => MapFormat::MovingAi,
            Some("txt") => MapFormat::Art,
            Some("png") => MapFormat::Png,
            _ => return Err(unknown_extension(path, ".map, .txt (ASCII art) or .png")),
        };
        Ok(Self { output: Output::create(path)?, format })
    }

    /// Writes the map and says so.
    pub(crate) fn write(self, map: &TerrainMap) -> Result<(), Failure> {
        let bytes = match self.format {
            MapFormat::MovingAi => write_map(map),
            MapFormat::Art => write_art(map).into_bytes(),
            MapFormat::Png => one_pixel_per_cell(map)?,
        };
        let name = self.output.path().display().to_string();
        let free = map.grid(TerrainSet::GROUND).free_count();
        let is_file = !output::is_stdout(self.output.path());
        self.output.finish_with(&bytes)?;
        if is_file {
            tell(&format!(
                "wrote {name}: {} x {} cells, {} of ground",
                map.width(),
                map.height(),
                thousands(free)
            ));
        }
        Ok(())
    }
}

/// An image that is a map again when it is read: pictures for people have more pixels or fewer.
fn one_pixel_per_cell(map: &TerrainMap) -> Result<Vec<u8>, Failure> {
    let picture = Picture::new(map).with_longer_side(map.width().max(map.height()));
    if picture.size() != (map.width(), map.height()) {
        let size = format!("{} x {}", map.width(), map.height());
        return Err(Failure::Other(format!(
            "a map of {size} cells is too large for a .png; write it as .map"
        )));
    }
    Ok(write_png(&picture))
}

/// A picture file in the making.
pub(crate) struct PictureOutput {
    output: Output,
    is_svg: bool,
}

impl PictureOutput {
    /// Opens a file for a picture.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let is_svg = match extension(path).as_deref() {
            Some("svg") => true,
            Some("png") => false,
            _ => return Err(unknown_extension(path, ".png or .svg")),
        };
        Ok(Self { output: Output::create(path)?, is_svg })
    }

    /// Writes the picture and says so.
    pub(crate) fn write(self, picture: &Picture<'_>) -> Result<(), Failure> {
        let bytes = if self.is_svg { write_svg(picture).into_bytes() } else { write_png(picture) };
        self.finish(&bytes, picture.size())
    }

    /// Writes the picture and says so. Lines below it say what its colours mean.
    pub(crate) fn write_with_legend(
        self,
        picture: &Picture<'_>,
        legend: &[(Colour, &str)],
    ) -> Result<(), Failure> {
        if legend.is_empty() {
            return self.write(picture);
        }
        if !self.is_svg {
            let pixels = pixels_with_legend(picture, legend);
            return self.finish(&pixels_to_png(&pixels), (pixels.width(), pixels.height()));
        }
        let (svg, size) = svg_with_legend(picture, legend);
        self.finish(svg.as_bytes(), size)
    }

    /// Writes a sheet of pictures and says so.
    pub(crate) fn write_sheet(self, sheet: &Sheet<'_>) -> Result<(), Failure> {
        let bytes = if self.is_svg { sheet.to_svg().into_bytes() } else { pixels_to_png(&sheet.to_pixels()) };
        self.finish(&bytes, sheet.size())
    }

    fn finish(self, bytes: &[u8], (width, height): (u32, u32)) -> Result<(), Failure> {
        let name = self.output.path().display().to_string();
        self.output.finish_with(bytes)?;
        tell(&format!("wrote {name}: {width} x {height} pixels"));
        Ok(())
    }
}

/// What the name of a file ends with, in small letters.
pub(crate) fn extension(path: &Path) -> Option<String> {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase())
}

/// A refusal of a name that does not say what the file is to be.
pub(crate) fn unknown_extension(path: &Path, expected: &str) -> Failure {
    let problem = format!("its name does not say the format; expected a name that ends with {expected}");
    Failure::Write { path: path.to_path_buf(), problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_a_known_extension_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["x", "x.doc", ".map"] {
            assert!(MapOutput::create(&folder.path().join(name)).is_err(), "{name}");
            assert!(PictureOutput::create(&folder.path().join(name)).is_err(), "{name}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        assert_eq!(MapOutput::create(&folder.path().join("X.PNG")).unwrap().format, MapFormat::Png);
    }
}
