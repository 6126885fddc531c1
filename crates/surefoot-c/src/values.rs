//! Plain values: cells, links, and names for numbers.

use surefoot::space::{CostModel, Link, MoveRule};
use surefoot::{Cell, Edit, KindId, PathCost, Priority, UnitId};

use crate::problem::{Problem, SurefootResult, argument};

/// The first number of the version that the header is of.
pub const SUREFOOT_VERSION_MAJOR: u32 = 0;
/// The second number of it.
pub const SUREFOOT_VERSION_MINOR: u32 = 2;
/// The third number of it.
pub const SUREFOOT_VERSION_PATCH: u32 = 0;

/// A cell of a map: column and row, both from 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurefootCell {
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

/// A place between cells. The middle of the first cell is at 0, 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurefootPoint {
    /// To the right.
    pub x: f32,
    /// Down.
    pub y: f32,
}

/// An extra move from one cell to another: a one-way door, a ladder, a teleporter.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurefootLink {
    /// Where it begins.
    pub from: SurefootCell,
    /// Where it ends.
    pub to: SurefootCell,
    /// It costs as much as so many straight moves, 1 or more.
    pub moves: u32,
}

/// A unit of a crowd.
pub type SurefootUnit = u64;
/// A kind of units of a crowd.
pub type SurefootKind = u32;
/// A group of units that were sent together.
pub type SurefootGroup = u32;

/// When a diagonal move is allowed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurefootRule {
    /// As on the map.
    AsMap = 0,
    /// If both cells beside it are free. That is usual.
    NoCut = 1,
    /// If one of them is free.
    OneFree = 2,
    /// Always.
    Squeeze = 3,
    /// Never: there are four directions.
    Cardinal = 4,
}

/// What a diagonal move costs.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurefootCosts {
    /// As on the map.
    AsMap = 0,
    /// The square root of 2. That is usual.
    Sqrt2 = 1,
    /// 1.4.
    Diagonal14 = 2,
}

/// Who is served first where the work of a frame does not suffice for all.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurefootPriority {
    /// As usual.
    Normal = 0,
    /// After the others.
    Low = 1,
    /// Before the others.
    High = 2,
}

/// What came of a walker's move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurefootStep {
    /// It moved.
    Moved = 0,
    /// It stands on its goal.
    Arrived = 1,
    /// There is no way to its goal.
    NoWay = 2,
    /// It has planned and not moved yet: it goes on with the next call.
    Waiting = 3,
}

/// How a unit of a crowd fares.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurefootStatus {
    /// It walks.
    Walking = 0,
    /// It has arrived.
    Arrived = 1,
    /// It has no way to its goal.
    Unreachable = 2,
    /// It does not know how to go on.
    Stuck = 3,
}

impl From<SurefootCell> for Cell {
    fn from(cell: SurefootCell) -> Self {
        Self::new(cell.x, cell.y)
    }
}

impl From<Cell> for SurefootCell {
    fn from(cell: Cell) -> Self {
        Self { x: cell.x, y: cell.y }
    }
}

impl From<SurefootLink> for Link {
    fn from(link: SurefootLink) -> Self {
        Self::new(link.from, link.to).costing(link.moves)
    }
}

/// The rule that a number stands for; `None` for that of the map.
pub(crate) fn rule(number: i32) -> Result<Option<MoveRule>, Problem> {
    match number {
        0 => Ok(None),
        1 => Ok(Some(MoveRule::NoCut)),
        2 => Ok(Some(MoveRule::OneFree)),
        3 => Ok(Some(MoveRule::Squeeze)),
        4 => Ok(Some(MoveRule::Cardinal)),
        other => Err(argument(format!("there is no rule {other}; take one of SurefootRule"))),
    }
}

/// The costs that a number stands for; `None` for those of the map.
pub(crate) fn costs(number: i32) -> Result<Option<CostModel>, Problem> {
    match number {
        0 => Ok(None),
        1 => Ok(Some(CostModel::Sqrt2)),
        2 => Ok(Some(CostModel::Diagonal14)),
        other => Err(argument(format!("there are no costs {other}; take some of SurefootCosts"))),
    }
}

/// The priority that a number stands for.
pub(crate) fn priority(number: i32) -> Result<Priority, Problem> {
    match number {
        0 => Ok(Priority::Normal),
        1 => Ok(Priority::Low),
        2 => Ok(Priority::High),
        other => Err(argument(format!("there is no priority {other}; take one of SurefootPriority"))),
    }
}

/// A unit. Whether it is one of a crowd's is for the crowd to say.
pub(crate) fn unit(bits: SurefootUnit) -> Result<UnitId, Problem> {
    UnitId::from_bits(bits).ok_or_else(|| {
        let words = format!("there is no unit {bits}: take the numbers that surefoot_crowd_add gave");
        Problem::new(SurefootResult::SurefootErrorCrowd, words)
    })
}

/// Some units.
pub(crate) fn units(bits: Vec<SurefootUnit>) -> Result<Vec<UnitId>, Problem> {
    bits.into_iter().map(unit).collect()
}

/// A kind. Whether it is one of a crowd's is for the crowd to say.
pub(crate) fn kind(bits: SurefootKind) -> Result<KindId, Problem> {
    KindId::from_bits(bits).ok_or_else(|| {
        let words = format!("there is no kind {bits}; add it to this crowd first");
        Problem::new(SurefootResult::SurefootErrorCrowd, words)
    })
}

/// A cost as C has it; infinite if there is no way.
pub(crate) fn number(cost: Option<PathCost>) -> f64 {
    cost.map_or(f64::INFINITY, PathCost::to_f64)
}

/// What it comes to if there is a way, or none.
pub(crate) fn way<T>(found: Option<&T>) -> SurefootResult {
    if found.is_some() { SurefootResult::SurefootOk } else { SurefootResult::SurefootNoWay }
}

/// An edit that frees or blocks a cell.
pub(crate) fn edit(cell: SurefootCell, free: i32) -> Edit {
    if free != 0 { Edit::free(cell) } else { Edit::block(cell) }
}

/// An edit that gives a cell a weight.
pub(crate) fn weigh(cell: SurefootCell, weight: u8) -> Edit {
    Edit::weigh(cell, weight)
}
