//! Pictures and films of crowds: all units, walls that come and go, traffic, and below the map a frame
//! counter and what the colours mean.

use std::borrow::Cow;

use ::gif::{DisposalMethod, Encoder, Frame, Repeat};
use surefoot::space::{Cell, Terrain, TerrainMap};

use super::FilmError;
use super::palette::Palette;
use crate::legend::{Entry, PANEL_WIDTH, panel, panel_height, svg_with_entries};
use crate::picture::KINDS;
use crate::sheet::PAPER;
use crate::traffic::Traffic;
use crate::units::{RIM, WALL};
use crate::{Colour, Picture, Pixels};

/// The longer side of the map on a picture, in pixels.
const SIDE: u32 = 1024;
/// The most frames of a film: in longer games one stands for several.
const MOST_FRAMES: u32 = 400;
/// How long each is seen, in hundredths of a second.
const DELAY: u16 = 6;

/// Units that are drawn alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitGroup {
    /// What the legend calls them.
    pub name: String,
    /// How many cells each is wide and high.
    pub size: u32,
}

/// What pictures of a game are to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrowdCast {
    /// The groups of units, each in a colour of its own.
    pub groups: Vec<UnitGroup>,
    /// Whether walls come and go.
    pub has_walls: bool,
    /// Whether traffic is shown.
    pub has_traffic: bool,
    /// How many frames the game has.
    pub frames: u32,
}

/// A crowd at one time.
#[derive(Clone, Debug, Default)]
pub struct CrowdScene<'t> {
    /// Which frame of the game it is, counted from 1.
    pub frame: u32,
    /// Where the units of each group stand: their top left cells.
    pub units: Vec<Vec<Cell>>,
    /// Cells that are blocked now and were free on the map.
    pub walls: Vec<Cell>,
    /// The traffic so far, if it is shown.
    pub traffic: Option<&'t Traffic>,
}

/// What draws scenes: the map as it was, and a panel of words below it.
pub struct CrowdStage<'a> {
    picture: Picture<'a>,
    map: Pixels,
    cast: CrowdCast,
    /// The terrains that there are on the map.
    terrains: Vec<Terrain>,
    size: (u32, u32),
}

impl<'a> CrowdStage<'a> {
    /// A stage on a map.
    #[must_use]
    pub fn new(map: &'a TerrainMap, cast: CrowdCast) -> Self {
        let picture = Picture::new(map).with_longer_side(SIDE);
        let pixels = picture.to_pixels();
        let mut is_there = [false; KINDS.len()];
        let mut letters = [false; 256];
        map.rows().flatten().for_each(|&letter| letters[usize::from(letter)] = true);
        for letter in (0..=u8::MAX).filter(|&letter| letters[usize::from(letter)]) {
            is_there[crate::picture::kind_of_letter(letter)] = true;
        }
        let there = KINDS.into_iter().zip(is_there).filter(|kind| kind.1);
        let mut stage =
            Self { picture, map: pixels, cast, terrains: there.map(|kind| kind.0).collect(), size: (0, 0) };
        let width = stage.map.width().max(PANEL_WIDTH);
        // With all bands, so that there is room for them when they come.
        let height = panel_height(&stage.entries(Traffic::BANDS, |band| 1 << (2 * band)), width);
        stage.size = (width, stage.map.height() + height);
        stage
    }

    /// The size of its pictures in pixels: width and height.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// What the colours mean; with so many bands of traffic, and the least count of each.
    fn entries(&self, bands: u32, least: impl Fn(u32) -> u64) -> Vec<Entry> {
        let groups = self.cast.groups.iter().enumerate().map(|(place, group)| Entry {
            colour: Some(Colour::of_units(place)),
            words: group.name.clone(),
            is_unit: true,
        });
        let walls = self.cast.has_walls.then(|| Entry::of(WALL, "wall built"));
        let terrains = self.terrains.iter().map(|&terrain| {
            let words = match terrain {
                Terrain::Ground => "ground",
                Terrain::Swamp => "swamp",
                Terrain::Water => "water",
                Terrain::Trees => "trees",
                Terrain::OutOfMap => "wall",
                _ => "other",
            };
            Entry::of(Colour::of_terrain(terrain), words)
        });
        let mut entries: Vec<Entry> = groups.chain(walls).chain(terrains).collect();
        if self.cast.has_traffic {
            let words = "moves into a cell, from:".to_owned();
            entries.push(Entry::words(words));
            let band = |band| Entry::of(Traffic::colour(band), least(band).to_string());
            entries.extend((0..bands).map(band));
        }
        entries
    }

    fn entries_of(&self, scene: &CrowdScene<'_>) -> Vec<Entry> {
        match scene.traffic {
            Some(traffic) => self.entries(traffic.bands(), |band| traffic.least(band)),
            None => self.entries(0, |_| 0),
        }
    }

    fn title(&self, scene: &CrowdScene<'_>) -> String {
        let moves = scene.traffic.map(|traffic| format!(", {} moves", traffic.moves())).unwrap_or_default();
        format!("frame {} of {}{moves}", scene.frame, self.cast.frames)
    }

    fn draw(&self, scene: &CrowdScene<'_>) -> Picture<'a> {
        let picture = self.picture.clone();
        let picture = scene.traffic.map_or(picture.clone(), |traffic| traffic.paint(picture));
        let picture = picture.with_walls(scene.walls.iter().copied());
        let groups = self.cast.groups.iter().zip(&scene.units).enumerate();
        groups.fold(picture, |picture, (place, (group, units))| {
            picture.with_units(units.iter().copied(), group.size, Colour::of_units(place))
        })
    }

    /// Draws a scene: the map, and below it the frame counter and what the colours mean.
    #[must_use]
    pub fn to_pixels(&self, scene: &CrowdScene<'_>) -> Pixels {
        let mut map = self.map.clone();
        self.draw(scene).draw_on(&mut map);
        let mut whole = Pixels::blank(self.size, PAPER);
        whole.paste(&map, (0, 0));
        let below = (self.size.0, self.size.1 - map.height());
        whole.paste(&panel(&self.title(scene), &self.entries_of(scene), below), (0, map.height() as usize));
        whole
    }

    /// The same as SVG, and its width and height in pixels.
    #[must_use]
    pub fn to_svg(&self, scene: &CrowdScene<'_>) -> (String, (u32, u32)) {
        let title = Entry::words(self.title(scene));
        let entries: Vec<Entry> = std::iter::once(title).chain(self.entries_of(scene)).collect();
        svg_with_entries(&self.draw(scene), &entries)
    }
}

/// A film of a crowd in the making. Frames are encoded as they are shot.
pub struct CrowdFilm<'a> {
    stage: CrowdStage<'a>,
    palette: Palette,
    encoder: Encoder<Vec<u8>>,
    /// One frame in so many is seen.
    every: u32,
    /// What was seen last, each pixel by its place in the palette.
    last: Vec<u8>,
    /// The frames of the film so far.
    frames: u32,
}

/// All colours of a film. The last one stands for what has not changed.
fn palette() -> Palette {
    let units = (0..6).map(Colour::of_units).filter(|&colour| colour != PAPER);
    let traffic = (0..Traffic::BANDS).map(Traffic::colour);
    Palette::of_map(units.chain(traffic).chain([WALL, RIM, PAPER, Colour::START]))
}

impl<'a> CrowdFilm<'a> {
    /// Begins a film of a game.
    ///
    /// # Errors
    /// If it cannot be encoded.
    pub fn new(stage: CrowdStage<'a>) -> Result<Self, FilmError> {
        let (width, height) = stage.size();
        let palette = palette();
        let mut encoder = Encoder::new(Vec::new(), width as u16, height as u16, &palette.bytes())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let every = stage.cast.frames.div_ceil(MOST_FRAMES).max(1);
        Ok(Self { stage, palette, encoder, every, last: Vec::new(), frames: 0 })
    }

    /// Whether a frame of the game is seen, so that it is to be shot: in long games not every frame is.
    /// Frames are counted from 1.
    #[must_use]
    pub fn shows(&self, frame: u32) -> bool {
        frame.saturating_sub(1).is_multiple_of(self.every)
    }

    /// Takes a picture of the crowd.
    ///
    /// # Errors
    /// If it cannot be encoded.
    pub fn shoot(&mut self, scene: &CrowdScene<'_>) -> Result<(), FilmError> {
        let now = self.palette.indices(&self.stage.to_pixels(scene));
        let unchanged = self.palette.last();
        let is_first = self.last.is_empty();
        let news = now.iter().zip(&self.last).map(|(&now, &last)| if now == last { unchanged } else { now });
        let buffer = if is_first { now.clone() } else { news.collect() };
        self.encoder.write_frame(&Frame {
            delay: DELAY,
            dispose: DisposalMethod::Keep,
            transparent: (!is_first).then_some(unchanged),
            width: self.stage.size().0 as u16,
            height: self.stage.size().1 as u16,
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
        self.stage.size()
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

    fn cast(frames: u32, has_traffic: bool) -> CrowdCast {
        let group = |name: &str| UnitGroup { name: name.to_owned(), size: 1 };
        CrowdCast { groups: vec![group("units"), group("pursuers")], has_walls: true, has_traffic, frames }
    }

    /// The pixels below the map, as words are there.
    fn words(stage: &CrowdStage<'_>, scene: &CrowdScene<'_>) -> Vec<u8> {
        let pixels = stage.to_pixels(scene);
        pixels.rgb()[3 * (pixels.width() * stage.map.height()) as usize..].to_vec()
    }

    fn has(rgb: &[u8], colour: Colour) -> bool {
        rgb.chunks(3).any(|rgb| rgb == [colour.red, colour.green, colour.blue])
    }

    #[test]
    fn the_palette_has_each_colour_once() {
        assert!(palette().has_each_once());
    }

    #[test]
    fn the_legend_is_below_the_map_and_names_what_there_is() {
        let map = parse_art(b"..W\n..@").unwrap();
        let stage = CrowdStage::new(&map, cast(9, true));
        let mut traffic = Traffic::new(&map);
        (0..5).for_each(|_| traffic.add(Cell::new(1, 1)));
        let units = vec![vec![Cell::new(0, 0)], vec![]];
        let scene = CrowdScene { frame: 3, units, traffic: Some(&traffic), ..CrowdScene::default() };
        let colours = palette().bytes();
        let is_known = |rgb: &[u8]| colours.chunks(3).any(|colour| colour == rgb);
        assert!(stage.to_pixels(&scene).rgb().chunks(3).all(is_known), "a film rounds no colour");
        let below = words(&stage, &scene);
        let units = [Colour::of_units(0), Colour::of_units(1), WALL];
        let terrains = [Terrain::Ground, Terrain::Water, Terrain::OutOfMap].map(Colour::of_terrain);
        for colour in units.into_iter().chain(terrains).chain((0..3).map(Traffic::colour)) {
            assert!(has(&below, colour), "{colour} is in the legend");
        }
        for colour in [Colour::of_terrain(Terrain::Trees), Traffic::colour(3), Colour::of_units(2)] {
            assert!(!has(&below, colour), "there is no {colour}");
        }
        // The map is as it is without a legend.
        let map_rows =
            stage.to_pixels(&scene).rgb()[..3 * (stage.size.0 * stage.map.height()) as usize].to_vec();
        let mut alone = stage.map.clone();
        stage.draw(&scene).draw_on(&mut alone);
        for (row, own) in map_rows.chunks(3 * stage.size.0 as usize).zip(alone.rgb().chunks(3 * 96)) {
            assert_eq!(&row[..3 * 96], own);
        }
        let (svg, _) = stage.to_svg(&scene);
        for text in
            ["frame 3 of 9, 5 moves", "units", "pursuers", "wall built", "ground", "water", "wall", "from:"]
        {
            assert!(svg.contains(&format!("{text}</text>")), "{text}: {svg}");
        }
        assert!(!svg.contains("trees"));
    }

    #[test]
    fn the_counter_counts() {
        let map = parse_art(b"..").unwrap();
        let stage = CrowdStage::new(&map, cast(12, false));
        let at = |frame| words(&stage, &CrowdScene { frame, ..CrowdScene::default() });
        let all: std::collections::BTreeSet<Vec<u8>> = (1..=12).map(at).collect();
        assert_eq!(all.len(), 12, "no two frames have the same words");
        assert_eq!(at(7), at(7));
        let (svg, _) = stage.to_svg(&CrowdScene { frame: 12, ..CrowdScene::default() });
        assert!(svg.contains(">frame 12 of 12</text>"), "{svg}");
    }

    #[test]
    fn long_games_are_thinned() {
        let map = parse_art(b"..").unwrap();
        for (frames, shot) in [(1, 1), (400, 400), (401, 201), (0, 0)] {
            let mut film = CrowdFilm::new(CrowdStage::new(&map, cast(frames, false))).unwrap();
            for frame in 1..=frames {
                if film.shows(frame) {
                    let units = vec![vec![Cell::new(frame % 2, 0)], vec![]];
                    film.shoot(&CrowdScene { frame, units, ..CrowdScene::default() }).unwrap();
                }
            }
            assert_eq!((film.frames(), film.size().0), (shot, PANEL_WIDTH));
            assert!(film.finish().unwrap().starts_with(b"GIF89a"));
        }
    }
}
