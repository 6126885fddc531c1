//! The book's table of algorithms, which is the roster's.

use std::fmt::Write as _;

use super::blocks::Block;

/// Its place.
pub(crate) const BLOCK: Block = Block {
    page: "docs/understand/algorithms.md",
    begin: "<!-- The roster's: `cargo xtask tidy --fix` writes this table. -->\n",
    source: "the roster",
};

/// A row of the table.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) bound: String,
}

/// The roster's rows.
pub(crate) fn rows() -> Vec<Row> {
    let row = |entry: &surefoot::agent::Entry| Row {
        name: entry.name.to_string(),
        summary: entry.summary.to_string(),
        bound: entry.bound.to_string(),
    };
    surefoot_classics::ROSTER.entries().iter().map(row).collect()
}

/// The table of these rows.
pub(crate) fn table(rows: &[Row]) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut table = String::from("| name | what it does | planning a move, at most |\n| --- | --- | --- |\n");
    for Row { name, summary, bound } in rows {
        let _ = writeln!(table, "| `{}` | {} | {} |", cell(name), cell(summary), cell(bound));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bound: &str) -> Vec<Row> {
        vec![Row { name: "a*".to_string(), summary: "goes | stops".to_string(), bound: bound.to_string() }]
    }

    #[test]
    fn every_entry_is_a_row() {
        let table = table(&rows("1"));
        assert!(table.ends_with("\n| `a*` | goes \\| stops | 1 |\n"), "{table}");
        assert_eq!(table.lines().count(), 3);
    }
}
