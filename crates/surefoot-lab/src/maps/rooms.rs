//! Rooms by recursive division: a wall with a door splits the space in two, and each part is split again
//! until rooms are small enough. Where to split is drawn at random, so rooms differ in size and shape; long
//! walls get a second door now and then, so that there are loops. All rooms are connected, because a wall is
//! never built up against the door of another.

use super::canvas::{Canvas, GROUND, ROCK};
use crate::random::Rng;

/// No room is narrower than this where a wall was built.
const NARROWEST: u32 = 4;
/// Rooms with a longer side are always split.
const LONGEST: u32 = 40;
/// Rooms of at most this many cells stay whole.
const SMALLEST_TO_SPLIT: u32 = 90;

/// A part of the map with walls or edges around it.
#[derive(Clone, Copy)]
struct Part {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

pub(super) fn fill(canvas: &mut Canvas, seed: u64) {
    let (width, height) = (canvas.width(), canvas.height());
    furnish(canvas, &mut Rng::new(seed, 0), 0, 0, width, height);
}

/// Fills a rectangle of the canvas with rooms, up to its edges and without a wall around it.
pub(super) fn furnish(canvas: &mut Canvas, rng: &mut Rng, x: u32, y: u32, width: u32, height: u32) {
    canvas.fill(x, y, width, height, GROUND);
    let mut parts = vec![Part { x, y, width, height }];
    while let Some(part) = parts.pop() {
        if let Some((first, second)) = split(canvas, rng, part) {
            parts.push(second);
            parts.push(first);
        }
    }
}

/// Builds a wall with a door across `part`, if it is to be split and there is a place for the wall.
fn split(canvas: &mut Canvas, rng: &mut Rng, part: Part) -> Option<(Part, Part)> {
    let Part { x, y, width, height } = part;
    let longest = width.max(height);
    if longest < 2 * NARROWEST + 1 {
        return None;
    }
    // Small parts stay as they are, middling ones now and then.
    if longest <= LONGEST && (width * height <= SMALLEST_TO_SPLIT || rng.below(6) == 0) {
        return None;
    }
    // The wall runs across the longer side; in nearly square parts either way.
    let (wide, high) = (u64::from(width), u64::from(height));
    let upright = if wide * 4 > high * 5 {
        true
    } else if high * 4 > wide * 5 {
        false
    } else {
        rng.below(2) == 0
    };
    let (long, across) = if upright { (width, height) } else { (height, width) };
    if long < 2 * NARROWEST + 1 {
        return None;
    }
    let is_free_at_ends = |canvas: &Canvas, at: u32| {
        // The cells that the wall's two ends run into: they must not be doors.
        let ends = if upright {
            [(y > 0).then(|| (x + at, y - 1)), (y + height < canvas.height()).then_some((x + at, y + height))]
        } else {
            [(x > 0).then(|| (x - 1, y + at)), (x + width < canvas.width()).then_some((x + width, y + at))]
        };
        ends.into_iter().flatten().all(|(x, y)| canvas.get(x, y) != GROUND)
    };
    // If doors are in the way of every draw, the part stays whole.
    let at = (0..8)
        .map(|_| rng.between(NARROWEST, long - 1 - NARROWEST))
        .find(|&at| is_free_at_ends(canvas, at))?;
    if upright {
        canvas.fill(x + at, y, 1, height, ROCK);
    } else {
        canvas.fill(x, y + at, width, 1, ROCK);
    }
    let doors = 1 + u32::from(across > 24 && rng.below(3) == 0);
    for _ in 0..doors {
        let door_width = rng.between(1, 3).min(across);
        let offset = rng.below(u64::from(across - door_width) + 1) as u32;
        if upright {
            canvas.fill(x + at, y + offset, 1, door_width, GROUND);
        } else {
            canvas.fill(x + offset, y + at, door_width, 1, GROUND);
        }
    }
    Some(if upright {
        (Part { width: at, ..part }, Part { x: x + at + 1, width: width - at - 1, ..part })
    } else {
        (Part { height: at, ..part }, Part { y: y + at + 1, height: height - at - 1, ..part })
    })
}
