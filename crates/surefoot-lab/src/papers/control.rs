//! Dynamic control beside what was published: Tables 3 to 5 and the claims of "Dynamic Control in Real-Time Heuristic Search"
//! (JAIR 2008).
//!
//! The paper's maps, 161 × 161 to 193 × 193 cells, are part of `wc3maps512` at 512 × 512, which is the size that it scaled them up to.
//! Its problems are not public: ours are drawn at random, of optimal costs from 90 to 100 times the scale. It does not
//! state the corner rule; `squeeze` is that of its authors' other maps.

use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;
use surefoot::agents::roster;
use surefoot::agents::{Spec, SpecError};
use surefoot::database::{Database, DatabaseConfig};
use surefoot::formats;
use surefoot::space::{CostModel, GridSpace, MoveRule, TerrainSet};

use super::courses::{Course, CourseError, walk_all};
use super::subgoals::Told;
use crate::maps::keep_largest;
use crate::problems::{ProblemRequest, generate_problems};
use crate::rows::Row;
use crate::summary::Summary;

/// The three maps, and how large they were before they were scaled up.
const MAPS: [(&str, f64); 3] = [("darkforest", 161.0), ("thecrucible", 193.0), ("divideandconquer", 193.0)];

/// Walks of more moves are cut off and counted as such.
pub const MOST_MOVES: u64 = 100_000;

/// How much of the study is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Problems on each map; the paper has 100.
    pub problems: usize,
    /// Whether every parameter of the paper is tried, or a few.
    pub is_full: bool,
}

/// An algorithm with its parameters, and what its walks on all maps came to.
#[derive(Clone, Debug)]
pub struct ControlLine {
    /// The spec.
    pub spec: Spec,
    /// All walks. Walks that were cut off are in no mean.
    pub summary: Summary,
    /// The most states that any move of any walk expanded, one that was cut off included.
    pub worst_move: u64,
}

/// A pattern database of one level, mean over the maps.
#[derive(Clone, Debug)]
pub struct LevelSize {
    /// What it is built from.
    pub config: String,
    /// Ordered pairs of regions.
    pub pairs: f64,
    /// Building time on all cores, in seconds.
    pub seconds: f64,
    /// Bytes of its file.
    pub bytes: f64,
}

/// What came of the study.
#[derive(Clone, Debug)]
pub struct Study {
    /// Every algorithm with every parameter.
    pub lines: Vec<ControlLine>,
    /// Every pattern database.
    pub sizes: Vec<LevelSize>,
}

/// The three maps with their problems.
///
/// # Errors
/// If a map cannot be read or has no such problems.
pub fn courses(folder: &Path, problems: usize) -> Result<Vec<Course>, CourseError> {
    let course = |(name, side): (&str, f64)| {
        let map = formats::read_any_map(folder.join(format!("{name}.map")))?;
        let map = keep_largest(&map, TerrainSet::GROUND, MoveRule::Squeeze);
        let space = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::Squeeze, CostModel::Sqrt2);
        let scale = f64::from(space.grid().width()) / side;
        let request = ProblemRequest {
            count: problems,
            min_cost: 90.0 * scale,
            max_cost: 100.0 * scale,
            seed: 1,
            per_bucket: false,
        };
        let problems = generate_problems(&space, &request, &mut |_, _| ())?
            .iter()
            .map(|problem| (problem.start, problem.goal, problem.cost))
            .collect();
        Ok(Course { name: name.to_string(), space, problems })
    };
    MAPS.into_iter().map(course).collect()
}

/// The algorithms with their parameters: the paper's, as far as they can be told from its text, and what this project adds.
///
/// # Errors
/// If the roster is wrong about itself.
pub fn specs(is_full: bool) -> Result<Vec<Spec>, SpecError> {
    let mut texts: Vec<String> =
        ["a*", "weighted-a*(gamma=0.2)", "pra*"].map(String::from).into_iter().collect();
    let mut add = |name: &str, lists: &[(&str, &[u32])]| {
        let mut made = vec![String::new()];
        for (key, values) in lists {
            made = made
                .iter()
                .flat_map(|text| {
                    values.iter().map(move |value| format!("{text}{}{key}={value}", separator(text)))
                })
                .collect();
        }
        texts.extend(made.into_iter().map(|text| match name.strip_suffix(')') {
            Some(name) => format!("{name};{text})"),
            None => format!("{name}({text})"),
        }));
    };
    let levels: &[u32] = if is_full { &[3, 4, 5, 6, 7] } else { &[4, 5, 6, 7] };
    let depths: &[u32] = if is_full { &[1, 2, 3, 4, 6, 10, 14, 20, 28] } else { &[1, 3, 6] };
    add("lrta*(f,pdb)", &[("level", levels), ("d", depths)]);
    let caps: &[u32] = if is_full { &[20, 30, 40, 50, 70] } else { &[20] };
    add("lrta*(pdb,pdb)", &[("level", levels), ("cap", caps)]);
    add(
        "lrta*(pdb,g)",
        &[("level", &levels[levels.len() - 2..]), ("cap", if is_full { &[10, 20, 30] } else { &[10] })],
    );
    add("d-lrta*", &[("level", levels), ("d", &[1])]);
    add("lrta*", &[("d", if is_full { &[1, 2, 3, 4, 6, 8, 10, 12, 14] } else { &[1, 4, 8] })]);
    add(
        "k-lrta*",
        &[("expansions", if is_full { &[10, 20, 30, 40, 100, 250, 500, 1000] } else { &[30, 250] })],
    );
    add("p-lrta*", &[("queue", if is_full { &[10, 20, 30, 40, 100, 250] } else { &[30] })]);
    add("lrta*(dt,g)", &[("dmax", if is_full { &[5, 10, 15, 20] } else { &[10] })]);
    let refined: &[u32] = if is_full { &[3, 4, 5, 6, 7] } else { &[4] };
    add("pr-lrta*(f,g)", &[("level", refined), ("d", if is_full { &[1, 3, 5, 10, 15] } else { &[5] })]);
    // With one abstraction, each node a region, and with two.
    for (level, above) in [(4, 4), (4, 6), (5, 7)] {
        for form in ["f,pdb", "pdb,pdb", "pdb,g"] {
            // Depths for all pairs of nodes take long to find.
            if is_full || level != above || form == "f,pdb" {
                texts.push(format!("pr-lrta*({form};level={level},level2={above})"));
            }
        }
    }
    texts.iter().map(|text| checked(text)).collect()
}

fn separator(text: &str) -> &'static str {
    if text.is_empty() { "" } else { "," }
}

fn checked(text: &str) -> Result<Spec, SpecError> {
    let spec = text.parse()?;
    roster::check(&spec).map(|()| spec)
}

/// Lets every algorithm walk on every map. Nothing is timed but the building of databases; walks take all cores.
///
/// # Errors
/// If the maps cannot be read, a database cannot be built, or an agent does what it must not.
pub fn study(folder: &Path, extent: Extent, told: &mut Told<'_>) -> Result<Study, CourseError> {
    let courses = courses(folder, extent.problems)?;
    let specs = specs(extent.is_full)?;
    let mut configs: Vec<Option<DatabaseConfig>> = Vec::new();
    for spec in &specs {
        let config = roster::database_for(spec, 1)?;
        if !configs.contains(&config) {
            configs.push(config);
        }
    }
    let mut rows: Vec<Vec<Row>> = vec![Vec::new(); specs.len()];
    let mut sizes = Vec::new();
    let total = (configs.len() * courses.len()) as u64;
    let mut done = 0;
    for config in configs {
        // Specs that share a database: it is built once on each map.
        let mine: Vec<usize> = (0..specs.len())
            .filter(|&place| roster::database_for(&specs[place], 1).is_ok_and(|own| own == config))
            .collect();
        let mut built = Vec::new();
        for course in &courses {
            told(&format!("{} on {}", specs[mine[0]], course.name), done, total);
            let begin = Instant::now();
            let database = roster::build_database(&specs[mine[0]], &course.space, 1)?;
            let seconds = begin.elapsed().as_secs_f64();
            if let Some(Database::Patterns(patterns)) = &database {
                built.push((patterns.pairs() as f64, seconds, patterns.as_bytes().len() as f64));
            }
            let walked: Vec<Vec<Row>> = mine
                .par_iter()
                .map(|&place| walk_all(course, &specs[place], database.as_ref(), Some(MOST_MOVES)))
                .collect::<Result<_, _>>()?;
            mine.iter().zip(walked).for_each(|(&place, walked)| rows[place].extend(walked));
            done += 1;
        }
        if let Some(config) = config.filter(|_| !built.is_empty()) {
            let mean = |figure: fn(&(f64, f64, f64)) -> f64| {
                built.iter().map(figure).sum::<f64>() / built.len() as f64
            };
            sizes.push(LevelSize {
                config: config.to_string(),
                pairs: mean(|own| own.0),
                seconds: mean(|own| own.1),
                bytes: mean(|own| own.2),
            });
        }
    }
    let lines = specs.into_iter().zip(rows).map(|(spec, rows)| {
        let mut summary = Summary::new(spec.to_string());
        rows.iter().for_each(|row| summary.add(row));
        let worst_move = rows.iter().map(|row| row.expansions_max).max().unwrap_or(0);
        ControlLine { spec, summary, worst_move }
    });
    Ok(Study { lines: lines.collect(), sizes })
}

impl Study {
    /// Table 4: as the limit on the states expanded in a move grows, the algorithm with the best mean suboptimality that never exceeds it
    /// and always arrives; each with the limit from which on it is the best.
    #[must_use]
    pub fn best_under_limits(&self) -> Vec<(u64, &ControlLine)> {
        let mut by_worst: Vec<&ControlLine> =
            self.lines.iter().filter(|line| line.summary.cut_off == 0 && line.summary.solved > 0).collect();
        by_worst.sort_by(|a, b| {
            let quality = |line: &ControlLine| line.summary.suboptimality_pct();
            a.worst_move.cmp(&b.worst_move).then(quality(a).total_cmp(&quality(b)))
        });
        let mut best: Vec<(u64, &ControlLine)> = Vec::new();
        for line in by_worst {
            let quality = line.summary.suboptimality_pct();
            if best.last().is_none_or(|(_, known)| quality < known.summary.suboptimality_pct()) {
                best.push((line.worst_move, line));
            }
        }
        best
    }

    /// The lines that exceed a limit on some move: the paper's real-time cut-off disqualifies them.
    pub fn disqualified(&self, limit: u64) -> impl Iterator<Item = &ControlLine> {
        self.lines.iter().filter(move |line| line.worst_move > limit)
    }

    /// The line of a spec.
    #[must_use]
    pub fn line(&self, spec: &str) -> Option<&ControlLine> {
        let spec = spec.parse::<Spec>().ok()?;
        self.lines.iter().find(|line| line.spec == spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::tests::row;

    fn line(spec: &str, suboptimality: f64, worst_move: u64, solved: bool) -> ControlLine {
        let mut summary = Summary::new(spec);
        summary.add(&Row { suboptimality_pct: Some(suboptimality), ..row(2, Some(1), solved) });
        ControlLine { spec: spec.parse().unwrap(), summary, worst_move }
    }

    #[test]
    fn every_spec_exists_and_none_is_there_twice() {
        for is_full in [false, true] {
            let mut texts: Vec<String> = specs(is_full).unwrap().iter().map(Spec::to_string).collect();
            let count = texts.len();
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), count);
        }
        assert!(specs(true).unwrap().iter().any(|spec| spec.to_string() == "lrta*(f,pdb,level=3,d=14)"));
    }

    #[test]
    fn the_best_under_a_limit_gets_better_as_the_limit_grows() {
        let lines = vec![
            line("a*", 0.0, 1000, true),
            line("lrta*(d=1)", 90.0, 1, true),
            line("lrta*(d=2)", 95.0, 9, true),
            line("lrta*(d=3)", 20.0, 25, true),
            line("lrta*(d=4)", 10.0, 25, true),
            line("lrta*(d=6)", 1.0, 25, false),
        ];
        let study = Study { lines, sizes: Vec::new() };
        let best: Vec<(u64, String)> =
            study.best_under_limits().iter().map(|(limit, line)| (*limit, line.spec.to_string())).collect();
        let expected = [(1, "lrta*(d=1)"), (25, "lrta*(d=4)"), (1000, "a*")];
        assert_eq!(best, expected.map(|(limit, spec)| (limit, spec.to_string())));
        assert_eq!(study.disqualified(10).count(), 4);
        assert!(study.line("lrta*( d=3 )").is_some());
    }
}
