//! Films as SVG text that browsers play, without a script: each thing is visible from one scene to another
//! (SMIL).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use surefoot::space::Cell;

use super::{EXPANDED, Film, FilmError, SHADES, Scene, shade};
use crate::{Colour, Picture, svg_cells, write_svg};

/// The most cells from one end of the film to the other: what a picture takes with a cell for a unit.
pub(super) const MOST_CELLS: u32 = 1 << 14;

/// Writes the film, or says why not.
pub(super) fn write(film: &Film) -> Result<String, FilmError> {
    let side = film.map().width().max(film.map().height());
    if side > MOST_CELLS {
        return Err(FilmError::TooWide { side });
    }
    // With at least a pixel for a cell, a cell is a unit.
    let mut svg = write_svg(&Picture::new(film.map()).with_longer_side(side.max(1024)));
    svg.truncate(svg.rfind("</svg>").unwrap_or(svg.len()));
    let mut animation = Animation::new(film, svg);
    animation.raised(film.scenes());
    animation.expanded(film.scenes());
    animation.trail(film.scenes());
    animation.disc(film.start(), Colour::START, "");
    animation.squares(film.scenes().iter().map(|scene| Some(scene.goal)), Colour::GOAL);
    animation.squares(film.scenes().iter().map(|scene| scene.subgoal), Colour::SUBGOAL);
    animation.agent(film.scenes());
    Ok(animation.svg + "</svg>\n")
}

struct Animation {
    svg: String,
    /// How many scenes there are, and how many times as long as the others the last one is seen.
    scenes: usize,
    hold: usize,
    seconds: f64,
    /// Half the size of a mark, and the thickness of the trail, in cells.
    radius: f64,
    thickness: f64,
}

/// Writing to a string cannot fail.
macro_rules! add {
    ($svg:expr, $($text:tt)*) => {{
        let _ = writeln!($svg, $($text)*);
    }};
}

impl Animation {
    fn new(film: &Film, svg: String) -> Self {
        let (each, last) = film.times();
        let hold = usize::from((last / each).max(1));
        let scenes = film.scenes().len();
        let seconds = (scenes - 1 + hold) as f64 * f64::from(each) / 100.0;
        let side = f64::from(film.map().width().max(film.map().height()));
        Self {
            svg,
            scenes,
            hold,
            seconds,
            radius: (side / 128.0).max(0.4),
            thickness: (side / 340.0).max(0.3),
        }
    }

    /// When a scene begins, as a part of the whole.
    fn time(&self, scene: usize) -> String {
        format!("{:.5}", scene as f64 / (self.scenes - 1 + self.hold) as f64)
    }

    /// What makes an element visible from one scene on, up to another.
    fn visible(&self, from: usize, to: Option<usize>) -> String {
        let (mut values, mut times) = (String::new(), String::new());
        if from > 0 {
            values += "hidden;visible";
            times += &format!("0;{}", self.time(from));
        } else {
            values += "visible";
            times += "0";
        }
        if let Some(to) = to {
            values += ";hidden";
            times += &format!(";{}", self.time(to));
        }
        self.animate("visibility", &values, &times)
    }

    fn animate(&self, attribute: &str, values: &str, times: &str) -> String {
        let seconds = self.seconds;
        format!(
            "<animate attributeName=\"{attribute}\" calcMode=\"discrete\" dur=\"{seconds:.2}s\" \
             repeatCount=\"indefinite\" values=\"{values}\" keyTimes=\"{times}\"/>"
        )
    }

    fn cells(
        &mut self,
        cells: impl IntoIterator<Item = Cell>,
        colour: Colour,
        from: usize,
        to: Option<usize>,
    ) {
        let (data, visible) = (svg_cells(cells), self.visible(from, to));
        if !data.is_empty() {
            add!(
                self.svg,
                "<path shape-rendering=\"crispEdges\" fill=\"{colour}\" d=\"{data}\">{visible}</path>"
            );
        }
    }

    /// Cells that are shaded alike from one scene to another are one element.
    fn raised(&mut self, scenes: &[Scene]) {
        let mut shown: BTreeMap<Cell, (u8, usize)> = BTreeMap::new();
        let mut elements: BTreeMap<(usize, Option<usize>, u8), Vec<Cell>> = BTreeMap::new();
        for (scene, shades) in scenes.iter().map(|scene| &scene.shades).enumerate() {
            for &(cell, shade) in shades {
                let before = match shade {
                    Some(shade) => shown.insert(cell, (shade, scene)),
                    None => shown.remove(&cell),
                };
                if let Some((shade, from)) = before {
                    elements.entry((from, Some(scene), shade)).or_default().push(cell);
                }
            }
        }
        for (cell, (shade, from)) in shown {
            elements.entry((from, None, shade)).or_default().push(cell);
        }
        for ((from, to, index), cells) in elements {
            self.cells(cells, shade(index.min(SHADES - 1)), from, to);
        }
    }

    fn expanded(&mut self, scenes: &[Scene]) {
        let mut from = 0;
        for run in scenes.chunk_by(|a, b| a.expanded == b.expanded) {
            let to = from + run.len();
            self.cells(run[0].expanded.iter().copied(), EXPANDED, from, (to < scenes.len()).then_some(to));
            from = to;
        }
    }

    fn trail(&mut self, scenes: &[Scene]) {
        let lines = scenes
            .iter()
            .enumerate()
            .flat_map(|(index, scene)| scene.trail.iter().map(move |line| (index, line)));
        for (index, line) in lines {
            let mut points = String::new();
            for &cell in line {
                let (x, y) = centre(cell);
                let _ = write!(points, "{x},{y} ");
            }
            let (colour, thickness) = (Colour::of_path(0), self.thickness);
            let (points, visible) = (points.trim_end(), self.visible(index, None));
            add!(
                self.svg,
                "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{thickness:.2}\" \
                 stroke-linejoin=\"round\" stroke-linecap=\"round\" points=\"{points}\">{visible}</polyline>"
            );
        }
    }

    fn disc(&mut self, cell: Cell, colour: Colour, inside: &str) {
        let ((x, y), radius) = (centre(cell), self.radius);
        add!(self.svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius:.2}\" fill=\"{colour}\">{inside}</circle>");
    }

    /// A square for each cell, as long as it is the same.
    fn squares(&mut self, cells: impl Iterator<Item = Option<Cell>>, colour: Colour) {
        let cells: Vec<Option<Cell>> = cells.collect();
        let mut from = 0;
        for run in cells.chunk_by(|a, b| a == b) {
            let to = from + run.len();
            if let Some(cell) = run[0] {
                let visible = self.visible(from, (to < cells.len()).then_some(to));
                let ((x, y), radius) = (centre(cell), self.radius);
                let (x, y, side) = (x - radius, y - radius, 2.0 * radius);
                add!(
                    self.svg,
                    "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{side:.2}\" height=\"{side:.2}\" \
                     fill=\"{colour}\">{visible}</rect>"
                );
            }
            from = to;
        }
    }

    fn agent(&mut self, scenes: &[Scene]) {
        let Some(first) = scenes.first() else { return };
        let times: Vec<String> = (0..scenes.len()).map(|scene| self.time(scene)).collect();
        let list = |along: fn((f64, f64)) -> f64| {
            let values: Vec<String> =
                scenes.iter().map(|scene| along(centre(scene.position)).to_string()).collect();
            values.join(";")
        };
        let times = times.join(";");
        let moves =
            self.animate("cx", &list(|at| at.0), &times) + &self.animate("cy", &list(|at| at.1), &times);
        self.disc(first.position, Colour::AGENT, &moves);
    }
}

fn centre(cell: Cell) -> (f64, f64) {
    (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
}
