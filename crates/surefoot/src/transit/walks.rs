//! What searches go over, and how far.

use super::choose::cells_of_block;
use crate::space::{Cell, Cost, GridSpace, State, StateSpace as _};

/// What a search goes over: cells, or corners that see each other.
pub(super) trait WalkGraph: Sync {
    /// All states are below this.
    fn limit(&self) -> usize;
    /// Where a state is.
    fn cell_of(&self, state: State) -> Cell;
    /// What a move costs at least.
    fn cheapest(&self) -> Cost;
    /// Visits the states next to one that was reached from another, but for some that are nearer to that;
    /// what it costs to go there.
    fn for_each_next(&self, state: State, before: State, visit: impl FnMut(State, Cost));
    /// The states in a block of the map.
    fn states_of_block(&self, block: (u32, u32)) -> alloc::vec::Vec<State>;
}

impl WalkGraph for GridSpace {
    fn limit(&self) -> usize {
        self.state_limit()
    }

    #[inline]
    fn cell_of(&self, state: State) -> Cell {
        self.cell(state)
    }

    fn cheapest(&self) -> Cost {
        self.cheapest_move()
    }

    #[inline]
    fn for_each_next(&self, state: State, before: State, visit: impl FnMut(State, Cost)) {
        self.for_each_successor_after(state, before, visit);
    }

    fn states_of_block(&self, block: (u32, u32)) -> alloc::vec::Vec<State> {
        cells_of_block(self, block)
    }
}

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Extent {
    /// So many states.
    Count(usize),
    /// As far as that costs.
    Cost(Cost),
    /// As far as that costs, but no more than so many states.
    Both(Cost, usize),
}

impl Extent {
    /// Whether the state of this number in the order of settling, at this cost, belongs to it.
    #[inline]
    pub(super) fn has(self, number: usize, cost: Cost) -> bool {
        match self {
            Self::Count(count) => number < count,
            Self::Cost(most) => cost <= most,
            Self::Both(most, count) => cost <= most && number < count,
        }
    }
}

/// How many cells there are at most that cost no more than that, where ground has no weights or light ones.
pub(super) fn most_cells_within(space: &GridSpace, cost: Cost) -> u64 {
    let straight = space.cheapest_move().max(1);
    let diagonal = straight * space.costs().diagonal() / space.costs().cardinal().max(1);
    let count = |dy: Cost| {
        // So many cells on a line in one direction, that of the middle not counted.
        let steep = dy.saturating_mul(diagonal);
        if steep <= cost {
            dy + (cost - steep) / straight
        } else {
            // Fewer diagonal moves than lines: a diagonal move takes the place of a straight one.
            (cost - dy * straight) / (diagonal - straight).max(1)
        }
    };
    let lines = cost / straight;
    (0..=lines).map(|dy| (2 * count(dy) + 1) * if dy == 0 { 1 } else { 2 }).fold(0, u64::saturating_add)
}

/// What the farthest of so many cells cost at least.
pub(super) fn least_radius(space: &GridSpace, cells: u64) -> Cost {
    let (mut low, mut high) = (0, space.cheapest_move().max(1) * (cells.isqrt() + 1));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if most_cells_within(space, middle) <= cells { low = middle } else { high = middle - 1 }
    }
    low
}
