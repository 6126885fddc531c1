//! Maps with problems that several algorithms solve, and what came of it.

use std::path::Path;
use std::time::Instant;

use surefoot::agents::roster;
use surefoot::agents::{Spec, SpecError};
use surefoot::database::Database;
use surefoot::formats::{self, FileError};
use surefoot::search::JumpPoints;
use surefoot::space::{Cell, Cost, CostModel, GridSpace, MoveRule, QueryError, SpaceError, TerrainSet};

use crate::episode::{EpisodeError, walk};
use crate::problem_files::maps_with_problems;
use crate::problems::ProblemsError;
use crate::rows::{Row, RowProblem};
use crate::summary::Summary;

/// A map with problems.
#[derive(Clone, Debug)]
pub struct Course {
    /// The map's name.
    pub name: String,
    /// The map.
    pub space: GridSpace,
    /// Starts, goals and optimal costs.
    pub problems: Vec<(Cell, Cell, Cost)>,
}

/// What kept an algorithm from its course.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CourseError {
    /// A file could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A folder could not be read.
    #[error("{folder}: {source}")]
    Folder {
        /// The folder.
        folder: String,
        /// Why.
        source: std::io::Error,
    },
    /// A map could not be made.
    #[error(transparent)]
    Space(SpaceError),
    /// There are no such problems on a map.
    #[error(transparent)]
    Problems(#[from] ProblemsError),
    /// A problem is none on its map.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// There is no such algorithm.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The agent did what it must not.
    #[error(transparent)]
    Episode(#[from] EpisodeError),
}

/// All maps of a folder that have problems beside them.
///
/// # Errors
/// If a file cannot be read, or a problem is none on its map.
pub fn read_courses(folder: &Path, rule: MoveRule, costs: CostModel) -> Result<Vec<Course>, CourseError> {
    let in_folder = |source| CourseError::Folder { folder: folder.display().to_string(), source };
    let mut courses = Vec::new();
    for (map, scen) in maps_with_problems(folder).map_err(in_folder)? {
        let space = GridSpace::new(formats::read_any_map(&map)?.grid(TerrainSet::GROUND), rule, costs);
        let mut search = JumpPoints::new();
        let mut problems = Vec::new();
        for problem in formats::read_scen(scen)?.problems {
            let start = space.locate("start", problem.start)?;
            let goal = space.locate("goal", problem.goal)?;
            if let Some(cost) = search.find(&space, start, goal)?.cost() {
                problems.push((problem.start, problem.goal, cost));
            }
        }
        let name = map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        courses.push(Course { name, space, problems });
    }
    Ok(courses)
}

/// How an algorithm did on a course.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// One row for each problem.
    pub rows: Vec<Row>,
    /// How long its database took to build, on all cores; 0 without one.
    pub build_seconds: f64,
    /// The states in its database.
    pub database_states: u64,
    /// The bytes of its database.
    pub database_bytes: u64,
}

/// Lets an algorithm solve all problems of a course, one after the other; walks of more than `max_moves` moves are cut off.
///
/// # Errors
/// If there is no such algorithm, its database cannot be built, or the agent does what it must not.
pub fn run(course: &Course, spec: &Spec, seed: u64, max_moves: Option<u64>) -> Result<Outcome, CourseError> {
    let begin = Instant::now();
    let database = roster::build_database(spec, &course.space, seed)?;
    let build_seconds = if database.is_some() { begin.elapsed().as_secs_f64() } else { 0.0 };
    Ok(Outcome {
        rows: walk_all(course, spec, database.as_ref(), max_moves)?,
        build_seconds,
        database_states: database.as_ref().map_or(0, Database::states),
        database_bytes: database.as_ref().map_or(0, |database| database.to_bytes().len() as u64),
    })
}

/// The rows of an algorithm that has its database.
///
/// # Errors
/// If there is no such algorithm, it needs another database, or the agent does what it must not.
pub fn walk_all(
    course: &Course,
    spec: &Spec,
    database: Option<&Database>,
    max_moves: Option<u64>,
) -> Result<Vec<Row>, CourseError> {
    let mut agent = roster::agent_with(spec, database)?;
    let mut rows = Vec::new();
    for &(start, goal, cost) in &course.problems {
        let space = &course.space;
        let walk = walk(space, &mut *agent, space.state(start), space.state(goal), max_moves, false)?;
        let problem =
            RowProblem { map: &course.name, start, goal, file_cost: None, optimal_cost: Some(cost) };
        let row = Row::new(spec.to_string(), &problem, &walk, space.costs());
        rows.push(Row { database: database.map(|database| database.config().to_string()), ..row });
    }
    Ok(rows)
}

/// The rows of several outcomes as one line of a table.
#[must_use]
pub fn summarise(spec: &Spec, outcomes: &[Outcome]) -> Summary {
    let mut summary = Summary::new(spec.to_string());
    outcomes.iter().flat_map(|outcome| &outcome.rows).for_each(|row| summary.add(row));
    summary
}
