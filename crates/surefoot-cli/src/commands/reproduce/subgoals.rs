//! `surefoot reproduce knn2009` and `jair2010`: kNN LRTA* and D LRTA* beside the published figures.

use std::fmt::Write as _;

use surefoot_lab::papers::subgoals::{self, Line, Published, Trial};
use surefoot_lab::runs::ResultSet;

use crate::table::{NOTHING, Table, thousands};

/// Table 1 of 2009.
pub(super) fn table_of_2009(results: &ResultSet) -> String {
    let lines = subgoals::table_of_2009(results);
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
    for line in &lines {
        let figure =
            |digits: usize, figure: &dyn Fn(&Trial) -> f64| format!("{:.digits$}", line.spread(figure).0);
        let (mean, lowest, highest) = line.spread(|trial| trial.summary.suboptimality_pct());
        let published = |figure: &dyn Fn(&Published) -> String| {
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
    let maps = lines.iter().flat_map(|line| &line.trials).map(|trial| trial.maps.len()).max().unwrap_or(0);
    let problems = lines.iter().flat_map(|line| &line.trials).map(|trial| trial.summary.problems).max();
    let problems = thousands(problems.unwrap_or(0));
    format!(
        "kNN LRTA*, 2009, Table 1: {maps} maps, {problems} problems; means over {seeds} databases, the lowest and the highest of them\n\n{}",
        table.to_text()
    )
}

/// The lines of Tables 1 to 3 of 2010, one table for each algorithm.
pub(super) fn tables_of_2010(results: &ResultSet, most_moves: Option<u64>) -> String {
    subgoals::lines_of_2010(results).iter().map(|line| table_of_line(line, most_moves)).collect()
}

fn table_of_line(line: &Line, most_moves: Option<u64>) -> String {
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
    for trial in &line.trials {
        let summary = &trial.summary;
        let (name, states) =
            trial.maps.first().map_or((NOTHING.to_string(), 0), |map| (map.name.clone(), map.states));
        table.row(vec![
            name,
            states.to_string(),
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
        thousands(most_moves.unwrap_or(u64::MAX)),
        table.to_text()
    );
    text
}
