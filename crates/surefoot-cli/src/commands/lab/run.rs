//! `surefoot lab run`: a plan, from the maps to the rows, at once or in shares.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use surefoot_lab::plan::Plan;
use surefoot_lab::runs::{self, ResultSet, Setting, Which};
use surefoot_lab::summary::Summary;

use super::{RunOptions, at_work, plan_file, run_plan, setting, tell_of, write_report};
use crate::failure::Failure;
use crate::output;
use crate::share::Share;
use crate::summary_table;
use crate::table::thousands;

/// Run a plan: every algorithm on every problem of every map; rows to a folder, a summary to standard output
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot lab run plan.toml --out results\n  \
    surefoot lab run plan.toml --out results --quick\n  \
    surefoot lab run plan.toml --out results --units 3/64\n  \
    surefoot lab run plan.toml --out results --merge\n  \
    surefoot lab plans knn2009 > my-plan.toml\n\n\
    The folder gets rows.csv and rows.parquet with a row for each walk and all that is needed to repeat it, and a file for every finished \
    unit: one algorithm with one database on one map. A run that was stopped goes on where it was when the same command is given again. \
    Results of another version are refused, and so are timings of another machine. At the end there is a page on them, report.html, with its tables and figures.\n\
    The summary has a line for each algorithm: means over the problems of all maps and seeds.\n\
    On many machines: each does a share with --units, in one folder that all of them see, or each in a folder of its own. Then --merge puts the units \
    together and writes the rows and the page. 'surefoot lab units' lists the units.")]
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

    /// Do only share K of N of the units, and write no tables: that is for --merge
    #[arg(long, value_name = "K/N", conflicts_with = "merge")]
    units: Option<Share>,

    /// Run nothing: put the units that are finished together, those in the folder and those in other folders
    /// of results
    #[arg(long, value_name = "DIR", num_args = 0..)]
    merge: Option<Vec<PathBuf>>,

    /// The name of this machine for the rows: only timings of one name may stand in one table [default: none;
    /// with --units the name of the host]
    #[arg(long, value_name = "NAME", conflicts_with = "merge", value_parser = NonEmptyStringValueParser::new())]
    worker: Option<String>,

    #[command(flatten)]
    options: RunOptions,
}

/// Runs the plan or a share of it, or merges it; prints its summary once all of it is there.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let plan = plan_file::read(&arguments.plan)?;
    let maps = plan_file::maps(&arguments.plan, arguments.maps.as_deref());
    let cache = arguments.cache.clone().unwrap_or_else(|| arguments.out.join("cache"));
    let worker = arguments.worker.clone().or_else(|| arguments.units.and_then(|_| host_name()));
    let setting = setting(arguments.options, worker.as_deref(), maps, &arguments.out, &cache);
    if let Some(share) = arguments.units {
        return run_share(&plan, &setting, share);
    }
    let results = match &arguments.merge {
        Some(from) => {
            let results = at_work(&plan, &setting, |host| runs::merge(&plan, &setting, from, host))?;
            tell_of(&results, &setting);
            results
        }
        None => run_plan(&plan, &setting)?,
    };
    write_report(&arguments.out)?;
    output::print(&summary_table::summary_table(&summaries(&results)).to_text())
}

/// Does a share of the units and prints a line about it.
fn run_share(plan: &Plan, setting: &Setting<'_>, Share(share, of): Share) -> Result<(), Failure> {
    let which = Which::Share { share, of };
    let units = at_work(plan, setting, |host| runs::run_units(plan, setting, &which, host))?;
    let new = units.iter().filter(|unit| unit.is_new).count() as u64;
    let (all, new) = (thousands(units.len() as u64), thousands(new));
    output::print(&format!("share {share} of {of}: {all} units, {new} of them done now\n"))
}

/// The name of this machine, if it can be had.
fn host_name() -> Option<String> {
    let of_file = std::fs::read_to_string("/etc/hostname").ok();
    let names = [of_file, std::env::var("HOSTNAME").ok()];
    names.into_iter().flatten().map(|name| name.trim().to_string()).find(|name| !name.is_empty())
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
