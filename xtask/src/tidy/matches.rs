//! How near the published figures come out: the page has the table that the lab wrote.

use std::fmt::Write as _;

use super::blocks::Block;
use super::finding::Finding;

/// The lab's table.
pub(crate) const TABLE: &str = "docs/reproduce/data/matches.csv";

/// Its place on the page.
pub(crate) const BLOCK: Block = Block {
    page: "docs/reproduce/reproduction.md",
    begin: "<!-- From data/matches.csv: `cargo xtask tidy --fix` writes this table. -->\n",
    source: TABLE,
};

/// The lab's table as Markdown, without columns that are empty.
///
/// # Errors
/// If it is no table.
pub(crate) fn table(text: &str) -> Result<String, Finding> {
    let lines: Vec<Vec<String>> = text.lines().map(fields).collect();
    let (head, rows) = lines.split_first().ok_or_else(|| Finding::new(TABLE, 1, "it is empty"))?;
    if let Some((number, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != head.len()) {
        let what = format!("expected {} fields, found {}", head.len(), row.len());
        return Err(Finding::new(TABLE, number + 2, what));
    }
    let shown: Vec<usize> =
        (0..head.len()).filter(|&column| rows.iter().any(|row| !row[column].is_empty())).collect();
    let is_number = |&column: &usize| rows.iter().all(|row| row[column].parse::<f64>().is_ok());
    let rules = shown.iter().map(|column| if is_number(column) { "---:" } else { "---" });
    let mut table = String::new();
    let mut push = |cells: &[&str]| {
        let _ = writeln!(table, "| {} |", cells.join(" | "));
    };
    let of = |row: &[String]| shown.iter().map(|&column| escaped(&row[column])).collect::<Vec<_>>();
    push(&of(head).iter().map(String::as_str).collect::<Vec<_>>());
    push(&rules.collect::<Vec<_>>());
    for row in rows {
        push(&of(row).iter().map(String::as_str).collect::<Vec<_>>());
    }
    Ok(table)
}

/// The fields of a line, as programs write them: in quotes where there are commas, and quotes twice there.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let (mut is_quoted, mut last) = (false, ' ');
    for letter in line.chars() {
        match (letter, is_quoted) {
            ('"', false) if last == '"' => {
                is_quoted = true;
                fields.last_mut().into_iter().for_each(|own| own.push('"'));
            }
            ('"', _) => is_quoted = !is_quoted,
            (',', false) => fields.push(String::new()),
            _ => fields.last_mut().into_iter().for_each(|own| own.push(letter)),
        }
        last = letter;
    }
    fields
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labs_table_becomes_the_pages() {
        let text = "published,cells,why,note\n\"A*, of \"\"9\"\"\",4,other maps,\nB,3,,\n";
        let expected = "| published | cells | why |\n| --- | ---: | --- |\n| A\\*, of \"9\" | 4 | other maps |\n| B | 3 |  |\n";
        assert_eq!(table(text).unwrap(), expected);
        assert!(table("").is_err());
        assert!(table("a,b\n1\n").is_err(), "a field is missing");
    }
}
