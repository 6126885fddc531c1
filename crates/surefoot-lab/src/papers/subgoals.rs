//! kNN LRTA* beside what was published: the table of 2009 on its own problems, and the tables of 2010 on large maps.

use std::path::Path;

use surefoot::agents::{Spec, SpecError};
use surefoot::formats;
use surefoot::space::{CostModel, GridSpace, MoveRule, TerrainMap, TerrainSet};

use super::courses::{Course, CourseError, Outcome, read_courses, run, summarise};
use crate::maps::{MapKind, generate, keep_largest, scale_blocks, scale_smooth};
use crate::problems::{ProblemRequest, generate_problems};
use crate::summary::Summary;

/// A line of the paper's table.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// How long the database took to build.
    pub build: &'static str,
    /// The states in the database relative to the cells of the map.
    pub relative_size: f64,
    /// The mean suboptimality in percent.
    pub suboptimality_pct: f64,
    /// States expanded per move (2009), or microseconds per move (2010).
    pub per_move: f64,
}

/// An algorithm with one database: what its walks came to.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The seed of the database.
    pub seed: u64,
    /// Its walks.
    pub summary: Summary,
    /// Problems in which the database had nothing to offer at some point.
    pub with_fallback: u64,
    /// Building time a map, in seconds, on all cores.
    pub build_seconds: f64,
    /// States in the database relative to the cells of the map, mean over maps.
    pub relative_size: f64,
    /// Bytes of the database, mean over maps.
    pub bytes: f64,
    /// Bytes for each state in it.
    pub bytes_per_state: f64,
}

/// An algorithm with one database after another.
#[derive(Clone, Debug)]
pub struct Line {
    /// The spec.
    pub spec: Spec,
    /// What was published for it.
    pub published: Option<Published>,
    /// One trial for each seed.
    pub trials: Vec<Trial>,
}

impl Line {
    /// The mean of a figure over all trials, the lowest and the highest.
    #[must_use]
    pub fn spread(&self, figure: impl Fn(&Trial) -> f64) -> (f64, f64, f64) {
        let figures: Vec<f64> = self.trials.iter().map(figure).collect();
        let mean = figures.iter().sum::<f64>() / figures.len().max(1) as f64;
        (
            mean,
            figures.iter().copied().fold(f64::INFINITY, f64::min),
            figures.iter().copied().fold(0.0, f64::max),
        )
    }
}

/// Tells how far a long experiment has come: what it is at, how much is done, how much there is.
pub type Told<'a> = dyn FnMut(&str, u64, u64) + 'a;

/// The lines of Table 1 of 2009, D LRTA* with other choices, and the algorithm of 2010 on the same problems. `folder` holds
/// the eight maps with their problems.
///
/// # Errors
/// If the maps or problems cannot be read.
pub fn table_of_2009(folder: &Path, seeds: u64, told: &mut Told<'_>) -> Result<Vec<Line>, CourseError> {
    let courses = read_courses(folder, MoveRule::Squeeze, CostModel::Diagonal14)?;
    let published = |build, relative_size, suboptimality_pct, per_move| {
        Some(Published { build, relative_size, suboptimality_pct, per_move })
    };
    let lines = [
        ("lrta*(d=3)", published("0 min", 0.0, 447.95, 20.44)),
        ("knn-lrta-2009*(n=1000)", published("0.62 min", 0.09, 49.91, 42.68)),
        ("knn-lrta-2009*(n=5000)", published("3.08 min", 0.46, 27.24, 28.54)),
        ("knn-lrta-2009*(n=10000)", published("6.23 min", 0.92, 19.52, 25.11)),
        ("d-lrta*(level=7,d=3)", published("0.29 min", 1.06, 55.87, 20.34)),
        ("d-lrta*(level=6,d=3)", published("0.35 min", 1.14, 22.57, 20.14)),
        ("d-lrta*(level=5,d=3)", published("0.50 min", 1.39, 13.35, 19.98)),
        ("d-lrta*(level=3,d=3)", published("1.91 min", 8.22, 10.13, 17.50)),
        ("d-lrta*(level=7,aligned=yes)", None),
        ("d-lrta*(level=6,aligned=yes)", None),
        ("d-lrta*(level=5,aligned=yes)", None),
        ("d-lrta*(level=3,aligned=yes)", None),
        ("d-lrta*(level=5,choose=move,loops=state)", None),
        ("knn-lrta*(n=1000)", None),
        ("knn-lrta*(n=5000)", None),
        ("knn-lrta*(n=10000)", None),
        ("knn-lrta*(n=10000,lossless=yes)", None),
        ("knn-lrta*(n=10000,pairs=even)", None),
        ("knn-lrta*(n=10000,k=3)", None),
        ("knn-lrta*(n=10000,lossless=yes,pairs=even,k=3,candidates=30)", None),
    ];
    // The published sizes count the cells of the maps with a border of one cell around them.
    let cells = |course: &Course| {
        let grid = course.space.grid();
        (u64::from(grid.width()) + 2) * (u64::from(grid.height()) + 2)
    };
    let total = lines.len() as u64 * seeds;
    let mut done = 0;
    let mut results = Vec::new();
    for (text, published) in lines {
        let spec: Spec = text.parse()?;
        let has_database = text.starts_with("knn");
        let mut trials = Vec::new();
        for seed in 1..=if has_database { seeds } else { 1 } {
            told(text, done, total);
            trials.push(trial(&courses, &spec, seed, None, cells)?);
            done += 1;
        }
        results.push(Line { spec, published, trials });
    }
    Ok(results)
}

/// A large map to try databases on.
#[derive(Clone, Debug)]
pub struct LargeMap {
    /// Its name.
    pub name: String,
    /// The map, its largest component only.
    pub course: Course,
}

/// How many moves a walk may take on a large map before it is cut off and counted as such.
pub const MOST_MOVES: u64 = 200_000;

/// Maps of nine to thirteen million states made from those in `benchmarks`, in blocks and smooth, and one of our own, each with
/// `problems` problems of optimal cost 1,000 to 3,000.
///
/// # Errors
/// If a map cannot be read or has no such problems.
pub fn large_maps(
    benchmarks: &Path,
    problems: usize,
    told: &mut Told<'_>,
) -> Result<Vec<LargeMap>, CourseError> {
    let mut maps = Vec::new();
    for (file, factor) in [("bg512/AR0011SR", 9), ("sc1/BigGameHunters", 8), ("wc3maps512/thecrucible", 12)] {
        let path = benchmarks.join(format!("{file}.map"));
        if !path.is_file() {
            continue;
        }
        let original = formats::read_any_map(path)?;
        for smooth in [false, true] {
            let name = format!("{file} x{factor}{}", if smooth { " smooth" } else { "" });
            told(&name, 0, 1);
            let scaled =
                if smooth { scale_smooth(&original, factor, 1) } else { scale_blocks(&original, factor) };
            maps.push(large_map(name, &scaled.map_err(CourseError::Space)?, problems)?);
        }
    }
    told("a map of our own", 0, 1);
    let own = generate(MapKind::Game, 4000, 4000, 1).map_err(CourseError::Space)?;
    maps.push(large_map("generated 4000 x 4000".to_string(), &own, problems)?);
    Ok(maps)
}

fn large_map(name: String, map: &TerrainMap, problems: usize) -> Result<LargeMap, CourseError> {
    let map = keep_largest(map, TerrainSet::GROUND, MoveRule::Squeeze);
    let space = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::Squeeze, CostModel::Diagonal14);
    let request =
        ProblemRequest { count: problems, min_cost: 1000.0, max_cost: 3000.0, seed: 1, per_bucket: false };
    let problems = generate_problems(&space, &request, &mut |_, _| ())?
        .iter()
        .map(|problem| (problem.start, problem.goal, problem.cost))
        .collect();
    Ok(LargeMap { course: Course { name: name.clone(), space, problems }, name })
}

/// The lines of Tables 1 to 3 of 2010 that are about algorithms with a database, with the sizes that the paper leaves out as well.
///
/// # Errors
/// If the specs are none.
pub fn lines_of_2010() -> Result<Vec<(Spec, Option<Published>)>, SpecError> {
    let published = |build, relative_size, suboptimality_pct, per_move| {
        Some(Published { build, relative_size, suboptimality_pct, per_move })
    };
    let lines = [
        ("knn-lrta*(n=1000)", None),
        ("knn-lrta*(n=5000)", None),
        ("knn-lrta*(n=10000)", published("13.10 h", 0.003_08, 6851.62, 7.56)),
        ("knn-lrta*(n=20000)", None),
        ("knn-lrta*(n=40000)", published("51.89 h", 0.012_34, 620.63, 6.88)),
        ("knn-lrta*(n=60000)", published("77.30 h", 0.018_51, 12.77, 6.40)),
        ("knn-lrta*(n=80000)", published("103.09 h", 0.024_68, 11.96, 6.55)),
        ("d-lrta*(level=12,d=1)", published("0.25 h", 1.000_01, 15_999.23, 3.73)),
        ("d-lrta*(level=11,d=1)", published("1.57 h", 1.000_09, 8497.09, 3.93)),
        ("d-lrta*(level=10,d=1)", published("11.95 h", 1.000_68, 6831.74, 4.26)),
        ("d-lrta*(level=9,d=1)", published("89.88 h", 1.005_32, 819.72, 3.94)),
    ];
    lines.into_iter().map(|(spec, published)| Ok((spec.parse()?, published))).collect()
}

/// An algorithm on one large map.
///
/// # Errors
/// If there is no such algorithm, or the agent does what it must not.
pub fn on_large_map(map: &LargeMap, spec: &Spec, seed: u64) -> Result<Trial, CourseError> {
    let cells = |course: &Course| course.space.grid().cell_count() as u64;
    trial(std::slice::from_ref(&map.course), spec, seed, Some(MOST_MOVES), cells)
}

fn trial(
    courses: &[Course],
    spec: &Spec,
    seed: u64,
    max_moves: Option<u64>,
    cells: impl Fn(&Course) -> u64,
) -> Result<Trial, CourseError> {
    let outcomes: Vec<Outcome> =
        courses.iter().map(|course| run(course, spec, seed, max_moves)).collect::<Result<_, _>>()?;
    let maps = courses.len().max(1) as f64;
    let sum = |figure: &dyn Fn(&Outcome) -> f64| outcomes.iter().map(figure).sum::<f64>();
    let sizes = courses
        .iter()
        .zip(&outcomes)
        .map(|(course, outcome)| outcome.database_states as f64 / cells(course) as f64);
    let (bytes, states) =
        (sum(&|outcome| outcome.database_bytes as f64), sum(&|outcome| outcome.database_states as f64));
    Ok(Trial {
        seed,
        summary: summarise(spec, &outcomes),
        with_fallback: outcomes
            .iter()
            .flat_map(|outcome| &outcome.rows)
            .filter(|row| row.fallbacks > 0)
            .count() as u64,
        build_seconds: sum(&|outcome| outcome.build_seconds) / maps,
        relative_size: sizes.sum::<f64>() / maps,
        bytes: bytes / maps,
        bytes_per_state: if states > 0.0 { bytes / states } else { 0.0 },
    })
}
