//! Random problems, for checks of databases.

use surefoot::space::{GridSpace, Reachability, State, StateSpace as _};
use surefoot::store::draws::Draws;

/// So many problems, by a seed alone. Fewer where they are too hard to find.
pub(crate) fn draw_problems(
    space: &GridSpace,
    sample: u64,
    seed: u64,
) -> impl Iterator<Item = (State, State)> {
    (0..sample).map_while(move |number| draw_problem(space, seed, number))
}

/// Two states with a way between them, by a seed and a number alone. `None` if they are too hard to find.
fn draw_problem(space: &GridSpace, seed: u64, number: u64) -> Option<(State, State)> {
    const TRIES: usize = 10_000;
    let mut draws = Draws::new(seed, number);
    let limit = space.state_limit() as u64;
    let mut state = || {
        (0..TRIES)
            .filter(|_| limit > 0)
            .map(|_| State(draws.below(limit) as u32))
            .find(|&state| space.contains(state))
    };
    for _ in 0..TRIES {
        let (start, goal) = (state()?, state()?);
        if start != goal && space.reachability(start, goal) != Reachability::No {
            return Some((start, goal));
        }
    }
    None
}
