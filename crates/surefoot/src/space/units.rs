//! What the costs of a space are counted in.

use core::fmt;
use core::str::FromStr;

use super::{Cost, CostModel, NameError};

/// What the whole numbers that are the costs of a space stand for: the units of a [`CostModel`] or, where
/// cells have weights, halves of them.
///
/// Half of a sum of two weights times a length is a whole number of halves, so that costs over weighted
/// ground are added and compared as exactly as others: with `1.4` always, with `sqrt2` while the diagonal
/// moves of two paths, each counted as often as its two cells weigh together, differ by less than
/// 1,311,738,121. No two paths without a circle do where all weights together are at most 655,869,060, and on
/// larger maps only paths of millions of moves could.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CostUnits {
    model: CostModel,
    weighted: bool,
}

impl CostUnits {
    /// The units of a cost model. With weights costs are counted in halves.
    #[must_use]
    pub const fn new(model: CostModel, weighted: bool) -> Self {
        Self { model, weighted }
    }

    /// The cost model.
    #[must_use]
    pub const fn model(self) -> CostModel {
        self.model
    }

    /// Whether they are for ground that has weights.
    #[must_use]
    pub const fn is_weighted(self) -> bool {
        self.weighted
    }

    /// How many there are to one unit of the model.
    const fn parts(self) -> Cost {
        if self.weighted { 2 } else { 1 }
    }

    /// The cost of so many straight and diagonal moves over ground of weight 1.
    #[must_use]
    pub const fn of_steps(self, cardinals: u64, diagonals: u64) -> Cost {
        self.model.of_steps(cardinals, diagonals) * self.parts()
    }

    /// The true value of a path's cost: what `.scen` files print.
    #[must_use]
    pub fn to_f64(self, cost: Cost) -> f64 {
        // Halves are exact.
        self.model.to_f64(cost) / self.parts() as f64
    }

    /// The largest cost that is not above `value`; for limits that a person writes as a number.
    ///
    /// A cost that [`to_f64`](Self::to_f64) gave is not below itself: the rounding of that number is allowed
    /// for, by a few parts in 10¹⁶.
    #[must_use]
    pub fn floor_from_f64(self, value: f64) -> Cost {
        self.model.floor_from_f64(value * self.parts() as f64)
    }

    /// The name in files: that of the cost model, and whether there are weights.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match (self.model, self.weighted) {
            (model, false) => model.name(),
            (CostModel::Diagonal14, true) => "1.4,weighted",
            (CostModel::Sqrt2, true) => "sqrt2,weighted",
        }
    }
}

impl fmt::Display for CostUnits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CostUnits {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let all =
            || CostModel::ALL.into_iter().flat_map(|model| [Self::new(model, false), Self::new(model, true)]);
        all()
            .find(|units| units.name() == text)
            .ok_or_else(|| NameError::new("cost model", text, all().map(Self::name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for model in CostModel::ALL {
            for weighted in [false, true] {
                let units = CostUnits::new(model, weighted);
                assert_eq!(units.name().parse(), Ok(units));
            }
        }
        assert!("sqrt2,heavy".parse::<CostUnits>().is_err());
    }

    #[test]
    fn halves_are_halves() {
        for model in CostModel::ALL {
            let (whole, half) = (CostUnits::new(model, false), CostUnits::new(model, true));
            assert_eq!(half.of_steps(3, 4), 2 * whole.of_steps(3, 4));
            assert_eq!(half.to_f64(half.of_steps(3, 4)), whole.to_f64(whole.of_steps(3, 4)));
            assert_eq!(half.to_f64(model.cardinal()), 0.5);
            let cost = model.of_steps(510 * 1000, 77);
            assert!(half.floor_from_f64(half.to_f64(cost)) >= cost);
        }
    }
}
