//! `surefoot clock`: algorithms in a game that runs in frames.

use clap::Args;
use surefoot_lab::clock::{Clock, Pace, ratio};
use surefoot_lab::spread::Spread;

use crate::algorithm::Algorithm;
use crate::databases::{DatabaseOptions, Databases};
use crate::failure::Failure;
use crate::measure::{self, Task, Walker};
use crate::number;
use crate::output::{self, tell};
use crate::problem_sets::ProblemOptions;
use crate::progress::Progress;
use crate::table::{NOTHING, Table};
use crate::world::WorldOptions;

/// Walk problems in a game that runs in frames: by how much does planning delay a unit?
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot clock --map arena.map --algorithm 's-a*' --algorithm 'pra*(k=16)'\n  \
    surefoot clock --map arena.map --algorithm 'lrta*(d=3)' --planning-ms 10,2,1 --max-moves 10000\n  \
    surefoot clock --map arena.map --algorithm 'pra*(k=16)' --rate 2200 --speed 5\n\n\
    In every frame a unit may plan for so many milliseconds and walk so far. While it walks the moves that it has planned, it plans the next; \
    before the first of them it stands. Planning and each sequence of moves take whole frames (equation 1 of the PRA* paper, 2005).\n\
    Columns: 'slow-down' is the number of frames until arrival over that of the same walk if planning took no time; 'over shortest' \
    is the same number over the frames of a shortest path that is walked in one go. 98 %: what 98 of 100 walks do not exceed. Walks \
    that were cut off count as longer than all others; a dash stands for a figure that lies among them.\n\
    Planning time is measured, unless --rate turns the work that was counted into time: then the result is the same on every machine. An \
    algorithm that plans everything first, such as s-a*, is interrupted by the clock, whatever its own slice is.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    problems: ProblemOptions,

    /// An algorithm, with parameters in parentheses; may be given several times
    #[arg(long = "algorithm", value_name = "SPEC", required = true)]
    algorithms: Vec<Algorithm>,

    /// How long a frame is, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100.0, value_parser = number::above_zero, allow_negative_numbers = true)]
    frame_ms: f64,

    /// How long a unit may plan in a frame, in milliseconds; several with commas
    #[arg(long, value_name = "MS,MS…", default_value = "1", value_delimiter = ',', value_parser = number::above_zero, allow_negative_numbers = true)]
    planning_ms: Vec<f64>,

    /// How fast a unit walks, in tiles a second
    #[arg(long, value_name = "TILES", default_value_t = 10.0, value_parser = number::above_zero, allow_negative_numbers = true)]
    speed: f64,

    /// Count planning instead of measuring it: so many expansions take a millisecond
    #[arg(long, value_name = "N", value_parser = number::positive(), allow_negative_numbers = true)]
    rate: Option<u32>,

    /// The lengths of optimal paths that share a line of the table
    #[arg(long, value_name = "TILES", default_value_t = 64, value_parser = number::positive(), allow_negative_numbers = true)]
    range: u32,

    /// Cut a walk off after N moves
    #[arg(long, value_name = "N", value_parser = number::any(), allow_negative_numbers = true)]
    max_moves: Option<u64>,

    #[command(flatten)]
    world: WorldOptions,

    #[command(flatten)]
    database: DatabaseOptions,
}

/// A walk on all clocks.
struct Timed {
    /// The length of an optimal path.
    length: f64,
    /// For each clock the frames until arrival, over those without thinking, and over those of a shortest
    /// path. `None` if the walk was cut off.
    ratios: Option<Vec<(f64, f64)>>,
}

/// Walks all problems with all algorithms and prints the table.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.database.check("clock", &arguments.algorithms)?;
    arguments.world.check("clock", &arguments.algorithms)?;
    let clocks: Vec<Clock> = arguments
        .planning_ms
        .iter()
        .map(|&planning_ms| Clock::new(arguments.frame_ms, planning_ms, arguments.speed))
        .collect::<Result<_, _>>()
        .map_err(Failure::other)?;
    let pace = arguments.rate.map_or(Pace::Measured, |rate| Pace::Rate(f64::from(rate)));
    let sets = arguments.problems.read("clock", &arguments.world, &arguments.database)?;
    let mut tasks = arguments.problems.tasks(&sets)?;
    let mut progress = Progress::new("optimal costs", tasks.len() as u64);
    measure::find_optimal_costs(&mut tasks, &mut |done| progress.done(done))?;
    drop(progress);
    let all = tasks.len();
    tasks.retain(|task| task.optimal_length().is_some());
    if tasks.len() < all {
        tell(&format!("{} of {all} problems have no solution and are left out", all - tasks.len()));
    }

    let mut databases = Databases::new(&arguments.database);
    for algorithm in &arguments.algorithms {
        Walker::new(algorithm, &mut databases).prepare(&tasks)?;
    }
    let mut table = Table::new(&[
        "algorithm",
        "ms a frame",
        "length",
        "walks",
        "cut off",
        "slow-down 50 %",
        "98 %",
        "max",
        "over shortest 50 %",
        "98 %",
        "max",
    ]);
    for algorithm in &arguments.algorithms {
        let mut walker = Walker::new(algorithm, &mut databases);
        let walks = walk(&mut walker, &algorithm.name(), &tasks, arguments.max_moves, (&clocks, pace))?;
        for (at, clock) in clocks.iter().enumerate() {
            for (name, walks) in by_length(&walks, arguments.range) {
                table.row(row(&algorithm.name(), clock, name, &walks, at));
            }
        }
    }
    output::print(&table.to_text())
}

fn walk<'a>(
    walker: &mut Walker<'_, 'a>,
    name: &str,
    tasks: &[Task<'a>],
    max_moves: Option<u64>,
    (clocks, pace): (&[Clock], Pace),
) -> Result<Vec<Timed>, Failure> {
    let mut progress = Progress::new(name, tasks.len() as u64);
    let mut walks = Vec::with_capacity(tasks.len());
    for task in tasks {
        let (episode, sequences) = walker.walk_in_sequences(task, max_moves)?;
        let length = task.optimal_length().unwrap_or(0.0);
        let ratios = |clock: &Clock| {
            let frames = clock.frames(&sequences, pace);
            (
                ratio(frames, clock.frames_without_thinking(&sequences)),
                ratio(frames, clock.frames_to_walk(length)),
            )
        };
        walks.push(Timed { length, ratios: episode.solved.then(|| clocks.iter().map(ratios).collect()) });
        progress.done(walks.len() as u64);
    }
    Ok(walks)
}

/// The walks by the length of the optimal path, then all of them; ranges without any are left out.
fn by_length(walks: &[Timed], range: u32) -> Vec<(String, Vec<&Timed>)> {
    let range = f64::from(range);
    let place = |walk: &Timed| (walk.length / range) as u64;
    let mut lines: Vec<(String, Vec<&Timed>)> = Vec::new();
    // A map may be long and its problems few: only what there is counts.
    let mut places: Vec<u64> = walks.iter().map(place).collect();
    places.sort_unstable();
    places.dedup();
    for at in places {
        let name = format!("{}-{}", at as f64 * range, (at + 1) as f64 * range);
        lines.push((name, walks.iter().filter(|walk| place(walk) == at).collect()));
    }
    if lines.len() > 1 {
        lines.push(("all".to_string(), walks.iter().collect()));
    }
    lines
}

fn row(algorithm: &str, clock: &Clock, length: String, walks: &[&Timed], at: usize) -> Vec<String> {
    let spread = |figure: fn((f64, f64)) -> f64| -> Spread {
        walks.iter().map(|walk| walk.ratios.as_ref().map(|ratios| figure(ratios[at]))).collect()
    };
    let (slow_down, over) = (spread(|(slow_down, _)| slow_down), spread(|(_, over)| over));
    let cell = |figure: Option<f64>| figure.map_or(NOTHING.to_string(), |figure| format!("{figure:.4}"));
    let mut cells = vec![
        algorithm.to_string(),
        clock.planning_ms().to_string(),
        length,
        slow_down.count().to_string(),
        slow_down.cut_off().to_string(),
    ];
    for spread in [slow_down, over] {
        cells.extend([50.0, 98.0, 100.0].map(|percent| cell(spread.percentile(percent))));
    }
    cells
}
