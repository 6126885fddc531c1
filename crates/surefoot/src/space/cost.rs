//! Integer costs. Search compares and adds whole numbers only; fractions appear when a cost is reported.

use core::fmt;
use core::str::FromStr;

use super::NameError;

/// A cost inside a search, in the whole-number units of the space that it belongs to.
pub type Cost = u64;

/// What a straight and a diagonal step cost.
///
/// What the costs of a space are worth is asked of [`GridSpace::units`](super::GridSpace::units): where cells
/// have weights, costs are counted in halves of the units of the model.
///
/// Costs are whole numbers that order any two paths exactly as the true costs do:
///
/// | model | straight | diagonal | exact |
/// | --- | --- | --- | --- |
/// | `1.4` | 5 | 7 | always: 7/5 is 1.4 |
/// | `sqrt2` | 1311738121 | 1855077841 | while diagonal counts differ by less than 1,311,738,121 |
///
/// The second pair is a convergent of √2 (Pell numbers). Convergents are best approximations: for whole
/// numbers a and b with 0 < |b| < 1311738121, a + b√2 and 1311738121·a + 1855077841·b have the same sign. No
/// map that loads has that many cells ([`MAX_CELLS`](super::MAX_CELLS)), and an optimal path visits no cell
/// twice, so the order is exact on every map, and one pair of numbers serves maps of all sizes. Sums stay far
/// below 2⁶⁴.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CostModel {
    /// A diagonal step costs exactly 1.4.
    Diagonal14,
    /// A diagonal step costs √2.
    Sqrt2,
}

impl CostModel {
    /// Every model, in the order in which help texts list them.
    pub const ALL: [Self; 2] = [Self::Diagonal14, Self::Sqrt2];

    /// The cost of a straight step, in units.
    #[inline]
    #[must_use]
    pub const fn cardinal(self) -> Cost {
        match self {
            Self::Diagonal14 => 5,
            Self::Sqrt2 => 1_311_738_121,
        }
    }

    /// The cost of a diagonal step, in units.
    #[inline]
    #[must_use]
    pub const fn diagonal(self) -> Cost {
        match self {
            Self::Diagonal14 => 7,
            Self::Sqrt2 => 1_855_077_841,
        }
    }

    /// The cost of `cardinals` straight and `diagonals` diagonal steps, in units.
    #[must_use]
    pub const fn of_steps(self, cardinals: u64, diagonals: u64) -> Cost {
        cardinals * self.cardinal() + diagonals * self.diagonal()
    }

    /// The number of straight and diagonal steps that a cost in units stands for.
    ///
    /// With `sqrt2` the answer is unique. With `1.4` seven straight steps cost as much as five diagonal ones,
    /// and the answer with the fewest diagonal steps is given.
    pub(crate) fn counts(self, cost: Cost) -> (u64, u64) {
        // cost ≡ diagonals · diagonal (mod cardinal), and the diagonal cost has an inverse there.
        let cardinal = self.cardinal();
        let inverse = match self {
            Self::Diagonal14 => 3,          // 3 · 7 = 21 ≡ 1 (mod 5)
            Self::Sqrt2 => 768_398_401_u64, // checked by a test
        };
        let diagonals = (cost % cardinal) * inverse % cardinal;
        let straight_part = cost.saturating_sub(diagonals * self.diagonal());
        (straight_part / cardinal, diagonals)
    }

    /// The true value of a cost in units, rounded once. Costs of a space may be counted in halves:
    /// [`CostUnits`](super::CostUnits) knows.
    pub(super) fn to_f64(self, cost: Cost) -> f64 {
        let (cardinals, diagonals) = self.counts(cost);
        match self {
            Self::Diagonal14 => (cardinals * 10 + diagonals * 14) as f64 / 10.0,
            Self::Sqrt2 => cardinals as f64 + diagonals as f64 * core::f64::consts::SQRT_2,
        }
    }

    /// The largest whole number of units that is not above `value`.
    ///
    /// A cost that [`to_f64`](Self::to_f64) gave is not below itself: the rounding of that number is allowed
    /// for, by a few parts in 10¹⁶.
    pub(super) fn floor_from_f64(self, value: f64) -> Cost {
        // The cast saturates, and maps negative numbers and NaN to zero.
        (value * self.cardinal() as f64 * (1.0 + 4.0 * f64::EPSILON)) as Cost
    }

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Diagonal14 => "1.4",
            Self::Sqrt2 => "sqrt2",
        }
    }
}

impl fmt::Display for CostModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CostModel {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL
            .into_iter()
            .find(|model| model.name() == text)
            .ok_or_else(|| NameError::new("cost model", text, Self::ALL.iter().map(|model| model.name())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_counts_come_back_from_a_cost() {
        for model in CostModel::ALL {
            for (cardinals, diagonals) in [(0, 0), (1, 0), (0, 1), (7, 3), (100_000_000, 4)] {
                let counted = model.counts(model.of_steps(cardinals, diagonals));
                assert_eq!(counted, (cardinals, diagonals), "{model}");
            }
        }
        let model = CostModel::Sqrt2;
        assert_eq!(model.counts(model.of_steps(12_345, 999_999_999)), (12_345, 999_999_999));
    }

    #[test]
    fn five_diagonals_of_seven_fifths_are_seven_straight_steps() {
        let model = CostModel::Diagonal14;
        assert_eq!(model.counts(35), (7, 0));
        assert_eq!(model.to_f64(model.of_steps(2, 4)), 7.6);
    }

    #[test]
    fn the_units_are_a_convergent_of_the_square_root_of_two() {
        let (p, q) = (i128::from(CostModel::Sqrt2.cardinal()), i128::from(CostModel::Sqrt2.diagonal()));
        assert_eq!((q * q - 2 * p * p).abs(), 1);
        assert!(super::super::MAX_CELLS < CostModel::Sqrt2.cardinal());
    }

    #[test]
    fn near_ties_are_ordered_as_the_true_values_are() {
        // a − b√2 for convergents a/b alternates in sign and shrinks: the hardest comparisons there are.
        let (mut a, mut b) = (1_i128, 1_i128);
        while b < i128::from(CostModel::Sqrt2.cardinal()) {
            let truly_less = a * a < 2 * b * b;
            let p = i128::from(CostModel::Sqrt2.cardinal());
            let q = i128::from(CostModel::Sqrt2.diagonal());
            assert_eq!(a * p < b * q, truly_less, "{a} straight against {b} diagonal steps");
            assert_ne!(a * p, b * q);
            (a, b) = (a + 2 * b, a + b);
        }
    }

    #[test]
    fn limits_round_down() {
        assert_eq!(CostModel::Diagonal14.floor_from_f64(1.4), 7);
        assert_eq!(CostModel::Diagonal14.floor_from_f64(-3.0), 0);
        assert_eq!(CostModel::Diagonal14.floor_from_f64(1.39), 6);
        for model in CostModel::ALL {
            for (cardinals, diagonals) in (0..200).flat_map(|a| (0..200).map(move |b| (a * 37, b * 41))) {
                let cost = model.of_steps(cardinals, diagonals);
                let back = model.floor_from_f64(model.to_f64(cost));
                assert!(back >= cost && back - cost < model.cardinal() / 1000 + 1, "{cardinals} {diagonals}");
            }
        }
    }
}
