//! Markers: colours that can be told apart by all eyes, and shapes for those that see none.

use super::at;

/// How many colours there are.
const COLOURS: usize = 7;

/// Paths around their middle, about equally heavy.
const SHAPES: [&str; 8] = [
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "m-3.6-3.6h7.2v7.2h-7.2z",
    "m0-4.8l4.6 8h-9.2z",
    "m0-5l5 5l-5 5l-5-5z",
    "m0 4.8l4.6-8h-9.2z",
    "m-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "m-4.4-2.2l2.2-2.2l2.2 2.2l2.2-2.2l2.2 2.2l-2.2 2.2l2.2 2.2l-2.2 2.2l-2.2-2.2l-2.2 2.2l-2.2-2.2l2.2-2.2z",
    "m-2.2-4h4.4l2.4 4l-2.4 4h-4.4l-2.4-4z",
];

/// The colour of a series.
pub(super) const fn colour(series: usize) -> usize {
    series % COLOURS
}

/// A point of a line between those that have a marker.
const DOT: &str = "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0z";

/// A line has about so many markers: more of them would hide it.
const MARKERS_A_LINE: usize = 8;

/// The marker of a series. Where colours begin again, shapes do not.
pub(super) fn path(series: usize, x: f64, y: f64) -> String {
    format!("M{} {}{}", at(x), at(y), SHAPES[series % SHAPES.len()])
}

/// The marker of a point of a line: of a long one, one in a few has the shape of the series, and the others
/// are dots.
pub(super) fn path_on_line(series: usize, (place, count): (usize, usize), x: f64, y: f64) -> String {
    let every = count.div_ceil(MARKERS_A_LINE).max(1);
    // Lines that run together have their markers at different points.
    if (place + series).is_multiple_of(every) {
        path(series, x, y)
    } else {
        format!("M{} {}{DOT}", at(x), at(y))
    }
}
