//! `surefoot train`: a decision tree for LRTA*(DT, G), from walks on training maps.

use std::path::{Path, PathBuf};

use clap::Args;
use surefoot::formats::read_any_map;
use surefoot_classics::depth::{DepthTree, TreeSettings};
use surefoot_lab::problems::{ProblemRequest, generate_problems};
use surefoot_lab::training::{self, Lesson, Score, TreeConfig};

use crate::commands::run::file_name;
use crate::failure::Failure;
use crate::number;
use crate::output::{self, Output, tell};
use crate::parallel;
use crate::progress::Progress;
use crate::table::{Table, thousands};
use crate::world::{WorldOptions, Worlds};

/// Train a decision tree that chooses how far 'lrta*(dt,g)' looks ahead
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot train --map rooms.map --map caves.map --out tree.txt\n  \
    surefoot train --map rooms.map --dmax 20 --leaf 25 --problems 300 --out tree.txt\n  \
    surefoot run --map other.map --algorithm 'lrta*(dt,g)' --tree tree.txt --out rows.csv\n\n\
    On every map problems are drawn and walked by LRTA* with the deepest lookahead. Each move is a lesson: what was known \
    before it, and the shallowest lookahead that leads the same way. From all lessons a tree is grown as C4.5 does, and pruned.\n\
    For the table the walks are dealt into folds: for each fold a tree is grown from the others and tried on it.\n\
    Try a tree on other maps than it was trained on. It is plain text, to be read and changed by hand.")]
pub(crate) struct Arguments {
    /// A training map: .map, .txt, .png or .bmp; may be given several times
    #[arg(long = "map", value_name = "FILE", required = true)]
    maps: Vec<PathBuf>,

    /// The file for the tree; - for standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The deepest lookahead, in actions
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::whole::<u32>(2..=u64::from(TreeSettings::DEEPEST)), allow_negative_numbers = true)]
    dmax: u32,

    /// How many moves the agent looks back
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = number::whole::<u32>(1..=u64::from(TreeSettings::LONGEST_HISTORY)), allow_negative_numbers = true)]
    history: u32,

    /// How many actions it looks ahead before it decides
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::whole::<u32>(1..=u64::from(TreeSettings::DEEPEST_PRE_SEARCH)), allow_negative_numbers = true)]
    pre_search: u32,

    /// The fewest lessons in a leaf
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::positive(), allow_negative_numbers = true)]
    leaf: u32,

    /// The confidence of pruning, above 0 and at most 0.5: the lower, the smaller the tree
    #[arg(long, value_name = "C", default_value_t = 0.05, value_parser = confidence, allow_negative_numbers = true)]
    pruning: f64,

    /// How many folds the walks are dealt into; 1: the tree is not tried
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::whole::<u32>(1..=1000), allow_negative_numbers = true)]
    folds: u32,

    /// How many problems are drawn on each map
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::whole::<u64>(1..=1_000_000), allow_negative_numbers = true)]
    problems: u64,

    /// The least optimal cost of a problem
    #[arg(long, value_name = "A", default_value_t = 20.0, value_parser = number::above_zero, allow_negative_numbers = true)]
    min_cost: f64,

    /// The greatest optimal cost of a problem
    #[arg(long, value_name = "B", default_value_t = 100.0, value_parser = number::above_zero, allow_negative_numbers = true)]
    max_cost: f64,

    /// The most lessons of a walk
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number::any(), allow_negative_numbers = true)]
    max_moves: u64,

    /// Which of the many sets of problems, and of folds
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = number::any(), allow_negative_numbers = true)]
    seed: u64,

    #[command(flatten)]
    world: WorldOptions,
}

fn confidence(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|number| (1e-6..=0.5).contains(number))
        .ok_or_else(|| "expected a number above 0 and at most 0.5".to_string())
}

impl Arguments {
    fn settings(&self) -> TreeSettings {
        TreeSettings { deepest: self.dmax, history: self.history, pre_search: self.pre_search }
    }

    fn config(&self) -> TreeConfig {
        TreeConfig { least_in_leaf: self.leaf as usize, confidence: self.pruning }
    }
}

/// Collects lessons, grows a tree and writes it.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.min_cost > arguments.max_cost {
        let message = format!("--min-cost {} is above --max-cost {}", arguments.min_cost, arguments.max_cost);
        return Err(Failure::usage("train", message));
    }
    let inputs: Vec<&Path> = arguments.maps.iter().map(PathBuf::as_path).collect();
    output::refuse_inputs(&arguments.out, &inputs)?;
    output::refuse_inputs(&arguments.out, arguments.world.weights.input().as_slice())?;
    let read = |map: &PathBuf| Ok((file_name(map), arguments.world.worlds(read_any_map(map)?)?));
    let maps: Vec<(String, Worlds)> = arguments.maps.iter().map(read).collect::<Result<_, Failure>>()?;
    let output = Output::create(&arguments.out)?;

    let mut walks = Vec::new();
    for (name, worlds) in &maps {
        walks.extend(collect(arguments, name, worlds)?);
    }
    let lessons: Vec<&Lesson> = walks.iter().flatten().collect();
    tell(&format!("growing a tree from {} lessons", thousands(lessons.len() as u64)));
    let (settings, config) = (arguments.settings(), arguments.config());
    let tree = training::induce(&lessons, settings, &config).map_err(Failure::other)?;
    let folds = arguments.folds as usize;
    let tried =
        training::cross_validate(&walks, settings, &config, folds, arguments.seed).map_err(Failure::other)?;

    output.finish_with(tree.to_text(&head(arguments, walks.len(), lessons.len(), &tried)).as_bytes())?;
    let table = table(&tree, &lessons, &tried).to_text();
    if output::is_stdout(&arguments.out) {
        table.lines().for_each(tell);
        return Ok(());
    }
    tell(&format!("wrote {}: a tree of {} leaves", arguments.out.display(), tree.leaves()));
    output::print(&table)
}

/// The lessons of every walk on a map, in the order of its problems.
fn collect(arguments: &Arguments, name: &str, worlds: &Worlds) -> Result<Vec<Vec<Lesson>>, Failure> {
    let space = worlds.main();
    let request = ProblemRequest {
        count: usize::try_from(arguments.problems).unwrap_or(usize::MAX),
        min_cost: arguments.min_cost,
        max_cost: arguments.max_cost,
        seed: arguments.seed,
        per_bucket: false,
    };
    let mut progress = Progress::new(format!("{name}: drawing problems"), arguments.problems);
    let problems = generate_problems(space, &request, &mut |done, total| progress.go_on(done, total))
        .map_err(|error| Failure::Other(format!("{name}: {error}")))?;
    progress.label(&format!("{name}: walking"));
    let mut walks: Vec<Vec<Lesson>> = vec![Vec::new(); problems.len()];
    let mut done = 0;
    parallel::for_each_done(
        parallel::all_cores(),
        problems.iter().enumerate(),
        || (),
        |(), (place, problem)| {
            let learn = || {
                let ends = space.locate_ends(problem.start, problem.goal)?;
                training::collect(space, ends, arguments.settings(), arguments.max_moves)
            };
            (place, learn())
        },
        |(place, lessons)| {
            walks[place] = lessons.map_err(Failure::other)?;
            done += 1;
            progress.done(done);
            Ok(())
        },
    )?;
    Ok(walks)
}

/// How the tree came to be, for its reader.
fn head(arguments: &Arguments, walks: usize, lessons: usize, tried: &Score) -> String {
    let names: Vec<String> = arguments.maps.iter().map(|map| file_name(map)).collect();
    let Arguments { problems, min_cost, max_cost, max_moves, leaf, pruning, folds, seed, .. } = arguments;
    let (rule, cost) = (arguments.world.rule, arguments.world.cost);
    let mut head = format!(
        "How far lrta*(dt,g) looks ahead. Grown by 'surefoot train' from {lessons} lessons of {walks} walks:\n\
        {problems} problems of cost {min_cost} to {max_cost} a map, seed {seed}, rule {rule}, diagonal {cost}, at most {max_moves} moves a walk,\n\
        leaves of {leaf} lessons or more, pruning {pruning}. Maps: {}.\n",
        names.join(", ")
    );
    if tried.cases > 0 {
        head += &format!(
            "In {folds} folds {:.1} % of all depths were guessed right, {:.1} % too shallow.\n",
            100.0 * tried.accuracy(),
            100.0 * tried.share_too_shallow()
        );
    }
    head += "\nWhere a test holds, the lines below it count, and otherwise those below its else.\n";
    for feature in surefoot_classics::depth::Feature::ALL {
        head += &format!("{feature}: {}\n", feature.meaning());
    }
    head
}

/// How well the tree guesses, beside guesses that take no tree.
fn table(tree: &DepthTree, lessons: &[&Lesson], tried: &Score) -> Table {
    let mut table = Table::new(&["guess", "leaves", "lessons", "right %", "too shallow %", "mean error"]);
    let mut row = |name: &str, leaves: usize, score: Score| {
        table.row(vec![
            name.to_string(),
            leaves.to_string(),
            thousands(score.cases),
            format!("{:.1}", 100.0 * score.accuracy()),
            format!("{:.1}", 100.0 * score.share_too_shallow()),
            format!("{:.2}", score.mean_error()),
        ]);
    };
    let deepest = tree.settings().deepest;
    let always = |depth: u32| {
        let one = Score::default();
        lessons.iter().fold(one, |score, lesson| {
            score.and(Score {
                cases: 1,
                right: u64::from(lesson.depth == depth),
                too_shallow: u64::from(depth < lesson.depth),
                off_by: u64::from(depth.abs_diff(lesson.depth)),
            })
        })
    };
    row("always 1", 1, always(1));
    row(&format!("always {deepest}"), 1, always(deepest));
    row("the tree, on its own lessons", tree.leaves(), Score::of(tree, lessons.iter().copied()));
    if tried.cases > 0 {
        row("trees of the folds, on others", tree.leaves(), *tried);
    }
    table
}
