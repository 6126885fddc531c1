//! What a database looks like, as shapes without pixels: `surefoot-draw` makes pictures of them.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::space::{Cell, State};

/// What is to be seen of a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The way between two states.
    pub way: Option<(State, State)>,
    /// One of its records.
    pub record: Option<u32>,
    /// One of its levels.
    pub level: Option<u32>,
}

/// Why there is nothing to be seen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// The database has no such thing.
    #[error("{option} is for other databases; this one has {contents}")]
    NotForThis {
        /// What was asked for: `--record`, `--level`, `--from`.
        option: &'static str,
        /// What it has.
        contents: &'static str,
    },
    /// There is no such record or level.
    #[error("there is no {what} {number}, only {least} to {most}")]
    NoSuch {
        /// What was asked for.
        what: &'static str,
        /// Which.
        number: u32,
        /// The first that there is.
        least: u32,
        /// The last that there is.
        most: u32,
    },
    /// There is no way.
    #[error("no way leads from {from} to {to}")]
    NoWay {
        /// Where it should begin.
        from: Cell,
        /// Where it should end.
        to: Cell,
    },
}

/// A colour by what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Shade {
    /// One of the colours of paths, by its number.
    Path(u8),
    /// One of the pale colours of regions, by its number. Neighbours have different ones.
    Region(u8),
    /// A line that holds things together.
    Line,
    /// What steps back where a way is shown.
    Faint,
    /// The same for lines.
    FaintLine,
    /// Where labels meet, and other places that all is about.
    Subgoal,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Mark {
    /// Cells that are painted.
    Cells(Vec<Cell>, Shade),
    /// Thin lines between the middles of two cells.
    Lines(Vec<[Cell; 2]>, Shade),
    /// A broad line through the middles of cells.
    Path(Vec<Cell>, Shade),
    /// A broad line through any points.
    Curve(Vec<(f64, f64)>, Shade),
    /// Small marks on cells.
    Dots(Vec<Cell>, Shade),
    /// Large marks on cells.
    Spots(Vec<Cell>, Shade),
    /// Large marks on any points.
    SpotsAt(Vec<(f64, f64)>, Shade),
    /// Where a way begins.
    Start(Cell),
    /// Where a way ends.
    Goal(Cell),
    /// Where labels meet.
    Meeting(Cell),
}

/// Shapes, one over the other, and what is said beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    /// What is drawn, the lowest first. One picture for each panel: a title, a caption and its shapes.
    pub panels: Vec<(String, String, Vec<Mark>)>,
    /// What the colours stand for.
    pub legend: Vec<(Shade, &'static str)>,
    /// The same as a table: its head, and its rows.
    pub table: Option<(Vec<&'static str>, Vec<Vec<String>>)>,
    /// What is said below the table.
    pub words: Cow<'static, str>,
}

impl Sketch {
    /// One picture.
    #[must_use]
    pub fn of(marks: Vec<Mark>) -> Self {
        Self { panels: Vec::from([(String::new(), String::new(), marks)]), ..Self::default() }
    }

    /// The same with a table.
    #[must_use]
    pub fn with_table(mut self, head: Vec<&'static str>, rows: Vec<Vec<String>>) -> Self {
        self.table = Some((head, rows));
        self
    }
}
