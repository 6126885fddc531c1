//! The world that everything else searches: states, integer costs, moves and distance estimates.
//!
//! [`StateSpace`] is the smallest trait of the library and the one that all else depends on. Three types
//! implement it: [`GridSpace`] (a [`Grid`] with a [`MoveRule`], a [`CostModel`] and perhaps [`CellWeights`]),
//! [`LinkedSpace`] (the same with [links](Link) from cell to cell) and [`Graph`] (any directed graph with
//! positive costs).

mod bits;
mod component_edits;
mod components;
mod cost;
mod division;
mod error;
mod graph;
mod grid;
mod grid_heuristic;
mod grid_space;
mod ground;
mod heuristic;
mod limits;
mod line;
mod links;
mod nearest;
mod path;
mod path_cost;
mod rays;
mod rule;
mod runs;
mod smooth;
#[doc(hidden)]
pub mod sorting;
mod terrain;
mod units;
mod weights;

pub(crate) use bits::BitLines;
pub use components::{Components, GridComponents};
pub use cost::{Cost, CostModel};
pub(crate) use division::FastDivision;
pub use error::{NameError, QueryError, Role, SpaceError};
pub use graph::Graph;
pub(crate) use grid::check_size;
pub use grid::{Cell, Grid, MAX_CELLS};
pub use grid_heuristic::{GridHeuristic, HeuristicKind, InadmissibleHeuristic};
pub use grid_space::GridSpace;
pub use heuristic::{
    ConsistencyViolation, FnHeuristic, Guided, Heuristic, MaxOf, Weighted, Zero, check_consistency,
};
pub use limits::Limits;
pub(crate) use links::spread;
pub use links::{Link, LinkError, LinkedSpace, Links, MAX_LINK_MOVES, MAX_LINKS};
pub(crate) use nearest::NearestSearch;
pub use path::Path;
pub(crate) use path::bends_of;
pub use path_cost::PathCost;
pub use rule::{Direction, DirectionSet, MoveRule};
pub(crate) use runs::{Runs, next_run};
pub use smooth::SmoothPath;
pub use terrain::{Terrain, TerrainMap, TerrainSet};
pub use units::CostUnits;
pub use weights::{CellWeights, MAX_WEIGHT_SUM};

use alloc::string::String;
use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicUsize, Ordering};

/// A state of a [`StateSpace`]: a small number that names a cell of a grid or a vertex of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(pub u32);

impl State {
    /// The state's number as an index into an array.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One state of affairs of one space: see [`StateSpace::revision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revision(NonZeroUsize);

impl Revision {
    /// A revision that has not been before. Where more than there are numbers come and go, they come again.
    #[must_use]
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        // Never 0: a revision that may be missing takes no more room.
        Self(NonZeroUsize::MIN.saturating_add(NEXT.fetch_add(1, Ordering::Relaxed)))
    }
}

impl Default for Revision {
    fn default() -> Self {
        Self::new()
    }
}

/// What is known of the way from one state to another without searching for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reachability {
    /// There is a path.
    Yes,
    /// There is none.
    No,
    /// Only a search can tell (two components of a directed graph).
    Unknown,
}

/// A set of states with moves between them, each at a positive integer cost.
///
/// The order in which [`for_each_successor`](Self::for_each_successor) visits is part of the contract: it
/// decides ties, and so every run repeats bit for bit.
pub trait StateSpace {
    /// All states are numbered below this limit; not every number need be a state.
    fn state_limit(&self) -> usize;

    /// Whether an agent can be in `state`. Numbers at or above the limit are no states.
    fn contains(&self, state: State) -> bool;

    /// Calls `visit` with each state that one move leads to and the cost of that move, always in the same
    /// order.
    fn for_each_successor(&self, state: State, visit: impl FnMut(State, Cost));

    /// As [`for_each_successor`](Self::for_each_successor), but may leave out states that one move from
    /// `parent` leads to at a lower cost than the way through `state`: a search that came from `parent` knows
    /// them already. `parent` must be `state` itself or a state that one move leads from to `state`.
    #[inline]
    fn for_each_successor_after(&self, state: State, parent: State, visit: impl FnMut(State, Cost)) {
        let _ = parent;
        self.for_each_successor(state, visit);
    }

    /// A lower bound of what any move costs: at least 1. Queues sort by it; a loose bound costs time, not
    /// correctness.
    fn cheapest_move(&self) -> Cost;

    /// Whether each move can be undone by one move of the same cost.
    fn is_reversible(&self) -> bool;

    /// What is known without a search about the way from `from` to `to`. Both must be states.
    fn reachability(&self, from: State, to: State) -> Reachability;

    /// A number that changes with every change of the space, and that no other space has: who has found that
    /// a way is open need not look again while it stays the same. `None` if the space does not keep count,
    /// or if a legal move can lead to where there is no way back.
    #[inline]
    fn revision(&self) -> Option<Revision> {
        None
    }

    /// How a message to a person names `state`.
    fn describe(&self, state: State) -> String;
}

/// A space with its heuristic: all that an agent needs to know of a world. Whatever is both is a world.
pub trait World: StateSpace + Heuristic {}

impl<W: StateSpace + Heuristic> World for W {}
