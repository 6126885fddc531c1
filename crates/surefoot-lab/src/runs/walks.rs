//! The walks of a unit: one at a time if they are timed, else on all cores.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use surefoot::agent::{Agent, Spec};
use surefoot::space::{GridSpace, State};
use surefoot::store::Database;
use surefoot_classics::ROSTER;
use surefoot_classics::depth::{DepthTree, agent_with_tree};

use super::RunError;
use super::store::Problem;
use crate::clock::{Pace, Sequence, walk_in_sequences};
use crate::episode::{Episode, EpisodeError, unless_stopped, watch};
use crate::passes::Repeated;
use crate::problems::bucket_of;
use crate::rows::{Row, RowProblem};

/// How the walks of a unit are done.
pub(super) struct Walking<'a> {
    /// The name of the map.
    pub(super) map: &'a str,
    /// The map.
    pub(super) space: &'a GridSpace,
    /// The algorithm.
    pub(super) spec: &'a Spec,
    /// Its tree, if it is not one that the library brings along.
    pub(super) tree: Option<&'a Arc<DepthTree>>,
    /// Its database.
    pub(super) database: Option<&'a Arc<dyn Database>>,
    /// Walks of more moves are cut off.
    pub(super) most_moves: Option<u64>,
    /// Whether walks are timed.
    pub(super) timed: bool,
    /// Whether they are put on the clock of the game.
    pub(super) game: Option<Pace>,
    /// How often each is walked.
    pub(super) passes: u32,
    /// Whether to stop.
    pub(super) stop: &'a AtomicBool,
}

/// All problems, or the first one of every so many buckets.
pub(super) fn of_buckets<'p>(
    problems: &'p [Problem],
    every: Option<u32>,
    space: &GridSpace,
) -> Vec<&'p Problem> {
    let Some(every) = every else { return problems.iter().collect() };
    let mut last = None;
    let mut is_wanted = |problem: &Problem| {
        let bucket = problem.cost.map(|cost| bucket_of(space.units().to_f64(cost)));
        let is_first = last.replace(bucket) != Some(bucket);
        is_first && bucket.is_some_and(|bucket| bucket % every == every - 1)
    };
    problems.iter().filter(|problem| is_wanted(problem)).collect()
}

impl Walking<'_> {
    /// The rows of the problems, in their order.
    pub(super) fn rows(&self, problems: &[&Problem]) -> Result<Vec<Row>, RunError> {
        let walked = if self.timed { self.one_at_a_time(problems)? } else { self.on_all_cores(problems)? };
        let config = self.database.map(|database| database.config().to_string());
        let row = |(problem, (episode, sequences)): (&&Problem, (Episode, Vec<Sequence>))| {
            let of = RowProblem {
                map: self.map,
                start: problem.start(),
                goal: problem.goal(),
                file_cost: problem.file_cost.clone(),
                optimal_cost: problem.cost,
            };
            let row = Row::new(self.spec.to_string(), &of, &episode, self.space.units());
            let row = Row { database: config.clone(), ..row };
            let row = match self.game {
                Some(pace) => row.in_game(&sequences, pace),
                None => row,
            };
            if self.timed { row } else { row.untimed() }
        };
        Ok(problems.iter().zip(walked).map(row).collect())
    }

    fn agent(&self) -> Result<Box<dyn Agent>, RunError> {
        Ok(match self.tree {
            Some(tree) => agent_with_tree(self.spec, Arc::clone(tree))?,
            None => ROSTER.agent_with(self.spec, self.database)?,
        })
    }

    /// Passes differ in nothing but time. The fastest of all passes counts, for the machine may have been
    /// busy with something else; of the times of a game only those of its plans, all others are those of the
    /// first.
    fn one_at_a_time(&self, problems: &[&Problem]) -> Result<Vec<(Episode, Vec<Sequence>)>, RunError> {
        let mut agent = self.agent()?;
        if self.passes > 1 && self.game.is_none() {
            let mut repeated = vec![Repeated::default(); problems.len()];
            for _ in 0..self.passes {
                for (repeated, problem) in repeated.iter_mut().zip(problems) {
                    self.go_on()?;
                    let ends = self.ends(problem)?;
                    repeated.walk(self.space, &mut *agent, ends, self.most_moves, self.stop)?;
                }
            }
            return Ok(repeated.into_iter().map(|repeated| (repeated.fastest(), Vec::new())).collect());
        }
        let mut once =
            || problems.iter().map(|problem| self.walk(&mut *agent, problem)).collect::<Result<Vec<_>, _>>();
        let mut walked = once()?;
        for _ in 1..self.passes {
            for ((_, best), (_, again)) in walked.iter_mut().zip(once()?) {
                for (best, again) in best.iter_mut().zip(again) {
                    best.planning_ns = best.planning_ns.min(again.planning_ns);
                }
            }
        }
        Ok(walked)
    }

    /// Which thread walks which problem does not matter: an agent begins each of them anew.
    fn on_all_cores(&self, problems: &[&Problem]) -> Result<Vec<(Episode, Vec<Sequence>)>, RunError> {
        // As many as the pool has that this is called in; all cores where there is none.
        let cores = rayon::current_num_threads().min(problems.len().max(1));
        let agents = (0..cores).map(|_| self.agent()).collect::<Result<Vec<_>, _>>()?;
        let next = AtomicUsize::new(0);
        let walked: Mutex<Vec<Option<Result<_, EpisodeError>>>> = Mutex::new(vec![None; problems.len()]);
        thread::scope(|scope| {
            for mut agent in agents {
                let (next, walked) = (&next, &walked);
                scope.spawn(move || {
                    while let Some((place, problem)) = {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        problems.get(place).map(|problem| (place, problem))
                    } {
                        let walk = self.walk(&mut *agent, problem);
                        walked.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(walk);
                    }
                });
            }
        });
        let walked = walked.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(walked.into_iter().flatten().collect::<Result<_, _>>()?)
    }

    fn ends(&self, problem: &Problem) -> Result<(State, State), EpisodeError> {
        Ok(self.space.locate_ends(problem.start(), problem.goal())?)
    }

    fn walk(
        &self,
        agent: &mut dyn Agent,
        problem: &Problem,
    ) -> Result<(Episode, Vec<Sequence>), EpisodeError> {
        self.go_on()?;
        let (start, goal) = self.ends(problem)?;
        if self.game.is_some() {
            return walk_in_sequences(self.space, agent, start, goal, self.most_moves, self.stop);
        }
        let go_on = |_| unless_stopped(self.stop);
        let (walk, _) = watch(None, self.space, agent, (start, goal), self.most_moves, false, go_on)?;
        Ok((walk, Vec::new()))
    }

    /// An error if it is to stop.
    fn go_on(&self) -> Result<(), EpisodeError> {
        match unless_stopped(self.stop) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(EpisodeError::Stopped),
        }
    }
}
