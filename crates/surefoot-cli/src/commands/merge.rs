//! `surefoot merge`: shards become a database.

use std::path::{Path, PathBuf};

use clap::Args;
use surefoot::formats::read_any_map;
use surefoot::space::TerrainSet;
use surefoot::store::part::{Part, PartError};
use surefoot_classics::ROSTER;

use crate::databases::{lines_of, read_part};
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::table::labelled;
use crate::world::{SizeOption, WeightOptions, Worlds};

/// Put the shards of a database together
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot merge arena.1 arena.2 arena.3 --out arena.sfdb\n  \
    surefoot merge shards/* --out arena.sfdb\n  \
    surefoot merge shards/* --map arena.map --out arena.sfdb\n\n\
    The shards may come in any order. The file is the same, byte for byte, as that of a build in one piece. Records \
    need no map. Patterns do: which cells belong to which region is not in the shards, and is found on the map again. \
    The move rule and the costs are those in the shards.")]
pub(crate) struct Arguments {
    /// The shards, as 'surefoot build --shard' writes them
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,

    /// The map that they were built for: .map, .txt, .png or .bmp [default: none; patterns need it]
    #[arg(long, value_name = "MAP")]
    map: Option<PathBuf>,

    /// What can be walked on [default: ground, or water if the shards were built for it]
    #[arg(long, value_name = "TERRAIN", requires = "map")]
    passable: Option<TerrainSet>,

    #[command(flatten)]
    weights: WeightOptions,

    #[command(flatten)]
    size: SizeOption,

    /// The file for the database
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Merges the parts.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let inputs: Vec<&Path> = arguments.parts.iter().map(PathBuf::as_path).collect();
    output::refuse_inputs(&arguments.out, &inputs)?;
    output::refuse_inputs(&arguments.out, arguments.map.as_deref().as_slice())?;
    output::refuse_inputs(&arguments.out, arguments.weights.input().as_slice())?;
    let output = Output::create(&arguments.out)?;
    let parts = inputs.iter().map(|path| read_part(path)).collect::<Result<Vec<_>, _>>()?;
    let merged = match (&arguments.map, parts.first()) {
        (Some(map), Some(first)) => {
            let map = read_any_map(map)?;
            let Arguments { passable, weights, size, .. } = arguments;
            let worlds = Worlds::of_built_for(&first.head.built_for, &map, *passable, weights, *size)?;
            Part::merge(Some(worlds.main()), parts)
        }
        _ => Part::merge(None, parts),
    };
    let bytes = merged.map_err(|error| named(&error, &inputs))?;
    let info = ROSTER.inspect(&bytes).map_err(Failure::other)?;
    let is_file = !output::is_stdout(&arguments.out);
    output.finish_durably_with(&bytes)?;
    if !is_file {
        return Ok(());
    }
    let mut lines = vec![("wrote", format!("{}, {}", arguments.out.display(), info.config))];
    lines.extend(lines_of(info.facts));
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
