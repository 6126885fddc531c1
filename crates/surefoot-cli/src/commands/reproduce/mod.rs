//! `surefoot reproduce`: the experiments of the papers, beside what was published.

mod jair2008;
mod pra2005;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use clap::{Args, ValueEnum};
use surefoot_lab::clock::Pace;
use surefoot_lab::papers::control;
use surefoot_lab::papers::refinement::Extent;
use surefoot_lab::papers::subgoals::{self, LargeMap, Line, Trial};

use crate::benchmarks;
use crate::failure::Failure;
use crate::number;
use crate::output;
use crate::progress::Progress;
use crate::table::{NOTHING, Table};

/// Repeat the experiments of the papers and print our figures beside the published ones
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot reproduce knn2009\n  \
    surefoot reproduce jair2010 --problems 50 --records 10000,60000\n  \
    surefoot reproduce pra2005 --quick\n  \
    surefoot reproduce jair2008 --quick\n  \
    surefoot reproduce pra2005 --rate 2200 --out figures\n\n\
    knn2009: Table 1 of \"kNN LRTA*: simple subgoaling for real-time search\" on its own eight maps and 1,024 problems, and the algorithm \
    of 2010 with its options on the same. jair2010: the lines on kNN LRTA* and D LRTA* of Tables 1 to 3 of \"Case-based subgoaling\", on maps of \
    about ten million states: the paper's own are not public. Databases are built on all cores, walks are timed one at a time.\n\
    pra2005: Figures 5 to 7 of \"Partial Pathfinding Using Map Abstraction and Refinement\" on the maps of bg512 and wc3maps512, ten paths of \
    each bucket of length 0 to 511 a map, and the real-time algorithms in its clocked game. Planning is timed, one walk at a time; with --rate \
    it is counted instead, on all cores, and the result is the same on every machine.\n\
    jair2008: Tables 3 to 5 of \"Dynamic Control in Real-Time Heuristic Search\" on three maps of wc3maps512, which are the paper's, with problems \
    of our own. Planning is counted in expansions, walks take all cores.")]
pub(crate) struct Arguments {
    /// Which paper
    paper: Paper,

    /// The folder of the benchmarks [default: the environment variable SUREFOOT_BENCHMARKS, else
    /// ../shared/benchmarks]
    #[arg(long, value_name = "DIR")]
    benchmarks: Option<PathBuf>,

    /// Databases for each line of the table of 2009, each with another seed
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number::positive(), allow_negative_numbers = true)]
    seeds: u32,

    /// For jair2010 and jair2008: problems on each map [default: 250; 100, or 10 with --quick]
    #[arg(long, value_name = "N", value_parser = number::positive(), allow_negative_numbers = true)]
    problems: Option<u32>,

    /// For jair2010: kNN LRTA* alone, with databases of these sizes [default: 1000 to 80000, and D LRTA*]
    #[arg(long, value_name = "N,N…", value_delimiter = ',')]
    records: Vec<u64>,

    /// For pra2005: planning time is work at this many expansions a millisecond, instead of measured [the paper's machine: 2200]
    #[arg(long, value_name = "N", value_parser = number::positive(), allow_negative_numbers = true)]
    rate: Option<u32>,

    /// For pra2005: paths in each bucket of each map [default: 10, or 2 with --quick]
    #[arg(long, value_name = "N", value_parser = number::positive(), allow_negative_numbers = true)]
    paths: Option<u32>,

    /// For pra2005: only three maps of each game; for jair2008: a few parameters of each algorithm
    #[arg(long)]
    quick: bool,

    /// For pra2005 and jair2008: a folder for all figures, as pra2005.csv or jair2008.csv
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Paper {
    /// kNN LRTA*, 2009
    Knn2009,
    /// Case-based subgoaling, JAIR 2010
    Jair2010,
    /// PRA*, 2005
    Pra2005,
    /// Dynamic control, JAIR 2008
    Jair2008,
}

/// Runs the experiment and prints its table.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let is_for_pra2005 = [arguments.rate, arguments.paths].iter().any(Option::is_some);
    let has_extent = matches!(arguments.paper, Paper::Pra2005 | Paper::Jair2008);
    if is_for_pra2005 && !matches!(arguments.paper, Paper::Pra2005) {
        return Err(Failure::usage("reproduce", "--rate and --paths are for pra2005"));
    }
    if (arguments.quick || arguments.out.is_some()) && !has_extent {
        return Err(Failure::usage("reproduce", "--quick and --out are for pra2005 and jair2008"));
    }
    let folder = benchmarks::folder(arguments.benchmarks.as_deref())?;
    let mut progress = Progress::new("reading", 0);
    let mut told = |label: &str, done: u64, total: u64| {
        progress.label(label);
        progress.set(done, total);
    };
    match arguments.paper {
        Paper::Pra2005 => {
            let pace = arguments.rate.map_or(Pace::Measured, |rate| Pace::Rate(f64::from(rate)));
            let mut extent = if arguments.quick { Extent::QUICK } else { Extent::FULL };
            extent.per_bucket = arguments.paths.map_or(extent.per_bucket, |paths| paths as usize);
            // Walks that are not timed tell of themselves from several threads.
            let told = Mutex::new(told);
            let told = |label: &str, done: u64, total: u64| {
                told.lock().unwrap_or_else(PoisonError::into_inner)(label, done, total);
            };
            pra2005::run(&folder, extent, pace, arguments.out.as_deref(), &told)
        }
        Paper::Jair2008 => {
            let problems = arguments.problems.unwrap_or(if arguments.quick { 10 } else { 100 }) as usize;
            let extent = control::Extent { problems, is_full: !arguments.quick };
            jair2008::run(&folder, extent, arguments.out.as_deref(), &mut told)
        }
        Paper::Knn2009 => {
            let lines =
                subgoals::table_of_2009(&folder.join("knn2009"), u64::from(arguments.seeds), &mut told);
            output::print(&table_of_2009(&lines.map_err(Failure::other)?))
        }
        Paper::Jair2010 => {
            let maps = subgoals::large_maps(&folder, arguments.problems.unwrap_or(250) as usize, &mut told);
            let maps = maps.map_err(Failure::other)?;
            let mut lines = subgoals::lines_of_2010().map_err(Failure::other)?;
            if !arguments.records.is_empty() {
                let asked: Vec<String> =
                    arguments.records.iter().map(|records| format!("knn-lrta*(n={records})")).collect();
                lines.retain(|(spec, _)| asked.contains(&spec.to_string()));
                for text in asked {
                    if lines.iter().all(|(spec, _)| spec.to_string() != text) {
                        lines.push((text.parse().map_err(Failure::other)?, None));
                    }
                }
            }
            let total = (lines.len() * maps.len()) as u64;
            for (at, (spec, published)) in lines.into_iter().enumerate() {
                let mut trials = Vec::new();
                for (place, map) in maps.iter().enumerate() {
                    told(&format!("{spec} on {}", map.name), (at * maps.len() + place) as u64, total);
                    trials.push(subgoals::on_large_map(map, &spec, 1).map_err(Failure::other)?);
                }
                let line = Line { spec, published, trials };
                output::print(&lines_of_2010(&line, &maps))?;
            }
            Ok(())
        }
    }
}

fn table_of_2009(lines: &[Line]) -> String {
    let mut table = Table::new(&[
        "algorithm",
        "published %",
        "ours %",
        "lowest",
        "highest",
        "median %",
        "published exp.",
        "ours exp.",
        "worst",
        "us/move",
        "worst us",
        "with fall-back",
        "published build",
        "ours s",
        "published size",
        "ours size",
        "bytes/state",
    ]);
    for line in lines {
        let figure =
            |digits: usize, figure: &dyn Fn(&Trial) -> f64| format!("{:.digits$}", line.spread(figure).0);
        let (mean, lowest, highest) = line.spread(|trial| trial.summary.suboptimality_pct());
        let published = |figure: &dyn Fn(&subgoals::Published) -> String| {
            line.published.as_ref().map_or(NOTHING.to_string(), figure)
        };
        table.row(vec![
            line.spec.to_string(),
            published(&|published| format!("{:.2}", published.suboptimality_pct)),
            format!("{mean:.2}"),
            format!("{lowest:.2}"),
            format!("{highest:.2}"),
            figure(2, &|trial| trial.summary.suboptimality_median_pct()),
            published(&|published| format!("{:.2}", published.per_move)),
            figure(2, &|trial| trial.summary.expansions_mean()),
            format!("{:.0}", line.spread(|trial| trial.summary.expansions_max as f64).2),
            figure(3, &|trial| trial.summary.plan_ns_mean() / 1e3),
            format!("{:.0}", line.spread(|trial| trial.summary.plan_ns_max as f64 / 1e3).2),
            figure(0, &|trial| trial.with_fallback as f64),
            published(&|published| published.build.to_string()),
            figure(2, &|trial| trial.build_seconds),
            published(&|published| format!("{:.2}", published.relative_size)),
            figure(2, &|trial| trial.relative_size),
            figure(2, &|trial| trial.bytes_per_state),
        ]);
    }
    let seeds = lines.iter().map(|line| line.trials.len()).max().unwrap_or(0);
    format!(
        "kNN LRTA*, 2009, Table 1: 8 maps, 1,024 problems; means over {seeds} databases, the lowest and the highest of them\n\n{}",
        table.to_text()
    )
}

fn lines_of_2010(line: &Line, maps: &[LargeMap]) -> String {
    let mut table = Table::new(&[
        "map",
        "states",
        "% over optimal",
        "median %",
        "highest %",
        "cut off",
        "with fall-back",
        "us/move",
        "first us",
        "worst us",
        "build s",
        "MB",
        "relative size",
        "bytes/state",
    ]);
    for (map, trial) in maps.iter().zip(&line.trials) {
        let summary = &trial.summary;
        table.row(vec![
            map.name.clone(),
            map.course.space.grid().free_count().to_string(),
            format!("{:.2}", summary.suboptimality_pct()),
            format!("{:.2}", summary.suboptimality_median_pct()),
            format!("{:.1}", summary.suboptimality_max_pct()),
            summary.cut_off.to_string(),
            trial.with_fallback.to_string(),
            format!("{:.3}", summary.plan_ns_mean() / 1e3),
            format!("{:.1}", summary.first_move_ns() / 1e3),
            format!("{:.0}", summary.plan_ns_max as f64 / 1e3),
            format!("{:.1}", trial.build_seconds),
            format!("{:.2}", trial.bytes / 1e6),
            format!("{:.5}", trial.relative_size),
            format!("{:.2}", trial.bytes_per_state),
        ]);
    }
    let mut text = line.spec.to_string();
    // Writing to a string cannot fail.
    let _ = match line.published {
        Some(published) => write!(
            text,
            ", published: {} %, {} us a move, built in {}, relative size {}",
            published.suboptimality_pct, published.per_move, published.build, published.relative_size
        ),
        None => write!(text, ", not published"),
    };
    let _ = writeln!(
        text,
        "; walks are cut off after {} moves and are in no mean\n\n{}",
        subgoals::MOST_MOVES,
        table.to_text()
    );
    text
}
