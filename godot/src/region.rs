//! Where a map lies among the cells of a game: a layer of tiles may begin at (-20, -7).

use godot::builtin::{Rect2i, Vector2i};
use surefoot::Cell;

use crate::problem::Problem;

/// The cells that a map has, in the coordinates of the game. The library counts them from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Region {
    left: i32,
    top: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Region {
    /// Fails if a side is not positive, or cells have no number.
    pub(crate) fn new(rect: Rect2i) -> Result<Self, Problem> {
        let (left, top) = (rect.position.x, rect.position.y);
        let side = |from: i32, length: i32| {
            let is_nameable = length > 0 && from.checked_add(length).is_some();
            is_nameable.then_some(length.unsigned_abs())
        };
        match (side(left, rect.size.x), side(top, rect.size.y)) {
            (Some(width), Some(height)) => Ok(Self { left, top, width, height }),
            _ => Err(Problem::argument(format!(
                "a map of {} x {} cells at ({left}, {top}) cannot be; both sides have to be 1 or more",
                rect.size.x, rect.size.y
            ))),
        }
    }

    pub(crate) fn rect(self) -> Rect2i {
        let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
        Rect2i::new(Vector2i::new(self.left, self.top), Vector2i::new(side(self.width), side(self.height)))
    }

    /// The cell as the library counts it, if it is one of the map's.
    pub(crate) fn inner(self, cell: Vector2i) -> Option<Cell> {
        let x = u32::try_from(i64::from(cell.x) - i64::from(self.left)).ok()?;
        let y = u32::try_from(i64::from(cell.y) - i64::from(self.top)).ok()?;
        (x < self.width && y < self.height).then_some(Cell::new(x, y))
    }

    /// The same; `role` says in the error what the cell was to be.
    pub(crate) fn find(self, role: &str, cell: Vector2i) -> Result<Cell, Problem> {
        self.inner(cell).ok_or_else(|| {
            let (right, bottom) = (self.left + (self.width as i32 - 1), self.top + (self.height as i32 - 1));
            Problem::argument(format!(
                "{role} ({}, {}) is outside the map; x is {} to {right}, y is {} to {bottom}",
                cell.x, cell.y, self.left, self.top
            ))
        })
    }

    /// The cell as the game counts it.
    pub(crate) fn outer(self, cell: Cell) -> Vector2i {
        Vector2i::new(self.left.wrapping_add(cell.x as i32), self.top.wrapping_add(cell.y as i32))
    }

    /// The cell in words.
    pub(crate) fn name(self, cell: Cell) -> String {
        let Vector2i { x, y } = self.outer(cell);
        format!("({x}, {y})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(x: i32, y: i32, width: i32, height: i32) -> Result<Region, Problem> {
        Region::new(Rect2i::new(Vector2i::new(x, y), Vector2i::new(width, height)))
    }

    #[test]
    fn cells_left_of_zero_are_cells_like_others() {
        let region = region(-20, -7, 30, 9).unwrap();
        assert_eq!(region.inner(Vector2i::new(-20, -7)), Some(Cell::new(0, 0)));
        assert_eq!(region.inner(Vector2i::new(9, 1)), Some(Cell::new(29, 8)));
        for outside in [(-21, -7), (-20, -8), (10, 0), (0, 2), (i32::MIN, 0), (0, i32::MAX)] {
            assert_eq!(region.inner(Vector2i::new(outside.0, outside.1)), None, "{outside:?}");
        }
        for cell in [Cell::new(0, 0), Cell::new(29, 8), Cell::new(20, 7)] {
            assert_eq!(region.inner(region.outer(cell)), Some(cell));
        }
        assert_eq!(
            region.find("goal", Vector2i::new(10, 0)).unwrap_err().message,
            "goal (10, 0) is outside the map; x is -20 to 9, y is -7 to 1"
        );
    }

    #[test]
    fn regions_that_cannot_be_are_refused() {
        for (x, y, width, height) in
            [(0, 0, 0, 4), (0, 0, 4, -1), (i32::MAX, 0, 1, 1), (0, i32::MAX - 3, 4, 4)]
        {
            assert!(region(x, y, width, height).is_err(), "{x} {y} {width} {height}");
        }
        assert!(region(i32::MIN, i32::MAX - 4, 1, 4).is_ok());
    }
}
