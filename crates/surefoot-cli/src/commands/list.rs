//! `surefoot list`: the roster, for people and for programs.

use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;
use surefoot::agent::{Bound, Entry};
use surefoot_classics::ROSTER;

use crate::algorithm;
use crate::failure::Failure;
use crate::output;

/// List the algorithms with their parameters, bounds, needs and papers
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  surefoot list\n  surefoot list beacon lrta\n  surefoot list --json\n\n\
    A spec names an algorithm and changes its parameters: a*, weighted-a*(gamma=0.5). Quote it, since shells \
    give * and () a meaning of their own.")]
pub(crate) struct Arguments {
    /// Only algorithms whose names have this in them; may be several
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints the entries of the roster that were asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let has = |entry: &Entry, name: &String| entry.name.contains(&name.to_lowercase());
    if let Some(name) =
        arguments.names.iter().find(|name| !ROSTER.entries().iter().any(|entry| has(entry, name)))
    {
        let meant =
            ROSTER.nearest_name(name).map_or_else(String::new, |known| format!(" did you mean {known}?"));
        let message = format!("no algorithm has \"{name}\" in its name;{meant} 'surefoot list' has them all");
        return Err(Failure::usage("list", message));
    }
    let is_asked_for =
        |entry: &&Entry| arguments.names.is_empty() || arguments.names.iter().any(|name| has(entry, name));
    let entries = ROSTER.entries().iter().filter(is_asked_for);
    if arguments.json {
        return output::print_json(&entries.map(JsonEntry::of).collect::<Vec<_>>());
    }
    // What one gets without asking for anything else comes first.
    let (default, others): (Vec<&Entry>, Vec<&Entry>) =
        entries.partition(|entry| entry.name == algorithm::DEFAULT);
    let texts: Vec<String> = default.into_iter().chain(others).map(describe).collect();
    output::print(&texts.join("\n"))
}

fn describe(entry: &Entry) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let is_default = if entry.name == algorithm::DEFAULT { ", the default of build and run" } else { "" };
    let _ = writeln!(text, "{}{is_default}\n    {}", entry.name, entry.summary);
    let mut label = "parameters";
    for parameter in entry.parameters {
        let _ =
            writeln!(text, "    {label:<12}{}={}: {}", parameter.name, parameter.default, parameter.meaning);
        label = "";
    }
    if entry.parameters.is_empty() {
        let _ = writeln!(text, "    {label:<12}none");
    }
    let optimal = if entry.optimal { "always cheapest" } else { "not always cheapest" };
    for (label, value) in [
        ("paths", optimal.to_string()),
        ("per move", entry.bound.to_string()),
        ("needs", entry.needs.to_string()),
        ("weights", if entry.takes_weights { "taken" } else { "refused" }.to_string()),
        ("paper", entry.paper.to_string()),
    ] {
        let _ = writeln!(text, "    {label:<12}{value}");
    }
    text
}

#[derive(Serialize)]
struct JsonEntry {
    name: &'static str,
    summary: &'static str,
    optimal: bool,
    parameters: Vec<JsonParameter>,
    real_time: bool,
    bound: String,
    needs: &'static str,
    /// Whether it takes maps whose cells have weights.
    takes_weights: bool,
    paper: &'static str,
}

#[derive(Serialize)]
struct JsonParameter {
    name: &'static str,
    default: &'static str,
    meaning: &'static str,
}

impl JsonEntry {
    fn of(entry: &Entry) -> Self {
        Self {
            name: entry.name,
            summary: entry.summary,
            optimal: entry.optimal,
            parameters: entry
                .parameters
                .iter()
                .map(|p| JsonParameter { name: p.name, default: p.default, meaning: p.meaning })
                .collect(),
            real_time: entry.bound != Bound::NotRealTime,
            bound: entry.bound.to_string(),
            needs: entry.needs,
            takes_weights: entry.takes_weights,
            paper: entry.paper,
        }
    }
}
