//! `surefoot demo`: everything at once, without a file or an argument.
//!
//! A map is made, problems are drawn on it, some algorithms or all of the roster walk them all, a crowd is
//! filmed, and a page shows what came of it. The files beside the page are those that the other commands
//! read, so that the demo is also where to start from.

mod crowd;
mod page;
mod picture;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use surefoot::formats::write_map;
use surefoot_lab::maps::{self, MapKind};
use surefoot_lab::problem_files::Length;
use surefoot_lab::problems::{GeneratedProblem, ProblemRequest, generate_problems};
use surefoot_lab::rows::{Format, RowWriter};
use surefoot_lab::summary::Summary;

use self::page::Page;
use self::picture::Line;
use crate::algorithm::{self, Algorithm};
use crate::commands::problems::{LENGTH_DECIMALS, scenario_bytes};
use crate::databases::{DatabaseOptions, Databases};
use crate::failure::Failure;
use crate::measure::{self, Task, Walker};
use crate::number;
use crate::output::{self, Output, tell};
use crate::progress::Progress;
use crate::summary_table;
use crate::world::{Placed, WorldOptions, Worlds};

/// Make a map, walk problems on it, film a crowd, and show it all on a page
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surefoot demo\n  surefoot demo --all\n  surefoot demo --seed 7 --out seven\n\n\
    Open demo/index.html in a browser afterwards. It needs no network and no other file."
)]
pub(crate) struct Arguments {
    /// The folder to write to; it is made if need be
    #[arg(long, value_name = "DIR", default_value = "demo")]
    out: PathBuf,

    /// Walk with every algorithm, not only with those to begin with: beacon*, a* and lrta*
    #[arg(long)]
    all: bool,

    /// Which map and which problems
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = number::any(), allow_negative_numbers = true)]
    seed: u64,
}

/// The side of the map, in cells: large enough that algorithms differ, small enough that a cell can be seen.
const SIDE: u32 = 256;

/// How many problems are walked. The slowest algorithms take some milliseconds for each.
const PROBLEMS: usize = 200;

/// The least optimal cost of a problem, so that no walk is a mere step.
const LEAST_COST: f64 = 40.0;

/// The most moves of a walk: an algorithm that loses its way must not hold up the page.
const MOST_MOVES: Option<u64> = Some(50_000);

/// The records of a database: built in about a second, and enough to show what databases are for.
const RECORDS: u64 = 10_000;

/// The algorithms to begin with: ours, exact search, and one that learns.
const FIRST: [&str; 3] = [algorithm::DEFAULT, "a*", "lrta*"];

/// The names of the files; the page refers to them.
const MAP: &str = "demo.map";
const SCEN: &str = "demo.map.scen";
const ROWS: &str = "rows.csv";

/// Makes the demo.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = Folder::create(&arguments.out)?;
    tell(&format!("making a map of {SIDE} x {SIDE} cells and {PROBLEMS} problems on it"));
    let world: WorldOptions = WorldOptions::default();
    let worlds = world.worlds(maps::generate(MapKind::Game, SIDE, SIDE, arguments.seed)?)?;
    let problems = draw_problems(&worlds, arguments.seed)?;
    let mut tasks = tasks(&worlds, &problems)?;
    measure::find_optimal_costs(&mut tasks, &mut |_| ())?;

    let mut algorithms: Vec<Algorithm> =
        Algorithm::all_with_records(RECORDS, (SIDE * SIDE) as usize).collect();
    let rank = |algorithm: &Algorithm| {
        FIRST.iter().position(|name| algorithm.name() == *name).unwrap_or(FIRST.len())
    };
    algorithms.retain(|algorithm| arguments.all || rank(algorithm) < FIRST.len());
    algorithms.sort_by_key(rank);
    let options = DatabaseOptions::default();
    let mut databases = Databases::new(&options);
    for algorithm in &algorithms {
        Walker::new(algorithm, &mut databases).prepare(&tasks)?;
    }
    let mut rows = RowWriter::new(Vec::new(), Format::Csv);
    let summaries = walk(&algorithms, &mut databases, &tasks, &mut rows)?;
    let rows = rows.finish().map_err(|error| Failure::write(Path::new(ROWS), &error))?;
    let table = summary_table::summary_table(&summaries);

    let (longest, task) =
        problems.iter().zip(&tasks).max_by_key(|(problem, _)| problem.cost).ok_or_else(|| {
            Failure::Other("the map has no problem to show; try another --seed".to_string())
        })?;
    let lines = lines(&worlds, &algorithms, &mut databases, task)?;
    let picture = picture::draw(worlds.map(), longest, &lines);
    let filmed = crowd::film(&worlds, &world, arguments.seed)?;
    let page = Page {
        worlds: &worlds,
        problems: &problems,
        shown: longest,
        lines: &lines,
        table: &table,
        crowd: &filmed,
        databases: databases.origins().collect(),
    };
    let page = page.to_html(&picture, &algorithms);

    // Everything is known: now, and not before, files appear.
    folder.write(&[
        (MAP, &write_map(worlds.map())),
        (SCEN, &scenario_bytes(worlds.main(), MAP, &problems)?),
        (ROWS, &rows),
        ("picture.svg", picture.as_bytes()),
        ("index.html", page.as_bytes()),
    ])?;
    output::print(&table.to_text())
}

/// The folder that everything is written to.
struct Folder<'a>(&'a Path);

impl<'a> Folder<'a> {
    fn create(path: &'a Path) -> Result<Self, Failure> {
        if path.exists() && !path.is_dir() {
            return Err(Failure::write(path, &std::io::Error::other("it is a file, not a folder")));
        }
        std::fs::create_dir_all(path).map_err(|error| Failure::write(path, &error))?;
        Ok(Self(path))
    }

    /// Writes all files, or none if one of them cannot be written.
    fn write(&self, files: &[(&str, &[u8])]) -> Result<(), Failure> {
        let mut outputs = Vec::new();
        for (name, bytes) in files {
            let path = self.0.join(name);
            let mut output = Output::create(&path)?;
            output
                .write_all(bytes)
                .and_then(|()| output.flush())
                .map_err(|error| Failure::write(&path, &error))?;
            outputs.push(output);
        }
        for output in outputs {
            let path = output.path().display().to_string();
            output.finish()?;
            tell(&format!("wrote {path}"));
        }
        Ok(())
    }
}

fn draw_problems(worlds: &Worlds, seed: u64) -> Result<Vec<GeneratedProblem>, Failure> {
    let request = ProblemRequest {
        count: PROBLEMS,
        min_cost: LEAST_COST,
        max_cost: f64::from(4 * SIDE),
        seed,
        per_bucket: false,
    };
    let mut progress = Progress::new("drawing problems", PROBLEMS as u64);
    generate_problems(worlds.main(), &request, &mut |done, total| progress.go_on(done, total))
        .map_err(Failure::other)
}

fn tasks<'a>(worlds: &'a Worlds, problems: &[GeneratedProblem]) -> Result<Vec<Task<'a>>, Failure> {
    let mut tasks = Vec::with_capacity(problems.len());
    for &GeneratedProblem { start, goal, cost, .. } in problems {
        let placed: Placed<'a> = worlds.place(start, goal)?;
        let file_cost = Length::new(placed.space.units().to_f64(cost), LENGTH_DECIMALS);
        tasks.push(Task::new(MAP, placed, (start, goal), file_cost));
    }
    Ok(tasks)
}

/// Walks all tasks with every algorithm.
fn walk<'a>(
    algorithms: &[Algorithm],
    databases: &mut Databases<'a>,
    tasks: &[Task<'a>],
    rows: &mut RowWriter<Vec<u8>>,
) -> Result<Vec<Summary>, Failure> {
    let mut progress = Progress::new("walking", (tasks.len() * algorithms.len()) as u64);
    let mut done = 0;
    let mut summaries = Vec::new();
    for algorithm in algorithms {
        let mut summary = Summary::new(algorithm.name());
        let mut walker = Walker::new(algorithm, databases);
        measure::walk_all(&mut walker, tasks, MOST_MOVES, &mut |row| {
            rows.write(row).map_err(|error| Failure::write(Path::new(ROWS), &error))?;
            summary.add(row);
            done += 1;
            progress.done(done);
            Ok(())
        })?;
        summaries.push(summary);
    }
    Ok(summaries)
}

/// The way that each algorithm walks in one problem.
fn lines<'a>(
    worlds: &Worlds,
    algorithms: &[Algorithm],
    databases: &mut Databases<'a>,
    task: &Task<'a>,
) -> Result<Vec<Line>, Failure> {
    let space = worlds.main();
    algorithms
        .iter()
        .map(|algorithm| {
            let walk = Walker::new(algorithm, databases).walk(task, MOST_MOVES, true)?;
            Ok(Line {
                algorithm: algorithm.name(),
                cells: walk.states.iter().map(|&state| space.cell(state)).collect(),
                cost: space.units().to_f64(walk.travel_cost),
            })
        })
        .collect()
}
