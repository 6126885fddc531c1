//! Films of crowds: all units as dots, walls that come and go.

use std::borrow::Cow;
use std::path::Path;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use surefoot::space::{Terrain, TerrainMap};
use surefoot_draw::{Colour, Picture, Pixels};
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
    pub(super) fn begin(self, map: &TerrainMap, frames: u32) -> Result<Shooting<'_>, Failure> {
        let picture = Picture::new(map).with_longer_side(SIDE);
        let background = picture.to_pixels();
        let (width, height) = (background.width() as u16, background.height() as u16);
        let colours: Vec<u8> =
            palette().iter().flat_map(|colour| [colour.red, colour.green, colour.blue]).collect();
        let mut encoder = Encoder::new(Vec::new(), width, height, &colours).map_err(Failure::other)?;
        encoder.set_repeat(Repeat::Infinite).map_err(Failure::other)?;
        Ok(Shooting {
            output: self.output,
            picture,
            background,
            encoder,
            every: frames.div_ceil(MOST_FRAMES),
            frames: 0,
            last: Vec::new(),
            shot: 0,
        })
    }
}

/// A film in the making.
pub(super) struct Shooting<'a> {
    output: Output,
    picture: Picture<'a>,
    background: Pixels,
    encoder: Encoder<Vec<u8>>,
    /// One frame in so many is seen.
    every: u32,
    /// The frames of the game so far.
    frames: u32,
    /// What was seen last, each pixel by its place in the palette.
    last: Vec<u8>,
    /// The frames of the film so far.
    shot: u32,
}

/// All colours of a film. The last one stands for what has not changed.
fn palette() -> Vec<Colour> {
    let terrains =
        [Terrain::Ground, Terrain::Swamp, Terrain::Water, Terrain::Trees, Terrain::OutOfMap, Terrain::Other];
    let mut colours: Vec<Colour> = terrains.map(Colour::of_terrain).to_vec();
    colours.extend([Colour::AGENT, Colour::GOAL, Colour::SUBGOAL, Colour::START]);
    colours
}

impl Shooting<'_> {
    /// Takes a picture of the crowd as it is.
    pub(super) fn shoot(&mut self, play: &Play) -> Result<(), Failure> {
        self.frames += 1;
        if !(self.frames - 1).is_multiple_of(self.every) {
            return Ok(());
        }
        let (mut walkers, mut pursuers) = (Vec::new(), Vec::new());
        for &unit in play.units() {
            let place = play.crowd.position(unit).map_err(Failure::other)?;
            let is_pursuer = play.crowd.target(unit).map_err(Failure::other)?.is_some();
            if is_pursuer { pursuers.push(place) } else { walkers.push(place) }
        }
        let mut pixels = self.background.clone();
        let picture = self.picture.clone().with_cells(play.walls(), Colour::SUBGOAL);
        let picture = picture.with_spots(walkers, Colour::AGENT).with_spots(pursuers, Colour::GOAL);
        picture.draw_on(&mut pixels);
        let now = indices(&pixels);
        let unchanged = (palette().len() - 1) as u8;
        let is_first = self.last.is_empty();
        let news = now.iter().zip(&self.last).map(|(&now, &last)| if now == last { unchanged } else { now });
        let buffer = if is_first { now.clone() } else { news.collect() };
        self.encoder
            .write_frame(&Frame {
                delay: DELAY,
                dispose: DisposalMethod::Keep,
                transparent: (!is_first).then_some(unchanged),
                width: self.background.width() as u16,
                height: self.background.height() as u16,
                buffer: Cow::Owned(buffer),
                ..Frame::default()
            })
            .map_err(Failure::other)?;
        (self.last, self.shot) = (now, self.shot + 1);
        Ok(())
    }

    /// The bytes that the film takes in memory since it was begun.
    pub(super) fn own_bytes(&self) -> u64 {
        (self.encoder.get_ref().capacity() + self.last.capacity()) as u64
    }

    /// Writes the film and says so.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let (width, height) = (self.background.width(), self.background.height());
        let bytes = self.encoder.into_inner().map_err(Failure::other)?;
        let name = self.output.path().display().to_string();
        self.output.finish_with(&bytes)?;
        tell(&format!("wrote {name}: {} frames of {width} x {height} pixels", self.shot));
        Ok(())
    }
}

/// Each pixel's place in the palette.
fn indices(pixels: &Pixels) -> Vec<u8> {
    let colours = palette();
    // Neighbours are mostly alike: look only where the colour changes.
    let mut last: Option<(Colour, u8)> = None;
    let index = |rgb: &[u8]| {
        let colour = Colour { red: rgb[0], green: rgb[1], blue: rgb[2] };
        match last {
            Some((known, place)) if known == colour => place,
            _ => {
                let place = colours.iter().position(|known| *known == colour).unwrap_or(0) as u8;
                last = Some((colour, place));
                place
            }
        }
    };
    pixels.rgb().chunks_exact(3).map(index).collect()
}
