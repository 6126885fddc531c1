//! Times of walks on a machine that has other work, too: of several identical passes the fastest counts.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use surefoot::agent::{Agent, Step};
use surefoot::search::Meter;
use surefoot::space::{GridSpace, State};

use crate::episode::{Episode, EpisodeError, FIRST_STEPS, unless_stopped, watch};

/// So many moves are walked between two looks at whether to stop where a look would be timed.
const MOVES_A_LOOK: u64 = 4096;

/// A walk that is done several times over. An agent does the same every time, so that passes differ in
/// nothing but time.
#[derive(Clone, Debug, Default)]
pub struct Repeated {
    /// The walk of the first pass.
    episode: Episode,
    /// The fastest time of each step, in nanoseconds.
    steps: Vec<u64>,
    /// The steps until the agent moves first, that one included.
    until_moved: usize,
    /// The steps until the agent has gone as far as [`FIRST_STEPS`] straight moves.
    until_far: usize,
    /// The fastest time of the whole walk without a look at the clock in between, which may take longer than
    /// a move.
    whole: u64,
}

impl Repeated {
    /// Walks once more, unless `stop` is set.
    ///
    /// # Errors
    /// As for [`watch`]; also if it was stopped.
    pub fn walk(
        &mut self,
        space: &GridSpace,
        agent: &mut dyn Agent,
        ends: (State, State),
        most_moves: Option<u64>,
        stop: &AtomicBool,
    ) -> Result<(), EpisodeError> {
        let (mut steps, mut until_moved, mut until_far) = (Vec::new(), 0, 0);
        let (mut position, mut gone, far) = (ends.0, 0, space.units().of_steps(FIRST_STEPS, 0));
        let (episode, _) = watch(None, space, agent, ends, most_moves, false, |taken| {
            steps.push(taken.ns);
            if taken.moved.is_some() && until_moved == 0 {
                until_moved = steps.len();
            }
            if gone < far {
                until_far = steps.len();
            }
            gone += taken.moved.map_or(0, |direction| space.step_cost(position, direction));
            position = taken.to;
            unless_stopped(stop)
        })?;
        let whole = time_of_walk(space, agent, ends, most_moves, stop)?;
        if self.steps.is_empty() {
            *self = Self { episode, steps, until_moved, until_far, whole };
        } else {
            self.steps.iter_mut().zip(steps).for_each(|(best, again)| *best = again.min(*best));
            self.whole = self.whole.min(whole);
        }
        Ok(())
    }

    /// The walk with the fastest times: of each step, and of the whole.
    #[must_use]
    pub fn fastest(mut self) -> Episode {
        if self.steps.is_empty() {
            return self.episode;
        }
        self.episode.plan_ns_total = self.whole;
        self.episode.first_move_ns = self.steps[..self.until_moved].iter().sum();
        self.episode.steps20_ns = self.steps[..self.until_far].iter().sum();
        self.steps.sort_unstable();
        self.episode.plan_ns_median = self.steps[(self.steps.len() - 1) / 2];
        self.episode.plan_ns_max = self.steps[self.steps.len() - 1];
        self.episode
    }
}

/// How long an agent takes for a walk that is known to be in order, in nanoseconds.
fn time_of_walk(
    space: &GridSpace,
    agent: &mut dyn Agent,
    (start, goal): (State, State),
    most_moves: Option<u64>,
    stop: &AtomicBool,
) -> Result<u64, EpisodeError> {
    let mut left = most_moves.unwrap_or(u64::MAX);
    let begin = Instant::now();
    agent.begin(space, start, goal)?;
    let mut meter = agent.bound().map_or_else(Meter::new, Meter::with_bound);
    while left > 0 {
        meter.renew();
        match agent.step(space, &mut meter) {
            Step::Moved(_) => {
                left -= 1;
                if left.is_multiple_of(MOVES_A_LOOK) && unless_stopped(stop).is_break() {
                    return Err(EpisodeError::Stopped);
                }
            }
            Step::Waiting => {}
            _ => break,
        }
    }
    Ok(u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::{NEVER, walk};
    use surefoot::formats::grid_from_art;
    use surefoot::space::{Cell, CostModel, MoveRule};
    use surefoot_classics::ROSTER;

    #[test]
    fn passes_differ_in_nothing_but_time() {
        let grid = grid_from_art(".....\n.###.\n..#..").unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        let ends = (space.state_at(Cell::new(1, 2)).unwrap(), space.state_at(Cell::new(3, 2)).unwrap());
        for (spec, most_moves) in [("lrta*", None), ("tba*(slice=3)", None), ("a*", Some(3)), ("a*", Some(0))]
        {
            let mut agent = ROSTER.agent(&spec.parse().unwrap()).unwrap();
            let once = walk(&space, &mut *agent, ends.0, ends.1, most_moves, false).unwrap();
            let mut repeated = Repeated::default();
            (0..3).for_each(|_| repeated.walk(&space, &mut *agent, ends, most_moves, &NEVER).unwrap());
            let fastest = repeated.fastest();
            assert!(fastest.plan_ns_median <= fastest.plan_ns_max, "{spec}");
            let without_times = |episode: Episode| Episode {
                plan_ns_total: 0,
                plan_ns_median: 0,
                plan_ns_max: 0,
                first_move_ns: 0,
                steps20_ns: 0,
                ..episode
            };
            assert_eq!(without_times(fastest), without_times(once), "{spec}");
        }
    }
}
