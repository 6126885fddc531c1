//! Which algorithm suits a game: every algorithm of the roster is measured on its map, on this machine, and
//! the best is chosen that keeps to the game's limits on time and memory.
//!
//! It is Table 4 of "Dynamic Control in Real-Time Heuristic Search" (JAIR 2008), the best quality under a
//! limit on planning time, with the user's own limits; memory is counted as in section 8.7 of "Case-Based
//! Subgoaling" (JAIR 2010), a shared database and so much for each agent.
//!
//! | step | module |
//! | --- | --- |
//! | what each database would take to build is told from smaller ones; what takes too long is left out, but never the default | `rehearsal` |
//! | databases are built on all cores, the cheapest first; then each algorithm walks, alone | `builds`, `walks` |
//! | figures and limits give the recommendation | `choice` |

mod builds;
mod choice;
mod rehearsal;
mod walks;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use surefoot::agent::{Bound, Entry, Spec, SpecError};
use surefoot::space::GridSpace;
use surefoot::store::{Database, DatabaseConfig};
use surefoot_classics::{ROSTER, trial_specs};

use self::builds::{Build, build};
pub use self::choice::{Choice, Limit, Limits, Measured, Needs, choose};
use self::rehearsal::{Forecast, forecast};
pub use self::walks::{FEWEST_WALKS, GIVE_UP, STATE_BYTES};
use self::walks::{PROBE, Problem, Walks};
use crate::episode::{EpisodeError, walk};
use crate::problems::{ProblemRequest, ProblemsError, generate_problems};

/// The seed of databases: that of `surefoot build`, so that the same one can be had again.
const DATABASE_SEED: u64 = 1;
/// The parts of the time that go to rehearsals, and of what is left then to building. The rest is for
/// walking.
const FOR_REHEARSALS: f64 = 0.2;
const FOR_BUILDING: f64 = 0.6;
/// A build is given up after so many times what was expected and this part of the time that is left.
const OVER_FORECAST: f64 = 1.5;
const FOR_ANY_BUILD: f64 = 0.1;
/// An algorithm that exceeds a limit so many times in its first walks is not walked any further.
const HOPELESS: f64 = 3.0;
/// A database that is likely to be so many times too large is not built.
const FAR_TOO_LARGE: f64 = 4.0;

/// What is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// What the game can spare.
    pub limits: Limits,
    /// Problems that every algorithm walks.
    pub problems: usize,
    /// Which of the many sets of problems.
    pub seed: u64,
    /// About how long it may take, in seconds.
    pub seconds: f64,
    /// The bytes that the program has allocated at this moment, if its allocator counts them: then the memory
    /// of agents and databases is measured. Else that of agents is [guessed](STATE_BYTES), and a database
    /// takes what its file does.
    pub allocated: Option<fn() -> u64>,
}

impl Request {
    /// What has been allocated since there were `before` bytes. `None` if nobody counts.
    fn allocated_since(&self, before: Option<u64>) -> Option<f64> {
        Some((self.allocated?)().saturating_sub(before?) as f64)
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuning {
    /// Problems that were drawn.
    pub problems: usize,
    /// The mean length of their shortest ways.
    pub mean_length: f64,
    /// What was measured.
    pub measured: Vec<Measured>,
    /// What was not, and why.
    pub unmeasured: Vec<Unmeasured>,
    /// What is recommended.
    pub choice: Choice,
}

/// An algorithm that was not measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unmeasured {
    /// The spec.
    pub spec: String,
    /// Why not.
    pub reason: Reason,
}

/// Why an algorithm was not measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Its database would take about so many seconds to build.
    Build(f64),
    /// Its database would take about so many bytes.
    Size(f64),
    /// In this many seconds it made too few walks to say anything.
    Walks(f64),
    /// It cannot be made for this map.
    Impossible(String),
}

/// What kept it from being done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// No problems can be drawn on this map.
    #[error(transparent)]
    Problems(#[from] ProblemsError),
    /// The roster is wrong about itself.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An agent did what it must not.
    #[error("{spec}: {error}")]
    Episode {
        /// The algorithm.
        spec: String,
        /// What it did.
        error: EpisodeError,
    },
}

/// Hears what is done, how many algorithms are done with, and how many there are.
pub type Told<'a> = dyn FnMut(&str, u64, u64) + 'a;

/// Algorithms that share a database, or need none.
struct Group {
    config: Option<Box<dyn DatabaseConfig>>,
    candidates: Vec<(Spec, &'static Entry)>,
    forecast: Forecast,
}

impl Group {
    /// Whether it has the algorithm that one gets without asking for another.
    fn has_default(&self) -> bool {
        self.candidates.iter().any(|(spec, _)| spec.to_string() == surefoot::agent::DEFAULT)
    }
}

/// Measures every algorithm on a map and recommends one.
///
/// # Errors
/// If no problems can be drawn there, or an algorithm does what it must not.
pub fn tune(space: &GridSpace, request: &Request, told: &mut Told<'_>) -> Result<Tuning, TuneError> {
    let deadline = Deadline { end: Instant::now() + Duration::from_secs_f64(request.seconds.min(1e9)) };
    let problems = draw(space, request)?;
    let mut tuning = Tuning {
        problems: problems.len(),
        mean_length: problems.iter().map(|problem| problem.optimal).sum::<f64>() / problems.len() as f64,
        measured: Vec::new(),
        unmeasured: Vec::new(),
        choice: Choice::NothingMeasured,
    };
    let mut groups = groups(space)?;
    let all: u64 = groups.iter().map(|group| group.candidates.len() as u64).sum();
    rehearse(space, &mut groups, &deadline, &mut |what| told(what, 0, all));
    leave_out(&mut groups, &mut tuning, deadline.left() * FOR_BUILDING, &request.limits);

    while !groups.is_empty() {
        let group = groups.remove(0);
        let (begin, before) = (Instant::now(), request.allocated.map(|allocated| allocated()));
        let done = |tuning: &Tuning| (tuning.measured.len() + tuning.unmeasured.len()) as u64;
        let database = match group.config.as_deref() {
            // Builds before this one may have taken longer than was expected.
            Some(_) if group.forecast.seconds > OVER_FORECAST * deadline.left() => {
                let seconds = group.forecast.seconds;
                tuning.skip(group, &|| Reason::Build(seconds));
                continue;
            }
            Some(config) => {
                told(&format!("building {config}"), done(&tuning), all);
                let seconds = OVER_FORECAST * group.forecast.seconds + FOR_ANY_BUILD * deadline.left();
                // The default is built whatever it takes.
                let most = if group.has_default() { f64::INFINITY } else { seconds.min(deadline.left()) };
                match build(space, config, most) {
                    Ok(Build::Done(database)) => Some(database),
                    Ok(Build::TooLong(seconds)) => {
                        tuning.skip(group, &|| Reason::Build(seconds));
                        continue;
                    }
                    Err(error) => {
                        tuning.skip(group, &|| Reason::Impossible(error.to_string()));
                        continue;
                    }
                }
            }
            None => None,
        };
        let build_seconds = if database.is_some() { begin.elapsed().as_secs_f64() } else { 0.0 };
        // What it holds beside the contents of its file was derived from them.
        let held = request.allocated_since(before).unwrap_or(0.0);
        let database_bytes = database.as_ref().map_or(0.0, |own| held.max(own.to_bytes().len() as f64));
        let mut waiting =
            group.candidates.len() + groups.iter().map(|group| group.candidates.len()).sum::<usize>();
        for (spec, entry) in group.candidates {
            told(&spec.to_string(), done(&tuning), all);
            // What others have left over is shared among those that are still to come.
            let for_builds: f64 = groups.iter().map(|group| group.forecast.seconds).sum();
            let seconds = (deadline.left() - for_builds).max(0.0) / waiting as f64;
            waiting -= 1;
            let known = Measured {
                spec: spec.to_string(),
                complete: entry.complete,
                real_time: !matches!(entry.bound, Bound::NotRealTime),
                database_bytes,
                build_seconds,
                ..Measured::default()
            };
            let (time, candidate) = (Duration::from_secs_f64(seconds), (&spec, database.as_ref()));
            tuning.measure(space, candidate, &problems, (time, request), known)?;
        }
    }
    tuning.choice = choose(&tuning.measured, &request.limits);
    Ok(tuning)
}

struct Deadline {
    end: Instant,
}

impl Deadline {
    /// Seconds.
    fn left(&self) -> f64 {
        self.end.saturating_duration_since(Instant::now()).as_secs_f64()
    }
}

fn draw(space: &GridSpace, request: &Request) -> Result<Vec<Problem>, ProblemsError> {
    let wanted = ProblemRequest {
        count: request.problems,
        min_cost: 1.0,
        max_cost: f64::INFINITY,
        seed: request.seed,
        per_bucket: false,
    };
    let problems = generate_problems(space, &wanted, &mut |_, _| ControlFlow::Continue(()))?;
    let problem = |problem: &crate::problems::GeneratedProblem| {
        let (start, goal) = (space.state_at(problem.start)?, space.state_at(problem.goal)?);
        Some(Problem { start, goal, optimal: space.units().to_f64(problem.cost) })
    };
    Ok(problems.iter().filter_map(problem).collect())
}

/// Everything worth a try on this map, by the databases that it takes.
fn groups(space: &GridSpace) -> Result<Vec<Group>, SpecError> {
    let mut groups: Vec<Group> = Vec::new();
    let states = space.grid().free_count() as usize;
    for entry in ROSTER.entries().iter().filter(|entry| entry.takes_weights || !space.is_weighted()) {
        for text in trial_specs(entry, states) {
            let spec: Spec = text.parse()?;
            let config = ROSTER.database_for(&spec, DATABASE_SEED)?;
            match groups.iter_mut().find(|group| group.config == config) {
                Some(group) => group.candidates.push((spec, entry)),
                None => groups.push(Group {
                    config,
                    candidates: vec![(spec, entry)],
                    forecast: Forecast::default(),
                }),
            }
        }
    }
    Ok(groups)
}

/// Finds out what the databases would take, and puts the cheapest first. That of the default is taken to cost
/// nothing: it is built whatever it takes, and before all others.
fn rehearse(space: &GridSpace, groups: &mut [Group], deadline: &Deadline, told: &mut dyn FnMut(&str)) {
    let mut waiting = groups.iter().filter(|group| group.config.is_some()).count();
    let end = deadline.left() * (1.0 - FOR_REHEARSALS);
    for group in groups.iter_mut().filter(|group| !group.has_default()) {
        let Some(config) = group.config.as_deref() else { continue };
        told(&format!("how long would it take to build {config}"));
        group.forecast = forecast(space, config, (deadline.left() - end).max(0.0) / waiting as f64);
        waiting -= 1;
    }
    groups.sort_by(|one, other| {
        let is_later = other.has_default().cmp(&one.has_default());
        is_later.then(one.forecast.seconds.total_cmp(&other.forecast.seconds))
    });
}

/// Leaves out what would take too long to build with all that comes before it, or would be far too large.
fn leave_out(groups: &mut Vec<Group>, tuning: &mut Tuning, mut seconds: f64, limits: &Limits) {
    for group in std::mem::take(groups) {
        let Forecast { seconds: needed, bytes } = group.forecast;
        if bytes > FAR_TOO_LARGE * limits.memory_mb * 1e6 {
            tuning.skip(group, &|| Reason::Size(bytes));
        } else if needed > seconds {
            tuning.skip(group, &|| Reason::Build(needed));
        } else {
            seconds -= needed;
            groups.push(group);
        }
    }
}

impl Tuning {
    fn skip(&mut self, group: Group, reason: &dyn Fn() -> Reason) {
        let unmeasured = |(spec, _): (Spec, &Entry)| Unmeasured { spec: spec.to_string(), reason: reason() };
        self.unmeasured.extend(group.candidates.into_iter().map(unmeasured));
    }

    fn measure(
        &mut self,
        space: &GridSpace,
        (spec, database): (&Spec, Option<&Arc<dyn Database>>),
        problems: &[Problem],
        (time, request): (Duration, &Request),
        mut known: Measured,
    ) -> Result<(), TuneError> {
        let episode = |error| TuneError::Episode { spec: spec.to_string(), error };
        let mut walks = Walks::with_room(problems.len());
        // What agents share through a database comes to be with the first one of them: it counts once, with
        // the database.
        if let (Some(_), Some(problem)) = (database, problems.first())
            && let Ok(mut first) = ROSTER.agent_with(spec, database)
        {
            let before = request.allocated.map(|allocated| allocated());
            walk(space, &mut *first, problem.start, problem.goal, Some(PROBE), false).map_err(episode)?;
            drop(first);
            known.database_bytes += request.allocated_since(before).unwrap_or(0.0);
        }
        let before = request.allocated.map(|allocated| allocated());
        let mut agent = match ROSTER.agent_with(spec, database) {
            Ok(agent) => agent,
            Err(error) => {
                let reason = Reason::Impossible(error.problem().to_owned());
                self.unmeasured.push(Unmeasured { spec: known.spec, reason });
                return Ok(());
            }
        };
        let is_hopeless = |walks: &Walks| {
            walks.figures(known.clone()).exceeds(&request.limits).is_some_and(|(_, factor)| factor > HOPELESS)
        };
        let held_bytes = || request.allocated_since(before);
        walks.walk_all(space, &mut *agent, problems, time, held_bytes, is_hopeless).map_err(episode)?;
        if walks.count() < FEWEST_WALKS.min(problems.len() as u64) {
            self.unmeasured.push(Unmeasured { spec: known.spec, reason: Reason::Walks(time.as_secs_f64()) });
        } else {
            self.measured.push(walks.figures(known));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
