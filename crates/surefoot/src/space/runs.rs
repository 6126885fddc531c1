//! Paths as straight runs.

use alloc::vec::Vec;

use super::{Cell, Direction, MoveRule};

/// The run that a leg begins with: diagonal moves first, or those along a row. `None` at its end.
#[inline]
pub(crate) fn next_run(rule: MoveRule, from: Cell, to: Cell) -> Option<(Direction, u32)> {
    let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let (wide, high) = (dx.unsigned_abs() as u32, dy.unsigned_abs() as u32);
    let (x, y) = (dx.signum() as i32, dy.signum() as i32);
    match (wide, high) {
        (0, 0) => None,
        (0, _) => Some((Direction::from_delta(0, y), high)),
        (_, 0) => Some((Direction::from_delta(x, 0), wide)),
        _ if rule == MoveRule::Cardinal => Some((Direction::from_delta(x, 0), wide)),
        _ => Some((Direction::from_delta(x, y), wide.min(high))),
    }
}

/// A path that is put together from legs: the cells at which it changes its direction.
pub(crate) struct Runs<'a> {
    points: &'a mut Vec<Cell>,
    /// Where it ends so far.
    at: Cell,
    /// The direction of its last run.
    direction: Option<Direction>,
}

impl<'a> Runs<'a> {
    /// Begins in a cell, in a list that is used again.
    pub(crate) fn new(points: &'a mut Vec<Cell>, at: Cell) -> Self {
        points.clear();
        points.push(at);
        Self { points, at, direction: None }
    }

    /// Where it ends so far.
    #[inline]
    pub(crate) fn at(&self) -> Cell {
        self.at
    }

    /// Goes on along a leg, diagonal moves first.
    #[inline]
    pub(crate) fn go(&mut self, rule: MoveRule, to: Cell) {
        while let Some((direction, moves)) = next_run(rule, self.at, to) {
            self.run(direction, moves);
        }
    }

    /// Goes on in one direction.
    #[inline]
    pub(crate) fn run(&mut self, direction: Direction, moves: u32) {
        self.at = self.at.after(direction, moves);
        match self.points.last_mut() {
            // It goes straight on.
            Some(last) if self.direction == Some(direction) => *last = self.at,
            _ => self.points.push(self.at),
        }
        self.direction = Some(direction);
    }
}
