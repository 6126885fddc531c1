//! A cost that knows its unit.

use core::cmp::Ordering;
use core::fmt;

use super::{Cost, CostUnits, GridSpace};

/// What a path costs, with the unit that it is counted in.
///
/// Searches add and compare whole numbers ([`Cost`]). What such a number is worth depends on the map: on
/// ground with weights costs are counted in halves. This type keeps both together, so that
/// [`to_f64`](Self::to_f64) is always right.
///
/// Compare only costs of one map, before or after an edit. The order is exact: no rounding is involved. Costs
/// of different units have some order too, which means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PathCost {
    amount: Cost,
    units: CostUnits,
}

impl PathCost {
    /// So many of these units.
    #[must_use]
    pub const fn new(amount: Cost, units: CostUnits) -> Self {
        Self { amount, units }
    }

    /// The cost in straight moves over ground of weight 1, rounded once.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.units.to_f64(self.amount)
    }

    /// The whole number that searches count with.
    #[must_use]
    pub const fn amount(self) -> Cost {
        self.amount
    }

    /// What that number counts.
    #[must_use]
    pub const fn units(self) -> CostUnits {
        self.units
    }

    /// Whether it is nothing at all: the cost of staying where one is.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.amount == 0
    }
}

impl Ord for PathCost {
    fn cmp(&self, other: &Self) -> Ordering {
        // Units first, so that costs which cannot be compared do not mingle.
        let key = |cost: &Self| (cost.units.model() as u8, cost.units.is_weighted(), cost.amount);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for PathCost {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The number that [`to_f64`](Self::to_f64) gives; `{:.2}` rounds it.
impl fmt::Display for PathCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_f64().fmt(f)
    }
}

impl GridSpace {
    /// A cost of this space, with its unit.
    #[must_use]
    pub fn path_cost(&self, amount: Cost) -> PathCost {
        PathCost::new(amount, self.units())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{CellWeights, CostModel, Grid, MoveRule};
    use alloc::format;

    #[test]
    fn weights_do_not_double_a_cost() {
        let grid = || Grid::from_fn(3, 2, |_| true).unwrap();
        let plain = GridSpace::new(grid(), MoveRule::NoCut, CostModel::Sqrt2);
        let ones = CellWeights::from_fn(3, 2, |_| 1).unwrap();
        let weighted = GridSpace::weighted(grid(), MoveRule::NoCut, CostModel::Sqrt2, ones).unwrap();
        for space in [plain, weighted] {
            let cost = space.path_cost(space.units().of_steps(3, 2));
            assert_eq!(cost.to_f64(), 3.0 + 2.0 * core::f64::consts::SQRT_2);
            assert_eq!(format!("{cost:.2}"), "5.83");
            assert!(!cost.is_zero() && space.path_cost(0).is_zero());
            assert!(space.path_cost(0) < cost);
        }
    }
}
