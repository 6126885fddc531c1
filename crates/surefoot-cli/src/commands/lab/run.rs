//! `surefoot lab run`: a plan, from the maps to the rows.

use std::path::{Path, PathBuf};

use clap::Args;
use surefoot_lab::io_problem;
use surefoot_lab::plan::Plan;
use surefoot_lab::runs::ResultSet;
use surefoot_lab::summary::Summary;

use super::{RunOptions, run_plan, write_report};
use crate::failure::Failure;
use crate::output;
use crate::summary_table;

/// Run a plan: every algorithm on every problem of every map; rows to a folder, a summary to standard output
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot lab run plan.toml --out results\n  \
    surefoot lab run plan.toml --out results --quick\n  \
    surefoot lab plans knn2009 > my-plan.toml\n\n\
    The folder gets rows.csv and rows.parquet with a row for each walk and all that is needed to repeat it, and a file for every finished \
    unit: one algorithm with one database on one map. A run that was stopped goes on where it was when the same command is given again. \
    Results of another version or machine are refused. At the end there is a page on them, report.html, with its tables and figures.\n\
    The summary has a line for each algorithm: means over the problems of all maps and seeds.")]
pub(crate) struct Arguments {
    /// The plan: a .toml file
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// The folder for the results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Where the relative paths of the plan begin [default: the folder of the plan]
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,

    /// Where databases and problems are kept for the next time [default: the folder "cache" among the
    /// results]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,

    #[command(flatten)]
    options: RunOptions,
}

/// Runs the plan and prints its summary.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let plan = read(&arguments.plan)?;
    let beside = match arguments.plan.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let maps = arguments.maps.as_deref().unwrap_or(beside);
    let cache = arguments.cache.clone().unwrap_or_else(|| arguments.out.join("cache"));
    let results = run_plan(&plan, arguments.options, maps, &arguments.out, &cache)?;
    write_report(&arguments.out)?;
    output::print(&summary_table::summary_table(&summaries(&results)).to_text())
}

/// Reads a plan. What is wrong with it is told with the file, the line and the column.
fn read(path: &Path) -> Result<Plan, Failure> {
    let in_file = |problem: String| Failure::Other(format!("{}: {problem}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| in_file(io_problem(&error)))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Plan::parse(&name, &text).map_err(|error| in_file(error.to_string()))
}

/// A line for each algorithm of each part.
fn summaries(results: &ResultSet) -> Vec<Summary> {
    let mut summaries: Vec<(&str, Summary)> = Vec::new();
    for unit in &results.units {
        let name = unit.spec.to_string();
        let is_its = |(part, summary): &(&str, Summary)| *part == unit.part && summary.algorithm == name;
        let place = summaries.iter().position(is_its).unwrap_or_else(|| {
            summaries.push((&unit.part, Summary::new(name.clone())));
            summaries.len() - 1
        });
        unit.rows.iter().for_each(|row| summaries[place].1.add(row));
    }
    summaries.into_iter().map(|(_, summary)| summary).collect()
}
