//! `surefoot compare`: two sets of rows side by side.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use surefoot_lab::compare::{
    AlgorithmComparison, Change, Comparison, FEWEST_PAIRS, Interval, Origins, RowSet, Unpaired, Worst,
    compare,
};
use surefoot_lab::row_files::read_rows;

use crate::failure::Failure;
use crate::output;
use crate::table::{NOTHING, Table, counted, duration, fold_words, thousands};

/// The widest that a line of words may be.
const WIDEST: usize = 100;

/// Compare two sets of rows, to see what a change did
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot compare before.csv after.csv\n  \
    surefoot compare results-1.0 results-1.1 --json\n  \
    surefoot compare rows.csv --algorithm-a 'lrta*(d=3)' --algorithm-b 'knn-lrta*(n=1000)'\n\n\
    Rows are paired by algorithm, map, start and goal, and by the seed of the database where a set has several. Means are over the \
    problems that were solved in both sets. Suboptimality is compared by the difference B - A, in percentage points; all else by the \
    ratio B / A.\n\
    The intervals are what 95 of 100 draws of as many problems would give, found by drawing again and again from the pairs. 'better' \
    and 'worse' are said where the interval leaves no doubt, 'same' where all pairs have the same figure.\n\
    Columns in nanoseconds depend on the machine and on what else it does: compare them only between runs on one machine. Rows of \
    'surefoot lab run' and 'reproduce' say what they were made by; if that differs it is told, and times of different machines get no \
    verdict.")]
pub(crate) struct Arguments {
    /// The rows before: a file as 'surefoot run --out' writes it, or a folder with rows.csv in it
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The rows after; may be left out where two algorithms of A are compared
    #[arg(value_name = "B", required_unless_present = "algorithm_a")]
    b: Option<PathBuf>,

    /// Compare this algorithm of A …
    #[arg(long, value_name = "SPEC", requires = "algorithm_b")]
    algorithm_a: Option<String>,

    /// … with this one of B
    #[arg(long, value_name = "SPEC", requires = "algorithm_a")]
    algorithm_b: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Compares the sets and prints what there is to say.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let path_b = arguments.b.as_ref().unwrap_or(&arguments.a);
    let (of_a, of_b) =
        (read_rows(&arguments.a).map_err(Failure::other)?, read_rows(path_b).map_err(Failure::other)?);
    let chosen = arguments.algorithm_a.as_deref().zip(arguments.algorithm_b.as_deref());
    let a = RowSet { path: &arguments.a, rows: &of_a.rows, sources: &of_a.sources };
    let b = RowSet { path: path_b, rows: &of_b.rows, sources: &of_b.sources };
    let comparison = compare(a, b, chosen).map_err(Failure::other)?;
    if arguments.json { output::print_json(&comparison) } else { output::print(&to_text(&comparison)) }
}

fn to_text(comparison: &Comparison) -> String {
    let mut text = origins_text(&comparison.origins);
    for (set, algorithms) in [("A", &comparison.only_in_a), ("B", &comparison.only_in_b)] {
        if !algorithms.is_empty() {
            let names: Vec<String> =
                algorithms.iter().map(|(name, rows)| format!("{name} ({})", counted(*rows, "row"))).collect();
            let _ = writeln!(text, "Only in {set}: {}\n", names.join(", "));
        }
    }
    if comparison.algorithms.len() > 1 {
        let _ = writeln!(text, "{}", overview(&comparison.algorithms).to_text());
    }
    for algorithm in &comparison.algorithms {
        describe(&mut text, algorithm);
        let _ = writeln!(text, "\n{}", measures(algorithm).to_text());
    }
    let _ = writeln!(text, "* depends on the machine, and on what else it did");
    text
}

/// What the sets were made by, if that is not one and the same thing.
fn origins_text(origins: &Origins) -> String {
    if origins.differ_in.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    for (set, sources) in [("A", &origins.a), ("B", &origins.b)] {
        if sources.is_empty() {
            let _ = writeln!(text, "{set} does not say what it was made by");
        }
        for source in sources {
            let words = fold_words(&format!("{set} was made by {source}"), WIDEST - 2);
            let _ = writeln!(text, "{}", words.join("\n  "));
        }
    }
    let facets: Vec<String> = origins.differ_in.iter().map(|facet| format!("the {facet}")).collect();
    let conclusion = if origins.are_of_different_machines() {
        "times cannot be compared and have no verdict"
    } else {
        "the machine is the same; times tell of the program only as far as the machine had nothing else to do"
    };
    let words = fold_words(&format!("Not the same: {}; {conclusion}.", facets.join(", ")), WIDEST);
    let _ = writeln!(text, "{}\n", words.join("\n"));
    text
}

/// A line for each algorithm: what is to be known at a glance.
fn overview(algorithms: &[AlgorithmComparison]) -> Table {
    let mut table = Table::new(&[
        "algorithm",
        "pairs",
        "subopt % A",
        "B",
        "B - A",
        "walks",
        "exp/move B/A",
        "time/move* B/A",
    ]);
    for algorithm in algorithms {
        let ratio =
            |change: Option<Change>| figure(change.and_then(|change| change.change), |r| format!("{r:.3}"));
        let percent = |of: fn(&Change) -> f64| {
            figure(algorithm.suboptimality_pct.as_ref().map(of), |p| format!("{p:.2}"))
        };
        table.row(vec![
            algorithm.algorithm_a.clone(),
            thousands(algorithm.pairs),
            percent(|change| change.a),
            percent(|change| change.b),
            percent(|change| change.b - change.a),
            algorithm.verdict.to_string(),
            ratio(algorithm.expansions_per_move),
            ratio(algorithm.plan_ns_per_move),
        ]);
    }
    table
}

/// Which algorithm it is, and what is odd about its rows.
fn describe(text: &mut String, algorithm: &AlgorithmComparison) {
    let names = match (&algorithm.algorithm_a, &algorithm.algorithm_b) {
        (a, b) if a == b => a.clone(),
        (a, b) => format!("A: {a}, B: {b}"),
    };
    let verdict = match algorithm.differing {
        0 if algorithm.pairs > 0 => "same: the rows are identical, apart from time".to_string(),
        0 => "no problem is in both".to_string(),
        differing => format!(
            "walks: {}; {} of {} pairs differ",
            algorithm.verdict,
            thousands(differing),
            thousands(algorithm.pairs)
        ),
    };
    let _ = writeln!(text, "{names}\n{verdict}");
    for (set, Unpaired { count, examples }) in [("A", &algorithm.only_in_a), ("B", &algorithm.only_in_b)] {
        if *count > 0 {
            let more = if *count > examples.len() as u64 { ", …" } else { "" };
            let _ = writeln!(text, "{} only in {set}: {}{more}", counted(*count, "row"), examples.join(", "));
        }
    }
    for (set, repeated) in [("A", algorithm.repeated_in_a), ("B", algorithm.repeated_in_b)] {
        if repeated > 0 {
            let _ = writeln!(
                text,
                "{} of {set} say what another says, and are left out",
                counted(repeated, "row")
            );
        }
    }
    if algorithm.other_optimum > 0 {
        let pairs = counted(algorithm.other_optimum, "pair");
        let _ = writeln!(text, "the optimal costs of {pairs} differ: another map, rule or cost model?");
    }
}

/// A line for each measure.
fn measures(algorithm: &AlgorithmComparison) -> Table {
    let mut table = Table::new(&["measure", "A", "B", "change", "95 % interval", "less : more", "verdict"]);
    let solved = algorithm.solved;
    table.row(vec![
        "solved".to_string(),
        thousands(solved.a),
        thousands(solved.b),
        format!("{:+}", solved.b as i64 - solved.a as i64),
        NOTHING.to_string(),
        format!("{} : {}", solved.only_a, solved.only_b),
        solved.verdict.to_string(),
    ]);
    let mut rows = Vec::new();
    rows.extend(change_row("suboptimality %", algorithm.suboptimality_pct, |f| format!("{f:.2}"), points));
    rows.extend(change_row("moves", algorithm.moves, |f| format!("{f:.1}"), ratio));
    rows.extend(change_row("expansions/move", algorithm.expansions_per_move, |f| format!("{f:.2}"), ratio));
    rows.extend(change_row("time/move *", algorithm.plan_ns_per_move, duration, ratio));
    rows.into_iter().for_each(|row| table.row(row));
    let worst_expansions =
        algorithm.worst_expansions.map(|worst| worst_row("worst expansions", worst, thousands));
    let worst_move =
        algorithm.worst_move_ns.map(|worst| worst_row("worst move *", worst, |ns| duration(ns as f64)));
    worst_expansions.into_iter().chain(worst_move).for_each(|row| table.row(row));
    table
}

fn points(value: f64) -> String {
    format!("{value:+.2}")
}

fn ratio(value: f64) -> String {
    format!("x {value:.3}")
}

fn change_row(
    name: &str,
    change: Option<Change>,
    show: fn(f64) -> String,
    show_change: fn(f64) -> String,
) -> Option<Vec<String>> {
    let change = change?;
    Some(vec![
        name.to_string(),
        show(change.a),
        show(change.b),
        figure(change.change, show_change),
        interval(change.interval, show_change),
        format!("{} : {}", change.less, change.more),
        change.verdict.to_string(),
    ])
}

fn worst_row(name: &str, Worst { a, b }: Worst, show: fn(u64) -> String) -> Vec<String> {
    let change = figure((a > 0).then(|| b as f64 / a as f64), ratio);
    let nothing = || NOTHING.to_string();
    vec![name.to_string(), show(a), show(b), change, nothing(), nothing(), nothing()]
}

fn figure(figure: Option<f64>, show: impl Fn(f64) -> String) -> String {
    figure.map_or_else(|| NOTHING.to_string(), show)
}

fn interval(interval: Option<Interval>, show: impl Fn(f64) -> String) -> String {
    match interval {
        Some(Interval { low, high }) => format!("{} to {}", show(low), show(high).trim_start_matches("x ")),
        None => format!("none below {FEWEST_PAIRS} pairs"),
    }
}
