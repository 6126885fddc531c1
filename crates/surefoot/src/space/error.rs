//! What can go wrong when a space is made or asked.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::Cell;

/// A name that is not among the known ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} \"{given}\"; expected one of: {expected}")]
pub struct NameError {
    what: &'static str,
    given: String,
    expected: String,
}

impl NameError {
    pub(crate) fn new<'a>(what: &'static str, given: &str, names: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.collect();
        Self { what, given: given.to_string(), expected: names.join(", ") }
    }
}

/// A grid or graph that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// A side of the grid is zero.
    #[error("a grid of {width} x {height} cells is empty; both sides must be at least 1")]
    EmptyGrid {
        /// The width asked for.
        width: u32,
        /// The height asked for.
        height: u32,
    },
    /// More cells than a grid can have.
    #[error(
        "a grid of {width} x {height} cells is too large; at most {} cells are supported",
        super::MAX_CELLS
    )]
    TooManyCells {
        /// The width asked for.
        width: u32,
        /// The height asked for.
        height: u32,
    },
    /// There is no memory for so many cells.
    #[error("there is not enough memory for a grid of {width} x {height} cells; make it smaller")]
    NoMemory {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The data given does not fill the grid.
    #[error("a grid of {width} x {height} cells needs {} values, not {given}", u64::from(*width) * u64::from(*height))]
    WrongLength {
        /// The grid's width.
        width: u32,
        /// The grid's height.
        height: u32,
        /// How many values there were.
        given: usize,
    },
    /// A free cell of weight 0.
    #[error("cell {cell} has weight 0; cells that can be walked on need 1 to 255")]
    NoWeight {
        /// The cell.
        cell: Cell,
    },
    /// Weights that could make costs too large.
    #[error(
        "the sum of all weights is {sum}, and at most {} is supported; divide the weights by a number",
        super::MAX_WEIGHT_SUM
    )]
    TooHeavy {
        /// The sum of all weights.
        sum: u64,
    },
    /// Weights for a map of another size.
    #[error(
        "the weights are for a map of {} x {} cells, but this one has {width} x {height}", given.0, given.1
    )]
    OtherSize {
        /// The grid's width.
        width: u32,
        /// The grid's height.
        height: u32,
        /// The width and height that the weights are for.
        given: (u32, u32),
    },
    /// A weight for a cell of a space that has none.
    #[error("this map has no weights; make it with Map::with_weights or GridSpace::weighted")]
    Unweighted,
    /// More states than a graph can have.
    #[error("a graph of {0} states is too large; states are numbered with 32 bits")]
    TooManyStates(usize),
    /// An edge with an end that is no state.
    #[error("edge {edge} goes from state {from} to {to}, but the graph has {states} states, numbered from 0")]
    EdgeOutside {
        /// The edge's place in the list.
        edge: usize,
        /// Where it starts.
        from: u32,
        /// Where it ends.
        to: u32,
        /// How many states there are.
        states: usize,
    },
    /// An edge that costs nothing.
    #[error("edge {edge} from state {from} to {to} costs 0; every cost must be at least 1")]
    FreeEdge {
        /// The edge's place in the list.
        edge: usize,
        /// Where it starts.
        from: u32,
        /// Where it ends.
        to: u32,
    },
}

/// What a cell or state is asked about for: so that a message says which one of several is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Where a way begins.
    Start,
    /// Where a way ends.
    Goal,
    /// A cell of a map, for whatever it is.
    Cell,
    /// A state of a space, for whatever it is.
    State,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Goal => "goal",
            Self::Cell => "cell",
            Self::State => "state",
        })
    }
}

/// A question that has no answer, because it is not about this space.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A cell beyond the grid's edges.
    #[error("{role} ({}, {}) is outside the map, which is {width} x {height} cells; x is 0 to {}, y is 0 to {}",
        cell.x, cell.y, width - 1, height - 1)]
    Outside {
        /// What it was for.
        role: Role,
        /// The cell.
        cell: Cell,
        /// The grid's width.
        width: u32,
        /// The grid's height.
        height: u32,
    },
    /// A state that no agent can be in.
    #[error("{role} {state} is blocked; choose a passable one")]
    Blocked {
        /// What it was for.
        role: Role,
        /// How the space describes it.
        state: String,
    },
    /// A cell that is free, but around which there is no room for an agent of this size.
    #[error(
        "{role}: there is no room for size {size} at ({}, {}): all of the {size} x {size} cells from there on must be free",
        cell.x, cell.y
    )]
    NoRoom {
        /// What it was for.
        role: Role,
        /// The cell: the top left one of those that the agent stands on.
        cell: Cell,
        /// How many cells the agent is wide and high.
        size: u32,
    },
    /// A number that names no state of this space.
    #[error("{role} {state} is not a state; this space has {limit}, numbered from 0")]
    NoState {
        /// What it was for.
        role: Role,
        /// The number.
        state: u32,
        /// How many states there are.
        limit: usize,
    },
    /// No cells, where those of a path were expected.
    #[error("there are no cells; a path has at least the one where it starts")]
    NoCells,
    /// Two cells that follow each other on a path, with walls between them.
    #[error(
        "a unit cannot go straight from {from} to {to}: the map was edited since, or is another one; find a new path"
    )]
    NoLine {
        /// The one.
        from: Cell,
        /// The other.
        to: Cell,
    },
    /// The algorithm walks moves backwards, and this space has moves that cannot be undone.
    #[error(
        "{algorithm} needs moves that can be undone at the same cost, and this graph has one-way moves; \
        add the missing edges or choose another algorithm"
    )]
    NotReversible {
        /// The algorithm that refuses.
        algorithm: &'static str,
    },
    /// The algorithm needs ground that weighs the same everywhere.
    #[error(
        "{algorithm} finds cheapest paths only where all ground weighs the same, and this map has weights; use {instead}"
    )]
    Weighted {
        /// The algorithm that refuses.
        algorithm: &'static str,
        /// What to use instead.
        instead: &'static str,
    },
    /// The agent's database belongs to another kind of world.
    #[error("the agent's database was built for {built_for}; build one for this map")]
    OtherDatabase {
        /// What it was built for.
        built_for: String,
    },
}

impl QueryError {
    /// The same error about a cell or state that was for this.
    #[must_use]
    pub fn at(mut self, to: Role) -> Self {
        match &mut self {
            Self::Outside { role, .. }
            | Self::Blocked { role, .. }
            | Self::NoRoom { role, .. }
            | Self::NoState { role, .. } => *role = to,
            Self::NoCells
            | Self::NoLine { .. }
            | Self::NotReversible { .. }
            | Self::Weighted { .. }
            | Self::OtherDatabase { .. } => {}
        }
        self
    }

    /// The error for an agent of some size, if it is known whether the cell itself is free: then only the
    /// room is missing.
    #[must_use]
    pub fn for_size(self, size: u32, cell: Cell, is_free: bool) -> Self {
        match self {
            Self::Blocked { role, .. } if is_free => Self::NoRoom { role, cell, size },
            other => other,
        }
    }
}
