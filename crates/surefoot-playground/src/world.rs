//! A map at hand: its databases, walks on it, and what they are measured by.

use std::ops::ControlFlow;
use std::sync::Arc;

use surefoot::Cell;
use surefoot::agent::Algorithm;
use surefoot::search::{GridPlanner, Planner as _};
use surefoot::space::{CostModel, Grid, GridSpace, MoveRule, NameError, State};
use surefoot::store::{BuildEvent, Database, View};
use surefoot_classics::ROSTER;

use crate::databases::{Databases, facts};
use crate::maps::check_size;
use crate::sketch;
use crate::walk::{MOST_RECORDED, Walk};

/// The seed of databases that nobody gave one for.
pub const DEFAULT_SEED: u64 = 1;

/// A map with a move rule and costs.
pub struct World {
    space: GridSpace,
    databases: Databases,
    planner: GridPlanner,
}

impl World {
    /// A map of one byte a cell, row after row: free where it is not 0.
    ///
    /// # Errors
    /// If the size is none that a map can have here, there are more or fewer cells, or there is no such rule
    /// or cost model.
    pub fn new(cells: &[u8], width: u32, height: u32, rule: &str, costs: &str) -> Result<Self, String> {
        check_size(width, height)?;
        let (given, expected) = (cells.len(), u64::from(width) * u64::from(height));
        if given as u64 != expected {
            return Err(format!("{given} cells were given: a map of {width} x {height} has {expected}"));
        }
        let rule: MoveRule = rule.parse().map_err(|error: NameError| error.to_string())?;
        let costs: CostModel = costs.parse().map_err(|error: NameError| error.to_string())?;
        let is_free = |cell: Cell| cells[cell.y as usize * width as usize + cell.x as usize] != 0;
        let grid = Grid::from_fn(width, height, is_free).map_err(|error| error.to_string())?;
        Ok(Self {
            space: GridSpace::new(grid, rule, costs),
            databases: Databases::default(),
            planner: GridPlanner::fastest(),
        })
    }

    /// The map.
    #[must_use]
    pub fn space(&self) -> &GridSpace {
        &self.space
    }

    /// Builds the database that an algorithm needs, unless it is there; says what there is to say of it.
    /// `None` if it needs none. `watch` may cancel the build.
    ///
    /// # Errors
    /// If the spec is wrong, the database cannot be built, or the build was cancelled.
    pub fn build(
        &mut self,
        spec: &str,
        seed: u64,
        watch: &mut dyn FnMut(BuildEvent) -> ControlFlow<()>,
    ) -> Result<Option<String>, String> {
        let algorithm = algorithm(spec)?;
        let Some(database) = self.build_for(&algorithm, seed, watch)? else { return Ok(None) };
        self.databases.drop_agent_without(&algorithm.spec().to_string(), &database);
        facts(&self.space, &*database).map(Some)
    }

    fn build_for(
        &mut self,
        algorithm: &Algorithm,
        seed: u64,
        watch: &mut dyn FnMut(BuildEvent) -> ControlFlow<()>,
    ) -> Result<Option<Arc<dyn Database>>, String> {
        let Some(config) = algorithm.database_config(seed) else { return Ok(None) };
        if let Some(database) = self.databases.built_from(&*config) {
            return Ok(Some(Arc::clone(database)));
        }
        let database = config.build(&self.space, watch).map_err(|error| error.to_string())?;
        self.databases.add(Arc::clone(&database));
        Ok(Some(database))
    }

    /// The file of a database: the one that serves an algorithm, or else the last one.
    ///
    /// # Errors
    /// If the spec is wrong, or there is no such database.
    pub fn database_bytes(&mut self, spec: Option<&str>) -> Result<Vec<u8>, String> {
        Ok(self.database(spec)?.to_bytes().into_owned())
    }

    fn database(&mut self, spec: Option<&str>) -> Result<Arc<dyn Database>, String> {
        let Some(spec) = spec else {
            let last = self.databases.last().cloned();
            return last.ok_or_else(|| String::from("there is no database yet: build or open one"));
        };
        let serving = self.databases.serving(&algorithm(spec)?).cloned();
        serving.ok_or_else(|| format!("there is no database for {spec} yet: build or open one"))
    }

    /// Opens the file of a database, and says what there is to say of it. Algorithms that it serves go by it
    /// from now on.
    ///
    /// # Errors
    /// If it is no such file, is of another map, or does not serve the algorithm that is named.
    pub fn open_database(&mut self, bytes: Vec<u8>, spec: Option<&str>) -> Result<String, String> {
        let database = ROSTER.open(&self.space, bytes).map_err(|error| error.to_string())?;
        if let Some(spec) = spec {
            algorithm(spec)?.agent(Some(&database)).map_err(|error| error.to_string())?;
        }
        let facts = facts(&self.space, &*database)?;
        self.databases.add_opened(database);
        Ok(facts)
    }

    /// Lets an algorithm walk, for so many moves at most. It goes by the database that was built for it, or
    /// by one that was opened and serves; else one is built.
    ///
    /// # Errors
    /// If the spec or a cell is wrong, or the database cannot be built.
    pub fn walk(&mut self, spec: &str, start: Cell, goal: Cell, most_moves: u64) -> Result<Walk, String> {
        let ends = self.locate(start, goal)?;
        let algorithm = algorithm(spec)?;
        let name = algorithm.spec().to_string();
        if self.databases.agent(&name).is_none() {
            self.make_agent(&name, &algorithm)?;
        }
        let (agent, database) = self.databases.agent(&name).ok_or("the agent was lost")?;
        let walk = Walk::new(&self.space, agent, &name, ends, most_moves, MOST_RECORDED)?;
        Ok(Walk { database: database.map(|database| database.config().to_string()), ..walk })
    }

    fn make_agent(&mut self, name: &str, algorithm: &Algorithm) -> Result<(), String> {
        let database = match self.databases.serving(algorithm).cloned() {
            None => self.build_for(algorithm, DEFAULT_SEED, &mut |_| ControlFlow::Continue(()))?,
            at_hand => at_hand,
        };
        let agent = algorithm.agent(database.as_ref()).map_err(|error| error.to_string())?;
        self.databases.keep_agent(name, agent, database);
        Ok(())
    }

    /// The walk on a tape.
    ///
    /// # Errors
    /// If it is no tape, or one of another map.
    pub fn replay(&self, bytes: &[u8]) -> Result<Walk, String> {
        Walk::replay(&self.space, bytes)
    }

    /// What the cheapest path costs, in straight moves. `None` if there is no way.
    ///
    /// # Errors
    /// If a cell is outside the map or blocked.
    pub fn optimum(&mut self, start: Cell, goal: Cell) -> Result<Option<f64>, String> {
        let (start, goal) = self.locate(start, goal)?;
        let answer = self.planner.plan(&self.space, start, goal).map_err(|error| error.to_string())?;
        Ok(answer.path.map(|path| self.space.path_cost(path.cost).to_f64()))
    }

    /// What a database looks like, as JSON: the one that serves an algorithm, or else the last one. All of
    /// it, or the way between two cells, a record, a level.
    ///
    /// # Errors
    /// If there is no such database, or no such thing to be seen in it.
    pub fn sketch(
        &mut self,
        spec: Option<&str>,
        way: Option<(Cell, Cell)>,
        record: Option<u32>,
        level: Option<u32>,
    ) -> Result<String, String> {
        let way = way.map(|(start, goal)| self.locate(start, goal)).transpose()?;
        let database = self.database(spec)?;
        let view = View { way, record, level };
        // The library speaks of its program's options.
        let sketch =
            database.sketch(&self.space, &view).map_err(|error| error.to_string().replace("--", ""))?;
        Ok(sketch::to_json(&sketch))
    }

    fn locate(&self, start: Cell, goal: Cell) -> Result<(State, State), String> {
        self.space.locate_ends(start, goal).map_err(|error| error.to_string())
    }
}

fn algorithm(spec: &str) -> Result<Algorithm, String> {
    let spec = spec.parse().map_err(|error: surefoot::agent::SpecError| error.to_string())?;
    ROSTER.algorithm(&spec).map_err(|error| error.to_string())
}
