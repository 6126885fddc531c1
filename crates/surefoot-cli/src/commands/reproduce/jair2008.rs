//! The tables of "Dynamic Control in Real-Time Heuristic Search" beside ours.

use std::fmt::Write as _;

use surefoot_lab::papers::control::{ControlLine, Study};
use surefoot_lab::runs::ResultSet;

use crate::table::{Table, thousands};

/// The limits on the states expanded in a move that the paper cuts off at.
const CUT_OFFS: [u64; 2] = [1_000, 10_000];

/// Table 4 as far as it is known: from which limit on, what, and its suboptimality in percent.
const PUBLISHED_BEST: [(u64, &str, f64); 11] = [
    (1, "LRTA*(F, PDB) d 1, level 3", 10.23),
    (9, "LRTA*(F, PDB) d 2, level 3", 8.67),
    (25, "LRTA*(F, PDB) d 3, level 3", 5.68),
    (49, "LRTA*(F, PDB) d 4, level 3", 5.68),
    (121, "LRTA*(F, PDB) d 6, level 3", 5.67),
    (729, "LRTA*(F, PDB) d 14, level 3", 5.63),
    (754, "PR LRTA*(PDB, G) cap 15, level 3", 4.21),
    (1_224, "PR LRTA*(PDB, G) cap 20, level 3", 3.69),
    (1_935, "PR LRTA*(PDB, G) cap 1000, level 3", 3.54),
    (3_454, "PRA*", 0.13),
    (88_138, "A*", 0.0),
];

/// The tables of the study.
pub(super) fn report(results: &ResultSet, most_moves: Option<u64>) -> String {
    let study = Study::of(results);
    let maps: std::collections::BTreeSet<&str> =
        results.units.iter().map(|unit| unit.map.name.as_str()).collect();
    to_text(&study, maps.len(), most_moves)
}

fn to_text(study: &Study, maps: usize, most_moves: Option<u64>) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "All algorithms, {maps} maps (published figures: about)\n");
    let mut table = Table::new(&[
        "algorithm",
        "over optimum %",
        "median %",
        "published %",
        "exp. a move",
        "published exp.",
        "worst move",
        "cut off",
    ]);
    for line in &study.lines {
        let (percent, expansions) = published(&line.spec.to_string());
        let figure =
            |figure: Option<f64>| figure.map_or_else(|| "-".to_string(), |figure| format!("{figure:.2}"));
        table.row(vec![
            line.spec.to_string(),
            format!("{:.2}", line.summary.suboptimality_pct()),
            format!("{:.2}", line.summary.suboptimality_median_pct()),
            figure(percent),
            format!("{:.2}", line.summary.expansions_mean()),
            figure(expansions),
            thousands(line.worst_move),
            line.summary.cut_off.to_string(),
        ]);
    }
    let _ = writeln!(
        text,
        "{}\nWalks of more than {} moves are cut off, and in no mean.\n",
        table.to_text(),
        thousands(most_moves.unwrap_or(u64::MAX))
    );
    let _ = writeln!(text, "Best under a limit on the states expanded in a move (Table 4)\n");
    let mut table =
        Table::new(&["limit from", "best here", "over optimum %", "best in the paper", "published %"]);
    for (limit, line) in study.best_under_limits() {
        let theirs = PUBLISHED_BEST.iter().rfind(|(from, ..)| *from <= limit);
        table.row(vec![
            thousands(limit),
            line.spec.to_string(),
            format!("{:.2}", line.summary.suboptimality_pct()),
            theirs.map_or_else(|| "-".to_string(), |(_, name, _)| (*name).to_string()),
            theirs.map_or_else(|| "-".to_string(), |(.., percent)| format!("{percent:.2}")),
        ]);
    }
    let _ = writeln!(text, "{}", table.to_text());
    for limit in CUT_OFFS {
        let names: Vec<String> = study.disqualified(limit).map(|line| line.spec.to_string()).collect();
        let names = if names.is_empty() { "none".to_string() } else { names.join(" ") };
        let _ = writeln!(text, "Disqualified at {} states a move: {names}\n", thousands(limit));
    }
    let _ = writeln!(
        text,
        "Pattern databases, mean over the maps (Table 5; published: level 3 6.1e6 pairs in 13 h, \
        4 8.6e5 in 3 h, 5 1.5e5 in 1 h, 6 3.1e4 in 24 min, 7 6.4e3 in 10 min)\n"
    );
    let mut table = Table::new(&["database", "pairs", "built in s", "bytes"]);
    for size in &study.sizes {
        table.row(vec![
            size.config.clone(),
            thousands(size.pairs as u64),
            format!("{:.2}", size.seconds),
            thousands(size.bytes as u64),
        ]);
    }
    let _ = writeln!(text, "{}\nThe paper's claims\n", table.to_text());
    for (claim, answer) in claims(study) {
        let _ = writeln!(text, "{claim}\n  {answer}");
    }
    text
}

/// Table 3, as far as it is known: the suboptimality in percent, and states expanded a move.
fn published(spec: &str) -> (Option<f64>, Option<f64>) {
    match spec {
        "a*" => (Some(0.0), Some(119.8)),
        "weighted-a*(gamma=0.2)" => (Some(14.6), Some(24.86)),
        "pra*" => (Some(0.1), Some(10.83)),
        "lrta*(pdb,pdb,level=3,cap=3000)" => (Some(6.1), Some(1.032)),
        "pr-lrta*(f,g,level=4,d=5,gamma=1)" => (Some(16.1), Some(15.06)),
        _ => (None, None),
    }
}

/// What the paper says, and what our figures say to it.
fn claims(study: &Study) -> Vec<(&'static str, String)> {
    let mut claims = Vec::new();
    let best = |name: &str| {
        let lines =
            study.lines.iter().filter(|line| line.spec.algorithm() == name && line.summary.cut_off == 0);
        lines.min_by(|a, b| a.summary.suboptimality_pct().total_cmp(&b.summary.suboptimality_pct()))
    };
    let told = |line: &ControlLine| {
        let (percent, expansions) = (line.summary.suboptimality_pct(), line.summary.expansions_mean());
        format!("{}: {percent:.2} % at {expansions:.2} expansions a move", line.spec)
    };
    let one_state = study
        .lines
        .iter()
        .filter(|line| line.summary.cut_off == 0 && line.summary.expansions_mean() < 1.5)
        .min_by(|a, b| a.summary.suboptimality_pct().total_cmp(&b.summary.suboptimality_pct()));
    if let Some(line) = one_state {
        let answer = if line.summary.suboptimality_pct() <= 7.0 { "yes" } else { "no" };
        claims
            .push(("Within 7 % of optimal at about one state a move.", format!("{answer}; {}", told(line))));
    }
    // Of those that choose goals, one that plans no more than the best of those that choose depths.
    let goal = best("lrta*(pdb,g)").and_then(|depth| {
        let planning = depth.summary.expansions_mean();
        let lines = study.lines.iter().filter(|line| {
            line.spec.algorithm() == "lrta*(f,pdb)"
                && line.summary.cut_off == 0
                && line.summary.expansions_mean() <= planning
        });
        let quality = |line: &ControlLine| line.summary.suboptimality_pct();
        lines.min_by(|a, b| quality(a).total_cmp(&quality(b))).map(|goal| (depth, goal))
    });
    if let Some((depth, goal)) = goal {
        let is_so = goal.summary.suboptimality_pct() * 2.0 < depth.summary.suboptimality_pct();
        claims.push((
            "Choosing goals matters far more than choosing depths.",
            format!("{}; {}; {}", if is_so { "yes" } else { "no" }, told(goal), told(depth)),
        ));
    }
    if let (Some(refined), Some(control)) = (best("pr-lrta*(f,g)"), best("lrta*(pdb,pdb)")) {
        let times = |figure: fn(&ControlLine) -> f64| figure(refined) / figure(control).max(1e-9);
        let (quality, planning) =
            (times(|line| line.summary.suboptimality_pct()), times(|line| line.summary.expansions_mean()));
        let answer = if quality >= 2.0 && planning >= 10.0 { "yes" } else { "no" };
        claims.push((
            "Nearly 3 times less suboptimality and 15 times less planning than PR LRTA*(F, G).",
            format!("{answer}; {quality:.1} and {planning:.1} times; {}; {}", told(control), told(refined)),
        ));
    }
    let exact: Vec<String> = study
        .lines
        .iter()
        .filter(|line| line.spec.algorithm() == "lrta*(f,pdb)")
        .filter_map(|line| {
            let depth: u64 = line.spec.value("d")?.parse().ok()?;
            ((2 * depth - 1).pow(2) != line.worst_move)
                .then(|| format!("{}: {}", line.spec, thousands(line.worst_move)))
        })
        .collect();
    let answer = if exact.is_empty() { "yes".to_string() } else { format!("no: {}", exact.join(", ")) };
    claims.push(("The worst move of LRTA*(F, PDB) expands exactly (2d - 1)^2 states.", answer));
    claims
}
