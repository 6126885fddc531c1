//! The cache: databases and problems with their optimal costs, by what they are made from. What is in it is
//! used only if it is what would be made.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use surefoot::files;
use surefoot::search::{GridPlanner, Planner as _};
use surefoot::space::{Cell, Cost, GridSpace};
use surefoot::store::{BuiltFor, Database, DatabaseConfig, DatabaseError};
use surefoot_classics::ROSTER;
use xxhash_rust::xxh3::xxh3_64;

use super::worlds::World;
use super::{DatabaseFacts, Host, Provenance, RunError};
use crate::episode::unless_stopped;
use crate::maps::Symmetry;
use crate::plan::{MapEntry, Problems};
use crate::problem_files::read_scen;
use crate::problems::{ProblemRequest, ProblemsError, generate_problems};

/// The folder of what was made before.
pub(super) struct Store<'a> {
    /// The folder.
    pub(super) folder: &'a Path,
    /// Who makes what is not there.
    pub(super) provenance: &'a Provenance,
    /// Whether to stop.
    pub(super) stop: &'a AtomicBool,
}

/// A problem with its optimal cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Problem {
    start_x: u32,
    start_y: u32,
    goal_x: u32,
    goal_y: u32,
    /// `None` if there is no way.
    pub(super) cost: Option<Cost>,
    /// The cost as the file has it.
    pub(super) file_cost: Option<String>,
}

impl Problem {
    pub(super) fn start(&self) -> Cell {
        Cell::new(self.start_x, self.start_y)
    }

    pub(super) fn goal(&self) -> Cell {
        Cell::new(self.goal_x, self.goal_y)
    }

    /// Takes it to where it is on a map of this size that is laid in another way.
    pub(super) fn lay(&mut self, symmetry: Symmetry, size: (u32, u32)) {
        let [start, goal] = [self.start(), self.goal()].map(|cell| symmetry.place(cell, size));
        (self.start_x, self.start_y, self.goal_x, self.goal_y) = (start.x, start.y, goal.x, goal.y);
    }
}

/// What is known of a database in the cache.
#[derive(Serialize, Deserialize)]
struct Kept {
    facts: DatabaseFacts,
    provenance: Provenance,
}

/// A name that tells a database from all others, and that people can read: what is no letter or digit is a
/// dash.
#[must_use]
pub fn database_file_name(built_for: &BuiltFor, config: &dyn DatabaseConfig) -> String {
    let BuiltFor { fingerprint, rule, costs, .. } = built_for;
    let words = format!("{rule}-{costs}-{config}");
    format!("{fingerprint:016x}-{}.sfdb", words_of(&words))
}

/// Letters, digits and dots of a text, with a dash for whatever lies between.
pub(super) fn words_of(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

impl Store<'_> {
    /// The database that is built from `config` for a map, and what it took. It is kept for the next time.
    pub(super) fn database(
        &self,
        space: &GridSpace,
        config: &dyn DatabaseConfig,
        host: &mut dyn Host,
    ) -> Result<(Arc<dyn Database>, DatabaseFacts), RunError> {
        let file = self.folder.join(database_file_name(&BuiltFor::of(space), config));
        let mut facts_name = file.clone().into_os_string();
        facts_name.push(".json");
        let facts_file = PathBuf::from(facts_name);
        if let Some(found) = self.kept_database(&file, &facts_file, space, config) {
            return Ok(found);
        }
        let begin = Instant::now();
        let database =
            config.build(space, &mut |_| unless_stopped(self.stop)).map_err(|error| match error {
                DatabaseError::Cancelled => RunError::Stopped,
                error => RunError::Database(error),
            })?;
        let facts = DatabaseFacts::of(&*database, begin.elapsed().as_secs_f64());
        host.write(&file, &mut |out| out.write_all(&database.to_bytes())).map_err(RunError::Write)?;
        // The facts come last: a database without them is built anew, for its building time is not known.
        let kept = Kept { facts, provenance: self.provenance.clone() };
        host.write(&facts_file, &mut |out| Ok(serde_json::to_writer(out, &kept)?))
            .map_err(RunError::Write)?;
        Ok((database, kept.facts))
    }

    /// What the cache has, if it is what it should be.
    fn kept_database(
        &self,
        file: &Path,
        facts: &Path,
        space: &GridSpace,
        config: &dyn DatabaseConfig,
    ) -> Option<(Arc<dyn Database>, DatabaseFacts)> {
        let kept: Kept = serde_json::from_slice(&files::read(facts).ok()?).ok()?;
        // Building times are a measure: those of another machine would be taken for ours. Workers of one
        // machine share its cache.
        if !kept.provenance.is_same_machine(self.provenance) {
            return None;
        }
        let database = ROSTER.open(space, files::read(file).ok()?).ok()?;
        (database.config() == config && kept.facts.config == config.to_string())
            .then_some((database, kept.facts))
    }

    /// The problems of a map with their optimal costs. `space` is the map as it is, whichever way it is laid.
    pub(super) fn problems(
        &self,
        world: &World,
        entry: &MapEntry,
        space: &GridSpace,
        host: &mut dyn Host,
    ) -> Result<Vec<Problem>, RunError> {
        // Another program may draw other problems; another machine draws the same.
        let Provenance { version, revision, .. } = self.provenance;
        let identity = format!("problems {version} {revision:?} {}", world.identity);
        let file = self.folder.join(format!(
            "{:016x}-problems-{:016x}.csv",
            space.fingerprint(),
            xxh3_64(identity.as_bytes())
        ));
        if let Some(problems) = read_problems(&file) {
            return Ok(problems);
        }
        let problems = match &entry.problems {
            Problems::Beside { every } => self.problems_of_file(world, *every, space)?,
            Problems::Drawn { count, min_cost, max_cost, of_width, seed, per_bucket } => {
                let scale = of_width.map_or(1.0, |width| f64::from(space.grid().width()) / width);
                let request = ProblemRequest {
                    count: *count,
                    min_cost: min_cost * scale,
                    max_cost: max_cost * scale,
                    seed: *seed,
                    per_bucket: *per_bucket,
                };
                let drawn = generate_problems(space, &request, &mut |_, _| unless_stopped(self.stop));
                let drawn = drawn.map_err(|source| match source {
                    ProblemsError::Stopped => RunError::Stopped,
                    source => RunError::Problems { map: world.name.clone(), source },
                })?;
                drawn.iter().map(|drawn| problem(drawn.start, drawn.goal, Some(drawn.cost), None)).collect()
            }
        };
        write_problems(&file, &problems, host)?;
        Ok(problems)
    }

    fn problems_of_file(
        &self,
        world: &World,
        every: usize,
        space: &GridSpace,
    ) -> Result<Vec<Problem>, RunError> {
        let Some(scen) = &world.scen else {
            return Err(RunError::Broken("a map has no problems".to_owned()));
        };
        let mut search = GridPlanner::fastest();
        let mut problems = Vec::new();
        for given in read_scen(scen)?.problems.iter().step_by(every) {
            if unless_stopped(self.stop).is_break() {
                return Err(RunError::Stopped);
            }
            let of_file = |source| RunError::Query { file: scen.clone(), source };
            let (start, goal) = space.locate_ends(given.start, given.goal).map_err(of_file)?;
            let cost = search.plan(space, start, goal).map_err(of_file)?.cost();
            problems.push(problem(given.start, given.goal, cost, Some(given.length.to_string())));
        }
        Ok(problems)
    }
}

fn problem(start: Cell, goal: Cell, cost: Option<Cost>, file_cost: Option<String>) -> Problem {
    Problem { start_x: start.x, start_y: start.y, goal_x: goal.x, goal_y: goal.y, cost, file_cost }
}

/// The first line of a file of problems is a checksum of all that follows.
fn write_problems(file: &Path, problems: &[Problem], host: &mut dyn Host) -> Result<(), RunError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let write =
        |writer: &mut csv::Writer<Vec<u8>>| problems.iter().try_for_each(|problem| writer.serialize(problem));
    write(&mut writer).map_err(|error| RunError::Broken(error.to_string()))?;
    let text = writer.into_inner().map_err(|error| RunError::Broken(error.to_string()))?;
    host.write(file, &mut |out| {
        writeln!(out, "# {:016x}", xxh3_64(&text))?;
        out.write_all(&text)
    })
    .map_err(RunError::Write)
}

fn read_problems(file: &Path) -> Option<Vec<Problem>> {
    let text = files::read_text(file).ok()?;
    let (sum, text) = text.split_once('\n')?;
    if sum != format!("# {:016x}", xxh3_64(text.as_bytes())) {
        return None;
    }
    csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect::<Result<_, _>>().ok()
}
