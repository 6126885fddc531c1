//! Spaces whose ground has weights.

use alloc::boxed::Box;

use super::weights::check_sum;
use super::{
    Cell, CellWeights, Cost, CostModel, CostUnits, Grid, GridSpace, MoveRule, Revision, SpaceError, State,
};

/// The weights of a space, and how many free cells there are of each weight, so that the lightest is known
/// after every edit.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    weights: CellWeights,
    /// Of all cells, blocked ones too: they may be freed.
    sum: u64,
    free: Box<[u32; 256]>,
}

impl Ground {
    pub(super) fn new(grid: &Grid, mut weights: CellWeights) -> Result<Self, SpaceError> {
        weights.check(grid)?;
        let mut free = Box::new([0; 256]);
        for row in 0..grid.height() {
            for run in grid.row_runs(row) {
                weights.run(row, run).iter().for_each(|&weight| free[usize::from(weight)] += 1);
            }
        }
        // Whoever frees a cell without a weight gets the lightest ground there is.
        weights.weights.iter_mut().for_each(|weight| *weight = (*weight).max(1));
        check_sum(weights.sum())?;
        Ok(Self { sum: weights.sum(), weights, free })
    }

    pub(super) fn weights(&self) -> &CellWeights {
        &self.weights
    }

    /// What a move of a length between two states costs, in halves.
    #[inline]
    pub(super) fn cost(&self, from: State, to: State, length: Cost) -> Cost {
        let weights = &self.weights.weights;
        length * Cost::from(u16::from(weights[from.index()]) + u16::from(weights[to.index()]))
    }

    /// The lowest and the highest weight of a free cell; 1 if none is free.
    pub(super) fn range(&self) -> (u8, u8) {
        let has = |weight: &u8| self.free[usize::from(*weight)] > 0;
        let (lowest, highest) = ((1..=u8::MAX).find(has), (1..=u8::MAX).rfind(has));
        (lowest.unwrap_or(1), highest.unwrap_or(1))
    }

    /// A blocked cell was freed, or a free one blocked.
    pub(super) fn free_or_block(&mut self, state: State, free: bool) {
        let count = &mut self.free[usize::from(self.weights.weights[state.index()])];
        *count = if free { *count + 1 } else { *count - 1 };
    }

    /// Another weight for a cell.
    pub(super) fn set(&mut self, state: State, weight: u8, is_free: bool) -> Result<(), SpaceError> {
        let old = self.weights.weights[state.index()];
        let sum = self.sum - u64::from(old) + u64::from(weight);
        check_sum(sum)?;
        self.sum = sum;
        self.weights.weights[state.index()] = weight;
        if is_free {
            self.free[usize::from(old)] -= 1;
            self.free[usize::from(weight)] += 1;
        }
        Ok(())
    }
}

impl GridSpace {
    /// The space of `grid` with a weight for each cell: a move costs its length times the mean of the weights
    /// of its two cells.
    ///
    /// # Errors
    /// If the weights are for a map of another size, or a free cell has weight 0.
    pub fn weighted(
        grid: Grid,
        rule: MoveRule,
        costs: CostModel,
        weights: CellWeights,
    ) -> Result<Self, SpaceError> {
        let ground = Ground::new(&grid, weights)?;
        let mut space = Self::new(grid, rule, costs);
        space.ground = Some(ground);
        space.find_least();
        Ok(space)
    }

    /// Looks again for what moves cost at least.
    pub(super) fn find_least(&mut self) {
        let scale = self.ground.as_ref().map_or(1, |ground| 2 * Cost::from(ground.range().0));
        self.least = [self.costs().cardinal(), self.costs().diagonal()].map(|cost| cost * scale);
    }

    /// What costs are counted in.
    #[inline]
    #[must_use]
    pub fn units(&self) -> CostUnits {
        CostUnits::new(self.costs(), self.is_weighted())
    }

    /// Whether cells have weights.
    #[inline]
    #[must_use]
    pub fn is_weighted(&self) -> bool {
        self.ground.is_some()
    }

    /// The weight of a cell, which is 1 where cells have none. `None` if it lies outside.
    #[must_use]
    pub fn weight(&self, cell: Cell) -> Option<u8> {
        self.grid.contains(cell).then(|| self.weights().and_then(|weights| weights.at(cell)).unwrap_or(1))
    }

    /// The weights of the cells, if they have any.
    #[must_use]
    pub fn weights(&self) -> Option<&CellWeights> {
        self.ground.as_ref().map(Ground::weights)
    }

    /// The lowest and the highest weight of a free cell.
    #[must_use]
    pub fn weight_range(&self) -> (u8, u8) {
        self.ground.as_ref().map_or((1, 1), Ground::range)
    }

    /// A number that tells this map from others: [`Grid::fingerprint`], and where cells have weights one that
    /// goes by those of the free cells too. Rule and costs are not in it.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.weights().map_or_else(|| self.grid.fingerprint(), |weights| weights.fingerprint(&self.grid))
    }

    /// Gives a cell another weight, 1 to 255; it may be blocked.
    ///
    /// Costs around it change, and if it was the lightest, or is now, so does every estimate. Databases are
    /// built for the weights as they were: agents go on with them as after any edit.
    ///
    /// # Errors
    /// If cells have no weights, `weight` is 0, or all weights together would be too much. Then nothing has
    /// changed.
    ///
    /// # Panics
    /// If `cell` lies outside.
    pub fn set_weight(&mut self, cell: Cell, weight: u8) -> Result<(), SpaceError> {
        assert!(self.grid.contains(cell), "cell {cell} is outside the grid");
        let (state, is_free) = (self.state(cell), self.grid.is_free(cell));
        let ground = self.ground.as_mut().ok_or(SpaceError::Unweighted)?;
        if weight == 0 {
            return Err(SpaceError::NoWeight { cell });
        }
        ground.set(state, weight, is_free)?;
        self.revision = Revision::new();
        self.find_least();
        Ok(())
    }

    /// A part of the map, with the same moves at the same costs: `width` columns and `height` rows from
    /// `corner` on.
    ///
    /// # Errors
    /// If a side is 0. What lies outside the map is blocked.
    pub fn part(&self, corner: Cell, width: u32, height: u32) -> Result<Self, SpaceError> {
        let there = |cell: Cell| Cell::new(corner.x.saturating_add(cell.x), corner.y.saturating_add(cell.y));
        let grid = Grid::from_fn(width, height, |cell| self.grid.is_free(there(cell)))?;
        let Some(weights) = self.weights() else { return Ok(Self::new(grid, self.rule(), self.costs())) };
        let weights = CellWeights::from_fn(width, height, |cell| weights.at(there(cell)).unwrap_or(0))?;
        Self::weighted(grid, self.rule(), self.costs(), weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{HeuristicKind, StateSpace, check_consistency};
    use alloc::string::ToString;
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn weights(width: u32, height: u32) -> CellWeights {
        CellWeights::from_fn(width, height, |cell| ((cell.x * 7 + cell.y * 13) % 5 * 3 + 2) as u8).unwrap()
    }

    #[test]
    fn what_is_no_weight_is_refused() {
        let message = |result: Result<CellWeights, SpaceError>| result.unwrap_err().to_string();
        let on = |free: fn(Cell) -> bool| {
            let weights = CellWeights::new(2, 2, vec![1, 2, 0, 4]).unwrap();
            let grid = Grid::from_fn(2, 2, free).unwrap();
            GridSpace::weighted(grid, MoveRule::NoCut, CostModel::Sqrt2, weights)
        };
        assert_eq!(
            on(|_| true).unwrap_err().to_string(),
            "cell (0, 1) has weight 0; cells that can be walked on need 1 to 255"
        );
        let mut space = on(|cell| cell != Cell::new(0, 1)).unwrap();
        assert!(space.set_weight(Cell::new(0, 0), 0).is_err());
        space.set(Cell::new(0, 1), true);
        assert_eq!(space.weight(Cell::new(0, 1)), Some(1));
        assert!(message(CellWeights::new(2, 2, vec![1; 3])).contains("needs 4 values, not 3"));
        assert!(CellWeights::new(0, 2, vec![]).is_err());
        assert!(
            message(CellWeights::from_fn(4096, 2048, |_| 255)).contains("sum of all weights is 2139095040")
        );
    }

    #[test]
    fn a_move_costs_its_length_times_the_mean_of_its_cells() {
        let grid = Grid::from_fn(2, 2, |_| true).unwrap();
        let weights = CellWeights::new(2, 2, vec![1, 2, 4, 9]).unwrap();
        let space = GridSpace::weighted(grid, MoveRule::NoCut, CostModel::Diagonal14, weights).unwrap();
        let mut costs = vec![];
        space.for_each_successor(State(0), |to, cost| costs.push((to.0, space.units().to_f64(cost))));
        assert_eq!(costs, [(1, 1.5), (2, 2.5), (3, 7.0)]);
        assert_eq!(space.weight(Cell::new(1, 1)), Some(9));
        assert_eq!(space.weight(Cell::new(2, 1)), None);
    }

    #[test]
    fn a_part_has_the_same_moves_at_the_same_costs() {
        let grid = Grid::from_fn(9, 8, |cell| (cell.x * 3 + cell.y) % 4 != 0).unwrap();
        let whole = GridSpace::weighted(grid, MoveRule::OneFree, CostModel::Sqrt2, weights(9, 8)).unwrap();
        let part = whole.part(Cell::new(2, 1), 5, 6).unwrap();
        // Within its rim, where no neighbour is cut off.
        for cell in (1..5).flat_map(|y| (1..4).map(move |x| Cell::new(x, y))) {
            let moves = |space: &GridSpace, cell: Cell| {
                let state = space.state(cell);
                let cost = |direction| (direction, space.step_cost(state, direction));
                space.moves(state).iter().map(cost).collect::<Vec<_>>()
            };
            assert_eq!(moves(&part, cell), moves(&whole, Cell::new(cell.x + 2, cell.y + 1)));
        }
        assert!(whole.part(Cell::new(0, 0), 0, 3).is_err());
        let beyond = whole.part(Cell::new(8, 7), 3, 3).unwrap();
        assert!(beyond.grid().free_count() <= 1);
    }

    #[test]
    fn weights_of_another_map_are_refused() {
        let grid = Grid::from_fn(3, 2, |_| true).unwrap();
        let space = GridSpace::weighted(grid, MoveRule::NoCut, CostModel::Sqrt2, weights(2, 3));
        assert_eq!(
            space.unwrap_err().to_string(),
            "the weights are for a map of 2 x 3 cells, but this one has 3 x 2"
        );
    }

    #[test]
    fn fingerprints_have_the_weights_of_free_cells_in_them() {
        let grid = Grid::from_fn(3, 2, |cell| cell.x != 1).unwrap();
        let space = |weights: Vec<u8>| {
            let weights = CellWeights::new(3, 2, weights).unwrap();
            GridSpace::weighted(grid.clone(), MoveRule::NoCut, CostModel::Sqrt2, weights).unwrap()
        };
        let first = space(vec![1, 2, 3, 4, 5, 6]).fingerprint();
        assert_eq!(space(vec![1, 9, 3, 4, 9, 6]).fingerprint(), first);
        assert_ne!(space(vec![1, 2, 3, 4, 5, 7]).fingerprint(), first);
        assert_ne!(space(vec![1; 6]).fingerprint(), grid.fingerprint());
        // Fixed for ever: files have it in them.
        assert_eq!(first, 7_351_772_001_195_735_541);
    }

    proptest! {
        #[test]
        fn an_edited_space_equals_a_new_one(
            free in prop::collection::vec(prop::bool::weighted(0.7), 48),
            heavy in prop::collection::vec(3_u8..9, 48),
            edits in prop::collection::vec((0_u32..48, any::<bool>(), prop_oneof![1_u8..10, 250_u8..]), 0..12),
        ) {
            let mut free = free;
            let mut heavy = heavy;
            let space_of = |free: &[bool], heavy: &[u8]| {
                let grid = Grid::from_fn(8, 6, |cell| free[(cell.y * 8 + cell.x) as usize]).unwrap();
                let weights = CellWeights::new(8, 6, heavy.to_vec()).unwrap();
                GridSpace::weighted(grid, MoveRule::NoCut, CostModel::Sqrt2, weights).unwrap()
            };
            let mut space = space_of(&free, &heavy);
            for (state, is_free, weight) in edits {
                let cell = space.cell(State(state));
                let before = space.revision();
                space.set(cell, is_free);
                space.set_weight(cell, weight).unwrap();
                prop_assert_ne!(space.revision(), before);
                free[state as usize] = is_free;
                heavy[state as usize] = weight;
            }
            let fresh = space_of(&free, &heavy);
            prop_assert_eq!(space.fingerprint(), fresh.fingerprint());
            prop_assert_eq!(space.cheapest_move(), fresh.cheapest_move());
            for state in (0..48).map(State) {
                let successors = |space: &GridSpace| {
                    let mut all = vec![];
                    space.for_each_successor(state, |to, cost| all.push((to, cost)));
                    all
                };
                prop_assert_eq!(successors(&space), successors(&fresh));
            }
            for goal in (0..48).map(State).filter(|&goal| space.contains(goal)) {
                for kind in [HeuristicKind::Octile, HeuristicKind::Chebyshev, HeuristicKind::Euclidean] {
                    prop_assert_eq!(check_consistency(&space, &space.heuristic(kind).unwrap(), goal), Ok(()));
                }
                prop_assert_eq!(check_consistency(&space, &space, goal), Ok(()));
            }
        }
    }
}
