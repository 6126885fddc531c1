//! The map of the game.

use surefoot::{Cell, Map};

/// Columns and rows of the map.
pub const SIDE: u32 = 256;

/// Rooms of 32 cells with doors in their walls, and pillars.
pub fn level() -> Map {
    let is_wall = |cell: Cell| {
        let (x, y) = (cell.x % 32, cell.y % 32);
        let is_door = |along: u32, number: u32| (along + number * 5) % 16 < 5;
        let is_room_wall = x == 0 && !is_door(y, cell.x / 32) || y == 0 && !is_door(x, cell.y / 32 + 3);
        is_room_wall || (x / 2 % 6 == 4 && y / 2 % 6 == 4)
    };
    Map::from_fn(SIDE, SIDE, |cell| !is_wall(cell)).expect("a map of this size")
}
