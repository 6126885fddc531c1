//! Walks that are measured: what `run` and `demo` have in common.

use surefoot::formats::Length;
use surefoot::search::JumpPoints;
use surefoot::space::{Cell, Cost};
use surefoot_lab::episode::{self, Episode};
use surefoot_lab::rows::{Row, RowProblem};

use crate::algorithm::Algorithm;
use crate::failure::Failure;
use crate::world::{Goal, Placed};

/// A problem to walk.
pub(crate) struct Task<'a> {
    /// The name of its map.
    map: &'a str,
    placed: Placed<'a>,
    start: Cell,
    goal: Cell,
    /// The optimal cost as its file has it.
    file_cost: Option<Length>,
    /// The optimal cost as we find it; nothing if there is no way.
    optimal_cost: Option<Cost>,
}

impl<'a> Task<'a> {
    /// A problem whose optimal cost is not known yet.
    pub(crate) fn new(
        map: &'a str,
        placed: Placed<'a>,
        (start, goal): (Cell, Cell),
        file_cost: Option<Length>,
    ) -> Self {
        Self { map, placed, start, goal, file_cost, optimal_cost: None }
    }

    /// Walks the problem. A goal in another world is known to be out of reach without a step.
    pub(crate) fn walk(
        &self,
        agent: &mut dyn surefoot::agents::Agent,
        max_moves: Option<u64>,
        keep_states: bool,
    ) -> Result<Episode, Failure> {
        let Placed { space, start, goal } = self.placed;
        match goal {
            Goal::Here(goal) => {
                episode::walk(space, agent, start, goal, max_moves, keep_states).map_err(Failure::other)
            }
            Goal::OtherWorld => Ok(Episode { unreachable: true, ..Episode::default() }),
        }
    }
}

/// Finds the optimal cost of every task, once for all algorithms; `done` hears how many are known.
pub(crate) fn find_optimal_costs(tasks: &mut [Task<'_>], done: &mut dyn FnMut(u64)) -> Result<(), Failure> {
    let mut search = JumpPoints::new();
    for (task, count) in tasks.iter_mut().zip(1..) {
        if let Some(goal) = task.placed.reachable_goal() {
            task.optimal_cost = search.find(task.placed.space, task.placed.start, goal)?.cost();
        }
        done(count);
    }
    Ok(())
}

/// Walks all tasks with one agent and hands each row to `row`.
pub(crate) fn walk_all(
    algorithm: &Algorithm,
    tasks: &[Task<'_>],
    max_moves: Option<u64>,
    row: &mut dyn FnMut(&Row) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut agent = algorithm.agent().map_err(Failure::other)?;
    for task in tasks {
        let walk = task.walk(&mut *agent, max_moves, false)?;
        let problem = RowProblem {
            map: task.map,
            start: task.start,
            goal: task.goal,
            file_cost: task.file_cost.map(|length| length.to_string()),
            optimal_cost: task.optimal_cost,
        };
        row(&Row::new(algorithm.name(), &problem, &walk, task.placed.space.costs()))?;
    }
    Ok(())
}
