//! `surefoot lab`: experiments from plans.

mod host;
mod plan_file;
mod plans;
mod report;
mod run;
mod section_text;
mod units;

use std::path::Path;

use clap::{Args, Subcommand};
use surefoot_lab::plan::Plan;
use surefoot_lab::runs::{self, NEVER, Provenance, ResultSet, RunError, Setting};

use self::host::ProgramHost;
pub(crate) use self::report::write_report;
pub(crate) use self::section_text::section_text;
use crate::failure::Failure;
use crate::interrupt::Parting;
use crate::output::tell;
use crate::table::thousands;

/// Run experiments: plans that say which algorithms walk which problems on which maps
#[derive(Debug, Subcommand)]
#[command(after_help = "The format of plans is on the page docs/reproduce/lab.md.")]
pub(crate) enum Command {
    Run(run::Arguments),
    Units(units::Arguments),
    Plans(plans::Arguments),
    Report(report::Arguments),
}

impl Command {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match self {
            Self::Run(arguments) => run::run(arguments),
            Self::Units(arguments) => units::run(arguments),
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

/// What a run of a plan is told: where its files are, and who does it.
pub(crate) fn setting<'a>(
    options: RunOptions,
    worker: Option<&str>,
    maps: &'a Path,
    out: &'a Path,
    cache: &'a Path,
) -> Setting<'a> {
    let provenance = Provenance::here(option_env!("SUREFOOT_REVISION"), option_env!("SUREFOOT_COMPILER"));
    Setting {
        quick: options.quick,
        maps,
        out,
        cache,
        mix: options.mix,
        provenance: provenance.on(worker),
        // Whoever ends the program ends the run: what is finished is in files.
        stop: &NEVER,
    }
}

/// Runs what is not finished of a plan, writes all rows, and gives the results.
pub(crate) fn run_plan(plan: &Plan, setting: &Setting<'_>) -> Result<ResultSet, Failure> {
    let results = at_work(plan, setting, |host| runs::run(plan, setting, host))?;
    tell_of(&results, setting);
    Ok(results)
}

/// Does something with the units of a plan that goes on where it was when it is stopped and done again.
fn at_work<T>(
    plan: &Plan,
    setting: &Setting<'_>,
    work: impl FnOnce(&mut ProgramHost) -> Result<T, RunError>,
) -> Result<T, Failure> {
    let _parting = Parting::new(format!(
        "surefoot: stopped; what is finished is in {}: the same command goes on from there",
        setting.out.display()
    ));
    work(&mut ProgramHost::new(&plan.name)).map_err(Failure::other)
}

/// Tells what the folder has now, and whether that is all of one making.
fn tell_of(results: &ResultSet, setting: &Setting<'_>) {
    let out = setting.out.display();
    let rows: usize = results.units.iter().map(|unit| unit.rows.len()).sum();
    let (units, rows) = (thousands(results.units.len() as u64), thousands(rows as u64));
    tell(&format!("{out}: {units} units, {rows} rows in rows.csv and rows.parquet"));
    let sources = results.sources();
    for source in &sources {
        let is_other = sources.len() > 1 && !source.is_same_source(&setting.provenance);
        if is_other || !source.is_same_program(&setting.provenance) {
            tell(&format!("{out}: some results are of {source}"));
        }
    }
}
