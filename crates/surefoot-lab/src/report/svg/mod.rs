//! Figures as pictures.
//!
//! The axes, lines and markers are drawn here and not by a plotting crate: the ones that write SVG set
//! colours and places as fixed attributes, put the legend over the points, and have no place for 0 on a
//! logarithmic axis. Here colours are named by classes, so that one picture serves light and dark pages and
//! paper; the legend stands below the plot; and every point is an element of its own with a title, to be read
//! by pointing at it.

mod legend;
mod marker;
mod ruler;

use maud::{Markup, PreEscaped, html};

use self::legend::Legend;
use self::ruler::{Ruler, Tick};
use super::figure::{Figure, Form, Origin, Point, Series};

/// The colours of plots, for a page or a picture that stands alone.
pub(super) const STYLE: &str = include_str!("plot.css");

/// How large a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For screens of computers, and paper.
    Wide,
    /// For telephones.
    Narrow,
}

impl Size {
    const fn width(self) -> f64 {
        match self {
            Self::Wide => 720.0,
            Self::Narrow => 350.0,
        }
    }

    /// The height of the plot alone.
    const fn height(self) -> f64 {
        match self {
            Self::Wide => 340.0,
            Self::Narrow => 260.0,
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Wide => "plot wide",
            Self::Narrow => "plot narrow",
        }
    }
}

/// The size of letters.
const FONT: f64 = 12.0;
/// The height of a line of letters.
const LINE: f64 = 18.0;
/// Room between letters and what is beside them.
const GAP: f64 = 6.0;

/// What so many letters take, generously: the letters of the page are not known here.
fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * FONT * 0.58
}

/// The figure as a file of its own.
#[must_use]
pub fn file(figure: &Figure, size: Size) -> String {
    let picture = draw(figure, size, true);
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", picture.into_string())
}

/// The figure as a part of a page that has the style of plots.
#[must_use]
pub fn part(figure: &Figure, size: Size) -> Markup {
    draw(figure, size, false)
}

/// Where the plot itself lies in the picture.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

fn draw(figure: &Figure, size: Size, stands_alone: bool) -> Markup {
    let width = size.width();
    let values = |of: fn(&Point) -> f64| -> Vec<f64> {
        let points = figure.series.iter().flat_map(|series| &series.points);
        let placed = points.filter(|point| has_place(figure, point));
        placed.map(of).collect()
    };
    let title_lines = if stands_alone { legend::wrap(&figure.title, width - 2.0 * GAP) } else { Vec::new() };
    // The highest number stands half above the top.
    let top = LINE * title_lines.len() as f64 + LINE + 2.0 * GAP;
    let bottom = top + size.height();
    let y = Ruler::new(figure.y.scale, &values(|point| point.y), (bottom, top), LINE * 2.0);
    let widest = y.ticks().iter().map(|tick| text_width(&tick.label)).fold(0.0, f64::max);
    // Half of the last number of the other axis may stand out to the right.
    let area = Area { left: widest + 2.0 * GAP, right: width - 4.0 * GAP, top, bottom };
    let room = if size == Size::Wide { 80.0 } else { 56.0 };
    let x = Ruler::new(figure.x.scale, &values(|point| point.x), (area.left, area.right), room);
    let legend = Legend::new(figure, width);
    let below = bottom + 2.0 * LINE + 2.0 * GAP;
    let height = below + legend.height() + GAP;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" class=(size.class()) viewBox=(format!("0 0 {} {}", at(width), at(height)))
            width=[stands_alone.then(|| at(width))] height=[stands_alone.then(|| at(height))]
            role="img" aria-label=(figure.title) {
            @if stands_alone {
                style { (PreEscaped(STYLE)) }
                rect class="paper" width=(at(width)) height=(at(height)) {}
            }
            @for (line, text) in title_lines.iter().enumerate() {
                text class="title" x=(at(GAP)) y=(at(LINE * (line as f64 + 0.8))) { (text) }
            }
            text class="name" x=(at(GAP)) y=(at(top - 2.0 * GAP - 2.0)) { (figure.y.label()) }
            (axes(area, &x, &y))
            text class="name" x=(at((area.left + area.right) / 2.0)) y=(at(bottom + 2.0 * LINE)) text-anchor="middle" {
                (figure.x.label())
            }
            @for series in &figure.series {
                @if series.form != Form::Points {
                    @for part in lines(figure, &series.points, &x, &y) {
                        polyline class=(line_class(series, &legend)) points=(part) {}
                    }
                }
            }
            @for series in figure.series.iter().filter(|series| series.form != Form::Guide) {
                @for (at, point) in series.points.iter().enumerate().filter(|(_, point)| has_place(figure, point)) {
                    path class=(class("m", &legend, &series.name, series.origin))
                        d=(marker_of(legend.place(&series.name), series, at, (x.place(point.x), y.place(point.y)))) {
                        title { (point.label) }
                    }
                }
            }
            (legend.draw(below))
        }
    }
}

fn marker_of(number: usize, series: &Series, place: usize, (x, y): (f64, f64)) -> String {
    match series.form {
        Form::Line => marker::path_on_line(number, (place, series.points.len()), x, y),
        Form::Points | Form::Guide => marker::path(number, x, y),
    }
}

fn has_place(figure: &Figure, point: &Point) -> bool {
    figure.x.has_place_for(point.x) && figure.y.has_place_for(point.y)
}

/// The lines and numbers of both axes.
fn axes(area: Area, x: &Ruler, y: &Ruler) -> Markup {
    html! {
        @for Tick { place, label } in y.ticks() {
            line class="grid" x1=(at(area.left)) x2=(at(area.right)) y1=(at(*place)) y2=(at(*place)) {}
            text x=(at(area.left - GAP)) y=(at(place + FONT * 0.35)) text-anchor="end" { (label) }
        }
        @for Tick { place, label } in x.ticks() {
            line class="grid" x1=(at(*place)) x2=(at(*place)) y1=(at(area.top)) y2=(at(area.bottom)) {}
            text x=(at(*place)) y=(at(area.bottom + LINE)) text-anchor="middle" { (label) }
        }
        polyline class="axis" points=(format!(
            "{},{} {},{} {},{}", at(area.left), at(area.top), at(area.left), at(area.bottom), at(area.right), at(area.bottom)
        )) {}
        @if let Some(gap) = y.gap() {
            rect class="gap" x=(at(area.left - 2.0)) y=(at(gap - 2.0)) width=(at(area.right - area.left + 2.0)) height="4" {}
        }
        @if let Some(gap) = x.gap() {
            rect class="gap" x=(at(gap - 2.0)) y=(at(area.top)) width="4" height=(at(area.bottom - area.top + 2.0)) {}
        }
    }
}

/// The lines of a series: one for each run of points that have a place.
fn lines(figure: &Figure, points: &[Point], x: &Ruler, y: &Ruler) -> Vec<String> {
    let place = |point: &Point| format!("{},{}", at(x.place(point.x)), at(y.place(point.y)));
    let runs = points.split(|point| !has_place(figure, point)).filter(|run| run.len() > 1);
    runs.map(|run| run.iter().map(place).collect::<Vec<_>>().join(" ")).collect()
}

fn class(kind: &str, legend: &Legend, name: &str, origin: Origin) -> String {
    let published = if origin == Origin::Published { " published" } else { "" };
    format!("{kind} c{}{published}", marker::colour(legend.place(name)))
}

fn line_class(series: &Series, legend: &Legend) -> String {
    match series.form {
        Form::Guide => "guide".to_owned(),
        _ => class("l", legend, &series.name, series.origin),
    }
}

/// A coordinate: a tenth is as fine as an eye sees.
fn at(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests;
