//! `surefoot lab`: experiments from plans.

mod host;
mod plans;
mod report;
mod run;
mod section_text;

use std::path::Path;

use clap::{Args, Subcommand};
use surefoot_lab::plan::Plan;
use surefoot_lab::runs::{self, NEVER, Provenance, ResultSet, Setting};

use self::host::ProgramHost;
pub(crate) use self::report::write_report;
pub(crate) use self::section_text::section_text;
use crate::failure::Failure;
use crate::interrupt::Parting;
use crate::output::tell;
use crate::table::thousands;

/// Run experiments: plans that say which algorithms walk which problems on which maps
#[derive(Debug, Subcommand)]
#[command(after_help = "The format of plans is on the page docs/lab.md.")]
pub(crate) enum Command {
    Run(run::Arguments),
    Plans(plans::Arguments),
    Report(report::Arguments),
}

impl Command {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match self {
            Self::Run(arguments) => run::run(arguments),
            Self::Plans(arguments) => plans::run(arguments),
            Self::Report(arguments) => report::run(arguments),
        }
    }
}

/// The options that every run of a plan has.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct RunOptions {
    /// Only what the plan has for a quick run
    #[arg(long)]
    pub(crate) quick: bool,

    /// Keep results of another version or machine that are in the folder, and add to them; what was made by
    /// what is in every row
    #[arg(long)]
    mix: bool,
}

/// Runs what is not finished of a plan, writes all rows, and gives the results.
pub(crate) fn run_plan(
    plan: &Plan,
    options: RunOptions,
    maps: &Path,
    out: &Path,
    cache: &Path,
) -> Result<ResultSet, Failure> {
    let setting = Setting {
        quick: options.quick,
        maps,
        out,
        cache,
        mix: options.mix,
        provenance: Provenance::here(option_env!("SUREFOOT_REVISION"), option_env!("SUREFOOT_COMPILER")),
        stop: &NEVER,
    };
    let _parting = Parting::new(format!(
        "surefoot: stopped; what is finished is in {}: the same command goes on from there",
        out.display()
    ));
    let mut host = ProgramHost::new(&plan.name);
    let results = runs::run(plan, &setting, &mut host).map_err(Failure::other)?;
    drop(host);
    let rows: usize = results.units.iter().map(|unit| unit.rows.len()).sum();
    let (units, rows) = (thousands(results.units.len() as u64), thousands(rows as u64));
    tell(&format!("{}: {units} units, {rows} rows in rows.csv and rows.parquet", out.display()));
    for source in results.sources() {
        if !source.is_same_source(&setting.provenance) {
            tell(&format!("{}: some results are of {source}", out.display()));
        }
    }
    Ok(results)
}
