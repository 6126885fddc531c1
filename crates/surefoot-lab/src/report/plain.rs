//! A table as words: what every text of it shows, before anything is escaped or set in columns.

use super::NOTHING;
use super::model::{Beside, Cell, ColumnKind, Published, Table};
use super::numbers::{fixed, significant};

/// The heads and lines of a table. A column of published figures beside ours takes three.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainTable {
    /// The heads, each with whether numbers stand below it.
    pub heads: Vec<(String, bool)>,
    /// The lines: a cell for each head.
    pub lines: Vec<Vec<String>>,
}

impl PlainTable {
    /// The words of a table.
    #[must_use]
    pub fn of(table: &Table) -> Self {
        let kinds = table.kinds();
        let mut heads = Vec::new();
        for (column, kind) in table.columns.iter().zip(&kinds) {
            let label = column.label();
            match kind {
                ColumnKind::Beside => heads.extend([
                    (format!("{label} published"), true),
                    ("ours".to_owned(), true),
                    ("ratio".to_owned(), true),
                ]),
                kind => heads.push((label, *kind == ColumnKind::Numbers)),
            }
        }
        let line = |row: &super::Row| {
            let mut cells = Vec::new();
            for (place, kind) in kinds.iter().enumerate() {
                let cell = row.cells.get(place).unwrap_or(&Cell::Missing);
                match (cell, kind) {
                    (Cell::Beside(figures), _) => cells.extend(beside(figures)),
                    (_, ColumnKind::Beside) => {
                        cells.extend([NOTHING.to_owned(), plain(cell), String::new()]);
                    }
                    _ => cells.push(plain(cell)),
                }
            }
            cells
        };
        Self { heads, lines: table.rows.iter().map(line).collect() }
    }
}

/// A cell as words. Published figures beside ours take more than one.
pub(super) fn plain(cell: &Cell) -> String {
    match cell {
        Cell::Missing | Cell::Beside(_) => NOTHING.to_owned(),
        Cell::Text(text) => text.clone(),
        Cell::Number(value, digits) => fixed(*value, *digits),
    }
}

fn beside(figures: &Beside) -> [String; 3] {
    let shown = |value: Option<f64>| value.map_or(NOTHING.to_owned(), |value| fixed(value, figures.digits));
    let mark = figures.published.and_then(Published::mark).map_or("", |(mark, _)| mark);
    [
        shown(figures.published.and_then(Published::value)) + mark,
        shown(figures.ours),
        figures.ratio().map_or(String::new(), |ratio| significant(ratio, 3)),
    ]
}
