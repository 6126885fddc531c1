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

    /// Makes sure that this search finds what it promises in `world`.
    ///
    /// # Errors
    /// If it does not.
    fn check(&self, world: &W) -> Result<(), QueryError> {
        let _ = world;
        Ok(())
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

    fn check(&self, world: &GridSpace) -> Result<(), QueryError> {
        JumpPoints::check(world)
    }
}

/// Which of several equally cheap paths are found: it matters to what is made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Paths {
    /// Those of A*.
    AStar,
    /// Those of jump point search: diagonal steps as early as possible. Found many times faster, on grids
    /// only; where cells have weights they are those of A*.
    JumpPoints,
}

impl Paths {
    /// The name of the algorithm.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AStar => "a*",
            Self::JumpPoints => "jps",
        }
    }
}

/// A search of either kind on grids.
#[derive(Clone, Debug)]
pub struct GridPlanner {
    paths: Paths,
    a_star: AStar,
    jump_points: JumpPoints,
}

impl GridPlanner {
    /// A search that finds these paths.
    #[must_use]
    pub fn new(paths: Paths) -> Self {
        Self { paths, a_star: AStar::new(), jump_points: JumpPoints::new() }
    }

    /// The fastest search for cheapest paths that a grid allows: jump points, or A* where cells have weights.
    #[must_use]
    pub fn fastest() -> Self {
        Self::new(Paths::JumpPoints)
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
        match self.paths {
            Paths::JumpPoints if !world.is_weighted() => {
                self.jump_points.plan_noting(world, start, goal, note)
            }
            Paths::AStar | Paths::JumpPoints => self.a_star.plan_noting(world, start, goal, note),
        }
    }
}
