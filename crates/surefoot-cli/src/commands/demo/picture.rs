//! The demo's picture: one problem and the way that every algorithm walks, each in its own colour. Those to
//! begin with are seen; the page shows the others when they are asked for.
//!
//! Algorithms that find a cheapest path often walk the same one. So that none hides another, the first line
//! is the broadest and each further one is narrower: lines that lie on each other look like a ribbon.

use std::fmt::Write as _;

use surefoot::space::{Cell, TerrainMap};
use surefoot_draw::{Colour, Picture, write_svg};
use surefoot_lab::problems::GeneratedProblem;

/// The way that an algorithm walked.
pub(super) struct Line {
    pub(super) algorithm: String,
    pub(super) cells: Vec<Cell>,
    pub(super) cost: f64,
}

/// The widths of the broadest and of the narrowest line, in cells.
const BROADEST: f64 = 3.0;
const NARROWEST: f64 = 0.8;

/// Colours repeat after this many lines; dashes tell the repetitions apart.
const COLOURS: usize = 6;

/// How many lines are seen at first: no more than there are colours. The others are for the page to show.
pub(super) const SEEN: usize = super::FIRST.len();

/// The picture as SVG. The line of algorithm number i has the id `line-i`.
pub(super) fn draw(map: &TerrainMap, problem: &GeneratedProblem, lines: &[Line]) -> String {
    // One unit of the picture is one cell, which holds while the map has fewer cells a side than the picture
    // pixels.
    let base = write_svg(&Picture::new(map));
    let (body, end) = base.rsplit_once("</svg>").unwrap_or((&base, ""));
    let mut svg = body.to_string();
    for (index, line) in lines.iter().enumerate() {
        let points: Vec<String> =
            turns(&line.cells).map(|cell| format!("{},{}", middle(cell.x), middle(cell.y))).collect();
        let hidden = if index < SEEN { "" } else { " style=\"display:none\"" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<polyline id=\"line-{index}\" fill=\"none\"{hidden} {} points=\"{}\"/>",
            stroke(index, width(index, lines.len())),
            points.join(" ")
        );
    }
    let ends = [(problem.start, "#ffffff"), (problem.goal, "#22252b")];
    for (cell, fill) in ends {
        let (x, y) = (middle(cell.x), middle(cell.y));
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{fill}\" stroke=\"#22252b\" stroke-width=\"1\"/>"
        );
    }
    format!("{svg}</svg>{end}")
}

/// How line number `index` is drawn: also the legend's sample.
pub(super) fn stroke(index: usize, width: f64) -> String {
    let colour = Colour::of_path(index);
    let dashes = match index / COLOURS {
        0 => String::new(),
        round => format!(" stroke-dasharray=\"{0} {0}\"", 2 + 3 * round),
    };
    format!(
        "stroke=\"{colour}\" stroke-width=\"{width:.2}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"{dashes}"
    )
}

fn width(index: usize, lines: usize) -> f64 {
    let steps = lines.saturating_sub(1).max(1) as f64;
    BROADEST - (BROADEST - NARROWEST) * index as f64 / steps
}

fn middle(coordinate: u32) -> f64 {
    f64::from(coordinate) + 0.5
}

/// The cells in which a way changes direction, and its ends: all that a line needs.
fn turns(cells: &[Cell]) -> impl Iterator<Item = Cell> {
    let step =
        |from: Cell, to: Cell| (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    cells.iter().enumerate().filter_map(move |(at, &cell)| {
        let goes_on =
            at > 0 && cells.get(at + 1).is_some_and(|&next| step(cells[at - 1], cell) == step(cell, next));
        (!goes_on).then_some(cell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_stretches_are_two_points() {
        let cells: Vec<Cell> = [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2)].map(|(x, y)| Cell::new(x, y)).into();
        let kept: Vec<Cell> = turns(&cells).collect();
        assert_eq!(kept, [(0, 0), (2, 0), (4, 2)].map(|(x, y)| Cell::new(x, y)));
        assert_eq!(turns(&cells[..1]).count(), 1);
    }

    #[test]
    fn every_line_can_be_told_from_every_other() {
        let strokes: std::collections::BTreeSet<String> =
            (0..18).map(|index| stroke(index, width(index, 18))).collect();
        assert_eq!(strokes.len(), 18);
        assert!(width(0, 1) > 0.0);
    }
}
