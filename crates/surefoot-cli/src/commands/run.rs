//! `surefoot run`: many problems, several algorithms, a row for each walk and a summary of them all.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use surefoot::formats::{Problem, read_any_map, read_scen};
use surefoot_lab::problem_files::{maps_with_problems, scen_beside};
use surefoot_lab::rows::{Format, RowWriter};
use surefoot_lab::summary::Summary;

use crate::algorithm::Algorithm;
use crate::databases::{DatabaseOptions, Databases};
use crate::failure::Failure;
use crate::measure::{self, Task, Walker};
use crate::number;
use crate::output::{self, Output, tell};
use crate::progress::Progress;
use crate::summary_table;
use crate::world::{WorldOptions, Worlds};

/// Walk many problems with one or more algorithms; rows to a file, a summary to standard output
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot run --map arena.map --scen arena.map.scen --algorithm 'a*' --algorithm jps --out rows.csv\n  \
    surefoot run --map arena.map --scen arena.map.scen --algorithm 'weighted-a*(gamma=0.2)' --every 10 --out -\n  \
    surefoot run --map benchmarks/knn2009 --rule squeeze --cost 1.4 --algorithm 'lrta*(d=3)' --out lrta.csv\n  \
    surefoot run --map arena.map --algorithm 'knn-lrta*(n=1000)' --cache databases --out rows.csv\n\n\
    Rows are the same for the same input, apart from the columns in nanoseconds. Suboptimality is measured \
    against our own optimal costs, which are exact, not against those of the .scen file, which are rounded.\n\
    With '--out -' the rows go to standard output and the summary to standard error.\n\
    Where an algorithm needs a database, it is built on all cores before the walks, unless --db names one or --cache \
    has it. What that took is told on standard error; it is no part of any planning time.")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp; or a folder, for all .map files in it that have problems beside them
    #[arg(long, value_name = "FILE")]
    map: PathBuf,

    /// The problems, as a MovingAI .scen file [default: the map's name with .scen behind it]
    #[arg(long, value_name = "FILE")]
    scen: Option<PathBuf>,

    /// An algorithm, with parameters in parentheses; may be given several times
    #[arg(long = "algorithm", value_name = "SPEC", required = true)]
    algorithms: Vec<Algorithm>,

    #[command(flatten)]
    world: WorldOptions,

    #[command(flatten)]
    database: DatabaseOptions,

    /// Take only each N-th problem, from the first on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::positive(), allow_negative_numbers = true)]
    every: u32,

    /// Cut a walk off after N moves: it counts as not solved
    #[arg(long, value_name = "N", value_parser = number::any(), allow_negative_numbers = true)]
    max_moves: Option<u64>,

    /// The file for the rows; - for standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The format of the rows [default: jsonl if the file's name ends with .jsonl, else csv]
    #[arg(long, value_name = "FORMAT")]
    format: Option<RowFormat>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RowFormat {
    /// Comma-separated values with a header
    Csv,
    /// A JSON object a line
    Jsonl,
}

/// A map and its problems.
struct ProblemSet {
    map: PathBuf,
    scen: PathBuf,
    name: String,
    worlds: Worlds,
    problems: Vec<Problem>,
}

impl Arguments {
    /// The map that was named, or all maps of the folder that was, by name.
    fn sets(&self) -> Result<Vec<ProblemSet>, Failure> {
        let pairs = if self.map.is_dir() {
            if self.scen.is_some() {
                return Err(Failure::usage(
                    "run",
                    "--scen names the problems of one map, but --map names a folder",
                ));
            }
            let folder = self.map.display();
            let pairs = maps_with_problems(&self.map)
                .map_err(|error| Failure::Other(format!("{folder}: {error}")))?;
            if pairs.is_empty() {
                return Err(Failure::Other(format!(
                    "{folder} has no .map file with a .map.scen file beside it"
                )));
            }
            pairs
        } else {
            vec![(self.map.clone(), self.scen.clone().unwrap_or_else(|| scen_beside(&self.map)))]
        };
        if self.database.db.is_some() && pairs.len() > 1 {
            let message = format!(
                "--db names the database of one map, but --map names {} of them; use --cache",
                pairs.len()
            );
            return Err(Failure::usage("run", message));
        }
        let read = |(map, scen): (PathBuf, PathBuf)| {
            let worlds = self.world.worlds(read_any_map(&map)?);
            let problems = read_scen(&scen)?.problems;
            Ok(ProblemSet { name: file_name(&map), worlds, problems, map, scen })
        };
        pairs.into_iter().map(read).collect()
    }

    fn row_format(&self) -> Format {
        let is_jsonl = self.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
        match self.format {
            Some(RowFormat::Csv) => Format::Csv,
            Some(RowFormat::Jsonl) => Format::JsonLines,
            None if is_jsonl => Format::JsonLines,
            None => Format::Csv,
        }
    }
}

/// Walks every problem with every algorithm.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.database.check("run", &arguments.algorithms)?;
    let sets = arguments.sets()?;
    let mut tasks = Vec::new();
    for set in &sets {
        output::refuse_inputs(&arguments.out, &[&set.map, &set.scen])?;
        output::refuse_inputs(&arguments.out, arguments.database.db.as_deref().as_slice())?;
        for (index, problem) in set.problems.iter().enumerate().step_by(arguments.every as usize) {
            let task = task(set, problem).map_err(|message| {
                let line = line_of_problem(&set.scen, index);
                Failure::Other(format!("{}:{line}: {message}", set.scen.display()))
            })?;
            tasks.push(task);
        }
    }
    if tasks.is_empty() {
        let scen = sets.first().map_or(&arguments.map, |set| &set.scen);
        return Err(Failure::Other(format!("{} has no problems", scen.display())));
    }

    let mut output = Output::create(&arguments.out)?;
    let mut progress = Progress::new("optimal costs", tasks.len() as u64);
    measure::find_optimal_costs(&mut tasks, &mut |done| progress.done(done))?;
    drop(progress);
    let walked = walk(arguments, &tasks, &mut output);
    let summaries = output.unless_reader_left(walked)?;
    output.finish()?;

    let table = summary_table::summary_table(&summaries).to_text();
    if output::is_stdout(&arguments.out) {
        // Standard output has the rows, and only them.
        table.lines().for_each(tell);
        return Ok(());
    }
    let rows = tasks.len() * summaries.len();
    tell(&format!("wrote {}: {rows} rows", arguments.out.display()));
    output::print(&table)
}

/// Walks the tasks with one algorithm after the other and writes a row for each walk.
fn walk<'a>(
    arguments: &'a Arguments,
    tasks: &[Task<'a>],
    output: &mut Output,
) -> Result<Vec<Summary>, Failure> {
    let write_failed = |error: std::io::Error| Failure::write(&arguments.out, &error);
    let mut writer = RowWriter::new(output, arguments.row_format());
    let mut summaries = Vec::new();
    let mut databases = Databases::new(&arguments.database);
    // All databases before the first walk: what is wrong with the last of them is to be known at once.
    for algorithm in &arguments.algorithms {
        Walker::new(algorithm, &mut databases).prepare(tasks)?;
    }
    for algorithm in &arguments.algorithms {
        let mut walker = Walker::new(algorithm, &mut databases);
        let mut progress = Progress::new(algorithm.name(), tasks.len() as u64);
        let mut summary = Summary::new(algorithm.name());
        measure::walk_all(&mut walker, tasks, arguments.max_moves, &mut |row| {
            writer.write(row).map_err(write_failed)?;
            summary.add(row);
            progress.done(summary.problems);
            Ok(())
        })?;
        summaries.push(summary);
    }
    writer.finish().map_err(write_failed)?;
    Ok(summaries)
}

/// A problem of the file in the world that it belongs to; in words what is wrong if there is none.
fn task<'a>(set: &'a ProblemSet, problem: &Problem) -> Result<Task<'a>, String> {
    let (width, height) = (set.worlds.map().width(), set.worlds.map().height());
    if let Some((file_width, file_height)) = problem.map_size
        && (file_width, file_height) != (width, height)
    {
        return Err(format!(
            "the problem is for a map of {file_width} x {file_height} cells, but this map has {width} x {height}"
        ));
    }
    let ends = (problem.start, problem.goal);
    let placed = set.worlds.place(ends.0, ends.1).map_err(|error| error.to_string())?;
    Ok(Task::new(&set.name, placed, ends, Some(problem.length)))
}

/// The line of a problem, counted from 1. Only a message needs it, so the file is read again for it; a pipe cannot be.
fn line_of_problem(scen: &Path, index: usize) -> usize {
    let bytes = if scen.is_file() { std::fs::read(scen).unwrap_or_default() } else { Vec::new() };
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&bytes);
    let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).zip(1..);
    let mut rows = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with(b"version"));
    rows.nth(index).map_or(index + 2, |(_, number)| number)
}

/// The last part of a path: what rows and problems call the map.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
