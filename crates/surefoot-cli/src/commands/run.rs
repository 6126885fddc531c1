//! `surefoot run`: many problems, several algorithms, a row for each walk and a summary of them all.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use surefoot_lab::rows::{Format, RowWriter};
use surefoot_lab::summary::Summary;

use crate::algorithm::{self, Algorithm};
use crate::databases::{DatabaseOptions, Databases};
use crate::failure::Failure;
use crate::measure::{self, Task, Walker};
use crate::number;
use crate::output::{self, Output, tell};
use crate::problem_sets::ProblemOptions;
use crate::progress::Progress;
use crate::summary_table;
use crate::world::WorldOptions;

/// Walk many problems with one or more algorithms; rows to a file, a summary to standard output
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot run --map arena.map\n  \
    surefoot run --map arena.map --scen arena.map.scen --out rows.csv\n  \
    surefoot run --map arena.map --db arena.sfdb --out rows.csv\n  \
    surefoot run --map arena.map --scen arena.map.scen --algorithm 'a*' --algorithm jps --out rows.csv\n  \
    surefoot run --map arena.map --scen arena.map.scen --algorithm 'weighted-a*(gamma=0.2)' --out -\n  \
    surefoot run --map benchmarks/knn2009 --rule squeeze --cost 1.4 --algorithm 'lrta*(d=3)'\n  \
    surefoot run --map arena.map --algorithm 'knn-lrta*(n=1000)' --cache databases --out rows.csv\n\n\
    Rows are the same for the same input, apart from the columns in nanoseconds. Suboptimality is measured \
    against our own optimal costs, which are exact, not against those of the .scen file, which are rounded.\n\
    With '--out -' the rows go to standard output and the summary to standard error.\n\
    Where an algorithm needs a database, it is built on all cores before the walks, unless --db names one or --cache \
    has it. What that took is told on standard error; it is no part of any planning time.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    problems: ProblemOptions,

    /// An algorithm, with parameters in parentheses; may be given several times
    #[arg(long = "algorithm", value_name = "SPEC", default_value = algorithm::DEFAULT)]
    algorithms: Vec<Algorithm>,

    #[command(flatten)]
    world: WorldOptions,

    #[command(flatten)]
    database: DatabaseOptions,

    /// Cut a walk off after N moves: it counts as not solved
    #[arg(long, value_name = "N", value_parser = number::any(), allow_negative_numbers = true)]
    max_moves: Option<u64>,

    /// The file for the rows; - for standard output [default: only the summary is printed]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The format of the rows [default: jsonl if the file's name ends with .jsonl, else csv]
    #[arg(long, value_name = "FORMAT", requires = "out")]
    format: Option<RowFormat>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RowFormat {
    /// Comma-separated values with a header
    Csv,
    /// A JSON object a line
    Jsonl,
}

impl Arguments {
    fn row_format(&self, out: &Path) -> Format {
        let is_jsonl = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
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
    arguments.world.check("run", &arguments.algorithms)?;
    let sets = arguments.problems.read("run", &arguments.world, &arguments.database)?;
    if let Some(out) = &arguments.out {
        let read = sets.iter().flat_map(|set| [set.map.as_path(), set.scen.as_path()]);
        output::refuse_inputs(out, &read.collect::<Vec<_>>())?;
        output::refuse_inputs(out, &arguments.database.inputs())?;
        output::refuse_inputs(out, arguments.world.weights.input().as_slice())?;
    }
    let mut tasks = arguments.problems.tasks(&sets)?;

    let output = arguments.out.as_deref().map(Output::create).transpose()?;
    let mut progress = Progress::new("optimal costs", tasks.len() as u64);
    measure::find_optimal_costs(&mut tasks, &mut |done| progress.done(done))?;
    drop(progress);
    let table = |summaries: &[Summary]| summary_table::summary_table(summaries).to_text();
    let Some(mut output) = output else {
        let summaries = walk(arguments, &tasks, Path::new("nowhere"), std::io::sink())?;
        return output::print(&table(&summaries));
    };
    let out = output.path().to_path_buf();
    let walked = walk(arguments, &tasks, &out, &mut output);
    let summaries = output.unless_reader_left(walked)?;
    output.finish()?;

    if output::is_stdout(&out) {
        // Standard output has the rows, and only them.
        table(&summaries).lines().for_each(tell);
        return Ok(());
    }
    let rows = tasks.len() * summaries.len();
    tell(&format!("wrote {}: {rows} rows", out.display()));
    output::print(&table(&summaries))
}

/// Walks the tasks with one algorithm after the other and writes a row for each walk.
fn walk<'a>(
    arguments: &'a Arguments,
    tasks: &[Task<'a>],
    out: &Path,
    output: impl std::io::Write,
) -> Result<Vec<Summary>, Failure> {
    let write_failed = |error: std::io::Error| Failure::write(out, &error);
    let mut writer = RowWriter::new(output, arguments.row_format(out));
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

/// The last part of a path: what rows and problems call the map.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
