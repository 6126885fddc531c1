//! Films and pictures of crowds, and the files that they go to.

use std::path::Path;

use surefoot::space::TerrainMap;
use surefoot_draw::{CrowdCast, CrowdFilm, CrowdScene, CrowdStage, Traffic, UnitGroup, pixels_to_png};
use surefoot_lab::play::Play;

use super::Arguments;
use crate::failure::Failure;
use crate::maps::{extension, unknown_extension};
use crate::output::{Output, tell};

/// A file in the making.
pub(super) struct FilmOutput {
    output: Output,
    format: Format,
}

#[derive(Clone, Copy)]
enum Format {
    /// A film.
    Gif,
    /// The last frame.
    Png,
    /// The last frame.
    Svg,
}

impl FilmOutput {
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        let format = match extension(path).as_deref() {
            Some("gif") => Format::Gif,
            Some("png") => Format::Png,
            Some("svg") => Format::Svg,
            _ => return Err(unknown_extension(path, ".gif, .png or .svg")),
        };
        Ok(Self { output: Output::create(path)?, format })
    }

    /// Begins a film of a game, or gets ready for a picture of its last frame.
    pub(super) fn begin<'a>(
        self,
        map: &'a TerrainMap,
        arguments: &Arguments,
    ) -> Result<Shooting<'a>, Failure> {
        let size = arguments.world.size.size;
        let of_size = if size > 1 { format!(" of size {size}") } else { String::new() };
        // A picture of traffic has none in the way.
        let has_units = matches!(self.format, Format::Gif) || !arguments.heat;
        let groups = usize::from(has_units) * if arguments.pursuers > 0 { 2 } else { 1 };
        let names = ["units", "pursuers"].into_iter().take(groups);
        let cast = CrowdCast {
            groups: names.map(|name| UnitGroup { name: format!("{name}{of_size}"), size }).collect(),
            has_walls: arguments.edits_per_frame > 0,
            has_traffic: arguments.heat,
            frames: arguments.frames,
        };
        let stage = CrowdStage::new(map, cast);
        let show = match self.format {
            Format::Gif => Show::Film(CrowdFilm::new(stage).map_err(Failure::other)?),
            Format::Png => Show::Picture(stage, false),
            Format::Svg => Show::Picture(stage, true),
        };
        Ok(Shooting { output: self.output, show, traffic: arguments.heat.then(|| Traffic::new(map)) })
    }
}

/// A film or a picture in the making.
pub(super) struct Shooting<'a> {
    output: Output,
    show: Show<'a>,
    traffic: Option<Traffic>,
}

enum Show<'a> {
    Film(CrowdFilm<'a>),
    /// What draws it, and whether as SVG.
    Picture(CrowdStage<'a>, bool),
}

impl Shooting<'_> {
    /// Counts the traffic of a frame, and takes a picture of it if it is part of the film.
    pub(super) fn shoot(&mut self, play: &Play) -> Result<(), Failure> {
        let report = play.crowd.report();
        if let Some(traffic) = &mut self.traffic {
            for made in &report.moves {
                traffic.add(made.to);
            }
        }
        match &mut self.show {
            Show::Film(film) if film.shows(report.frame) => {
                film.shoot(&scene(play, self.traffic.as_ref())?).map_err(Failure::other)
            }
            _ => Ok(()),
        }
    }

    /// The bytes that this takes in memory since it was begun.
    pub(super) fn own_bytes(&self) -> u64 {
        let film = if let Show::Film(film) = &self.show { film.own_bytes() } else { 0 };
        film + self.traffic.as_ref().map_or(0, Traffic::own_bytes)
    }

    /// Writes the film or the picture and says so.
    pub(super) fn finish(self, play: &Play) -> Result<(), Failure> {
        let Self { output, show, traffic } = self;
        let scene = scene(play, traffic.as_ref())?;
        let (bytes, (width, height), frames) = match show {
            Show::Film(film) => {
                let (size, frames) = (film.size(), format!("{} frames of ", film.frames()));
                (film.finish().map_err(Failure::other)?, size, frames)
            }
            Show::Picture(stage, true) => {
                let (svg, size) = stage.to_svg(&scene);
                (svg.into_bytes(), size, String::new())
            }
            Show::Picture(stage, false) => {
                (pixels_to_png(&stage.to_pixels(&scene)), stage.size(), String::new())
            }
        };
        let name = output.path().display().to_string();
        output.finish_with(&bytes)?;
        let traffic = traffic.map(|traffic| format!(", {} moves", traffic.moves())).unwrap_or_default();
        tell(&format!("wrote {name}: {frames}{width} x {height} pixels{traffic}"));
        Ok(())
    }
}

/// The crowd as it is.
pub(in crate::commands) fn scene<'t>(
    play: &Play,
    traffic: Option<&'t Traffic>,
) -> Result<CrowdScene<'t>, Failure> {
    let (mut walkers, mut pursuers) = (Vec::new(), Vec::new());
    for &unit in play.units() {
        let place = play.crowd.position(unit).map_err(Failure::other)?;
        let is_pursuer = play.crowd.target(unit).map_err(Failure::other)?.is_some();
        if is_pursuer { pursuers.push(place) } else { walkers.push(place) }
    }
    let frame = play.crowd.report().frame;
    Ok(CrowdScene { frame, units: vec![walkers, pursuers], walls: play.walls().collect(), traffic })
}
