//! The measures of the papers that are more than a mean: each from plain numbers, so that it can be tried on
//! what was printed.

mod amortisation;
mod memory;
mod pareto;
mod sample;

pub use self::amortisation::{Amortisation, amortisation};
pub use self::memory::{BYTES_A_STATE, Memory};
pub use self::pareto::{best_under_limits, pareto_front};
pub use self::sample::Sample;

/// How hard a problem is for A*: the states that it expands for each move of the path that it finds
/// ("Case-based subgoaling", section 8.1). Nothing for a path without moves.
#[must_use]
pub fn a_star_difficulty(expansions: f64, moves: u64) -> Option<f64> {
    (moves > 0).then(|| expansions / moves as f64)
}
