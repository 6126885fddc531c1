//! What all searches for whole paths have in common.

use super::{AStar, Answer, Dijkstra, JumpPoints};
use crate::space::{GridSpace, QueryError, State, World};

/// A search that finds a whole path.
pub trait Planner<W> {
    /// Finds a path from `start` to `goal`; `note` hears of each state that is expanded.
    ///
    /// # Errors
    /// If `start` or `goal` is no state of `world`.
    fn plan_noting(
        &mut self,
        world: &W,
        start: State,
        goal: State,
        note: impl FnMut(State),
    ) -> Result<Answer, QueryError>;

    /// Finds a path from `start` to `goal`.
    ///
    /// # Errors
    /// If `start` or `goal` is no state of `world`.
    fn plan(&mut self, world: &W, start: State, goal: State) -> Result<Answer, QueryError> {
        self.plan_noting(world, start, goal, |_| {})
    }
}

impl<W: World> Planner<W> for AStar {
    fn plan_noting(
        &mut self,
        world: &W,
        start: State,
        goal: State,
        note: impl FnMut(State),
    ) -> Result<Answer, QueryError> {
        self.find_noting(world, world, (start, goal), note)
    }
}

impl<W: World> Planner<W> for Dijkstra {
    fn plan_noting(
        &mut self,
        world: &W,
        start: State,
        goal: State,
        note: impl FnMut(State),
    ) -> Result<Answer, QueryError> {
        self.find_noting(world, start, goal, note)
    }
}

impl Planner<GridSpace> for JumpPoints {
    fn plan_noting(
        &mut self,
        world: &GridSpace,
        start: State,
        goal: State,
        note: impl FnMut(State),
    ) -> Result<Answer, QueryError> {
        self.find_noting(world, start, goal, note)
    }
}

/// Which of several equally cheap paths are found: it matters to what is made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Paths {
    /// Those of A*.
    AStar,
    /// Those of jump point search: diagonal steps as early as possible. Found many times faster, on grids only.
    JumpPoints,
}

/// A search of either kind on grids.
#[derive(Clone, Debug)]
pub struct GridPlanner(Kind);

// Kept out of the public type: which searches there are is a detail.
#[derive(Clone, Debug)]
enum Kind {
    AStar(AStar),
    JumpPoints(JumpPoints),
}

impl GridPlanner {
    /// A search that finds these paths.
    #[must_use]
    pub fn new(paths: Paths) -> Self {
        Self(match paths {
            Paths::AStar => Kind::AStar(AStar::new()),
            Paths::JumpPoints => Kind::JumpPoints(JumpPoints::new()),
        })
    }
}

impl Planner<GridSpace> for GridPlanner {
    fn plan_noting(
        &mut self,
        world: &GridSpace,
        start: State,
        goal: State,
        note: impl FnMut(State),
    ) -> Result<Answer, QueryError> {
        match &mut self.0 {
            Kind::AStar(search) => search.plan_noting(world, start, goal, note),
            Kind::JumpPoints(search) => search.plan_noting(world, start, goal, note),
        }
    }
}
