//! Walks that are measured: what `run`, `clock` and `demo` have in common.

use surefoot::agent::Agent;
use surefoot::search::{GridPlanner, Planner as _};
use surefoot::space::{Cell, Cost, GridSpace};
use surefoot_lab::clock::{self, Sequence};
use surefoot_lab::episode::{self, Episode};
use surefoot_lab::problem_files::Length;
use surefoot_lab::rows::{Row, RowProblem};

use crate::algorithm::Algorithm;
use crate::databases::Databases;
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
    /// The optimal cost as we find it. `None` if there is no way.
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

    /// The optimal cost as a number of tiles. `None` if there is no way, or it is not known yet.
    pub(crate) fn optimal_length(&self) -> Option<f64> {
        self.optimal_cost.map(|cost| self.placed.space.units().to_f64(cost))
    }
}

/// One algorithm, with an agent for each world that it needs one for.
pub(crate) struct Walker<'d, 'a> {
    algorithm: &'d Algorithm,
    databases: &'d mut Databases<'a>,
    /// The agents that walked last. One that needs no database walks everywhere and has no world.
    agents: Vec<(Option<&'a GridSpace>, Box<dyn Agent>)>,
}

/// The agents that are kept: problems on the ground and in the water of a map may take turns.
const AGENTS: usize = 2;

impl<'d, 'a> Walker<'d, 'a> {
    /// Nobody walks yet.
    pub(crate) fn new(algorithm: &'d Algorithm, databases: &'d mut Databases<'a>) -> Self {
        Self { algorithm, databases, agents: Vec::new() }
    }

    /// Sees to the databases of all tasks, so that none has to be waited for on the way.
    pub(crate) fn prepare(&mut self, tasks: &[Task<'a>]) -> Result<(), Failure> {
        if !self.algorithm.needs_database() {
            return Ok(());
        }
        let mut last: Option<&GridSpace> = None;
        for Task { map, placed, .. } in tasks {
            if placed.goal != Goal::OtherWorld && last.is_none_or(|last| !std::ptr::eq(last, placed.space)) {
                // An agent, and not only its database: whether they fit is to be known, too.
                self.databases.agent(self.algorithm, placed.space, map)?;
                last = Some(placed.space);
            }
        }
        Ok(())
    }

    /// Walks a problem. A goal in another world is known to be out of reach without a step.
    pub(crate) fn walk(
        &mut self,
        task: &Task<'a>,
        max_moves: Option<u64>,
        keep_states: bool,
    ) -> Result<Episode, Failure> {
        let Placed { space, start, goal } = task.placed;
        match goal {
            Goal::Here(goal) => {
                let agent = self.agent(space, task.map)?;
                episode::walk(space, agent, start, goal, max_moves, keep_states).map_err(Failure::other)
            }
            Goal::OtherWorld => Ok(Episode { unreachable: true, ..Episode::default() }),
        }
    }

    /// Walks a problem that has a solution, and gives the sequences of planning and moving that the walk
    /// falls into.
    pub(crate) fn walk_in_sequences(
        &mut self,
        task: &Task<'a>,
        max_moves: Option<u64>,
    ) -> Result<(Episode, Vec<Sequence>), Failure> {
        let Placed { space, start, goal } = task.placed;
        let Goal::Here(goal) = goal else { return Ok((Episode::default(), Vec::new())) };
        let agent = self.agent(space, task.map)?;
        clock::walk_in_sequences(space, agent, start, goal, max_moves, &episode::NEVER)
            .map_err(Failure::other)
    }

    /// What the database for a problem was built from, or the file of the tree. `None` if the algorithm
    /// needs neither, or the problem no walk.
    pub(crate) fn database(&mut self, task: &Task<'a>) -> Result<Option<String>, Failure> {
        if task.placed.goal == Goal::OtherWorld {
            return Ok(None);
        }
        self.databases.config(self.algorithm, task.placed.space, task.map)
    }

    fn agent(&mut self, space: &'a GridSpace, map: &str) -> Result<&mut dyn Agent, Failure> {
        let world = self.algorithm.needs_database().then_some(space);
        let is_its = |of: Option<&GridSpace>| of.map(std::ptr::from_ref) == world.map(std::ptr::from_ref);
        let place = match self.agents.iter().position(|&(of, _)| is_its(of)) {
            Some(place) => place,
            None => {
                let agent = self.databases.agent(self.algorithm, space, map)?;
                if self.agents.len() == AGENTS {
                    self.agents.remove(0);
                }
                self.agents.push((world, agent));
                self.agents.len() - 1
            }
        };
        Ok(&mut *self.agents[place].1)
    }
}

/// Finds the optimal cost of every task, once for all algorithms; `done` hears how many are known.
pub(crate) fn find_optimal_costs(tasks: &mut [Task<'_>], done: &mut dyn FnMut(u64)) -> Result<(), Failure> {
    let mut search = GridPlanner::fastest();
    for (task, count) in tasks.iter_mut().zip(1..) {
        if let Some(goal) = task.placed.reachable_goal() {
            task.optimal_cost = search.plan(task.placed.space, task.placed.start, goal)?.cost();
        }
        done(count);
    }
    Ok(())
}

/// Walks all tasks and hands each row to `row`.
pub(crate) fn walk_all<'a>(
    walker: &mut Walker<'_, 'a>,
    tasks: &[Task<'a>],
    max_moves: Option<u64>,
    row: &mut dyn FnMut(&Row) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let name = walker.algorithm.name();
    for task in tasks {
        let walk = walker.walk(task, max_moves, false)?;
        let problem = RowProblem {
            map: task.map,
            start: task.start,
            goal: task.goal,
            file_cost: task.file_cost.map(|length| length.to_string()),
            optimal_cost: task.optimal_cost,
        };
        let database = walker.database(task)?;
        let costs = task.placed.space.units();
        row(&Row { database, ..Row::new(name.clone(), &problem, &walk, costs) })?;
    }
    Ok(())
}
