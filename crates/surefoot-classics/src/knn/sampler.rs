//! States drawn from a world.

use alloc::vec::Vec;

use surefoot::space::{State, StateSpace};
use surefoot::store::draws::Draws;

/// The states of a world, each of which can be had by its rank.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    /// How many states have numbers below 0, [`BLOCK`], 2 · [`BLOCK`] …
    below: Vec<u32>,
    count: u64,
}

/// Numbers between two counts: few enough to look through for each draw, many enough for a short list.
const BLOCK: usize = 512;

impl Sampler {
    pub(crate) fn new(space: &impl StateSpace) -> Self {
        let mut below = Vec::with_capacity(space.state_limit().div_ceil(BLOCK));
        let mut count = 0_u32;
        for number in 0..space.state_limit() {
            if number % BLOCK == 0 {
                below.push(count);
            }
            count += u32::from(space.contains(State(number as u32)));
        }
        Self { below, count: u64::from(count) }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// A state, each as likely as the next; nothing in a world without states.
    pub(crate) fn draw(&self, space: &impl StateSpace, draws: &mut Draws) -> Option<State> {
        if self.count == 0 {
            return None;
        }
        self.of_rank(space, draws.below(self.count))
    }

    /// The state with `rank` states before it.
    pub(crate) fn of_rank(&self, space: &impl StateSpace, rank: u64) -> Option<State> {
        let block = self.below.partition_point(|&below| u64::from(below) <= rank).checked_sub(1)?;
        let within = rank - u64::from(self.below[block]);
        let numbers = block * BLOCK..((block + 1) * BLOCK).min(space.state_limit());
        numbers.map(|number| State(number as u32)).filter(|&state| space.contains(state)).nth(within as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::space::{CostModel, Grid, GridSpace, MoveRule};

    #[test]
    fn every_state_has_its_rank() {
        let grid =
            Grid::from_fn(67, 41, |cell| (cell.x * 7 + cell.y * 3) % 5 > 1 && cell.y / 9 != 1).unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        let sampler = Sampler::new(&space);
        let all: Vec<State> = space.grid().free_cells().map(|cell| space.state_of(cell)).collect();
        assert_eq!(sampler.count(), all.len() as u64);
        for (rank, &state) in all.iter().enumerate() {
            assert_eq!(sampler.of_rank(&space, rank as u64), Some(state));
        }
        assert_eq!(sampler.of_rank(&space, all.len() as u64), None);
    }
}
