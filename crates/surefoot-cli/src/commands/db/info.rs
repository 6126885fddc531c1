//! `surefoot db info`: what a database is, without its map.

use std::path::PathBuf;

use clap::Args;
use serde::{Serialize, Serializer};
use surefoot::store::{BuiltFor, Figure, FileInfo};

use crate::databases::{self, lines_of};
use crate::failure::Failure;
use crate::output;
use crate::table::{labelled, thousands};

/// Print what a database holds, what it was built for, and how large it is
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  surefoot db info arena.sfdb\n  surefoot db info arena.sfdb --json\n\n\
    The map is not needed. Sizes are given as the papers give them, in states of records, against the cells of the map and at \
    4 bytes a state, and as they are, in bytes of the file.")]
pub(crate) struct Arguments {
    /// The database
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints what there is to know about a database.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let file = databases::inspect(&arguments.file)?;
    if arguments.json { output::print_json(&Info::of(&file)) } else { output::print(&to_text(file)) }
}

fn to_text(file: FileInfo) -> String {
    let mut lines = vec![
        ("contents", format!("{}, version {}", file.contents, file.version)),
        ("built from", file.config.to_string()),
        ("built for", file.built_for.to_string()),
    ];
    lines.extend(lines_of(file.facts));
    let named = |(name, bytes): &(String, usize)| format!("{name} {}", thousands(*bytes as u64));
    let sections: Vec<String> = file.sections.iter().map(named).collect();
    lines.push(("sections", format!("{} bytes", sections.join(", "))));
    labelled(&lines)
}

#[derive(Serialize)]
struct Info<'a> {
    contents: &'a str,
    version: u32,
    built_for: World<'a>,
    config: String,
    #[serde(flatten)]
    figures: Figures<'a>,
    bytes: u64,
    sections: Vec<Section<'a>>,
}

/// What its facts say for programs, by name.
struct Figures<'a>(&'a FileInfo);

impl Serialize for Figures<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.facts.iter().flat_map(|fact| &fact.figures).map(|(name, figure)| {
            let number = match figure {
                Figure::Count(count) => (*count).into(),
                Figure::Ratio(ratio) => (*ratio).into(),
                Figure::Flag(flag) => (*flag).into(),
                Figure::Counts(counts) => counts.clone().into(),
                _ => serde_json::Value::Null,
            };
            (name, number)
        }))
    }
}

#[derive(Serialize)]
struct World<'a> {
    width: u32,
    height: u32,
    states: u64,
    rule: &'a str,
    cost: &'a str,
    fingerprint: String,
}

#[derive(Serialize)]
struct Section<'a> {
    name: &'a str,
    bytes: usize,
}

impl<'a> Info<'a> {
    fn of(file: &'a FileInfo) -> Self {
        Self {
            contents: &file.contents,
            version: file.version,
            built_for: World::of(&file.built_for),
            config: file.config.to_string(),
            figures: Figures(file),
            bytes: file.bytes,
            sections: file.sections.iter().map(|(name, bytes)| Section { name, bytes: *bytes }).collect(),
        }
    }
}

impl<'a> World<'a> {
    fn of(built_for: &'a BuiltFor) -> Self {
        Self {
            width: built_for.size.0,
            height: built_for.size.1,
            states: built_for.states,
            rule: &built_for.rule,
            cost: &built_for.costs,
            fingerprint: format!("{:016x}", built_for.fingerprint),
        }
    }
}
