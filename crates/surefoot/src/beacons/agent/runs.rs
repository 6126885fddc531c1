//! The next moves of a leg, as the map has them.

use crate::beacons::{is_open, two_runs};
use crate::space::{Cell, Direction, GridSpace, next_run};

/// The next move of a leg that is open with its straight moves first, but not with its diagonal ones first;
/// `None` for other legs.
#[inline]
pub(super) fn bent_run(space: &GridSpace, from: Cell, to: Cell) -> Option<(Direction, u32)> {
    let [first, second] = two_runs(space.rule(), from, to)?;
    let is_bent = !is_open(space, from, [first, second]) && is_open(space, from, [second, first]);
    // One move at a time: whoever is saved and goes on does the same.
    is_bent.then_some((second.0, 1))
}

/// The direction that leads on along a leg, and for how many moves; `None` if all that lead nearer are
/// blocked, which takes an edit.
#[inline]
pub(super) fn certain_run(space: &GridSpace, from: Cell, to: Cell) -> Option<(Direction, u32)> {
    let (run, moves) = next_run(space.rule(), from, to)?;
    let certain = space.run(from, run, moves);
    if certain > 0 {
        return Some((run, certain));
    }
    // The other moves of the leg, one at a time: whoever is saved and goes on does the same.
    let [_, (other, _)] = two_runs(space.rule(), from, to)?;
    (space.run(from, other, 1) > 0).then_some((other, 1))
}
