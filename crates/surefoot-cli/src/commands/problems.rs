//! `surefoot problems`: random problems of a wanted difficulty.

use std::path::PathBuf;

use clap::Args;
use surefoot::formats::read_any_map;
use surefoot::space::GridSpace;
use surefoot_lab::problem_files::{Length, Problem, Scenario, write_scen};
use surefoot_lab::problems::{GeneratedProblem, ProblemRequest, generate_problems};

use crate::commands::run::file_name;
use crate::failure::Failure;
use crate::number;
use crate::output::{self, Output, tell};
use crate::progress::Progress;
use crate::world::WorldOptions;

/// The digits after the point of a length in a `.scen` file: as many as the published sets have, and some
/// more.
pub(crate) const LENGTH_DECIMALS: u8 = 8;

/// Draw random problems on a map whose optimal costs lie in a given range
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot problems arena.map --count 500 --min-cost 20 --max-cost 60 --seed 1 --out arena.scen\n  \
    surefoot problems arena.map --count 10 --per-bucket --max-cost 100 --out buckets.scen\n\n\
    Problems are drawn on ground unless --passable says otherwise.\n\
    Buckets are four units of cost wide: bucket 5 has the costs from 20 up to 24.\n\
    The same seed gives the same problems on every machine.")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp
    #[arg(value_name = "MAP")]
    map: PathBuf,

    /// How many problems, in all or in every bucket
    #[arg(long, value_name = "N", value_parser = number::whole::<u64>(1..=10_000_000), allow_negative_numbers = true)]
    count: u64,

    /// Draw COUNT problems in every bucket of the range
    #[arg(long)]
    per_bucket: bool,

    /// The least optimal cost
    #[arg(long, value_name = "A", default_value_t = 0.0, value_parser = cost, allow_negative_numbers = true)]
    min_cost: f64,

    /// The greatest optimal cost
    #[arg(long, value_name = "B", value_parser = cost, allow_negative_numbers = true)]
    max_cost: f64,

    /// Which of the many sets of problems
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = number::any(), allow_negative_numbers = true)]
    seed: u64,

    #[command(flatten)]
    world: WorldOptions,

    /// The .scen file to write; - for standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// A cost as written on the command line.
fn cost(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number such as 52.5".to_string())?;
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err("expected a finite number from 0".to_string())
    }
}

/// Draws problems and writes them.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.min_cost > arguments.max_cost {
        let message = format!("--min-cost {} is above --max-cost {}", arguments.min_cost, arguments.max_cost);
        return Err(Failure::usage("problems", message));
    }
    output::refuse_inputs(&arguments.out, &[&arguments.map])?;
    output::refuse_inputs(&arguments.out, arguments.world.weights.input().as_slice())?;
    let map = read_any_map(&arguments.map)?;
    let output = Output::create(&arguments.out)?;
    let worlds = arguments.world.worlds(map)?;
    let space = worlds.main();
    let request = ProblemRequest {
        count: usize::try_from(arguments.count).unwrap_or(usize::MAX),
        min_cost: arguments.min_cost,
        max_cost: arguments.max_cost,
        seed: arguments.seed,
        per_bucket: arguments.per_bucket,
    };
    let mut progress = Progress::new("drawing problems", arguments.count);
    let problems = generate_problems(space, &request, &mut |done, total| progress.go_on(done, total))
        .map_err(Failure::other)?;
    drop(progress);
    let bytes = scenario_bytes(space, &file_name(&arguments.map), &problems)?;
    output.finish_with(&bytes)?;
    if !output::is_stdout(&arguments.out) {
        tell(&format!("wrote {}: {} problems", arguments.out.display(), problems.len()));
    }
    Ok(())
}

/// Generated problems as the bytes of a `.scen` file.
pub(crate) fn scenario_bytes(
    space: &GridSpace,
    map_name: &str,
    problems: &[GeneratedProblem],
) -> Result<Vec<u8>, Failure> {
    let size = (space.grid().width(), space.grid().height());
    let problems = problems.iter().map(|problem| Problem {
        bucket: problem.bucket,
        map: map_name.to_string(),
        map_size: Some(size),
        start: problem.start,
        goal: problem.goal,
        length: Length::new(space.units().to_f64(problem.cost), LENGTH_DECIMALS).unwrap_or(Length::ZERO),
    });
    write_scen(&Scenario { problems: problems.collect() }).map_err(Failure::other)
}
