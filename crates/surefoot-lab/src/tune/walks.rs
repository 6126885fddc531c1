//! An algorithm on the problems, as long as there is time for it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use surefoot::agent::Agent;
use surefoot::space::{GridSpace, State};

use super::choice::Measured;
use crate::episode::{self, Episode, EpisodeError, watch};
use crate::spread::Spread;

/// A walk is given up when it has taken this many times the moves that it needs.
pub const GIVE_UP: f64 = 20.0;
/// Few walks say nothing about the others.
pub const FEWEST_WALKS: u64 = 3;
/// What a state takes in an agent's memory where nobody counts the bytes. It is a guess: agents keep 50 to
/// 1,000 bytes for each state that they tell of, in tables that are partly empty and in scratch memory.
pub const STATE_BYTES: f64 = 128.0;
/// After so many walks it shows whether there is hope.
const EARLY: u64 = 10;
/// Moves of the walk that tells how fast the agent is.
pub(super) const PROBE: u64 = 64;
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
    times: Vec<Times>,
    given_up: u64,
    /// Moves and frames of waiting.
    frames: u64,
    /// The states that walks held, all together.
    states: u64,
    /// The bytes that the agent held after each walk, all together, if somebody counts them.
    held_bytes: Option<f64>,
}

/// What the clock says of a walk, in nanoseconds.
#[derive(Clone, Copy, Debug)]
struct Times {
    all_frames: u64,
    slowest_frame: u64,
    first_frame: u64,
}

impl Times {
    /// What else the machine does makes a walk slower and never faster.
    fn at_best(self, other: Self) -> Self {
        Self {
            all_frames: self.all_frames.min(other.all_frames),
            slowest_frame: self.slowest_frame.min(other.slowest_frame),
            first_frame: self.first_frame.min(other.first_frame),
        }
    }
}

impl Walks {
    /// For so many walks. Room for them is made now, so that what is allocated while they are walked is the
    /// agent's.
    pub(super) fn with_room(problems: usize) -> Self {
        Self {
            over_pct: Vec::with_capacity(problems),
            times: Vec::with_capacity(problems),
            ..Self::default()
        }
    }

    /// Walks one problem after the other until all are done, the time is over, or a first look at the walks
    /// says that there is no hope. If there is time left, they are walked once more, and of both times the
    /// shorter one counts. `held_bytes` says what the agent holds at the moment, if that can be told.
    pub(super) fn walk_all(
        &mut self,
        space: &GridSpace,
        agent: &mut dyn Agent,
        problems: &[Problem],
        time: Duration,
        held_bytes: impl Fn() -> Option<f64>,
        is_hopeless: impl Fn(&Self) -> bool,
    ) -> Result<(), EpisodeError> {
        let begin = Instant::now();
        let left = || time.checked_sub(begin.elapsed());
        let Some(probe) = problems.first() else { return Ok(()) };
        let probe = episode::walk(space, agent, probe.start, probe.goal, Some(PROBE), false)?;
        // Where everything is planned on the first move, the others take next to nothing.
        let planned_later = probe.plan_ns_total.saturating_sub(probe.first_move_ns);
        let move_ns = planned_later as f64 / probe.moves.max(1) as f64 + OVERHEAD_NS;
        for problem in problems {
            let Some(left) = left() else { break };
            let affordable = (left.as_nanos() as f64 / move_ns) as u64;
            let most = problem.most_moves().min(affordable);
            let (walk, times) = walk(space, agent, problem, most)?;
            let is_cut_short = !walk.solved && walk.moves == most && most < problem.most_moves();
            if is_cut_short {
                break;
            }
            self.add(space, problem, &walk, times);
            self.held_bytes = held_bytes().map(|held| self.held_bytes.unwrap_or(0.0) + held);
            if self.count() == EARLY && is_hopeless(self) {
                return Ok(());
            }
        }
        for (problem, known) in problems.iter().zip(&mut self.times) {
            if left().is_none_or(|left| left < Duration::from_nanos(known.all_frames)) {
                break;
            }
            let (_, times) = walk(space, agent, problem, problem.most_moves())?;
            *known = known.at_best(times);
        }
        Ok(())
    }

    fn add(&mut self, space: &GridSpace, problem: &Problem, walk: &Episode, times: Times) {
        // In a frame of waiting others go a step. Who does not arrive is as late as one that is given up.
        let length = space.units().to_f64(walk.travel_cost) + walk.waits as f64;
        let times_optimal = length / problem.optimal;
        let times_optimal = if walk.solved { times_optimal } else { times_optimal.max(GIVE_UP) };
        self.over_pct.push(100.0 * (times_optimal - 1.0));
        self.times.push(times);
        self.given_up += u64::from(!walk.solved);
        self.frames += walk.moves + walk.waits;
        self.states += walk.memory.states();
    }

    /// How many walks there were.
    pub(super) fn count(&self) -> u64 {
        self.over_pct.len() as u64
    }

    /// What that says of the algorithm; what is not about walks is left as in `known`.
    pub(super) fn figures(&self, known: Measured) -> Measured {
        let walks = self.count();
        let mean = |total: f64, count: u64| total / count.max(1) as f64;
        let sum = |of: fn(&Times) -> u64| self.times.iter().map(of).sum::<u64>() as f64;
        let over_mean_pct = mean(self.over_pct.iter().sum(), walks);
        let over: Spread = self.over_pct.iter().copied().map(Some).collect();
        Measured {
            walks,
            given_up: self.given_up,
            over_mean_pct,
            over_median_pct: over.percentile(50.0).unwrap_or(0.0),
            over_worst_pct: over.max().unwrap_or(0.0),
            move_ns: mean(sum(|times| times.all_frames), self.frames),
            worst_move_ns: self.times.iter().map(|times| times.slowest_frame).max().unwrap_or(0) as f64,
            first_move_ns: mean(sum(|times| times.first_frame), walks),
            agent_bytes: mean(self.held_bytes.unwrap_or(self.states as f64 * STATE_BYTES), walks),
            ..known
        }
    }
}

fn walk(
    space: &GridSpace,
    agent: &mut dyn Agent,
    problem: &Problem,
    most_moves: u64,
) -> Result<(Episode, Times), EpisodeError> {
    let mut first = None;
    let ends = (problem.start, problem.goal);
    let (walk, _) = watch(None, space, agent, ends, Some(most_moves), false, |step| {
        first.get_or_insert(step.ns);
        ControlFlow::Continue(())
    })?;
    let times = Times {
        all_frames: walk.plan_ns_total,
        slowest_frame: walk.plan_ns_max,
        first_frame: first.unwrap_or(walk.first_move_ns),
    };
    Ok((walk, times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::grid_from_art;
    use surefoot::space::{Cell, CostModel, MoveRule};
    use surefoot_classics::ROSTER;

    fn space() -> GridSpace {
        let grid = grid_from_art("......\n.####.\n....#.\n......").unwrap();
        GridSpace::new(grid, MoveRule::NoCut, CostModel::Diagonal14)
    }

    fn walked(spec: &str, time: Duration) -> Measured {
        let space = space();
        let at = |x, y| space.state_at(Cell::new(x, y)).unwrap();
        // Away from the goal, below the wall and up again.
        let problem = Problem { start: at(3, 2), goal: at(5, 2), optimal: 4.0 };
        let mut agent = ROSTER.agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
        let mut walks = Walks::with_room(2);
        walks.walk_all(&space, &mut *agent, &[problem; 2], time, || None, |_| false).unwrap();
        walks.figures(Measured::default())
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
    fn the_shorter_time_counts() {
        let (one, other) = (
            Times { all_frames: 9, slowest_frame: 5, first_frame: 1 },
            Times { all_frames: 8, slowest_frame: 6, first_frame: 1 },
        );
        let best = one.at_best(other);
        assert_eq!((best.all_frames, best.slowest_frame, best.first_frame), (8, 5, 1));
    }

    #[test]
    fn hopeless_walks_end_early() {
        let space = space();
        let problem = Problem { start: State(0), goal: State(5), optimal: 5.0 };
        let mut agent = ROSTER.agent(&"a*".parse().unwrap()).unwrap();
        let mut count = |is_hopeless| {
            let (mut walks, time) = (Walks::default(), Duration::from_secs(1000));
            let look = |walks: &Walks| {
                assert_eq!(walks.figures(Measured::default()).agent_bytes, 1e3);
                is_hopeless
            };
            walks.walk_all(&space, &mut *agent, &[problem; 30], time, || Some(1e3), look).unwrap();
            walks.count()
        };
        assert_eq!((count(true), count(false)), (EARLY, 30));
    }

    #[test]
    fn without_time_there_are_no_walks() {
        assert_eq!(walked("lrta*", Duration::ZERO).walks, 0);
    }
}
