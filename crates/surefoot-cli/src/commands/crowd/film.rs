//! Films of crowds: all units as dots, walls that come and go.

use std::borrow::Cow;
use std::path::Path;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use surefoot::formats::{Colour, Picture, Pixels};
use surefoot::space::{Cell, Terrain, TerrainMap};
use surefoot_lab::play::Play;

use crate::failure::Failure;
use crate::maps::{extension, unknown_extension};
use crate::output::{Output, tell};

/// The longer side of a film, in pixels.
const SIDE: u32 = 768;
/// The most frames of a film: in longer games one stands for several.
const MOST_FRAMES: u32 = 400;
/// How long each is seen, in hundredths of a second.
const DELAY: u16 = 6;

/// A file in the making.
pub(super) struct CrowdFilm {
    output: Output,
}

impl CrowdFilm {
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        if extension(path).as_deref() != Some("gif") {
            return Err(unknown_extension(path, ".gif"));
        }
        Ok(Self { output: Output::create(path)? })
    }

    /// Begins a film of so many frames.
    pub(super) fn begin(self, map: &TerrainMap, frames: u32) -> Shooting<'_> {
        let picture = Picture::new(map).with_longer_side(SIDE);
        let background = picture.to_pixels();
        let scenes = Vec::new();
        Shooting {
            output: self.output,
            map,
            picture,
            background,
            every: frames.div_ceil(MOST_FRAMES),
            seen: 0,
            scenes,
        }
    }
}

/// A film in the making.
pub(super) struct Shooting<'a> {
    output: Output,
    map: &'a TerrainMap,
    picture: Picture<'a>,
    background: Pixels,
    /// One frame in so many is seen.
    every: u32,
    seen: u32,
    scenes: Vec<Vec<u8>>,
}

/// All colours of a film.
fn palette() -> Vec<Colour> {
    let terrains =
        [Terrain::Ground, Terrain::Swamp, Terrain::Water, Terrain::Trees, Terrain::OutOfMap, Terrain::Other];
    let mut colours: Vec<Colour> = terrains.map(Colour::of_terrain).to_vec();
    colours.extend([Colour::AGENT, Colour::GOAL, Colour::SUBGOAL]);
    colours
}

impl Shooting<'_> {
    /// Takes a picture of the crowd as it is.
    pub(super) fn shoot(&mut self, play: &Play) -> Result<(), Failure> {
        self.seen += 1;
        if !(self.seen - 1).is_multiple_of(self.every) {
            return Ok(());
        }
        let (mut walkers, mut pursuers) = (Vec::new(), Vec::new());
        for &unit in play.units() {
            let place = play.crowd.position(unit).map_err(Failure::other)?;
            let is_pursuer = play.crowd.target(unit).map_err(Failure::other)?.is_some();
            if is_pursuer { pursuers.push(place) } else { walkers.push(place) }
        }
        let walls: Vec<Cell> = play.walls().collect();
        let mut pixels = self.background.clone();
        let picture = self.picture.clone().with_cells(walls, Colour::SUBGOAL);
        let picture = picture.with_cells(walkers, Colour::AGENT).with_cells(pursuers, Colour::GOAL);
        picture.draw_on(&mut pixels);
        let colours = palette();
        let mut last = (Colour { red: 1, green: 2, blue: 3 }, 0);
        let index = |rgb: &[u8]| {
            let colour = Colour { red: rgb[0], green: rgb[1], blue: rgb[2] };
            if last.0 != colour {
                last = (colour, colours.iter().position(|known| *known == colour).unwrap_or(0) as u8);
            }
            last.1
        };
        self.scenes.push(pixels.rgb().chunks_exact(3).map(index).collect());
        Ok(())
    }

    /// Writes the film and says so.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let (width, height) = (self.background.width() as u16, self.background.height() as u16);
        let colours: Vec<u8> =
            palette().iter().flat_map(|colour| [colour.red, colour.green, colour.blue]).collect();
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, width, height, &colours).map_err(Failure::other)?;
        encoder.set_repeat(Repeat::Infinite).map_err(Failure::other)?;
        let count = self.scenes.len();
        for scene in self.scenes {
            encoder
                .write_frame(&Frame {
                    delay: DELAY,
                    dispose: DisposalMethod::Keep,
                    width,
                    height,
                    buffer: Cow::Owned(scene),
                    ..Frame::default()
                })
                .map_err(Failure::other)?;
        }
        drop(encoder);
        let name = self.output.path().display().to_string();
        self.output.finish_with(&bytes)?;
        let size = format!("{} x {} cells", self.map.width(), self.map.height());
        tell(&format!("wrote {name}: {count} frames of {size}, {width} x {height} pixels"));
        Ok(())
    }
}
