//! Suboptimality against planning, as the paper's plots have it.

use super::super::lines::{Line, add_front};
use super::{CUT_OFFS, TABLE_3, times};
use crate::report::{Axis, Figure, Form, Origin, Point, Scale, Series, fixed};

/// The algorithms with the names of the paper.
const NAMES: [(&str, &str); 13] = [
    ("lrta*", "LRTA*(F, G)"),
    ("lrta*(dt,g)", "LRTA*(DT, G)"),
    ("lrta*(oracle,g)", "LRTA*(ORACLE, G)"),
    ("lrta*(pdb,g)", "LRTA*(PDB, G)"),
    ("k-lrta*", "K LRTA*(F, G)"),
    ("p-lrta*", "P LRTA*(F, G)"),
    ("lrta*(f,pdb)", "LRTA*(F, PDB)"),
    ("lrta*(pdb,pdb)", "LRTA*(PDB, PDB)"),
    ("pr-lrta*(f,g)", "PR LRTA*(F, G)"),
    ("pr-lrta*(pdb,g)", "PR LRTA*(PDB, G)"),
    ("pr-lrta*(f,pdb)", "PR LRTA*(F, PDB)"),
    ("pr-lrta*(pdb,pdb)", "PR LRTA*(PDB, PDB)"),
    ("d-lrta*", "D LRTA*"),
];

/// The algorithms with global goals.
const GLOBAL: [&str; 6] = ["lrta*", "lrta*(oracle,g)", "lrta*(dt,g)", "lrta*(pdb,g)", "p-lrta*", "k-lrta*"];

/// Figure 10: algorithms with global goals on maps of their original size. The cut-off has four digits there.
pub(super) fn figure_10(lines: &[Line<'_>]) -> Figure {
    let title =
        "Figure 10: algorithms with global goals on maps of their original size, cut-off 1,000 states a move";
    plot("jair2008-original-figure-10", title, lines, &GLOBAL, Some(CUT_OFFS[0]))
}

/// What the plot of path refinement shows, as the paper does for the sake of clarity: the region of high
/// performance.
const GOOD_STATES: f64 = 50.0;
const GOOD_TIMES: f64 = 1.5;

/// The plots: global goals, global and intermediate goals, path refinement, and all with the front that
/// nothing beats. The second has the cut-off of five digits of section 7.3; the others have one of four.
pub(super) fn figures(lines: &[Line<'_>]) -> Vec<Figure> {
    let [strict, wide] = CUT_OFFS;
    let goals = &["lrta*", "lrta*(pdb,g)", "lrta*(f,pdb)", "lrta*(pdb,pdb)"];
    let refined = &[
        "lrta*(f,pdb)",
        "lrta*(pdb,pdb)",
        "pr-lrta*(f,g)",
        "pr-lrta*(pdb,g)",
        "pr-lrta*(f,pdb)",
        "pr-lrta*(pdb,pdb)",
    ];
    let mut in_detail = plot(
        "jair2008-refinement",
        "Effects of path refinement, cut-off 1,000 states a move",
        lines,
        refined,
        Some(strict),
    );
    keep_good(&mut in_detail);
    let mut figures = vec![
        plot(
            "jair2008-global",
            "Algorithms with global goals, cut-off 1,000 states a move",
            lines,
            &GLOBAL,
            Some(strict),
        ),
        plot(
            "jair2008-goals",
            "Global against intermediate goals, cut-off 10,000 states a move",
            lines,
            goals,
            Some(wide),
        ),
        in_detail,
    ];
    let all: Vec<&str> = NAMES.iter().map(|own| own.0).chain(["a*", "weighted-a*", "pra*"]).collect();
    let mut figure = plot("jair2008-everything", "All algorithms without a cut-off", lines, &all, None);
    add_published(&mut figure);
    in_percent(&mut figure);
    add_front(&mut figure);
    figures.push(figure);
    figures
}

/// Leaves out what is not good, and shows the rest in equal steps.
fn keep_good(figure: &mut Figure) {
    let is_good = |point: &Point| point.x <= GOOD_STATES && point.y <= GOOD_TIMES;
    let beyond = figure.series.iter().flat_map(|own| &own.points).filter(|point| !is_good(point)).count();
    figure.series.iter_mut().for_each(|own| own.points.retain(is_good));
    figure.series.retain(|own| !own.points.is_empty());
    figure.y.scale = Scale::Linear;
    if beyond > 0 {
        figure.notes.push(format!(
            "{beyond} more need above {GOOD_STATES} states a move or are above {GOOD_TIMES} times."
        ));
    }
}

/// Times become percent above the optimum, so that what is near it can be told apart.
fn in_percent(figure: &mut Figure) {
    figure.y = Axis::log("suboptimality", Some("%"));
    figure
        .series
        .iter_mut()
        .flat_map(|own| &mut own.points)
        .for_each(|point| point.y = 100.0 * (point.y - 1.0));
}

fn name_of(algorithm: &str) -> &str {
    match algorithm {
        "a*" => "A*",
        "weighted-a*" => "weighted A*",
        "pra*" => "PRA*",
        _ => NAMES.iter().find(|own| own.0 == algorithm).map_or(algorithm, |own| own.1),
    }
}

fn plot(id: &str, title: &str, lines: &[Line<'_>], algorithms: &[&str], cut_off: Option<u64>) -> Figure {
    let mut notes = Vec::new();
    let series = algorithms.iter().filter_map(|algorithm| {
        let mine: Vec<&Line<'_>> = lines.iter().filter(|line| line.spec.algorithm() == *algorithm).collect();
        let kept = mine.iter().filter(|line| cut_off.is_none_or(|limit| line.worst_move() <= limit));
        let points: Vec<Point> = kept
            .filter_map(|line| {
                let (x, y) = (line.expansions().mean()?, times(line)?);
                let failures = match line.failures() {
                    0 => String::new(),
                    count => format!(", {count} did not arrive"),
                };
                let label = format!(
                    "{}: {} times, {} states a move{failures}",
                    line.name(),
                    fixed(y, 3),
                    fixed(x, 2)
                );
                Some(Point { x, y, label })
            })
            .collect();
        if points.len() < mine.len() {
            notes.push(format!("{} of {}", mine.len() - points.len(), name_of(algorithm)));
        }
        (!points.is_empty()).then(|| Series {
            name: name_of(algorithm).to_owned(),
            origin: Origin::Ours,
            form: Form::Points,
            points,
        })
    });
    let series = series.collect();
    let notes = if notes.is_empty() {
        Vec::new()
    } else {
        vec![format!("Left out, as a move exceeds the limit or no walk arrives: {}.", notes.join(", "))]
    };
    Figure {
        id: id.to_owned(),
        title: title.to_owned(),
        x: Axis::log("mean number of states expanded a move", None),
        y: Axis::log("suboptimality", Some("times")),
        series,
        notes,
    }
}

/// The points of Table 3.
fn add_published(figure: &mut Figure) {
    for (name, spec, x, y) in TABLE_3 {
        let algorithm =
            spec.parse().map_or_else(|_| name.to_owned(), |spec: surefoot::agent::Spec| spec.algorithm());
        let label = format!("{name}, published about: {y} times, {x} states a move");
        figure.add_point(name_of(&algorithm), Origin::Published, Point { x, y, label });
    }
}
