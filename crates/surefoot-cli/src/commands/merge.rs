//! `surefoot merge`: shards become a database.

use std::path::{Path, PathBuf};

use clap::Args;
use surefoot::database::{Part, PartError, SubgoalDatabase};

use crate::commands::build::sizes;
use crate::databases::read_part;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::table::labelled;

/// Put the shards of a database together
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot merge arena.1 arena.2 arena.3 --out arena.sfdb\n  \
    surefoot merge shards/* --out arena.sfdb\n\n\
    The shards may come in any order, and the map is not needed. The file is the same, byte for byte, as that of a \
    build in one piece.")]
pub(crate) struct Arguments {
    /// The shards, as 'surefoot build --shard' writes them
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,

    /// The file for the database
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Merges the parts.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let inputs: Vec<&Path> = arguments.parts.iter().map(PathBuf::as_path).collect();
    output::refuse_inputs(&arguments.out, &inputs)?;
    let output = Output::create(&arguments.out)?;
    let parts = inputs.iter().map(|path| read_part(path)).collect::<Result<Vec<_>, _>>()?;
    let bytes = Part::merge(parts).map_err(|error| named(&error, &inputs))?;
    let info = SubgoalDatabase::inspect(bytes.clone()).map_err(Failure::other)?;
    let is_file = !output::is_stdout(&arguments.out);
    output.finish_durably_with(&bytes)?;
    if !is_file {
        return Ok(());
    }
    let mut lines = vec![("wrote", format!("{}, {}", arguments.out.display(), info.config))];
    lines.extend(sizes(info.records, info.states, info.bytes));
    output::print(&labelled(&lines))
}

/// Why the parts make no database, with the names of the files that it is about.
fn named(error: &PartError, inputs: &[&Path]) -> Failure {
    let name = |place: &usize| inputs.get(*place).map_or_else(String::new, |path| path.display().to_string());
    Failure::Other(match error {
        PartError::Different { first, other, part } => format!(
            "{}: it does not belong to {}, which is of {first}; it is of {other}",
            name(part),
            name(&0)
        ),
        PartError::Twice { parts: (before, part), .. } => {
            format!("{}: {error}, the first time in {}", name(part), name(before))
        }
        PartError::Missing { part: Some(part), .. } => format!("{}: {error}", name(part)),
        _ => error.to_string(),
    })
}
