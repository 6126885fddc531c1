//! A* and weighted A* over any state space.
//!
//! A*: Hart, Nilsson and Raphael (1968). The weight follows the dynamic-control paper (2008): f = γ·g + h
//! with 0 < γ ≤ 1, so that γ = 1 is A* and small γ is greedy. (Elsewhere weighted A* is f = g + w·h; w =
//! 1/γ.) Ties go to the entry that came last. A heuristic that is admissible but not consistent is handled by
//! opening states again. Weighted A* never does that: with a consistent heuristic its paths cost at most 1/γ
//! times the optimum either way (Likhachev, Gordon and Thrun 2003), and opening again can take many times the
//! work of A* itself.

use core::fmt;
use core::str::FromStr;

use super::best_first::{Run, Scratch, run_to};
use super::queue::{CalendarQueue, HeapQueue};
use super::{Answer, check_ends};
use crate::space::{Cost, Heuristic, QueryError, Reachability, State, StateSpace};

/// The weight of the cost so far in f = γ·g + h: a decimal fraction above 0 and at most 1, kept exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gamma {
    millionths: u32,
}

impl Gamma {
    /// γ = 1: plain A*.
    pub const ONE: Self = Self { millionths: 1_000_000 };

    /// γ·g, rounded down to whole units.
    #[inline]
    #[must_use]
    pub fn of(self, g: Cost) -> Cost {
        (u128::from(g) * u128::from(self.millionths) / 1_000_000) as Cost
    }
}

impl fmt::Display for Gamma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.millionths) / 1e6)
    }
}

impl FromStr for Gamma {
    type Err = GammaError;

    fn from_str(text: &str) -> Result<Self, GammaError> {
        let value: f64 = text.parse().map_err(|_| GammaError)?;
        // The cast saturates, and maps negative numbers and NaN to zero.
        let millionths = (value * 1e6 + 0.5) as u32;
        // The double nearest to a number of six decimals is the quotient again; any other number is not kept
        // exactly.
        if (1..=1_000_000).contains(&millionths) && f64::from(millionths) / 1e6 == value {
            Ok(Self { millionths })
        } else {
            Err(GammaError)
        }
    }
}

/// A text that is no weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number above 0 and at most 1, with up to six decimals")]
pub struct GammaError;

/// A* with its scratch memory: 16 bytes for each state that some search has touched, and the open list.
#[derive(Clone, Debug)]
pub struct AStar {
    gamma: Gamma,
    monotone: Scratch<CalendarQueue>,
    any_order: Scratch<HeapQueue>,
}

impl Default for AStar {
    fn default() -> Self {
        Self::new()
    }
}

impl AStar {
    /// Plain A*.
    #[must_use]
    pub fn new() -> Self {
        Self::weighted(Gamma::ONE)
    }

    /// Weighted A*: f = γ·g + h.
    #[must_use]
    pub fn weighted(gamma: Gamma) -> Self {
        Self { gamma, monotone: Scratch::default(), any_order: Scratch::default() }
    }

    /// Finds a cheapest path (γ = 1 and an admissible heuristic), or a good one (γ < 1).
    ///
    /// # Errors
    /// If `start` or `goal` is no state of `space`.
    pub fn find(
        &mut self,
        space: &impl StateSpace,
        heuristic: &impl Heuristic,
        start: State,
        goal: State,
    ) -> Result<Answer, QueryError> {
        self.find_noting(space, heuristic, (start, goal), |_| {})
    }

    /// As [`find`](Self::find); `note` hears of each state that is expanded.
    pub(crate) fn find_noting(
        &mut self,
        space: &impl StateSpace,
        heuristic: &impl Heuristic,
        (start, goal): (State, State),
        note: impl FnMut(State),
    ) -> Result<Answer, QueryError> {
        check_ends(space, start, goal)?;
        if space.reachability(start, goal) == Reachability::No {
            return Ok(Answer::unreachable_at_once());
        }
        let gamma = self.gamma;
        Ok(if gamma != Gamma::ONE {
            let key = |state, g| gamma.of(g).saturating_add(heuristic.estimate(state, goal));
            run_to(Run::new(space, &mut self.any_order, start, key), goal, note)
        } else {
            // A heuristic may say "no way from here" with the largest number there is.
            let key = |state, g: Cost| g.saturating_add(heuristic.estimate(state, goal));
            if heuristic.is_consistent() {
                // Nothing has to be opened again then; if the heuristic only says so, paths are cheapest all
                // the same.
                run_to(Run::new(space, &mut self.monotone, start, key).reopening(), goal, note)
            } else {
                run_to(Run::new(space, &mut self.any_order, start, key).reopening(), goal, note)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn weights_are_kept_exactly_or_refused() {
        for millionths in 1..=1_000_000 {
            let gamma = Gamma { millionths };
            assert_eq!(gamma.to_string().parse(), Ok(gamma));
        }
        assert_eq!("1".parse(), Ok(Gamma::ONE));
        assert_eq!("2e-1".parse(), Ok(Gamma { millionths: 200_000 }));
        for text in [
            "0",
            "-0",
            "-0.5",
            "1.0000004",
            "1.000001",
            "0.0000005",
            "1e-7",
            "0.1234567",
            "NaN",
            "inf",
            "",
            "x",
            " 1",
        ] {
            assert_eq!(text.parse::<Gamma>(), Err(GammaError), "{text}");
        }
    }
}
