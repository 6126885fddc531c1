//! `surefoot db info`: what a database is, without its map.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use surefoot::database::{
    AbstractionFileInfo, BeaconFileInfo, BuiltFor, CoverFileInfo, DatabaseFileInfo, PatternFileInfo,
    SubgoalFileInfo,
};

use crate::commands::build::{beacon_sizes, cover_sizes, pattern_sizes, record_sizes};
use crate::databases;
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
    match databases::inspect(&arguments.file)? {
        DatabaseFileInfo::Subgoals(file) if arguments.json => output::print_json(&Info::of(&file)),
        DatabaseFileInfo::Subgoals(file) => output::print(&to_text(&file)),
        DatabaseFileInfo::Abstraction(file) if arguments.json => {
            output::print_json(&AbstractionInfo::of(&file))
        }
        DatabaseFileInfo::Abstraction(file) => output::print(&abstraction_to_text(&file)),
        DatabaseFileInfo::Patterns(file) if arguments.json => output::print_json(&PatternInfo::of(&file)),
        DatabaseFileInfo::Patterns(file) => output::print(&patterns_to_text(&file)),
        DatabaseFileInfo::Cover(file) if arguments.json => output::print_json(&CoverInfo::of(&file)),
        DatabaseFileInfo::Cover(file) => output::print(&cover_to_text(&file)),
        DatabaseFileInfo::Beacons(file) if arguments.json => output::print_json(&BeaconInfo::of(&file)),
        DatabaseFileInfo::Beacons(file) => output::print(&beacons_to_text(&file)),
        _ => Err(Failure::Other(format!("{}: nothing is known of it yet", arguments.file.display()))),
    }
}

#[derive(Serialize)]
struct Info {
    contents: String,
    version: u32,
    built_for: World,
    config: String,
    records: u64,
    states: u64,
    states_per_record: f64,
    /// States for each cell of the map.
    relative_size: Option<f64>,
    /// At 4 bytes a state.
    paper_bytes: u64,
    bytes: u64,
    bytes_per_state: f64,
    sections: Vec<Section>,
}

#[derive(Serialize)]
struct AbstractionInfo {
    contents: &'static str,
    version: u32,
    built_for: World,
    config: String,
    levels: Vec<LevelInfo>,
    bytes: u64,
    sections: Vec<Section>,
}

/// Of the lowest level, the map itself, all numbers that may be states are counted, and no edges.
#[derive(Serialize)]
struct LevelInfo {
    nodes: u64,
    edges: u64,
}

impl AbstractionInfo {
    fn of(file: &AbstractionFileInfo) -> Self {
        Self {
            contents: "abstraction",
            version: file.version,
            built_for: World::of(&file.built_for),
            config: file.config.to_string(),
            levels: file.levels.iter().map(|&(nodes, edges)| LevelInfo { nodes, edges }).collect(),
            bytes: file.bytes,
            sections: Section::all(&file.sections),
        }
    }
}

#[derive(Serialize)]
struct PatternInfo {
    contents: &'static str,
    version: u32,
    built_for: World,
    config: String,
    regions: u32,
    /// Ordered pairs of regions with a way between them, each with itself among them.
    pairs: u64,
    bytes: u64,
    bytes_per_pair: f64,
    sections: Vec<Section>,
}

impl PatternInfo {
    fn of(file: &PatternFileInfo) -> Self {
        Self {
            contents: "patterns",
            version: file.version,
            built_for: World::of(&file.built_for),
            config: file.config.to_string(),
            regions: file.regions,
            pairs: file.pairs,
            bytes: file.bytes,
            bytes_per_pair: file.bytes as f64 / file.pairs.max(1) as f64,
            sections: Section::all(&file.sections),
        }
    }
}

#[derive(Serialize)]
struct CoverInfo {
    contents: &'static str,
    version: u32,
    built_for: World,
    config: String,
    regions: u32,
    paths: u64,
    /// The states in all paths.
    states: u64,
    /// Ordered pairs of regions with a way between them, each with itself among them.
    pairs: u64,
    bytes: u64,
    sections: Vec<Section>,
}

impl CoverInfo {
    fn of(file: &CoverFileInfo) -> Self {
        Self {
            contents: "cover",
            version: file.version,
            built_for: World::of(&file.built_for),
            config: file.config.to_string(),
            regions: file.regions,
            paths: file.links,
            states: file.states,
            pairs: file.pairs,
            bytes: file.bytes,
            sections: Section::all(&file.sections),
        }
    }
}

#[derive(Serialize)]
struct BeaconInfo {
    contents: &'static str,
    version: u32,
    built_for: World,
    config: String,
    corners: u32,
    legs: u64,
    /// Of all corners together.
    hubs: u64,
    most_legs: u32,
    most_hubs: u32,
    bytes: u64,
    /// What agents look up in it once it is opened.
    memory_bytes: u64,
    /// The most that is looked up in a move for a decision, and at a corner.
    decision: u64,
    next_leg: u64,
    /// The corners that have labels, and whether these are fewer than all.
    core: u32,
    is_thin: bool,
    sections: Vec<Section>,
}

impl BeaconInfo {
    fn of(file: &BeaconFileInfo) -> Self {
        Self {
            contents: "beacons",
            version: file.version,
            built_for: World::of(&file.built_for),
            config: file.config.to_string(),
            corners: file.figures.corners,
            legs: file.figures.legs,
            hubs: file.figures.hubs,
            most_legs: file.figures.most_legs,
            most_hubs: file.figures.most_hubs,
            bytes: file.bytes,
            memory_bytes: file.figures.memory,
            decision: file.figures.decision,
            next_leg: file.figures.next_leg,
            core: file.figures.core,
            is_thin: file.figures.is_thin,
            sections: Section::all(&file.sections),
        }
    }
}

#[derive(Serialize)]
struct World {
    width: u32,
    height: u32,
    states: u64,
    rule: String,
    cost: String,
    fingerprint: String,
}

impl World {
    fn of(built_for: &BuiltFor) -> Self {
        Self {
            width: built_for.size.0,
            height: built_for.size.1,
            states: built_for.states,
            rule: built_for.rule.clone(),
            cost: built_for.costs.clone(),
            fingerprint: format!("{:016x}", built_for.fingerprint),
        }
    }
}

#[derive(Serialize)]
struct Section {
    name: String,
    bytes: usize,
}

impl Section {
    fn all(sections: &[(String, usize)]) -> Vec<Self> {
        sections.iter().map(|(name, bytes)| Self { name: name.clone(), bytes: *bytes }).collect()
    }
}

/// The papers' relative size: nothing if there are no cells.
fn relative_size(file: &SubgoalFileInfo) -> Option<f64> {
    let (width, height) = file.built_for.size;
    let cells = u64::from(width) * u64::from(height);
    (cells > 0).then(|| file.states as f64 / cells as f64)
}

impl Info {
    fn of(file: &SubgoalFileInfo) -> Self {
        Self {
            contents: file.contents.clone(),
            version: file.version,
            built_for: World::of(&file.built_for),
            config: file.config.to_string(),
            records: file.records,
            states: file.states,
            states_per_record: file.states as f64 / file.records.max(1) as f64,
            relative_size: relative_size(file),
            paper_bytes: 4 * file.states,
            bytes: file.bytes,
            bytes_per_state: file.bytes as f64 / file.states.max(1) as f64,
            sections: Section::all(&file.sections),
        }
    }
}

fn to_text(file: &SubgoalFileInfo) -> String {
    let mut lines = vec![
        ("contents", format!("{}, version {}", file.contents, file.version)),
        ("built from", file.config.to_string()),
        ("built for", file.built_for.to_string()),
    ];
    lines.extend(record_sizes(file.records, file.states, file.bytes));
    let cells = relative_size(file).map_or_else(String::new, |size| format!("{size:.4} states a cell, "));
    lines.push(("in the papers", format!("{cells}{} bytes at 4 a state", thousands(4 * file.states))));
    lines.push(("sections", sections_to_text(&file.sections)));
    labelled(&lines)
}

fn abstraction_to_text(file: &AbstractionFileInfo) -> String {
    let nodes = file.levels.iter().skip(1).map(|&(nodes, _)| thousands(nodes));
    labelled(&[
        ("contents", format!("abstraction, version {}", file.version)),
        ("built from", file.config.to_string()),
        ("built for", file.built_for.to_string()),
        (
            "levels",
            format!(
                "{} above the map, of {} nodes",
                file.levels.len() - 1,
                nodes.collect::<Vec<_>>().join(", ")
            ),
        ),
        ("bytes", thousands(file.bytes)),
        ("sections", sections_to_text(&file.sections)),
    ])
}

fn patterns_to_text(file: &PatternFileInfo) -> String {
    let mut lines = vec![
        ("contents", format!("patterns, version {}", file.version)),
        ("built from", file.config.to_string()),
        ("built for", file.built_for.to_string()),
    ];
    lines.extend(pattern_sizes(file.regions, file.pairs, file.bytes));
    lines.push(("sections", sections_to_text(&file.sections)));
    labelled(&lines)
}

fn cover_to_text(file: &CoverFileInfo) -> String {
    let mut lines = vec![
        ("contents", format!("cover, version {}", file.version)),
        ("built from", file.config.to_string()),
        ("built for", file.built_for.to_string()),
    ];
    lines.extend(cover_sizes(file.regions, (file.links, file.states), file.pairs, file.bytes));
    lines.push(("sections", sections_to_text(&file.sections)));
    labelled(&lines)
}

fn beacons_to_text(file: &BeaconFileInfo) -> String {
    let mut lines = vec![
        ("contents", format!("beacons, version {}", file.version)),
        ("built from", file.config.to_string()),
        ("built for", file.built_for.to_string()),
    ];
    lines.extend(beacon_sizes(file));
    lines.push(("sections", sections_to_text(&file.sections)));
    labelled(&lines)
}

fn sections_to_text(sections: &[(String, usize)]) -> String {
    let named = |(name, bytes): &(String, usize)| format!("{name} {}", thousands(*bytes as u64));
    format!("{} bytes", sections.iter().map(named).collect::<Vec<_>>().join(", "))
}
