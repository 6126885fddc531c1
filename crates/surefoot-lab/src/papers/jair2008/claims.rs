//! What the paper claims, and what our figures say to it.

use super::super::lines::Line;
use crate::report::{Cell, Column, Table, fixed, significant, thousands};

/// Each claim with yes or no and the figures behind it; a dash where the run does not have them.
pub(super) fn table(lines: &[Line<'_>]) -> Table {
    let mut table = Table::new(
        "jair2008-claims",
        "The paper's claims",
        vec![Column::new("claim"), Column::new("holds here"), Column::new("figures")],
    );
    let claims: [(&str, Option<(bool, String)>); 6] = [
        ("Within 7 % of optimal at about one state a move.", one_state(lines)),
        ("Choosing goals matters far more than choosing depths.", goals_over_depths(lines)),
        (
            "LRTA*(F, PDB) finds about five times better solutions than LRTA*(F, G), with about a thousandth of the planning.",
            subgoals(lines),
        ),
        (
            "Nearly 3 times less suboptimality and 15 times less planning than PR LRTA*(F, G).",
            over_refinement(lines),
        ),
        (
            "Path refinement costs at least five times the planning of the best LRTA* with goals chosen.",
            refinement_cost(lines),
        ),
        ("The worst move of LRTA*(F, PDB) expands exactly (2d − 1)² states.", worst_moves(lines)),
    ];
    for (claim, answer) in claims {
        let (holds, figures) = match answer {
            None => (Cell::Missing, Cell::text("not part of this run")),
            Some((holds, figures)) => (Cell::text(if holds { "yes" } else { "no" }), Cell::Text(figures)),
        };
        table.push(vec![Cell::text(claim), holds, figures]);
    }
    table
}

fn percent(line: &Line<'_>) -> f64 {
    line.suboptimality().mean().unwrap_or(f64::INFINITY)
}

fn planning(line: &Line<'_>) -> f64 {
    line.expansions().mean().unwrap_or(f64::INFINITY)
}

fn told(line: &Line<'_>) -> String {
    format!("{}: {} % at {} states a move", line.name(), fixed(percent(line), 2), fixed(planning(line), 2))
}

/// The lines of an algorithm that always arrive.
fn named<'a, 'b>(lines: &'b [Line<'a>], name: &'b str) -> impl Iterator<Item = &'b Line<'a>> {
    lines.iter().filter(move |line| line.always_arrives() && line.spec.algorithm() == name)
}

/// The one with the lowest suboptimality.
fn best<'a, 'b: 'a>(lines: impl Iterator<Item = &'a Line<'b>>) -> Option<&'a Line<'b>> {
    lines.min_by(|a, b| percent(a).total_cmp(&percent(b)))
}

/// The paper's own, which has it of LRTA*(PDB, PDB), and the best of all.
fn one_state(lines: &[Line<'_>]) -> Option<(bool, String)> {
    let is_one = |line: &&Line<'_>| line.always_arrives() && planning(line) < 1.5;
    let own = best(named(lines, "lrta*(pdb,pdb)").filter(is_one));
    let line = own.or_else(|| best(lines.iter().filter(is_one)))?;
    let any = best(lines.iter().filter(is_one)).filter(|any| any.name() != line.name());
    let any = any.map_or(String::new(), |any| format!("; the best here {}", told(any)));
    Some((percent(line) <= 7.0, told(line) + &any))
}

fn goals_over_depths(lines: &[Line<'_>]) -> Option<(bool, String)> {
    let depths = best(named(lines, "lrta*(pdb,g)"))?;
    // Of those that choose goals, one that plans no more.
    let goals = best(named(lines, "lrta*(f,pdb)").filter(|line| planning(line) <= planning(depths)))?;
    Some((percent(goals) * 2.0 < percent(depths), format!("{}; {}", told(goals), told(depths))))
}

fn subgoals(lines: &[Line<'_>]) -> Option<(bool, String)> {
    let with = best(named(lines, "lrta*(f,pdb)").filter(|line| planning(line) < 1.5))?;
    let without = best(named(lines, "lrta*"))?;
    let (quality, less) = (
        (1.0 + percent(without) / 100.0) / (1.0 + percent(with) / 100.0),
        planning(without) / planning(with),
    );
    let figures = format!(
        "{} times better at {} times less planning; {}; {}",
        significant(quality, 2),
        significant(less, 2),
        told(with),
        told(without)
    );
    // "Five" may be rounded, and a thousandth is meant as an order of magnitude.
    Some((quality >= 4.5 && less >= 10_f64.powf(2.5), figures))
}

/// As in Table 3: the best LRTA*(PDB, PDB) beside PR LRTA*(F, G) at level 4 with d = 5.
fn over_refinement(lines: &[Line<'_>]) -> Option<(bool, String)> {
    let is_of_table_3 = |line: &&Line<'_>| {
        ["level", "d", "gamma"]
            .iter()
            .zip(["4", "5", "1"])
            .all(|(key, value)| line.spec.value(key).is_none_or(|own| own == value))
    };
    let refined = best(named(lines, "pr-lrta*(f,g)").filter(is_of_table_3))?;
    let control = best(named(lines, "lrta*(pdb,pdb)"))?;
    let (quality, less) = (percent(refined) / percent(control), planning(refined) / planning(control));
    let figures = format!(
        "{} and {} times less; {}; {}",
        significant(quality, 2),
        significant(less, 2),
        told(control),
        told(refined)
    );
    Some((quality >= 2.5 && less >= 14.5, figures))
}

fn refinement_cost(lines: &[Line<'_>]) -> Option<(bool, String)> {
    let control = best(
        named(lines, "lrta*(f,pdb)")
            .chain(named(lines, "lrta*(pdb,pdb)"))
            .filter(|line| planning(line) < 1.5),
    )?;
    let refined = lines.iter().filter(|line| line.always_arrives() && line.spec.name() == "pr-lrta*");
    let cheapest = refined.min_by(|a, b| planning(a).total_cmp(&planning(b)))?;
    Some((planning(cheapest) >= 5.0 * planning(control), format!("{}; {}", told(cheapest), told(control))))
}

fn worst_moves(lines: &[Line<'_>]) -> Option<(bool, String)> {
    let all: Vec<(&Line<'_>, u64)> = lines
        .iter()
        .filter(|line| line.spec.algorithm() == "lrta*(f,pdb)")
        .filter_map(|line| {
            Some((
                line,
                (2 * line.spec.value("d").unwrap_or("1").parse::<u64>().ok()?).checked_sub(1)?.pow(2),
            ))
        })
        .collect();
    // A lookahead that sees its goal, which is not expanded, or a wall on every move stays below the bound.
    let below: Vec<&(&Line<'_>, u64)> =
        all.iter().filter(|(line, bound)| line.worst_move() != *bound).collect();
    let figures = match below.iter().max_by_key(|(line, bound)| bound.abs_diff(line.worst_move())) {
        None => format!("all {} of them", all.len()),
        Some((line, bound)) => format!(
            "{} of {}; the farthest off is {} with {} of {}",
            all.len() - below.len(),
            all.len(),
            line.name(),
            thousands(line.worst_move()),
            thousands(*bound)
        ),
    };
    (!all.is_empty()).then_some((below.is_empty(), figures))
}
