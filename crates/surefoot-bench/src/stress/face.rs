//! The few places where the harness depends on how the library hands things out.

use surefoot::crowd::{Crowd, FrameBudget, FrameReport, UnitId};
use surefoot::space::{Cell, GridSpace, State};

/// A move that a frame's report tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Who.
    pub unit: UnitId,
    /// Where from.
    pub from: Cell,
    /// Where to.
    pub to: Cell,
}

/// A frame of a crowd, and its report to keep.
pub fn frame(crowd: &mut Crowd, budget: FrameBudget<'_>) -> FrameReport {
    (*crowd.frame(budget)).clone()
}

/// The moves of a report, by cells.
#[must_use]
pub fn moves(crowd: &Crowd, report: &FrameReport) -> Vec<Made> {
    let made = |made: &surefoot::crowd::Move| Made {
        unit: made.unit,
        from: crowd.cell(made.from),
        to: crowd.cell(made.to),
    };
    report.moves.iter().map(made).collect()
}

/// The state of a cell that lies on the map.
///
/// # Panics
/// If it does not.
#[must_use]
pub fn state(space: &GridSpace, cell: Cell) -> State {
    space.state_at(cell).expect("the cell lies on the map")
}
