//! Estimates on grids: which there are, and which are admissible under which rule.

use core::fmt;
use core::str::FromStr;

use super::division::FastDivision;
use super::{Cost, CostModel, Heuristic, MoveRule, NameError, State};

/// The distances on an empty grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeuristicKind {
    /// The shortest way with straight and diagonal steps.
    Octile,
    /// The shortest way with straight steps only.
    Manhattan,
    /// The longer side, as if a diagonal step cost as little as a straight one.
    Chebyshev,
    /// As the crow flies.
    Euclidean,
}

impl HeuristicKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Octile, Self::Manhattan, Self::Chebyshev, Self::Euclidean];

    /// Checks that the estimate never exceeds the true distance under a rule and a cost model.
    ///
    /// # Errors
    /// If it can: the Manhattan distance where diagonal moves are allowed, and the Euclidean one where a
    /// diagonal move costs less than √2.
    pub fn check(self, rule: MoveRule, costs: CostModel) -> Result<(), InadmissibleHeuristic> {
        let admissible = match self {
            Self::Octile | Self::Chebyshev => true,
            Self::Manhattan => !rule.has_diagonals(),
            Self::Euclidean => !rule.has_diagonals() || costs == CostModel::Sqrt2,
        };
        if admissible { Ok(()) } else { Err(InadmissibleHeuristic { kind: self, rule, costs }) }
    }

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Octile => "octile",
            Self::Manhattan => "manhattan",
            Self::Chebyshev => "chebyshev",
            Self::Euclidean => "euclidean",
        }
    }
}

impl fmt::Display for HeuristicKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HeuristicKind {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| NameError::new("heuristic", text, Self::ALL.iter().map(|kind| kind.name())))
    }
}

/// An estimate that can exceed the true distance in the space it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the {kind} distance can exceed the true one with moves by the rule \"{rule}\" and cost {costs}; \
    choose octile"
)]
pub struct InadmissibleHeuristic {
    kind: HeuristicKind,
    rule: MoveRule,
    costs: CostModel,
}

/// One of the distances on an empty grid; all are consistent wherever they are admissible.
#[derive(Clone, Copy, Debug)]
pub struct GridHeuristic {
    kind: HeuristicKind,
    costs: CostModel,
    /// What a straight and a diagonal move cost at least: those of the cost model, or a multiple of them.
    least: [Cost; 2],
    coordinates: FastDivision,
}

impl GridHeuristic {
    #[inline]
    pub(crate) fn new(
        kind: HeuristicKind,
        costs: CostModel,
        least: [Cost; 2],
        coordinates: FastDivision,
    ) -> Self {
        Self { kind, costs, least, coordinates }
    }

    #[inline]
    fn of_steps(&self, cardinals: Cost, diagonals: Cost) -> Cost {
        cardinals * self.least[0] + diagonals * self.least[1]
    }
}

impl Heuristic for GridHeuristic {
    #[inline(always)] // the innermost loop of every search; what concerns `to` moves out of it
    fn estimate(&self, from: State, to: State) -> Cost {
        let (from_y, from_x) = self.coordinates.divide(from.0);
        let (to_y, to_x) = self.coordinates.divide(to.0);
        let (dx, dy) = (Cost::from(from_x.abs_diff(to_x)), Cost::from(from_y.abs_diff(to_y)));
        match self.kind {
            HeuristicKind::Octile => self.of_steps(dx.abs_diff(dy), dx.min(dy)),
            HeuristicKind::Manhattan => self.of_steps(dx + dy, 0),
            HeuristicKind::Chebyshev => self.of_steps(dx.max(dy), 0),
            // Rounded down to whole units, which keeps it consistent: moves cost whole units, or a multiple.
            HeuristicKind::Euclidean => {
                let unit = u128::from(self.costs.cardinal());
                let distance = (u128::from(dx * dx + dy * dy) * unit * unit).isqrt() as Cost;
                distance * (self.least[0] / self.costs.cardinal())
            }
        }
    }

    fn is_consistent(&self) -> bool {
        true
    }
}
