//! Reports: sections of text, tables and figures, and how they are shown.
//!
//! | what | module |
//! | --- | --- |
//! | what a report is made of | `model`, `figure` |
//! | how numbers look | `numbers` |
//! | a table as words | `plain` |
//! | one page that needs nothing else | [`html`] |
//! | text for a repository | [`markdown`] |
//! | a table as comma-separated values | [`csv`] |
//! | a figure as a picture | [`svg`] |
//! | all of them in a folder | [`folder`] |
//!
//! Nothing here knows a paper. The same report gives the same bytes: no clock is read, and order is the order
//! of the data.

pub mod csv;
mod figure;
pub mod folder;
pub mod html;
pub mod markdown;
mod model;
mod numbers;
mod plain;
pub mod svg;

pub use self::figure::{Axis, Figure, Form, Origin, Point, Scale, Series};
pub use self::model::{
    Beside, Cell, Column, ColumnKind, Item, Match, Published, Report, Row, Section, Source, Table,
};
pub use self::numbers::{fixed, significant, thousands};
pub use self::plain::PlainTable;

/// What stands where there is no figure.
pub const NOTHING: &str = "–";
