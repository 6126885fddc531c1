//! Films as animated GIF images.
//!
//! Each frame holds only the rectangle that changed. All colours are known beforehand, so that none is
//! rounded.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ::gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use surefoot::space::Cell;

use super::palette::Palette;
use super::{EXPANDED, Film, SHADES, Scene, shade};
use crate::{Colour, Picture};

/// The longer side of a film, in pixels.
const SIDE: u32 = 768;

/// The trail's.
const TRAIL: Colour = Colour::of_path(0);

/// Draws the film; `done` hears how many frames there are.
pub(super) fn write(film: &Film, done: &mut dyn FnMut(u64)) -> Result<Vec<u8>, EncodingError> {
    let palette = palette();
    let picture = Picture::new(film.map()).with_longer_side(SIDE);
    let background = picture.to_pixels();
    let (width, height) = (background.width() as u16, background.height() as u16);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette.bytes())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let (each, last) = film.times();
    let mut state = State { shades: BTreeMap::new(), trail: Vec::new() };
    let mut before: Option<Vec<u8>> = None;
    for (index, scene) in film.scenes().iter().enumerate() {
        let mut pixels = background.clone();
        state.draw(&picture, film, scene).draw_on(&mut pixels);
        let now = palette.indices(&pixels);
        let part = Part::changed(before.as_deref(), &now, usize::from(width));
        encoder.write_frame(&Frame {
            delay: if index + 1 == film.scenes().len() { last } else { each },
            dispose: DisposalMethod::Keep,
            left: part.left as u16,
            top: part.top as u16,
            width: part.width as u16,
            height: part.height as u16,
            buffer: Cow::Owned(part.of(&now, usize::from(width))),
            ..Frame::default()
        })?;
        before = Some(now);
        done(index as u64 + 1);
    }
    drop(encoder);
    Ok(bytes)
}

/// What stays from scene to scene.
struct State {
    shades: BTreeMap<Cell, u8>,
    trail: Vec<Vec<Cell>>,
}

impl State {
    fn draw<'a>(&mut self, map: &Picture<'a>, film: &Film, scene: &Scene) -> Picture<'a> {
        for &(cell, shade) in &scene.shades {
            match shade {
                Some(shade) => self.shades.insert(cell, shade),
                None => self.shades.remove(&cell),
            };
        }
        self.trail.extend(scene.trail.iter().cloned());
        let mut picture = map.clone();
        for index in 0..SHADES {
            let cells = self.shades.iter().filter(|entry| *entry.1 == index).map(|entry| *entry.0);
            picture = picture.with_cells(cells, shade(index));
        }
        picture = picture.with_cells(scene.expanded.iter().copied(), EXPANDED);
        for line in &self.trail {
            picture = picture.with_path(line.iter().copied(), TRAIL);
        }
        picture = picture.with_start(film.start()).with_goal(scene.goal);
        if let Some(subgoal) = scene.subgoal {
            picture = picture.with_subgoal(subgoal);
        }
        picture.with_agent(scene.position)
    }
}

/// All colours of a film.
fn palette() -> Palette {
    let shades = (0..SHADES).map(shade);
    Palette::of_map(shades.chain([
        EXPANDED,
        TRAIL,
        Colour::START,
        Colour::GOAL,
        Colour::SUBGOAL,
        Colour::AGENT,
    ]))
}

/// A rectangle of pixels.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Part {
    /// What differs; a single pixel if nothing does, since a frame has to have one.
    fn changed(before: Option<&[u8]>, now: &[u8], width: usize) -> Self {
        let Some(before) = before else {
            return Self { left: 0, top: 0, width, height: now.len() / width };
        };
        let (mut left, mut right, mut top, mut bottom) = (width, 0, None, 0);
        for (y, (old, new)) in before.chunks(width).zip(now.chunks(width)).enumerate() {
            if old == new {
                continue;
            }
            let differs = |x: &usize| old[*x] != new[*x];
            left = left.min((0..width).find(differs).unwrap_or(width));
            right = right.max((0..width).rfind(differs).unwrap_or(0));
            top = top.or(Some(y));
            bottom = y;
        }
        match top {
            Some(top) => Self { left, top, width: right - left + 1, height: bottom - top + 1 },
            None => Self { left: 0, top: 0, width: 1, height: 1 },
        }
    }

    fn of(&self, pixels: &[u8], width: usize) -> Vec<u8> {
        let rows = pixels.chunks(width).skip(self.top).take(self.height);
        rows.flat_map(|row| row[self.left..self.left + self.width].iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_kept() {
        let before = [0; 20];
        let mut now = before;
        (now[6], now[13]) = (1, 1);
        let part = Part::changed(Some(&before), &now, 5);
        assert_eq!(part, Part { left: 1, top: 1, width: 3, height: 2 });
        assert_eq!(part.of(&now, 5), [1, 0, 0, 0, 0, 1]);
        assert_eq!(Part::changed(None, &now, 5), Part { left: 0, top: 0, width: 5, height: 4 });
        assert_eq!(Part::changed(Some(&now), &now, 5).width, 1);
    }

    #[test]
    fn the_palette_has_each_colour_once() {
        assert!(palette().has_each_once());
    }
}
