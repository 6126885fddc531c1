//! Films of crowds as animated GIF images: all units as dots, walls that come and go.

use std::borrow::Cow;

use ::gif::{DisposalMethod, Encoder, Frame, Repeat};
use surefoot::space::{Cell, TerrainMap};

use super::FilmError;
use super::palette::Palette;
use crate::{Colour, Picture, Pixels};

/// The longer side of a film, in pixels.
const SIDE: u32 = 768;
/// The most frames of a film: in longer games one stands for several.
const MOST_FRAMES: u32 = 400;
/// How long each is seen, in hundredths of a second.
const DELAY: u16 = 6;

/// A film of a crowd in the making. Frames are encoded as they are shot.
pub struct CrowdFilm<'a> {
    picture: Picture<'a>,
    background: Pixels,
    palette: Palette,
    encoder: Encoder<Vec<u8>>,
    /// One frame in so many is seen.
    every: u32,
    /// The frames of the game so far.
    played: u32,
    /// What was seen last, each pixel by its place in the palette.
    last: Vec<u8>,
    /// The frames of the film so far.
    frames: u32,
}

/// A crowd at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrowdScene {
    /// Where those units stand that have a place to go to.
    pub walkers: Vec<Cell>,
    /// Where those stand that pursue another unit.
    pub pursuers: Vec<Cell>,
    /// Cells that are blocked now and were free on the map.
    pub walls: Vec<Cell>,
}

/// All colours of a film. The last one stands for what has not changed.
fn palette() -> Palette {
    Palette::of_map([Colour::AGENT, Colour::GOAL, Colour::SUBGOAL, Colour::START])
}

impl<'a> CrowdFilm<'a> {
    /// Begins a film of a game of so many frames.
    ///
    /// # Errors
    /// If it cannot be encoded.
    pub fn new(map: &'a TerrainMap, frames: u32) -> Result<Self, FilmError> {
        let picture = Picture::new(map).with_longer_side(SIDE);
        let background = picture.to_pixels();
        let (width, height) = (background.width() as u16, background.height() as u16);
        let palette = palette();
        let mut encoder = Encoder::new(Vec::new(), width, height, &palette.bytes())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let every = frames.div_ceil(MOST_FRAMES).max(1);
        Ok(Self { picture, background, palette, encoder, every, played: 0, last: Vec::new(), frames: 0 })
    }

    /// Counts a frame of the game. Tells whether it is seen, so that it is to be shot: in long games not
    /// every frame is.
    #[must_use]
    pub fn next_frame(&mut self) -> bool {
        self.played += 1;
        (self.played - 1).is_multiple_of(self.every)
    }

    /// Takes a picture of the crowd.
    ///
    /// # Errors
    /// If it cannot be encoded.
    pub fn shoot(&mut self, scene: CrowdScene) -> Result<(), FilmError> {
        let mut pixels = self.background.clone();
        let picture = self.picture.clone().with_cells(scene.walls, Colour::SUBGOAL);
        let picture =
            picture.with_spots(scene.walkers, Colour::AGENT).with_spots(scene.pursuers, Colour::GOAL);
        picture.draw_on(&mut pixels);
        let now = self.palette.indices(&pixels);
        let unchanged = self.palette.last();
        let is_first = self.last.is_empty();
        let news = now.iter().zip(&self.last).map(|(&now, &last)| if now == last { unchanged } else { now });
        let buffer = if is_first { now.clone() } else { news.collect() };
        self.encoder.write_frame(&Frame {
            delay: DELAY,
            dispose: DisposalMethod::Keep,
            transparent: (!is_first).then_some(unchanged),
            width: self.background.width() as u16,
            height: self.background.height() as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        })?;
        (self.last, self.frames) = (now, self.frames + 1);
        Ok(())
    }

    /// The bytes that the film takes in memory since it was begun.
    #[must_use]
    pub fn own_bytes(&self) -> u64 {
        (self.encoder.get_ref().capacity() + self.last.capacity()) as u64
    }

    /// The size of the film in pixels: width and height.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        (self.background.width(), self.background.height())
    }

    /// How many frames were shot.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Ends the film: an animated GIF image.
    ///
    /// # Errors
    /// If it cannot be encoded.
    pub fn finish(self) -> Result<Vec<u8>, FilmError> {
        Ok(self.encoder.into_inner()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::parse_art;

    #[test]
    fn the_palette_has_each_colour_once() {
        assert!(palette().has_each_once());
    }

    #[test]
    fn long_games_are_thinned() {
        let map = parse_art(b"..").unwrap();
        for (frames, shot) in [(1, 1), (400, 400), (401, 201), (0, 0)] {
            let mut film = CrowdFilm::new(&map, frames).unwrap();
            for frame in 0..frames {
                if film.next_frame() {
                    let walkers = vec![Cell::new(frame % 2, 0)];
                    film.shoot(CrowdScene { walkers, ..CrowdScene::default() }).unwrap();
                }
            }
            assert_eq!((film.frames(), film.size()), (shot, (64, 32)));
            assert!(film.finish().unwrap().starts_with(b"GIF89a"));
        }
    }
}
