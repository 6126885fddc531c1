//! Percentiles by the length of a shortest path.

use std::ops::Range;

use super::{Line, Measured};
use crate::report::{Axis, Figure, Form, Origin, Point, Series, significant};
use crate::rows::Row;
use crate::spread::Spread;

/// What a point of a curve spans: four of the paper's buckets, so that a quick run has some paths in each.
pub(super) const BIN: u32 = 16;
/// The longest paths are below this.
const END: u32 = 512;
/// Paths from this length on are long.
pub(super) const LONG: f64 = 256.0;

/// A curve: for ranges of length a figure.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) points: Vec<(Range<f64>, f64)>,
}

/// The ranges of length.
pub(super) fn bins() -> impl Iterator<Item = Range<f64>> {
    (0..END / BIN).map(|at| f64::from(at * BIN)..f64::from((at + 1) * BIN))
}

/// Frames over frames; where there are none of either, 1.
pub(super) fn ratio_of_frames(frames: Option<u64>, least: Option<u64>) -> Option<f64> {
    frames.zip(least).map(|(frames, least)| crate::clock::ratio(frames, least))
}

fn is_in(row: &Row, lengths: &Range<f64>) -> bool {
    row.optimal_cost.is_some_and(|length| lengths.contains(&length))
}

/// A figure of all walks in a range of length. Walks that did not arrive are above all others; walks without
/// the figure do not count.
pub(super) fn plain(line: &Line<'_>, measure: Measured, lengths: &Range<f64>) -> Spread {
    let rows = line.rows().filter(|row| is_in(row, lengths));
    rows.filter(|row| !row.solved || measure(row).is_some())
        .map(|row| measure(row).filter(|_| row.solved))
        .collect()
}

/// How many times as much `other` has of a figure, path by path. Paths that only one of them has, or that
/// take no planning, do not count; a walk that did not arrive has gained nothing.
pub(super) fn gains(own: &Line<'_>, other: &Line<'_>, measure: Measured, lengths: &Range<f64>) -> Spread {
    let mut spread = Vec::new();
    for unit in &own.units {
        let is_same = |known: &&&crate::runs::UnitResult| known.map == unit.map && known.seed == unit.seed;
        let Some(others) = other.units.iter().find(is_same) else { continue };
        for (mine, theirs) in unit.rows.iter().zip(&others.rows).filter(|(mine, _)| is_in(mine, lengths)) {
            let is_same_path = (mine.start_x, mine.start_y, mine.goal_x, mine.goal_y)
                == (theirs.start_x, theirs.start_y, theirs.goal_x, theirs.goal_y);
            match (measure(mine), measure(theirs)) {
                (Some(own), Some(other)) if is_same_path && own > 0.0 => {
                    spread.push(if mine.solved {
                        Some(other / own).filter(|_| theirs.solved)
                    } else {
                        Some(0.0)
                    });
                }
                _ => {}
            }
        }
    }
    spread.into_iter().collect()
}

/// A percentile of a figure in each range of length where it is known.
pub(super) fn by_length(name: &str, line: &Line<'_>, measure: Measured, percent: f64) -> Curve {
    let point = |bin: Range<f64>| plain(line, measure, &bin).percentile(percent).map(|figure| (bin, figure));
    Curve { name: name.to_owned(), points: bins().filter_map(point).collect() }
}

/// Takes the shortest paths out of curves of the clocked game, where the frame before the first move is most
/// of the way: they would leave no room for the others. What they come to is told.
pub(super) fn without_shortest(curves: &mut [Curve]) -> Option<String> {
    let mut largest: Option<f64> = None;
    for curve in curves {
        let (short, long) =
            std::mem::take(&mut curve.points).into_iter().partition(|(bin, _)| bin.start == 0.0);
        curve.points = long;
        let short: Vec<(Range<f64>, f64)> = short;
        largest = short.iter().map(|own| own.1).chain(largest).reduce(f64::max);
    }
    largest.map(|figure| {
        format!(
            "Below length {BIN} it is up to {}, and not shown: one frame is much of so short a way.",
            significant(figure, 3)
        )
    })
}

/// The plot of curves over the length of a shortest path.
pub(super) fn curve_figure(id: &str, title: &str, y: Axis, curves: Vec<Curve>, notes: &[&str]) -> Figure {
    let unit = y.unit.clone().map_or(String::new(), |unit| format!(" {unit}"));
    let series = curves.into_iter().filter(|curve| !curve.points.is_empty()).map(|curve| {
        let point = |(bin, figure): &(Range<f64>, f64)| Point {
            x: f64::midpoint(bin.start, bin.end),
            y: *figure,
            label: format!(
                "{}, length {} to {}: {}{unit}",
                curve.name,
                bin.start,
                bin.end - 1.0,
                significant(*figure, 4)
            ),
        };
        let points = curve.points.iter().map(point).collect();
        Series { name: curve.name.clone(), origin: Origin::Ours, form: Form::Line, points }
    });
    Figure {
        id: id.to_owned(),
        title: title.to_owned(),
        x: Axis::linear("length of a shortest path", Some("tiles")),
        series: series.collect(),
        y,
        notes: notes.iter().map(|note| (*note).to_owned()).collect(),
    }
}
