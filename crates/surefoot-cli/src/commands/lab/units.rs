//! `surefoot lab units`: what a plan comes to, unit by unit.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use surefoot_lab::runs::{self, PlannedUnit};

use super::plan_file;
use crate::failure::Failure;
use crate::output;
use crate::table::{NOTHING, Table};

/// List the units of a plan: one algorithm with one database on one map each
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot lab units plan.toml\n  \
    surefoot lab units plan.toml --quick --json | jq length\n\n\
    How many there are says into how many shares 'surefoot lab run --units K/N' can split the plan.")]
pub(crate) struct Arguments {
    /// The plan: a .toml file
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// Where the relative paths of the plan begin [default: the folder of the plan]
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,

    /// Only what the plan has for a quick run
    #[arg(long)]
    quick: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A unit as JSON.
#[derive(Serialize)]
struct JsonUnit {
    number: usize,
    part: String,
    algorithm: String,
    seed: u64,
    map: String,
    timed: bool,
    /// What its database is built from.
    database: Option<String>,
    /// Its file in the folder `units` of the results.
    file: String,
}

/// Prints the units.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let plan = plan_file::read(&arguments.plan)?;
    let maps = plan_file::maps(&arguments.plan, arguments.maps.as_deref());
    let units = runs::planned(&plan, maps, arguments.quick).map_err(Failure::other)?;
    let units = (1..).zip(units);
    if arguments.json {
        let units: Vec<JsonUnit> = units.map(as_json).collect();
        let text = serde_json::to_string_pretty(&units).map_err(Failure::other)?;
        return output::print(&format!("{text}\n"));
    }
    let mut table = Table::new(&["unit", "part", "algorithm", "seed", "map", "timed", "file"]);
    for (number, unit) in units {
        let PlannedUnit { file, part, spec, seed, map, timed, .. } = unit;
        let part = if part.is_empty() { NOTHING.to_string() } else { part };
        let timed = if timed { "yes" } else { "no" }.to_string();
        table.row(vec![number.to_string(), part, spec.to_string(), seed.to_string(), map, timed, file]);
    }
    output::print(&table.to_text())
}

fn as_json((number, unit): (usize, PlannedUnit)) -> JsonUnit {
    let PlannedUnit { file, part, spec, seed, map, timed, database } = unit;
    JsonUnit { number, part, algorithm: spec.to_string(), seed, map, timed, database, file }
}
