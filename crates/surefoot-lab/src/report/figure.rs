//! Plots: what they show, not how it is drawn.

use super::model::with_unit;

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its name in links and files: lower-case letters, digits and dashes.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From the bottom up.
    pub y: Axis,
    /// What is drawn. Series of one name have one colour.
    pub series: Vec<Series>,
    /// What is to be said of it.
    pub notes: Vec<String>,
}

/// An axis of a plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What it measures.
    pub name: String,
    /// In which unit.
    pub unit: Option<String>,
    /// How it is divided.
    pub scale: Scale,
}

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are equal ratios. Zero has a place of its own before the first of them.
    Log,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Whose figures they are.
    pub origin: Origin,
    /// How it is drawn.
    pub form: Form,
    /// Its points, in the order of the line.
    pub points: Vec<Point>,
}

/// Whose figures a series shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Those of this report.
    Ours,
    /// Those of a paper.
    Published,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Points with lines between them.
    Line,
    /// Points alone.
    Points,
    /// A line without points, through points of other series.
    Guide,
}

/// A point of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// What is told of it.
    pub label: String,
}

impl Axis {
    /// An axis of equal differences.
    #[must_use]
    pub fn linear(name: impl Into<String>, unit: Option<&str>) -> Self {
        Self { name: name.into(), unit: unit.map(str::to_owned), scale: Scale::Linear }
    }

    /// An axis of equal ratios.
    #[must_use]
    pub fn log(name: impl Into<String>, unit: Option<&str>) -> Self {
        Self { name: name.into(), unit: unit.map(str::to_owned), scale: Scale::Log }
    }

    /// The name, and the unit in brackets.
    #[must_use]
    pub fn label(&self) -> String {
        with_unit(&self.name, self.unit.as_deref())
    }

    /// Whether a value has a place on it.
    #[must_use]
    pub fn has_place_for(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == Scale::Linear || value >= 0.0)
    }
}

impl Figure {
    /// A plot without series and notes.
    #[must_use]
    pub fn new(id: impl Into<String>, title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { id: id.into(), title: title.into(), x, y, series: Vec::new(), notes: Vec::new() }
    }

    /// Adds a point to the series of this name and origin, which begins with it if there is none.
    pub fn add_point(&mut self, name: &str, origin: Origin, point: Point) {
        let known = |own: &&mut Series| own.name == name && own.origin == origin && own.form == Form::Points;
        match self.series.iter_mut().find(known) {
            Some(own) => own.points.push(point),
            None => {
                let (name, points) = (name.to_owned(), vec![point]);
                self.series.push(Series { name, origin, form: Form::Points, points });
            }
        }
    }

    /// How many points have no place on its axes: infinite ones, or negative ones on an axis of ratios.
    #[must_use]
    pub fn without_place(&self) -> usize {
        let points = self.series.iter().flat_map(|series| &series.points);
        points.filter(|point| !self.x.has_place_for(point.x) || !self.y.has_place_for(point.y)).count()
    }
}
