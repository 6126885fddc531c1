//! A recorded walk as a picture that stands still.

use surefoot::space::{GridSpace, TerrainMap};
use surefoot::tape::{Replay, Tape};

use crate::{Colour, Picture};

/// The way walked, with its start and its goal. The walk was recorded in `space`, a world on `map`.
#[must_use]
pub fn picture_of_walk<'a>(map: &'a TerrainMap, space: &GridSpace, tape: &Tape) -> Picture<'a> {
    let mut replay = Replay::new(tape);
    let mut way = vec![space.cell(replay.position())];
    while replay.advance() {
        way.push(space.cell(replay.position()));
    }
    way.dedup();
    Picture::new(map)
        .with_path(way, Colour::of_path(0))
        .with_start(space.cell(tape.header().start))
        .with_goal(space.cell(replay.goal()))
}
