//! What a search answers.

use alloc::string::String;
use alloc::vec::Vec;

use crate::space::{Cost, State, StateSpace};

/// A way from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePath {
    /// The states on the way, from start to goal, both included.
    pub states: Vec<State>,
    /// What its moves cost together.
    pub cost: Cost,
}

impl StatePath {
    /// The number of moves.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.states.len().saturating_sub(1)
    }

    /// Walks the path and checks each move and the total.
    ///
    /// # Errors
    /// The first move that the space does not have, or the true cost where it differs.
    pub fn check(&self, space: &impl StateSpace) -> Result<(), PathError> {
        let mut total: Cost = 0;
        for (index, pair) in self.states.windows(2).enumerate() {
            let mut step = None;
            // A path may come from anywhere: a number that is no state has no moves to ask for.
            if space.contains(pair[0]) {
                space.for_each_successor(pair[0], |to, cost| {
                    if to == pair[1] {
                        step = Some(step.map_or(cost, |known: Cost| known.min(cost)));
                    }
                });
            }
            let step = step.ok_or_else(|| PathError::NoSuchMove {
                index,
                from: space.describe(pair[0]),
                to: space.describe(pair[1]),
            })?;
            total = total.saturating_add(step);
        }
        if total == self.cost {
            Ok(())
        } else {
            Err(PathError::WrongCost { stated: self.cost, true_cost: total })
        }
    }
}

/// What is wrong with a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// Two states that follow each other have no move between them.
    #[error("move {index} of the path goes from {from} to {to}, which is not a legal move")]
    NoSuchMove {
        /// The move's number, from 0.
        index: usize,
        /// Where it starts.
        from: String,
        /// Where it would end.
        to: String,
    },
    /// The moves do not cost what the path says.
    #[error("the path states a cost of {stated}, but its moves cost {true_cost}")]
    WrongCost {
        /// What the path says.
        stated: Cost,
        /// What its moves cost.
        true_cost: Cost,
    },
}

/// The work that a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// States whose successors were looked at; each time counts.
    pub expanded: u64,
    /// Entries put into the open list.
    pub generated: u64,
    /// The largest number of entries in the open list at one time.
    pub largest_open: u64,
}

/// A search's answer: a path or none, and what it took to find out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The path. `None` if the goal cannot be reached.
    pub path: Option<StatePath>,
    /// The work done.
    pub counts: SearchCounts,
}

impl Answer {
    /// "The goal cannot be reached", known without a search.
    #[must_use]
    pub fn unreachable_at_once() -> Self {
        Self { path: None, counts: SearchCounts::default() }
    }

    /// The path's cost, if there is a path.
    #[must_use]
    pub fn cost(&self) -> Option<Cost> {
        self.path.as_ref().map(|path| path.cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{CostModel, Grid, GridSpace, MoveRule};
    use alloc::vec;

    #[test]
    fn paths_from_anywhere_are_checked() {
        let grid = Grid::from_fn(3, 2, |cell| cell.x != 1 || cell.y == 0).unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Diagonal14);
        let check = |states: &[u32], cost| {
            StatePath { states: states.iter().copied().map(State).collect(), cost }.check(&space)
        };
        assert_eq!(check(&[3, 0, 1, 2], 15), Ok(()));
        assert_eq!(check(&[3, 0, 1, 2], 14), Err(PathError::WrongCost { stated: 14, true_cost: 15 }));
        assert_eq!(check(&[], 0), Ok(()));
        for (states, index) in [(vec![0, 4], 0), (vec![4, 0], 0), (vec![0, 1, 99], 1), (vec![99, 0], 0)] {
            let error = check(&states, 5).unwrap_err();
            assert!(matches!(error, PathError::NoSuchMove { index: at, .. } if at == index), "{error}");
        }
    }
}
