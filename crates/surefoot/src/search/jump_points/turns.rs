//! Which directions are worth going on in, by the direction of arrival and the legal moves.
//!
//! A direction is left out where the same cell can be reached from the cell before at no higher cost without
//! passing through here. What remains: straight on, for diagonal arrivals also both straight parts, and the
//! turns that a wall forces. Only legal moves need looking at, since each rule has coded the walls into them:
//!
//! - Straight arrival, corners may be cut: a diagonal beside a blocked cell (`E` arrival: `NE` if `N` is
//!   blocked).
//! - Straight arrival, corners are not cut: if the cell diagonally behind is blocked, which makes that
//!   diagonal move illegal, the cell beside and the diagonal past it (`E` arrival, `N` legal but not `NW`:
//!   `N` and `NE`).
//! - Diagonal arrival: the diagonals to both sides if the straight move beside is blocked (`NE` arrival: `NW`
//!   if `W` is blocked). Where corners are not cut this cannot happen.
//! - Without diagonal moves, horizontal arrival: up and down. Vertical arrival: to a side that was closed one
//!   cell behind.

use crate::space::{Direction, DirectionSet, MoveRule};

/// The directions to go on in after arriving by `arrival` in a cell whose legal moves are `moves`. `behind`
/// gives the legal moves of the cell before.
pub(super) fn turns(
    rule: MoveRule,
    arrival: Direction,
    moves: DirectionSet,
    behind: impl FnOnce() -> DirectionSet,
) -> DirectionSet {
    let (dx, dy) = arrival.delta();
    let set = DirectionSet::NONE.with(arrival);
    if arrival.is_diagonal() {
        let (horizontal, vertical) = (Direction::from_delta(dx, 0), Direction::from_delta(0, dy));
        return forced_beside_diagonal(arrival, moves)
            .into_iter()
            .flatten()
            .fold(set.with(horizontal).with(vertical), DirectionSet::with);
    }
    // Each side, and the diagonals from here to it, ahead and behind.
    let sides = [1, -1].map(|side| {
        (
            Direction::from_delta(side * dy, side * dx),
            Direction::from_delta(dx + side * dy, dy + side * dx),
            Direction::from_delta(side * dy - dx, side * dx - dy),
        )
    });
    match rule {
        MoveRule::Squeeze | MoveRule::OneFree => sides
            .into_iter()
            .filter(|&(beside, ahead, _)| moves.contains(ahead) && !moves.contains(beside))
            .fold(set, |set, (_, ahead, _)| set.with(ahead)),
        MoveRule::NoCut => sides
            .into_iter()
            .filter(|&(beside, _, back)| moves.contains(beside) && !moves.contains(back))
            .fold(set, |set, (beside, ahead, _)| set.with(beside).with(ahead)),
        MoveRule::Cardinal if dy == 0 => set.with(Direction::South).with(Direction::North),
        MoveRule::Cardinal => {
            let behind = behind();
            sides
                .into_iter()
                .filter(|&(beside, ..)| moves.contains(beside) && !behind.contains(beside))
                .fold(set, |set, (beside, ..)| set.with(beside))
        }
    }
}

/// The turns to the sides and backwards that walls force on a diagonal arrival.
#[inline]
fn forced_beside_diagonal(arrival: Direction, moves: DirectionSet) -> [Option<Direction>; 2] {
    let (dx, dy) = arrival.delta();
    let side = |across: Direction, wall: Direction| {
        (moves.contains(across) && !moves.contains(wall)).then_some(across)
    };
    [
        side(Direction::from_delta(-dx, dy), Direction::from_delta(-dx, 0)),
        side(Direction::from_delta(dx, -dy), Direction::from_delta(0, -dy)),
    ]
}

/// Whether a wall forces a turn on a diagonal arrival.
#[inline]
pub(super) fn diagonal_turns(arrival: Direction, moves: DirectionSet) -> bool {
    forced_beside_diagonal(arrival, moves).into_iter().flatten().next().is_some()
}
