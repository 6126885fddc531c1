//! A section of a report for the terminal: its tables as text. Figures, and tables too long to be read there,
//! are named with their files.

use std::fmt::Write as _;

use surefoot_lab::report::{self, Item, PlainTable, Section, Table};

use crate::table::{self, NOTHING, fold_words};

/// Tables of more lines are named, not shown.
const MOST_LINES: usize = 60;

/// Tables with a longer cell are set as a list: a column of sentences has no place beside others.
const LONGEST_CELL: usize = 60;

/// The widest that a line of words may be.
const WIDEST: usize = 100;

/// The section as text.
pub(crate) fn section_text(section: &Section) -> String {
    let mut text = format!("{}\n", section.title);
    for item in &section.items {
        text.push('\n');
        // Writing to a string cannot fail.
        let _ = match item {
            Item::Text(words) => writeln!(text, "{}", folded(words, "")),
            Item::Table(table) if table.rows.len() > MOST_LINES => {
                writeln!(text, "{}: {} lines in tables/{}.csv", table.title, table.rows.len(), table.id)
            }
            Item::Table(table) => write!(text, "{}", table_text(table)),
            Item::Figure(figure) => writeln!(text, "{}: figures/{}.svg", figure.title, figure.id),
        };
    }
    text
}

fn table_text(table: &Table) -> String {
    let words = PlainTable::of(table);
    let mut text = format!("{}\n\n", table.title);
    let is_long = words.lines.iter().flatten().any(|cell| cell.chars().count() > LONGEST_CELL);
    text += &if is_long { list(&words) } else { columns(&words) };
    let notes = table.rows.iter().filter_map(|row| {
        let (first, note) = (row.cells.first(), row.note.as_ref()?);
        match first {
            Some(report::Cell::Text(name)) => Some(format!("{name}: {note}")),
            _ => Some(note.clone()),
        }
    });
    for note in notes.chain(table.notes.iter().cloned()) {
        let _ = writeln!(text, "{}", folded(&note, "  "));
    }
    for (mark, meaning) in table.marks() {
        let _ = writeln!(text, "{mark} {meaning}");
    }
    text
}

fn columns(words: &PlainTable) -> String {
    let heads: Vec<&str> = words.heads.iter().map(|(head, _)| head.as_str()).collect();
    let mut table = table::Table::new(&heads);
    for line in &words.lines {
        table.row(line.iter().map(|cell| dashed(cell).to_string()).collect());
    }
    table.to_text()
}

/// Each line of the table as a paragraph: its first cell, and the others below it, each with its head.
fn list(words: &PlainTable) -> String {
    let mut text = String::new();
    for line in &words.lines {
        for (place, ((head, _), cell)) in words.heads.iter().zip(line).enumerate() {
            let _ = match place {
                0 => writeln!(text, "{}", folded(cell, "")),
                _ => writeln!(text, "{}", folded(&format!("  {head}: {}", dashed(cell)), "    ")),
            };
        }
    }
    text
}

/// The terminal's tables have their own sign for what is not known.
fn dashed(cell: &str) -> &str {
    if cell.is_empty() || cell == report::NOTHING { NOTHING } else { cell }
}

/// Words in lines, all but the first indented.
fn folded(words: &str, indent: &str) -> String {
    fold_words(words, WIDEST - indent.len()).join(&format!("\n{indent}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_lab::report::{Axis, Cell, Column, Figure, Published};

    #[test]
    fn tables_are_shown_and_figures_named() {
        let mut small = Table::new("small", "A table", vec![Column::new("algorithm"), Column::new("cost")]);
        let cost = Cell::beside(Some(Published::About(2.0)), Some(3.0), 1);
        small.push_noted(vec![Cell::text("a*"), cost], Some("longer, because".to_string()));
        small.push(vec![Cell::text("b*"), Cell::Missing]);
        let mut long = Table::new("long", "A long table", vec![Column::new("number")]);
        (0..=MOST_LINES as u64).for_each(|number| long.push(vec![Cell::count(number)]));
        let mut claims = Table::new("claims", "Claims", vec![Column::new("claim"), Column::new("answer")]);
        claims.push(vec![Cell::text("it is so ".repeat(12)), Cell::text("yes")]);
        let axis = || Axis::linear("moves", None);
        let figure = Figure::new("plot", "A plot", axis(), axis());
        let section = Section {
            id: "s".to_string(),
            title: "A section".to_string(),
            items: vec![
                Item::Text("Some words.".to_string()),
                Item::Table(small),
                Item::Table(long),
                Item::Table(claims),
                Item::Figure(figure),
            ],
        };
        let text = section_text(&section);
        for part in [
            "A section\n\nSome words.\n\nA table\n\n",
            "a*                   2.0~   3.0   1.50\n",
            "b*                      -     -      -\n",
            "a*: longer, because\n~ about",
            "A long table: 61 lines in tables/long.csv\n",
            "  answer: yes\n",
            "A plot: figures/plot.svg\n",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= WIDEST), "{text}");
    }
}
