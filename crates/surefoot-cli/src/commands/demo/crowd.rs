//! The demo's crowd: many units on the same map, filmed.

use std::fmt::Write as _;

use surefoot::crowd::{Crowd, FrameBudget, Kind};
use surefoot_draw::{CrowdCast, CrowdFilm, CrowdStage, UnitGroup};
use surefoot_lab::measures::Sample;
use surefoot_lab::play::{Game, Play};

use crate::commands::crowd::film::scene;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::table::{duration, thousands};
use crate::world::{WorldOptions, Worlds};

const UNITS: u32 = 300;
const FRAMES: u32 = 80;

/// What was filmed, and what a frame took.
pub(super) struct Filmed {
    film: Vec<u8>,
    moves: u64,
    planning_ms: Sample,
}

/// Lets a crowd walk.
pub(super) fn film(worlds: &Worlds, options: &WorldOptions, seed: u64) -> Result<Filmed, Failure> {
    let mut crowd = Crowd::new(worlds.main().grid().clone());
    let kind = crowd.add_kind(Kind::new(options.rule, options.cost)).map_err(Failure::other)?;
    let mut play = Play::new(crowd, kind, Game::of(UNITS, seed)).map_err(Failure::other)?;
    let cast = CrowdCast {
        groups: vec![UnitGroup { name: "units".to_string(), size: 1 }],
        has_walls: false,
        has_traffic: false,
        frames: FRAMES,
    };
    let mut film = CrowdFilm::new(CrowdStage::new(worlds.map(), cast)).map_err(Failure::other)?;
    let mut progress = Progress::new("a crowd", u64::from(FRAMES));
    let mut planning = Vec::new();
    for frame in 0..FRAMES {
        let times = play.frame(FrameBudget::Everyone).map_err(Failure::other)?;
        planning.push(times.planning.as_secs_f64() * 1e3);
        if film.shows(play.crowd.report().frame) {
            film.shoot(&scene(&play, None)?).map_err(Failure::other)?;
        }
        progress.done(u64::from(frame) + 1);
    }
    let film = film.finish().map_err(Failure::other)?;
    Ok(Filmed { film, moves: play.moves(), planning_ms: planning.into_iter().collect() })
}

impl Filmed {
    /// The film and what it shows, as HTML.
    pub(super) fn to_html(&self) -> String {
        let spread = self.planning_ms.spread();
        let time = |percent| spread.percentile(percent).map_or_else(String::new, |ms| duration(ms * 1e6));
        let mut html = String::from(
            "<figure><img alt=\"Units on their ways over the map\" src=\"data:image/gif;base64,",
        );
        push_base64(&mut html, &self.film);
        // Writing to a string cannot fail.
        let _ = write!(
            html,
            "\"><figcaption>{} units, {FRAMES} frames, {} moves. Planning a frame takes {} at the median, {} at worst. In the first \
             frame all choose their ways.</figcaption></figure>",
            thousands(u64::from(UNITS)),
            thousands(self.moves),
            time(50.0),
            time(100.0),
        );
        html
    }
}

fn push_base64(text: &mut String, bytes: &[u8]) {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for three in bytes.chunks(3) {
        let byte = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for place in 0..4 {
            let letter = char::from(LETTERS[((bits >> (18 - 6 * place)) & 63) as usize]);
            text.push(if place <= three.len() { letter } else { '=' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_browsers_read_them() {
        let encoded = |bytes: &[u8]| {
            let mut text = String::new();
            push_base64(&mut text, bytes);
            text
        };
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|text| encoded(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
        assert_eq!(encoded(&[0xFB, 0xFF, 0xFE]), "+//+");
    }
}
