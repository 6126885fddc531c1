//! The book's table of algorithms, which is the roster's.

use std::fmt::Write as _;

use super::finding::Finding;

/// The file that has it.
pub(crate) const FILE: &str = "docs/understand/algorithms.md";
const BEGIN: &str = "<!-- The roster's: `cargo xtask tidy --fix` writes this table. -->\n";
const END: &str = "<!-- The table ends. -->\n";

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

fn table(rows: &[Row]) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut table = String::from("| name | what it does | planning a move, at most |\n| --- | --- | --- |\n");
    for Row { name, summary, bound } in rows {
        let _ = writeln!(table, "| `{}` | {} | {} |", cell(name), cell(summary), cell(bound));
    }
    table
}

/// The page with this table in the place of its own.
pub(crate) fn with_table(page: &str, rows: &[Row]) -> Result<String, Finding> {
    let missing = |mark: &str| {
        Finding::new(FILE, 1, format!("there is no line {mark:?} around the table of algorithms"))
    };
    let begin = page.find(BEGIN).ok_or_else(|| missing(BEGIN.trim_end()))? + BEGIN.len();
    let length = page[begin..].find(END).ok_or_else(|| missing(END.trim_end()))?;
    Ok(format!("{}{}{}", &page[..begin], table(rows), &page[begin + length..]))
}

/// What is wrong with the page's table.
pub(crate) fn check(page: &str, rows: &[Row]) -> Vec<Finding> {
    let wanted = match with_table(page, rows) {
        Ok(wanted) => wanted,
        Err(finding) => return vec![finding],
    };
    let same = wanted.lines().zip(page.lines()).take_while(|(wanted, found)| wanted == found).count();
    if wanted == page {
        return Vec::new();
    }
    let what = "the table of algorithms is not the roster's: `cargo xtask tidy --fix` writes it anew";
    vec![Finding::new(FILE, same + 1, what)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bound: &str) -> Vec<Row> {
        vec![Row { name: "a*".to_string(), summary: "goes | stops".to_string(), bound: bound.to_string() }]
    }

    #[test]
    fn a_table_that_is_not_the_rosters_is_found_and_written_anew() {
        let page = format!("# x\n{BEGIN}old\n{END}rest\n");
        assert!(check(&page, &rows("1"))[0].to_string().starts_with(&format!("{FILE}:3: the table")));
        let fixed = with_table(&page, &rows("1")).unwrap();
        assert_eq!(check(&fixed, &rows("1")), []);
        assert!(
            fixed.contains("\n| `a*` | goes \\| stops | 1 |\n<!-- The table ends. -->\nrest\n"),
            "{fixed}"
        );
        assert!(check(&fixed, &rows("2"))[0].to_string().starts_with(&format!("{FILE}:5: ")));
    }

    #[test]
    fn a_page_without_a_table_is_found() {
        assert_eq!(check("# x\n", &rows("1")).len(), 1);
        assert_eq!(check(BEGIN, &rows("1")).len(), 1);
    }
}
