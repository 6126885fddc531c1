//! Figures 12 to 15: what suboptimality costs in time and memory.

use super::{BUILD, CUMULATIVE, Line, MICROS, Measure, Pair, SIZE};
use crate::papers::lines::add_front;
use crate::report::{Axis, Figure, Origin, Point, Published, fixed, significant};

/// The four figures, each with the front of ours that nothing beats.
pub(super) fn figures(pairs: &[Pair<'_>], others: &[&Line<'_>]) -> Vec<Figure> {
    let figure = |id: &str, title: &str, axis: &str, measure: &Measure| {
        let x = Axis::log(axis, measure.unit);
        plot((id, title), x, measure, pairs, others)
    };
    vec![
        figure(
            "jair2010-figure-12",
            "Figure 12: suboptimality against time a move",
            "mean time a move",
            &MICROS,
        ),
        figure(
            "jair2010-figure-13",
            "Figure 13: suboptimality against the time to build the database",
            "building time",
            &BUILD,
        ),
        figure(
            "jair2010-figure-14",
            "Figure 14: suboptimality against the size of the database",
            "size relative to the map",
            &SIZE,
        ),
        figure(
            "jair2010-figure-15",
            "Figure 15: suboptimality against cumulative on-line memory",
            "cumulative memory",
            &CUMULATIVE,
        ),
    ]
}

fn plot(
    (id, title): (&str, &str),
    x: Axis,
    measure: &Measure,
    pairs: &[Pair<'_>],
    others: &[&Line<'_>],
) -> Figure {
    let unit = measure.unit.unwrap_or("times the map");
    let point = |name: &str, x: f64, y: f64| {
        let label = format!("{name}: {} %, {} {unit}", fixed(y, 2), significant(x, 3));
        Point { x, y, label }
    };
    let ours = |line: &Line<'_>| Some(((measure.ours)(line)?, line.suboptimality().mean()?));
    let mut figure = Figure::new(id, title, x, Axis::log("suboptimality", Some("%")));
    for (own, line) in pairs {
        let published = (measure.theirs)(own).and_then(Published::value).zip(own.suboptimality_pct.value());
        if let Some((x, y)) = published {
            let name = format!("{}, published", own.name);
            figure.add_point(own.family, Origin::Published, point(&name, x, y));
        }
        if let Some((x, y)) = line.and_then(ours) {
            figure.add_point(own.family, Origin::Ours, point(own.name, x, y));
        }
    }
    for line in others {
        let family = match line.spec.name() {
            "knn-lrta*" => "kNN LRTA*",
            "d-lrta*" => "D LRTA*",
            "tba*" => "TBA*",
            "a*" => "A*",
            _ => "others",
        };
        if let Some((x, y)) = ours(line) {
            figure.add_point(family, Origin::Ours, point(&line.name(), x, y));
        }
    }
    add_front(&mut figure);
    let words =
        "Both axes are of ratios here; the paper has equal steps and a second plot for the good region.";
    figure.notes.push(words.to_owned());
    figure
}
