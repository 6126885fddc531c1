//! The few places where the harness depends on how the library hands things out.

use surefoot::crowd::{Crowd, FrameBudget, FrameReport};
use surefoot::space::{Cell, GridSpace, State};

/// A frame of a crowd, and its report to keep.
pub fn frame(crowd: &mut Crowd, budget: FrameBudget<'_>) -> FrameReport {
    (*crowd.frame(budget)).clone()
}

/// The state of a cell that lies on the map.
///
/// # Panics
/// If it does not.
#[must_use]
pub fn state(space: &GridSpace, cell: Cell) -> State {
    space.state_at(cell).expect("the cell lies on the map")
}
