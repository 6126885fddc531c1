//! `surefoot crowd`: many units on one map, frame by frame.

pub(super) mod film;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use surefoot::crowd::{Crowd, CrowdConfig, FrameBudget, Kind};
use surefoot::formats::read_any_map;
use surefoot_lab::measures::Sample;
use surefoot_lab::play::{FrameTimes, Game, Play};

use self::film::FilmOutput;
use crate::algorithm::Algorithm;
use crate::allocation;
use crate::databases::{DatabaseOptions, Databases, Origin};
use crate::failure::Failure;
use crate::number;
use crate::output::{self, tell};
use crate::parallel::MOST_THREADS;
use crate::progress::Progress;
use crate::table::{NOTHING, duration, labelled, thousands};
use crate::world::{SizeOption, WorldOptions};

/// Let many units walk on one map, frame by frame: what does a frame take?
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot crowd --map arena.map --agents 1000 --frames 600\n  \
    surefoot crowd --map arena.map --agents 10000 --frames 300 --db arena.sfdb --threads 1\n  \
    surefoot crowd --map arena.map --agents 200 --edits-per-frame 1 --occupied --render crowd.gif\n  \
    surefoot crowd --map arena.map --agents 200 --frames 600 --heat --render traffic.png\n  \
    surefoot crowd --map arena.map --algorithm 'tba*' --budget 100000 --json\n\n\
    Every unit has a random goal that it can get to, and gets another one when it arrives. 'a frame' is the time of all planning: goals, moves, \
    databases that are brought up to date after edits. Drawing goals and counting is not in it.\n\
    With --budget all units together do so much work in a frame, in steps of searches and climbs and records looked at: the result is the same on every \
    machine and with any number of threads. Without it everyone moves in every frame.\n\
    Suboptimality is that of some hundred finished walks, drawn at random from all; there is none where the map is edited or units are in each \
    other's way. Units that have far to go finish no walk if there are few frames.\n\
    'checksum' is the same for the same arguments, whatever the threads.")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp
    #[arg(long, value_name = "FILE")]
    map: PathBuf,

    /// How many units there are
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number::whole::<u32>(1..=10_000_000), allow_negative_numbers = true)]
    agents: u32,

    /// How many frames
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = number::positive(), allow_negative_numbers = true)]
    frames: u32,

    /// How they find their way
    #[arg(long, value_name = "SPEC", default_value = crate::algorithm::DEFAULT)]
    algorithm: Algorithm,

    /// The work of all units together in a frame [default: a move for everyone]
    #[arg(long, value_name = "WORK", value_parser = number::whole::<u64>(1..=u64::MAX / 16), allow_negative_numbers = true)]
    budget: Option<u64>,

    /// Cells that are blocked or freed before each frame
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::whole::<u32>(0..=100_000), allow_negative_numbers = true)]
    edits_per_frame: u32,

    /// One unit in N pursues another one [default: none]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = number::whole::<u32>(0..=u64::from(u32::MAX)), allow_negative_numbers = true)]
    pursuers: u32,

    /// No two units stand on one cell: they wait, step aside and give way
    #[arg(long)]
    occupied: bool,

    /// Threads that plan
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::whole::<usize>(1..=MOST_THREADS), allow_negative_numbers = true)]
    threads: usize,

    /// Which of the many games
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = number::any(), allow_negative_numbers = true)]
    seed: u64,

    #[command(flatten)]
    world: WorldOptions,

    #[command(flatten)]
    database: DatabaseOptions,

    /// Write a film of it to FILE.gif, or its last frame to FILE.png or FILE.svg
    #[arg(long, value_name = "FILE")]
    render: Option<PathBuf>,

    /// Show traffic on it: how many moves led into each cell so far; a picture shows that and no units
    #[arg(long, requires = "render")]
    heat: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Figures of a time that was taken many times.
#[derive(Serialize)]
struct Figures {
    mean: f64,
    median: f64,
    p99: f64,
    max: f64,
}

impl Figures {
    fn of(figures: impl IntoIterator<Item = f64>) -> Option<Self> {
        let sample: Sample = figures.into_iter().collect();
        let spread = sample.spread();
        Some(Self {
            mean: sample.mean()?,
            median: spread.percentile(50.0)?,
            p99: spread.percentile(99.0)?,
            max: spread.max()?,
        })
    }

    fn to_text(&self, unit: fn(f64) -> String) -> String {
        let Self { mean, median, p99, max } = self;
        let [mean, median, p99, max] = [*mean, *median, *p99, *max].map(unit);
        format!("mean {mean}, median {median}, 99 % {p99}, max {max}")
    }
}

/// What came of it.
#[derive(Serialize)]
struct Report {
    algorithm: String,
    agents: u32,
    frames: u32,
    threads: usize,
    seed: u64,
    states: u64,
    database: Option<Origin>,
    /// Planning time in a frame.
    frame_ms: Option<Figures>,
    /// The same for each move that was made.
    ns_per_move: f64,
    moves: u64,
    moves_per_second: f64,
    /// The time of one edit, without bringing databases up to date, which is part of the frame.
    edit_us: Option<Figures>,
    work_per_frame: f64,
    /// The same for databases: after edits, and what of that could wait.
    upkeep_per_frame: f64,
    longest_wait: u32,
    /// The most frames that anyone could have had to wait, as was stated while somebody waited. `None` if
    /// there was no bound.
    wait_bound: Option<u64>,
    arrived: u64,
    unreachable: u64,
    blocked: u64,
    relieved: u64,
    memory: MemoryReport,
    /// In percent, of some finished walks.
    suboptimality: Option<Figures>,
    suboptimality_of_walks: usize,
    finished_walks: u64,
    checksum: String,
}

#[derive(Serialize)]
struct MemoryReport {
    /// The database and what else all units share.
    shared_bytes: u64,
    /// What is kept of each unit.
    bytes_per_agent: u64,
    /// What the allocator says that all units take, with all that they have planned and learned, at the end.
    agents_bytes: u64,
    /// States with a learned value, of all units together.
    learned_states: u64,
    /// The most that one unit has.
    most_learned: u64,
}

/// Sums over all frames.
#[derive(Default)]
struct Totals {
    planning: Vec<f64>,
    edits: Vec<f64>,
    work: u64,
    longest_wait: u32,
    wait_bound: u64,
    is_unbounded: bool,
    upkeep: u64,
    unreachable: u64,
    blocked: u64,
    relieved: u64,
    arrived: u64,
}

impl Totals {
    /// The bytes that these figures take.
    fn own_bytes(&self) -> u64 {
        ((self.planning.capacity() + self.edits.capacity()) * size_of::<f64>()) as u64
    }

    fn add(&mut self, crowd: &Crowd, times: FrameTimes, edits: u32) {
        let report = crowd.report();
        self.planning.push(times.planning.as_secs_f64() * 1e3);
        if edits > 0 {
            self.edits.push(times.edits.as_secs_f64() * 1e6 / f64::from(edits));
        }
        self.work += report.work;
        self.longest_wait = self.longest_wait.max(report.longest_wait);
        self.wait_bound = self.wait_bound.max(report.wait_bound.unwrap_or(0));
        self.is_unbounded |= report.wait_bound.is_none();
        self.upkeep += report.upkeep;
        self.unreachable += report.unreachable.len() as u64;
        self.blocked += report.blocked.len() as u64;
        self.relieved += u64::from(report.relieved);
        self.arrived += report.arrived.len() as u64;
    }
}

/// Plays and prints what it took.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let algorithms = std::slice::from_ref(&arguments.algorithm);
    arguments.database.check("crowd", algorithms)?;
    arguments.world.check("crowd", algorithms)?;
    if arguments.database.tree.is_some() {
        return Err(Failure::usage(
            "crowd",
            "units of a crowd decide by the tree that is built in, not by --tree",
        ));
    }
    let film = arguments.render.as_deref().map(FilmOutput::create).transpose()?;
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build().map_err(Failure::other)?;
    // The crowd sees the map as it is, and its units by their size.
    let whole_map = WorldOptions { size: SizeOption::default(), ..arguments.world.clone() };
    let worlds = whole_map.worlds(read_any_map(&arguments.map)?)?;
    let mut kind = Kind::new(arguments.world.rule, arguments.world.cost);
    (kind.size, kind.weights) = (arguments.world.size.size, worlds.main().weights().cloned());
    kind.algorithm = (*arguments.algorithm).clone();
    let map = worlds.main().grid().clone();
    let space = kind.space(&map).map_err(Failure::other)?;
    let mut databases = Databases::new(&arguments.database);
    let name = arguments.map.display().to_string();
    kind.database = databases.database(&arguments.algorithm, &space, &name)?.cloned();
    let origin = databases.origin(&arguments.algorithm, &space, &name)?;
    if let Some(origin) = origin {
        tell(&format!("{name}: the database of {} was {}", arguments.algorithm.name(), origin.to_text()));
    }
    drop(databases);
    let mut config = CrowdConfig::default();
    config.are_units_obstacles = arguments.occupied;
    config.is_parallel = arguments.threads > 1;
    let mut crowd = Crowd::with_config(map, config);
    let kind = crowd.add_kind(kind).map_err(Failure::other)?;
    let mut film = film.map(|film| film.begin(worlds.map(), arguments)).transpose()?;
    let before = allocation::allocated_bytes().saturating_sub(crowd.memory().shared_bytes);
    let game = Game {
        edits: arguments.edits_per_frame,
        pursuers: arguments.pursuers,
        ..Game::of(arguments.agents, arguments.seed)
    };
    let mut play = Play::new(crowd, kind, game).map_err(Failure::other)?;
    let mut totals = Totals::default();
    pool.install(|| play_frames(arguments, &mut play, &mut totals, film.as_mut()))?;
    // What is shared may have grown with the edits. What is counted and drawn here is not the crowd's.
    let not_of_agents = play.crowd.memory().shared_bytes
        + play.own_bytes()
        + totals.own_bytes()
        + film.as_ref().map_or(0, film::Shooting::own_bytes);
    let agents_bytes = allocation::allocated_bytes().saturating_sub(before + not_of_agents);
    let is_comparable = arguments.edits_per_frame == 0 && !arguments.occupied;
    let over = if is_comparable { suboptimality(&play)? } else { Vec::new() };
    let report = report(arguments, &play, totals, (origin, over, agents_bytes));
    if let Some(film) = film {
        film.finish(&play)?;
    }
    if arguments.json { output::print_json(&report) } else { output::print(&to_text(arguments, &report)) }
}

fn play_frames(
    arguments: &Arguments,
    play: &mut Play,
    totals: &mut Totals,
    mut film: Option<&mut film::Shooting<'_>>,
) -> Result<(), Failure> {
    let mut progress = Progress::with_rate("playing", "frames", u64::from(arguments.frames), 0);
    let budget = arguments.budget.map_or(FrameBudget::Everyone, FrameBudget::Work);
    for frame in 0..arguments.frames {
        let times = play.frame(budget).map_err(Failure::other)?;
        totals.add(&play.crowd, times, arguments.edits_per_frame);
        if let Some(film) = film.as_deref_mut() {
            film.shoot(play)?;
        }
        progress.done(u64::from(frame) + 1);
    }
    Ok(())
}

fn suboptimality(play: &Play) -> Result<Vec<f64>, Failure> {
    let mut progress = Progress::new("shortest ways", play.finished());
    play.suboptimality(|done| progress.done(done)).map_err(Failure::other)
}

fn report(
    arguments: &Arguments,
    play: &Play,
    totals: Totals,
    (database, over, agents_bytes): (Option<Origin>, Vec<f64>, u64),
) -> Report {
    let memory = play.crowd.memory();
    let frames = f64::from(arguments.frames);
    let seconds = totals.planning.iter().sum::<f64>() / 1e3;
    Report {
        algorithm: arguments.algorithm.name(),
        agents: arguments.agents,
        frames: arguments.frames,
        threads: arguments.threads,
        seed: arguments.seed,
        states: play.crowd.map().free_count(),
        database,
        ns_per_move: seconds * 1e9 / play.moves().max(1) as f64,
        moves: play.moves(),
        moves_per_second: play.moves() as f64 / seconds.max(1e-9),
        frame_ms: Figures::of(totals.planning),
        edit_us: Figures::of(totals.edits),
        work_per_frame: totals.work as f64 / frames,
        upkeep_per_frame: totals.upkeep as f64 / frames,
        longest_wait: totals.longest_wait,
        wait_bound: (!totals.is_unbounded).then_some(totals.wait_bound),
        arrived: totals.arrived,
        unreachable: totals.unreachable,
        blocked: totals.blocked,
        relieved: totals.relieved,
        memory: MemoryReport {
            shared_bytes: memory.shared_bytes,
            bytes_per_agent: memory.bytes_per_unit,
            agents_bytes,
            learned_states: memory.learned,
            most_learned: memory.most_learned,
        },
        suboptimality_of_walks: over.len(),
        suboptimality: Figures::of(over),
        finished_walks: play.finished(),
        checksum: format!("{:016x}", play.crowd.checksum()),
    }
}

fn to_text(arguments: &Arguments, report: &Report) -> String {
    let ms = |figure: f64| duration(figure * 1e6);
    let us = |figure: f64| duration(figure * 1e3);
    let percent = |figure: f64| format!("{figure:.2} %");
    let nothing = || NOTHING.to_string();
    let memory = &report.memory;
    let mut lines = vec![
        (
            "crowd",
            format!(
                "{} units of {}, {} frames, {} states, {} thread{}",
                thousands(u64::from(report.agents)),
                report.algorithm,
                thousands(u64::from(report.frames)),
                thousands(report.states),
                report.threads,
                if report.threads == 1 { "" } else { "s" }
            ),
        ),
        ("a frame", report.frame_ms.as_ref().map_or_else(nothing, |figures| figures.to_text(ms))),
        (
            "moves",
            format!(
                "{}, {} a second of planning, {} each",
                thousands(report.moves),
                thousands(report.moves_per_second as u64),
                duration(report.ns_per_move)
            ),
        ),
        (
            "work",
            format!(
                "{} a frame, and {} on databases",
                thousands(report.work_per_frame as u64),
                thousands(report.upkeep_per_frame as u64)
            ),
        ),
        (
            "waits",
            format!(
                "at most {} frames; {}",
                report.longest_wait,
                report.wait_bound.map_or_else(
                    || "there is no bound".to_string(),
                    |bound| format!("at most {} were stated", thousands(bound))
                )
            ),
        ),
        (
            "walks",
            format!(
                "{} arrived, {} without a way, {} times blocked, {} learned too much",
                thousands(report.arrived),
                thousands(report.unreachable),
                thousands(report.blocked),
                thousands(report.relieved)
            ),
        ),
    ];
    if let Some(figures) = &report.edit_us {
        lines.push(("an edit", figures.to_text(us)));
    }
    lines.extend([
        (
            "memory",
            format!(
                "{} bytes shared, {} for each unit at rest; all units took {} bytes at the end",
                thousands(memory.shared_bytes),
                memory.bytes_per_agent,
                thousands(memory.agents_bytes)
            ),
        ),
        (
            "learned",
            format!(
                "{} states, at most {} by one unit",
                thousands(memory.learned_states),
                thousands(memory.most_learned)
            ),
        ),
        (
            "over shortest",
            match &report.suboptimality {
                Some(figures) => format!(
                    "{} ({} of {} finished walks)",
                    figures.to_text(percent),
                    report.suboptimality_of_walks,
                    thousands(report.finished_walks)
                ),
                None if arguments.edits_per_frame > 0 || arguments.occupied => nothing(),
                None => "no walk was finished".to_string(),
            },
        ),
        ("checksum", report.checksum.clone()),
    ]);
    labelled(&lines)
}
