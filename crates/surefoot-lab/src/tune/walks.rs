//! An algorithm on the problems, as long as there is time for it.

use std::time::{Duration, Instant};

use surefoot::agents::Agent;
use surefoot::space::{GridSpace, State};

use super::choice::Measured;
use crate::episode::{Episode, EpisodeError, watch};
use crate::spread::Spread;

/// A walk is given up when it has taken this many times the moves that it needs.
pub const GIVE_UP: f64 = 20.0;
/// Few walks say nothing about the others.
pub const FEWEST_WALKS: u64 = 3;
/// What a state takes in an agent's memory: a slot of 16 bytes in a table that is half full.
pub const STATE_BYTES: f64 = 32.0;
/// Moves of the walk that tells how fast the agent is.
const PROBE: u64 = 64;
/// What the measuring itself takes a move.
const OVERHEAD_NS: f64 = 100.0;

/// A problem to walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Problem {
    pub start: State,
    pub goal: State,
    /// The length of a shortest way, in straight steps.
    pub optimal: f64,
}

impl Problem {
    /// After so many moves the walk is given up.
    fn most_moves(&self) -> u64 {
        (GIVE_UP * self.optimal) as u64 + 100
    }
}

/// What the walks came to so far.
#[derive(Debug, Default)]
pub(super) struct Walks {
    over_pct: Vec<f64>,
    given_up: u64,
    /// Moves and frames of waiting.
    frames: u64,
    plan_ns: u64,
    worst_ns: u64,
    first_frames_ns: u64,
    states: u64,
}

impl Walks {
    /// Walks one problem after the other until all are done or the time is over.
    pub(super) fn of(
        space: &GridSpace,
        agent: &mut dyn Agent,
        problems: &[Problem],
        time: Duration,
    ) -> Result<Self, EpisodeError> {
        let begin = Instant::now();
        let mut walks = Self::default();
        let Some(probe) = problems.first() else { return Ok(walks) };
        let probe = watch(space, agent, probe.start, probe.goal, Some(PROBE), |_| ())?;
        // Where everything is planned on the first move, the others take next to nothing.
        let planned_later = probe.plan_ns_total.saturating_sub(probe.first_move_ns);
        let move_ns = planned_later as f64 / probe.moves.max(1) as f64 + OVERHEAD_NS;
        for problem in problems {
            let Some(left) = time.checked_sub(begin.elapsed()) else { break };
            let affordable = (left.as_nanos() as f64 / move_ns) as u64;
            let most = problem.most_moves().min(affordable);
            let mut first_ns = None;
            let walk = watch(space, agent, problem.start, problem.goal, Some(most), |step| {
                first_ns.get_or_insert(step.ns);
            })?;
            let is_cut_short = !walk.solved && walk.moves == most && most < problem.most_moves();
            if is_cut_short {
                break;
            }
            walks.add(space, problem, &walk, first_ns.unwrap_or(walk.first_move_ns));
        }
        Ok(walks)
    }

    fn add(&mut self, space: &GridSpace, problem: &Problem, walk: &Episode, first_ns: u64) {
        // In a frame of waiting others go a step. Who does not arrive is as late as one that is given up.
        let length = space.costs().to_f64(walk.travel_cost) + walk.waits as f64;
        let times =
            if walk.solved { length / problem.optimal } else { (length / problem.optimal).max(GIVE_UP) };
        self.over_pct.push(100.0 * (times - 1.0));
        self.given_up += u64::from(!walk.solved);
        self.frames += walk.moves + walk.waits;
        self.plan_ns += walk.plan_ns_total;
        self.worst_ns = self.worst_ns.max(walk.plan_ns_max);
        self.first_frames_ns += first_ns;
        self.states += walk.memory.states();
    }

    /// How many walks there were.
    pub(super) fn count(&self) -> u64 {
        self.over_pct.len() as u64
    }

    /// What that says of the algorithm; what is not about walks is left as in `known`.
    pub(super) fn finish(self, known: Measured) -> Measured {
        let walks = self.count();
        let mean = |total: f64, count: u64| total / count.max(1) as f64;
        let over_mean_pct = mean(self.over_pct.iter().sum(), walks);
        let over: Spread = self.over_pct.into_iter().map(Some).collect();
        Measured {
            walks,
            given_up: self.given_up,
            over_mean_pct,
            over_median_pct: over.percentile(50.0).unwrap_or(0.0),
            over_worst_pct: over.max().unwrap_or(0.0),
            move_ns: mean(self.plan_ns as f64, self.frames),
            worst_move_ns: self.worst_ns as f64,
            first_move_ns: mean(self.first_frames_ns as f64, walks),
            agent_bytes: mean(self.states as f64 * STATE_BYTES, walks),
            ..known
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::agents::roster;
    use surefoot::formats::grid_from_art;
    use surefoot::space::{Cell, CostModel, MoveRule};

    fn space() -> GridSpace {
        let grid = grid_from_art("......\n.####.\n....#.\n......").unwrap();
        GridSpace::new(grid, MoveRule::NoCut, CostModel::Diagonal14)
    }

    fn walked(spec: &str, time: Duration) -> Measured {
        let space = space();
        let at = |x, y| space.state(Cell::new(x, y));
        // Away from the goal, below the wall and up again.
        let problem = Problem { start: at(3, 2), goal: at(5, 2), optimal: 4.0 };
        let mut agent = roster::agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
        Walks::of(&space, &mut *agent, &[problem; 2], time).unwrap().finish(Measured::default())
    }

    #[test]
    fn waiting_counts_as_walking() {
        let long = Duration::from_secs(1000);
        let plain = walked("a*", long);
        assert_eq!((plain.walks, plain.given_up, plain.over_mean_pct), (2, 0, 0.0));
        let sliced = walked("s-a*(slice=1)", long);
        assert!(sliced.over_mean_pct > 50.0, "{sliced:?}");
        assert_eq!(sliced.over_mean_pct, sliced.over_worst_pct);
        assert!(sliced.agent_bytes >= 5.0 * STATE_BYTES, "{sliced:?}");
        let stuck = walked("hill-climbing", long);
        assert_eq!((stuck.walks, stuck.given_up, stuck.over_mean_pct), (2, 2, 100.0 * (GIVE_UP - 1.0)));
    }

    #[test]
    fn without_time_there_are_no_walks() {
        assert_eq!(walked("lrta*", Duration::ZERO).walks, 0);
    }
}
