//! A report as Markdown, with the tables of GitHub's kind. Figures are files beside it.

use std::fmt::Write as _;

use super::html::{note_number, without_place};
use super::model::{Item, Report, Table};
use super::plain::PlainTable;

/// The report; its figures are in the folder `figures` beside it.
#[must_use]
pub fn text(report: &Report) -> String {
    let mut text = format!("# {}\n", escaped(&report.title));
    for source in &report.made_of {
        let facts: Vec<String> = source
            .facts
            .iter()
            .map(|(name, value)| format!("{}: {}", escaped(name), escaped(value)))
            .collect();
        let _ = write!(text, "\nMade of: {}\n", facts.join("; "));
    }
    for section in &report.sections {
        let _ = write!(text, "\n## {}\n", escaped(&section.title));
        for item in &section.items {
            text.push('\n');
            match item {
                Item::Text(words) => text += &format!("{}\n", escaped(words)),
                Item::Table(table) => text += &table_text(table),
                Item::Figure(figure) => {
                    let title = escaped(&figure.title);
                    let _ = writeln!(text, "**{title}**\n\n![{title}](figures/{}.svg)", figure.id);
                    for note in without_place(figure).iter().chain(&figure.notes) {
                        let _ = write!(text, "\n{}\n", escaped(note));
                    }
                }
            }
        }
    }
    text
}

/// A table with its title and notes.
#[must_use]
pub fn table_text(table: &Table) -> String {
    let mut text = format!("**{}**\n\n", escaped(&table.title));
    let PlainTable { heads, lines: rows } = PlainTable::of(table);
    let rules: Vec<&str> =
        heads.iter().map(|&(_, is_number)| if is_number { "---:" } else { "---" }).collect();
    let mut lines = vec![heads.iter().map(|(head, _)| escaped(head)).collect()];
    for (place, row) in rows.iter().enumerate() {
        let mut cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
        if let (Some(first), Some(number)) = (cells.first_mut(), note_number(table, place)) {
            let _ = write!(first, " <sup>{number}</sup>");
        }
        lines.push(cells);
    }
    text += &aligned(&lines, &rules);
    if table.rows.is_empty() {
        text += "\nThere are no results.\n";
    }
    let row_notes: Vec<&String> = table.rows.iter().filter_map(|row| row.note.as_ref()).collect();
    if !row_notes.is_empty() {
        text.push('\n');
    }
    for (place, note) in row_notes.iter().enumerate() {
        let _ = writeln!(text, "{}. {}", place + 1, escaped(note));
    }
    for note in &table.notes {
        let _ = write!(text, "\n{}\n", escaped(note));
    }
    let marks: Vec<String> =
        table.marks().iter().map(|(mark, meaning)| format!("{} {meaning}", escaped(mark))).collect();
    if !marks.is_empty() {
        let _ = write!(text, "\nMarks: {}.\n", marks.join("; "));
    }
    text
}

/// The lines of a table, the heads first, with columns as wide as their widest cell: to be read as they are,
/// too. `rules` is what stands below each head: `---` for words, `---:` for numbers.
fn aligned(lines: &[Vec<String>], rules: &[&str]) -> String {
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(rules[column].len())
    };
    let widths: Vec<usize> = (0..rules.len()).map(width).collect();
    let mut text = String::new();
    for (place, line) in lines.iter().enumerate() {
        let cells = line.iter().enumerate().map(|(column, cell)| match rules[column] {
            "---" => format!("{cell:<0$}", widths[column]),
            _ => format!("{cell:>0$}", widths[column]),
        });
        let _ = writeln!(text, "| {} |", cells.collect::<Vec<_>>().join(" | "));
        if place == 0 {
            let dashes = rules.iter().zip(&widths).map(|(rule, &width)| match *rule {
                "---" => "-".repeat(width),
                _ => format!("{}:", "-".repeat(width - 1)),
            });
            let _ = writeln!(text, "| {} |", dashes.collect::<Vec<_>>().join(" | "));
        }
    }
    text
}

/// Words with nothing in them that Markdown would read as its own.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' => escaped.extend(['\\', letter]),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;

    #[test]
    fn tables_have_a_line_for_each_row() {
        let text = text(&sample());
        assert!(
            text.starts_with("# A &lt;title&gt; &amp; more\n\nMade of: version: 0.1.0; machine: a\\|b\n"),
            "{text}"
        );
        for line in [
            "| algorithm                  | suboptimality (%) published |   ours | ratio | moves |",
            "| -------------------------- | --------------------------: | -----: | ----: | ----: |",
            "| a\\* &lt;b&gt; <sup>1</sup> |                      447.95 | 895.90 |  2.00 |    12 |",
            "| misprint <sup>2</sup>      |                     131.12† | 100.00 | 0.763 |     – |",
            "| lost                       |                          –? |   1.00 |       |     – |",
            "| ours alone                 |                           – |   3.50 |       |     – |",
            "| about                      |                      5.00\\~ |      – |       |     – |",
            "1. twice as long",
            "![A \\| figure](figures/plot.svg)",
            "1 point has no place on these axes.",
            "There are no results.",
        ] {
            assert!(text.lines().any(|own| own == line), "{line}\n{text}");
        }
        assert!(text.contains("Marks: † misprinted in the paper; shown corrected; ? in the paper, but lost"));
    }
}
