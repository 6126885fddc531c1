//! Legends: below the plot, where they cover nothing.

use maud::{Markup, html};

use super::{GAP, LINE, at, marker, text_width};
use crate::report::figure::{Figure, Form, Origin};

/// Room for the marker before a name.
const MARKER_ROOM: f64 = 18.0;

/// The names of the series of a figure, laid out in lines.
#[derive(Clone, Debug)]
pub(super) struct Legend {
    names: Vec<String>,
    /// Which of them are lines without points.
    guides: Vec<usize>,
    /// Where each name begins: from the left, and in which line.
    places: Vec<(f64, usize)>,
    /// What is said of markers, below the names.
    words: Vec<String>,
    lines: usize,
    width: f64,
}

impl Legend {
    /// The legend of a figure in a picture of this width.
    pub(super) fn new(figure: &Figure, width: f64) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut guides = Vec::new();
        for series in &figure.series {
            if !names.contains(&series.name) {
                if series.form == Form::Guide {
                    guides.push(names.len());
                }
                names.push(series.name.clone());
            }
        }
        let (mut left, mut line) = (GAP, 0);
        let mut places = Vec::new();
        for name in &names {
            let own = MARKER_ROOM + text_width(name).min(width - 2.0 * GAP - MARKER_ROOM) + 2.0 * GAP;
            if left > GAP && left + own > width {
                (left, line) = (GAP, line + 1);
            }
            places.push((left, line));
            left += own;
        }
        let has = |origin| figure.series.iter().any(|series| series.origin == origin);
        let words = match (has(Origin::Ours), has(Origin::Published)) {
            (true, true) => {
                "Filled markers and whole lines are ours, hollow ones and broken lines published."
            }
            (false, true) => "Hollow markers are published figures; there are none of ours.",
            _ => "",
        };
        let words = wrap(words, width - 2.0 * GAP);
        Self { lines: if names.is_empty() { 0 } else { line + 1 }, names, guides, places, words, width }
    }

    /// The number of a name.
    pub(super) fn place(&self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or(0)
    }

    /// What it takes below the plot.
    pub(super) fn height(&self) -> f64 {
        LINE * (self.lines + self.words.len()) as f64
    }

    /// The legend, from `top` on.
    pub(super) fn draw(&self, top: f64) -> Markup {
        let middle = |line: usize| top + LINE * (line as f64 + 0.5);
        html! {
            @for (series, (name, &(left, line))) in self.names.iter().zip(&self.places).enumerate() {
                @if self.guides.contains(&series) {
                    line class="guide" x1=(at(left)) x2=(at(left + 2.0 * GAP)) y1=(at(middle(line))) y2=(at(middle(line))) {}
                } @else {
                    path class=(format!("m c{}", marker::colour(series)))
                        d=(marker::path(series, left + GAP, middle(line))) {}
                }
                text x=(at(left + MARKER_ROOM)) y=(at(middle(line) + 4.0)) {
                    (shortened(name, self.width - left - MARKER_ROOM))
                }
            }
            @for (line, words) in self.words.iter().enumerate() {
                text class="said" x=(at(GAP)) y=(at(middle(self.lines + line) + 4.0)) { (words) }
            }
        }
    }
}

/// As much of a name as fits.
fn shortened(name: &str, width: f64) -> String {
    if text_width(name) <= width {
        return name.to_owned();
    }
    let mut short = name.to_owned();
    while short.pop().is_some() && text_width(&short) + text_width("…") > width {}
    short + "…"
}

/// Words in lines of at most this width.
pub(super) fn wrap(text: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(line) + text_width(" ") + text_width(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
