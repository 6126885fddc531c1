//! `surefoot replay`: what is on a tape, and pictures, films and search traces of it.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use surefoot::formats::read_any_map;
use surefoot::space::{Cell, GridSpace, TerrainSet};
use surefoot::tape::{End, RecordedGrid, Replay, Tape};

use crate::failure::{Failure, single_line};
use crate::output;
use crate::recording::RecordingOptions;
use crate::table::thousands;
use crate::world::{SizeOption, WeightOptions, WorldOptions, Worlds};

/// Show what is on a tape, draw it, or export it as a search trace
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot solve --map arena.map --start 1,11 --goal 40,30 --algorithm 'lrta*(d=3)' --tape walk.tape\n  \
    surefoot replay walk.tape --map arena.map --render walk.gif\n  \
    surefoot replay walk.tape --map arena.map --trace walk.trace.yaml\n\n\
    The map has to be the one that the tape was recorded on. A film has at most 601 frames: in longer \
    walks a frame stands for several moves. A search trace opens in https://posthoc.pathfinding.ai, above \
    the map as a layer of its own.")]
pub(crate) struct Arguments {
    /// The tape: what 'surefoot solve --tape' wrote
    tape: PathBuf,

    /// The map that it was recorded on: .map, .txt, .png or .bmp
    #[arg(long, value_name = "FILE")]
    map: PathBuf,

    /// What could be walked on: ground, water, or terrain letters such as .GSW [default: ground, or water for
    /// walks that start on water]
    #[arg(long, value_name = "TERRAIN")]
    passable: Option<TerrainSet>,

    #[command(flatten)]
    weights: WeightOptions,

    #[command(flatten)]
    size: SizeOption,

    #[command(flatten)]
    recording: RecordingOptions,

    /// Print one line of JSON, with the path
    #[arg(long)]
    json: bool,
}

/// Replays the tape and prints what is on it.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let inputs: Vec<&Path> = [arguments.tape.as_path(), arguments.map.as_path()]
        .into_iter()
        .chain(arguments.weights.input())
        .collect();
    let outputs = arguments.recording.open("replay", &inputs, &[])?;
    let tape = read_tape(&arguments.tape)?;
    let other = |problem: String| Failure::Other(format!("{}: {problem}", arguments.tape.display()));
    let Some(recorded) = tape.header().grid else {
        return Err(other("it was recorded on a graph, and only walks on maps can be shown".to_string()));
    };
    let weights = arguments.weights.clone();
    if recorded.costs.is_weighted() && weights.input().is_none() {
        return Err(other("it was recorded on a map with weights: name them with --weights".to_string()));
    }
    let (rule, cost, passable) = (recorded.rule, recorded.costs.model(), arguments.passable);
    let options = WorldOptions { rule, cost, passable, weights, size: arguments.size };
    let worlds = options.worlds(read_any_map(&arguments.map)?)?;
    let space = world_of(&worlds, &recorded, &tape).map_err(|difference| {
        let map = arguments.map.display();
        other(format!("it was not recorded on {map}: {difference}; name the map that it was recorded on"))
    })?;
    let report = Report::new(space, &tape);
    outputs.write(worlds.map(), space, &tape)?;
    if arguments.json { output::print_json_line(&report) } else { output::print(&report.to_text()) }
}

/// More bytes than any tape has that this program writes, and few enough to hold in memory.
const MOST_BYTES: u64 = 1 << 28;

fn read_tape(path: &Path) -> Result<Tape, Failure> {
    let failed = |problem: String| Failure::Other(format!("{}: {problem}", path.display()));
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| failed(format!("expected a tape that can be read, found: {error}")))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(failed("it is longer than any tape".to_string()));
    }
    Tape::from_bytes(&bytes).map_err(|error| failed(error.to_string()))
}

/// The world that the tape was recorded in, or how it differs from that of the map at hand.
fn world_of<'a>(worlds: &'a Worlds, recorded: &RecordedGrid, tape: &Tape) -> Result<&'a GridSpace, String> {
    let size = (worlds.map().width(), worlds.map().height());
    if size != (recorded.width, recorded.height) {
        let (width, height) = (recorded.width, recorded.height);
        return Err(format!("its map has {width} x {height} cells, and this one {} x {}", size.0, size.1));
    }
    let space = worlds.of_start(recorded.cell(tape.header().start));
    let mut replay = Replay::new(tape);
    let mut from = replay.position();
    if !space.grid().is_free(space.cell(from)) {
        return Err(format!("its start {} is blocked here", space.cell(from)));
    }
    while replay.advance() {
        let to = replay.position();
        if from != to && !space.moves(from).iter().any(|direction| space.step(from, direction) == to) {
            let (index, from, to) = (replay.moves(), space.cell(from), space.cell(to));
            return Err(format!("move {index}, from {from} to {to}, is not legal here"));
        }
        from = to;
    }
    if space.fingerprint() != recorded.fingerprint {
        let or_weigh = if space.is_weighted() { ", or they weigh something else" } else { "" };
        return Err(format!("other cells can be walked on here{or_weigh}"));
    }
    Ok(space)
}

/// What is on a tape.
#[derive(Serialize)]
struct Report {
    algorithm: String,
    rule: &'static str,
    cost_model: &'static str,
    start: [u32; 2],
    goal: [u32; 2],
    /// How the walk ended. `None` if the tape does not say.
    end: Option<&'static str>,
    /// Whether the walk went on after the tape was full.
    truncated: bool,
    moves: u64,
    waits: u64,
    expansions: u64,
    expansions_max: u64,
    /// How often a value was raised, and how many were in the end: a state counts for each goal and subgoal.
    raises: u64,
    raised_states: u64,
    subgoals: u64,
    /// The cells walked on, from the start on.
    path: Vec<[u32; 2]>,
}

impl Report {
    fn new(space: &GridSpace, tape: &Tape) -> Self {
        let cell = |state| {
            let Cell { x, y } = space.cell(state);
            [x, y]
        };
        let mut report = Self {
            algorithm: tape.header().algorithm.clone(),
            rule: space.rule().name(),
            cost_model: space.units().name(),
            start: cell(tape.header().start),
            goal: cell(tape.header().goal),
            end: None,
            truncated: tape.is_truncated(),
            moves: 0,
            waits: 0,
            expansions: 0,
            expansions_max: 0,
            raises: 0,
            raised_states: 0,
            subgoals: 0,
            path: vec![cell(tape.header().start)],
        };
        let mut replay = Replay::new(tape);
        let mut subgoal = None;
        while replay.advance() {
            report.expansions = report.expansions.saturating_add(replay.expansions());
            report.expansions_max = report.expansions_max.max(replay.expansions());
            report.raises += replay.raised_now().len() as u64;
            if replay.moves() > report.moves {
                report.moves = replay.moves();
                report.path.push(cell(replay.position()));
            }
            if replay.subgoal() != subgoal {
                subgoal = replay.subgoal();
                report.subgoals += u64::from(subgoal.is_some());
            }
        }
        report.waits = replay.waits();
        report.raised_states = replay.raised_in_all();
        report.end = replay.end().map(|end| match end {
            End::Arrived => "arrived",
            End::Unreachable => "unreachable",
            End::Stuck => "stuck",
            _ => "given up",
        });
        report
    }

    fn to_text(&self) -> String {
        let cell = |[x, y]: [u32; 2]| Cell::new(x, y).to_string();
        let end = match self.end {
            _ if self.truncated => "the tape was full before the end",
            Some(end) => end,
            None => "the tape does not say",
        };
        let mut lines = vec![
            ("algorithm", single_line(&self.algorithm)),
            ("start", cell(self.start)),
            ("goal", cell(self.goal)),
            ("end", end.to_string()),
            ("moves", thousands(self.moves)),
        ];
        if self.waits > 0 {
            lines.push(("waits", thousands(self.waits)));
        }
        let most = thousands(self.expansions_max);
        let all = thousands(self.expansions);
        lines.push(("expansions", format!("{all} with climbing steps, at most {most} in a move")));
        let states = thousands(self.raised_states);
        lines.push(("raised", format!("{states} states, {} times", thousands(self.raises))));
        if self.subgoals > 0 {
            lines.push(("subgoals", thousands(self.subgoals)));
        }
        let mut text = String::new();
        for (label, value) in lines {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{label:<14}{value}");
        }
        text
    }
}
