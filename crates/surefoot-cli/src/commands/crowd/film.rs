//! Films of crowds, and the files that they go to.

use std::path::Path;

use surefoot::space::TerrainMap;
use surefoot_draw::{CrowdFilm, CrowdScene};
use surefoot_lab::play::Play;

use crate::failure::Failure;
use crate::maps::{extension, unknown_extension};
use crate::output::{Output, tell};

/// A file in the making.
pub(super) struct FilmOutput {
    output: Output,
}

impl FilmOutput {
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        if extension(path).as_deref() != Some("gif") {
            return Err(unknown_extension(path, ".gif"));
        }
        Ok(Self { output: Output::create(path)? })
    }

    /// Begins a film of so many frames.
    pub(super) fn begin(self, map: &TerrainMap, frames: u32) -> Result<Shooting<'_>, Failure> {
        let film = CrowdFilm::new(map, frames).map_err(Failure::other)?;
        Ok(Shooting { output: self.output, film })
    }
}

/// A film in the making.
pub(super) struct Shooting<'a> {
    output: Output,
    film: CrowdFilm<'a>,
}

impl Shooting<'_> {
    /// Takes a picture of the crowd as it is.
    pub(super) fn shoot(&mut self, play: &Play) -> Result<(), Failure> {
        if !self.film.next_frame() {
            return Ok(());
        }
        let mut scene = CrowdScene { walls: play.walls().collect(), ..CrowdScene::default() };
        for &unit in play.units() {
            let place = play.crowd.position(unit).map_err(Failure::other)?;
            let is_pursuer = play.crowd.target(unit).map_err(Failure::other)?.is_some();
            if is_pursuer { scene.pursuers.push(place) } else { scene.walkers.push(place) }
        }
        self.film.shoot(scene).map_err(Failure::other)
    }

    /// The bytes that the film takes in memory since it was begun.
    pub(super) fn own_bytes(&self) -> u64 {
        self.film.own_bytes()
    }

    /// Writes the film and says so.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let ((width, height), frames) = (self.film.size(), self.film.frames());
        let bytes = self.film.finish().map_err(Failure::other)?;
        let name = self.output.path().display().to_string();
        self.output.finish_with(&bytes)?;
        tell(&format!("wrote {name}: {frames} frames of {width} x {height} pixels"));
        Ok(())
    }
}
