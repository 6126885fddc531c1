//! The experiments of the PRA* paper ("Partial Pathfinding Using Map Abstraction and Refinement", Sturtevant and Buro, 2005):
//! whole paths beside A* (Figures 5 and 6) and the clocked game (Figure 7), and in that game the real-time algorithms of
//! the roster, which the paper does not have.
//!
//! s-A* and s-PRA* are A* and PRA*(∞) here: both plan once, and [the clock](crate::clock) spreads that over frames.

mod figures;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use surefoot::agents::roster::{self, Bound};
use surefoot::agents::{Agent, Spec, SpecError};
use surefoot::database::{Database, DatabaseConfig};
use surefoot::formats;
use surefoot::space::{Cell, Cost, CostModel, GridSpace, MoveRule, TerrainSet};

pub use self::figures::{Measure, write_figures};
use super::courses::{Course, CourseError};
pub use crate::clock::PLANNING_MS;
use crate::clock::{Clock, Pace, Sequence, walk_in_sequences};
use crate::episode::{Episode, EpisodeError};
use crate::problem_files::maps_in;
use crate::problems::{ProblemRequest, ProblemsError, generate_problems};

/// The buckets of the paper: paths of length 0 up to 512, 4 to a bucket.
pub const BUCKETS: u32 = 128;

/// What a bucket spans.
pub const BUCKET_LENGTH: u32 = 4;

/// The folders of the benchmarks that have maps of the paper's games in the paper's size.
pub const FOLDERS: [&str; 2] = ["bg512", "wc3maps512"];

/// How many moves a walk may take before it is cut off and counted as such: twenty times the longest of the paths.
pub const MOST_MOVES: u64 = 10_000;

/// Where planning is measured, every path is walked so often by the algorithms of the paper, and the fastest time counts.
pub const PASSES: usize = 3;

/// Of the real-time algorithms only one path in every so many buckets is walked on each map.
pub const SAMPLED_BUCKETS: u32 = 8;

/// Tells how far a long experiment has come, from any thread: what it is at, how much is done, how much there is.
pub type Told<'a> = dyn Fn(&str, u64, u64) + Sync + 'a;

/// How much of the experiment is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Maps of each folder, spread evenly over their names; nothing for all.
    pub maps: Option<usize>,
    /// Paths in each bucket of each map.
    pub per_bucket: usize,
    /// Which paths.
    pub seed: u64,
}

impl Extent {
    /// As in the paper: all maps, ten paths in each bucket.
    pub const FULL: Self = Self { maps: None, per_bucket: 10, seed: 1 };
    /// A few maps and paths.
    pub const QUICK: Self = Self { maps: Some(3), per_bucket: 2, seed: 1 };
}

/// The maps of the folders that are there, each with its paths in the order of their buckets: on ground, without cut corners.
///
/// # Errors
/// If a map cannot be read, has no paths, or there is none.
pub fn courses(benchmarks: &Path, extent: Extent, told: &Told<'_>) -> Result<Vec<Course>, CourseError> {
    let mut maps = Vec::new();
    for folder in FOLDERS.map(|name| benchmarks.join(name)).iter().filter(|folder| folder.is_dir()) {
        let in_folder = |source| CourseError::Folder { folder: folder.display().to_string(), source };
        let all = maps_in(folder).map_err(in_folder)?;
        let wanted = extent.maps.unwrap_or(all.len()).clamp(1, all.len().max(1));
        maps.extend(all.iter().step_by(all.len().div_ceil(wanted).max(1)).cloned());
    }
    if maps.is_empty() {
        let source = io::Error::other(format!("there is no map in {} or {}", FOLDERS[0], FOLDERS[1]));
        return Err(CourseError::Folder { folder: benchmarks.display().to_string(), source });
    }
    let done = AtomicU64::new(0);
    let total = maps.len() as u64;
    maps.par_iter()
        .map(|map| {
            let course = course(map, extent);
            told("drawing paths", done.fetch_add(1, Ordering::Relaxed) + 1, total);
            course
        })
        .collect()
}

fn course(map: &PathBuf, extent: Extent) -> Result<Course, CourseError> {
    let grid = formats::read_any_map(map)?.grid(TerrainSet::GROUND);
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let name = map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Course { name, problems: paths(&space, extent)?, space })
}

fn paths(space: &GridSpace, extent: Extent) -> Result<Vec<(Cell, Cell, Cost)>, ProblemsError> {
    let request = ProblemRequest {
        count: extent.per_bucket,
        min_cost: 0.0,
        // Up to the last bucket, without the first cost of the next.
        max_cost: f64::from(BUCKETS * BUCKET_LENGTH) - 1e-6,
        seed: extent.seed,
        per_bucket: true,
    };
    let drawn = generate_problems(space, &request, &mut |_, _| ())?;
    Ok(drawn.iter().map(|problem| (problem.start, problem.goal, problem.cost)).collect())
}

/// What came of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// The bucket of the optimal path.
    pub bucket: u32,
    /// Whether the walk arrived; else it was cut off, and what follows is how far it came.
    pub solved: bool,
    /// The length of the walk, in tiles.
    pub length: f64,
    /// The length of a shortest path.
    pub optimal: f64,
    /// All planning, in milliseconds at the pace of the experiment.
    pub planning_ms: f64,
    /// All planning, in expansions.
    pub expansions: f64,
    /// The frames until arrival, for each of [`PLANNING_MS`].
    pub frames: [u64; 3],
    /// The frames that the walk would take without any thinking.
    pub least: u64,
    /// The frames that a shortest path takes in one go, without any thinking.
    pub shortest: u64,
}

/// The walks of one algorithm: those of the first map by bucket, then those of the second …
#[derive(Clone, Debug)]
pub struct Walks {
    /// The algorithm.
    pub spec: Spec,
    /// Whether it walked every path, or a sample of them only.
    pub every_path: bool,
    /// Its walks.
    pub walks: Vec<Walk>,
}

/// An algorithm to be tried.
#[derive(Clone, Debug)]
pub struct Line {
    /// The algorithm.
    pub spec: Spec,
    /// Whether it walks every path, or a sample of them only.
    pub every_path: bool,
}

/// The algorithms of the paper: A*, PRA*(∞) and PRA*(k), in this order.
///
/// # Errors
/// If the roster does not have them.
pub fn lines_of_the_paper() -> Result<Vec<Line>, SpecError> {
    ["a*", "pra*", "pra*(k=2)", "pra*(k=4)", "pra*(k=8)", "pra*(k=16)"]
        .into_iter()
        .map(|text| Ok(Line { spec: checked(text)?, every_path: true }))
        .collect()
}

/// The real-time algorithms of the roster that always arrive, with their default parameters, of those with dynamic control D LRTA*
/// alone; TBA* with slices that make use of a millisecond; and for comparison on the same paths PRA*(16).
///
/// # Errors
/// If the roster is wrong about itself.
pub fn real_time_lines() -> Result<Vec<Line>, SpecError> {
    let defaults = roster::ENTRIES
        .iter()
        .filter(|entry| entry.complete && matches!(entry.bound, Bound::PerMove(_)))
        .map(|entry| entry.name)
        .filter(|name| !name.ends_with(')'));
    defaults
        .chain(["tba*(slice=1000)", "pra*(k=16)"])
        .map(|text| Ok(Line { spec: checked(text)?, every_path: false }))
        .collect()
}

fn checked(text: &str) -> Result<Spec, SpecError> {
    let spec = text.parse()?;
    roster::check(&spec).map(|()| spec)
}

/// Lets every algorithm walk its paths on every map: on all cores if time is made of work, one walk at a time if it is measured. Maps
/// come one after the other, and on each of them the algorithms: they have the same share of what else the machine does.
///
/// # Errors
/// If a database cannot be built, or an agent does what it must not.
pub fn walk_all(
    courses: &[Course],
    lines: &[Line],
    pace: Pace,
    told: &Told<'_>,
) -> Result<Vec<Walks>, CourseError> {
    let clocks = PLANNING_MS.map(|ms| Clock::of_the_paper(ms).expect("the paper's clock ticks"));
    let done = AtomicU64::new(0);
    let total = courses.len() as u64;
    let on_course = |course: &Course| {
        let mut databases = Vec::new();
        let walked: Result<Vec<Vec<Walk>>, CourseError> = lines
            .iter()
            .map(|line| {
                let mut agent = agent(line, &course.space, &mut databases)?;
                let paths = course.problems.iter().zip(sample(course));
                let mine = paths.filter(|&(_, in_sample)| line.every_path || in_sample);
                let mine: Vec<(Cell, Cell, Cost)> = mine.map(|(&path, _)| path).collect();
                let passes = if pace == Pace::Measured && line.every_path { PASSES } else { 1 };
                let walks = walk_paths(&course.space, &mut *agent, &mine, passes)?;
                let timed = mine.iter().zip(&walks).map(|(&(_, _, cost), (episode, sequences))| {
                    Walk::new(course.space.costs(), cost, episode, sequences, (&clocks, pace))
                });
                Ok(timed.collect())
            })
            .collect();
        told(&course.name, done.fetch_add(1, Ordering::Relaxed) + 1, total);
        walked
    };
    let by_course: Vec<Vec<Vec<Walk>>> = match pace {
        Pace::Measured => courses.iter().map(on_course).collect::<Result<_, _>>()?,
        Pace::Rate(_) => courses.par_iter().map(on_course).collect::<Result<_, _>>()?,
    };
    let mut all: Vec<Walks> = lines
        .iter()
        .map(|line| Walks { spec: line.spec.clone(), every_path: line.every_path, walks: Vec::new() })
        .collect();
    for walked in by_course {
        all.iter_mut().zip(walked).for_each(|(all, walks)| all.walks.extend(walks));
    }
    Ok(all)
}

/// Which paths of a course are in the sample: the first one of every few buckets.
fn sample(course: &Course) -> impl Iterator<Item = bool> {
    let mut last = None;
    course.problems.iter().map(move |&(_, _, cost)| {
        let bucket = bucket_of(course.space.costs().to_f64(cost));
        let is_first = last.replace(bucket) != Some(bucket);
        is_first && bucket % SAMPLED_BUCKETS == SAMPLED_BUCKETS - 1
    })
}

fn bucket_of(length: f64) -> u32 {
    (length / f64::from(BUCKET_LENGTH)) as u32
}

/// An agent of a line, with a database that lines before it may have had built.
fn agent(
    line: &Line,
    space: &GridSpace,
    databases: &mut Vec<(DatabaseConfig, Database)>,
) -> Result<Box<dyn Agent>, SpecError> {
    let Some(config) = roster::database_for(&line.spec, 1)? else { return roster::agent(&line.spec) };
    if databases.iter().all(|(own, _)| *own != config) {
        databases.extend(roster::build_database(&line.spec, space, 1)?.map(|built| (config, built)));
    }
    let database = databases.iter().find(|(own, _)| *own == config).map(|(_, database)| database);
    roster::agent_with(&line.spec, database)
}

/// Walks all paths, `passes` times one after the other. Passes differ in nothing but time; the fastest of them counts for each
/// plan, for the machine may have been busy with something else.
fn walk_paths(
    space: &GridSpace,
    agent: &mut dyn Agent,
    paths: &[(Cell, Cell, Cost)],
    passes: usize,
) -> Result<Vec<(Episode, Vec<Sequence>)>, EpisodeError> {
    let mut once = || {
        let walk = |&(start, goal, _): &(Cell, Cell, Cost)| {
            walk_in_sequences(space, agent, space.state(start), space.state(goal), Some(MOST_MOVES))
        };
        paths.iter().map(walk).collect::<Result<Vec<_>, _>>()
    };
    let mut walks = once()?;
    for _ in 1..passes {
        for ((_, best), (_, again)) in walks.iter_mut().zip(once()?) {
            for (best, again) in best.iter_mut().zip(again) {
                best.planning_ns = best.planning_ns.min(again.planning_ns);
            }
        }
    }
    Ok(walks)
}

impl Walk {
    fn new(
        costs: CostModel,
        cost: Cost,
        episode: &Episode,
        sequences: &[Sequence],
        (clocks, pace): (&[Clock; 3], Pace),
    ) -> Self {
        let optimal = costs.to_f64(cost);
        // The minimum is the same whatever the planning time is.
        let [clock, ..] = clocks;
        Self {
            bucket: bucket_of(optimal),
            solved: episode.solved,
            length: costs.to_f64(episode.travel_cost),
            optimal,
            planning_ms: sequences.iter().map(|sequence| sequence.planning_ms(pace)).sum(),
            expansions: sequences.iter().map(|sequence| sequence.expansions).sum(),
            frames: clocks.map(|clock| clock.frames(sequences, pace)),
            least: clock.frames_without_thinking(sequences),
            shortest: clock.frames_to_walk(optimal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::RATE_OF_THE_PAPER;
    use crate::maps::{MapKind, generate};

    fn courses() -> Vec<Course> {
        let course = |seed: u64| {
            let map = generate(MapKind::Game, 60, 50, seed).unwrap();
            let space = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2);
            let extent = Extent { seed, ..Extent::QUICK };
            Course { name: seed.to_string(), problems: paths(&space, extent).unwrap(), space }
        };
        vec![course(1), course(2)]
    }

    #[test]
    fn every_algorithm_walks_its_paths() {
        let courses = courses();
        let lines: Vec<Line> =
            [lines_of_the_paper().unwrap(), real_time_lines().unwrap()].into_iter().flatten().collect();
        // Databases take long on maps of any size.
        let quick = lines.into_iter().filter(|line| !line.spec.name().starts_with("knn")).collect::<Vec<_>>();
        let pace = Pace::Rate(RATE_OF_THE_PAPER);
        let all = walk_all(&courses, &quick, pace, &|_, _, _| ()).unwrap();
        let total = courses.iter().map(|course| course.problems.len()).sum::<usize>();
        let sampled = courses.iter().flat_map(sample).filter(|&in_sample| in_sample).count();
        assert!(total > 40 && sampled > 0 && sampled < total / 8);
        for (line, walks) in quick.iter().zip(&all) {
            assert_eq!(walks.walks.len(), if line.every_path { total } else { sampled }, "{}", walks.spec);
            assert!(walks.walks.iter().all(|walk| walk.solved && walk.length >= walk.optimal - 1e-9));
            for walk in &walks.walks {
                let [most, middle, least] = walk.frames;
                assert!(walk.least <= most && most <= middle && middle <= least, "{walk:?}");
                assert!(walk.shortest <= walk.least, "{walk:?}");
            }
        }
        let [a_star, pra, ..] = &all[..] else { panic!("A* and PRA* come first") };
        assert!(a_star.walks.iter().all(|walk| walk.length <= walk.optimal + 1e-9));
        let sum = |walks: &Walks| walks.walks.iter().map(|walk| walk.expansions).sum::<f64>();
        assert!(sum(pra) < sum(a_star));
        assert!((pra.expansions_per_us() - RATE_OF_THE_PAPER / 1000.0).abs() < 1e-9);
        assert_eq!(walk_all(&courses, &quick, pace, &|_, _, _| ()).unwrap()[3].walks, all[3].walks);
    }

    #[test]
    fn passes_differ_in_time_alone() {
        let courses = &courses()[..1];
        let lines = &lines_of_the_paper().unwrap()[4..];
        let measured = walk_all(courses, lines, Pace::Measured, &|_, _, _| ()).unwrap();
        let counted = walk_all(courses, lines, Pace::Rate(1e9), &|_, _, _| ()).unwrap();
        for (measured, counted) in measured.iter().zip(&counted) {
            for (measured, counted) in measured.walks.iter().zip(&counted.walks) {
                assert_eq!(measured.planning_ms > 0.0, counted.planning_ms > 0.0);
                let without_time = |walk: &Walk| Walk { planning_ms: 0.0, frames: [0; 3], ..*walk };
                assert_eq!(without_time(measured), without_time(counted));
            }
        }
    }

    #[test]
    fn the_sample_has_one_path_in_every_eighth_bucket() {
        for course in courses() {
            let buckets: Vec<u32> = course
                .problems
                .iter()
                .zip(sample(&course))
                .filter(|&(_, in_sample)| in_sample)
                .map(|(&(_, _, cost), _)| bucket_of(course.space.costs().to_f64(cost)))
                .collect();
            let expected: Vec<u32> = (0..BUCKETS).skip(7).step_by(8).take(buckets.len()).collect();
            assert_eq!(buckets, expected);
        }
    }
}
