//! How near the published figures come out: the page has the tables that the lab wrote for its plans, in one.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use super::blocks::Block;
use super::finding::Finding;

/// A folder for each plan, with the tables of its report.
const FOLDER: &str = "docs/reproduce/data";
/// The table of the lab that counts.
const TABLE: &str = "matches.csv";

/// Its place on the page.
pub(crate) const BLOCK: Block<'static> = Block {
    page: "docs/reproduce/reproduction.md",
    begin: "<!-- From data/*/matches.csv: `cargo xtask tidy --fix` writes this table. -->\n",
    source: FOLDER,
};

/// What the page has of it: a column of notes comes after it.
const WIDTH: usize = 10;
/// Columns that are added up: all cells, those that match, those that do not, those that do not count.
const COUNTED: Range<usize> = 2..9;
const MATCHING: Range<usize> = 3..5;
const COMPARABLE: Range<usize> = 3..7;

/// The tables that the lab wrote for its plans: names of files, and texts.
///
/// # Errors
/// If they cannot be read.
pub(crate) fn read(root: &Path) -> Result<Vec<(String, String)>, Finding> {
    let fail = |file: &str, error: io::Error| Finding::new(file, 1, error.to_string());
    let mut tables = Vec::new();
    for entry in fs::read_dir(root.join(FOLDER)).map_err(|error| fail(FOLDER, error))? {
        let name = entry.map_err(|error| fail(FOLDER, error))?.file_name();
        let file = format!("{FOLDER}/{}/{TABLE}", name.to_string_lossy());
        match fs::read_to_string(root.join(&file)) {
            Ok(text) => tables.push((file, text)),
            // Of a plan for which no figures were published.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(fail(&file, error)),
        }
    }
    tables.sort();
    Ok(tables)
}

/// One table of them in Markdown, with a sum of all, and the share that matches. The last row of each is its
/// sum.
///
/// # Errors
/// If one is no such table.
pub(crate) fn table(tables: &[(String, String)]) -> Result<String, Finding> {
    let (mut head, mut body, mut sum): (Vec<String>, Vec<Vec<String>>, Option<Vec<String>>) =
        Default::default();
    for (file, text) in tables {
        let lines: Vec<Vec<String>> = text.lines().map(fields).collect();
        let [first, rows @ .., own] = &lines[..] else { return Err(Finding::new(file, 1, "it is empty")) };
        if let Some((number, row)) = lines.iter().enumerate().find(|(_, row)| row.len() < WIDTH) {
            let what = format!("expected {WIDTH} fields, found {}", row.len());
            return Err(Finding::new(file, number + 1, what));
        }
        head.clone_from(first);
        body.extend_from_slice(rows);
        sum = Some(match sum {
            None => own.clone(),
            Some(sum) => added(&sum, own).ok_or_else(|| {
                Finding::new(file, lines.len(), "expected numbers in the columns that are added up")
            })?,
        });
    }
    let Some(sum) = sum else { return Err(Finding::new(FOLDER, 1, "it has no tables")) };
    let share = share(&sum).ok_or_else(|| Finding::new(FOLDER, 1, "its sums are no numbers"))?;
    let mut table = String::new();
    let mut push = |cells: &[String]| {
        let cells: Vec<String> = cells[..WIDTH].iter().map(|cell| escaped(cell)).collect();
        let _ = writeln!(table, "| {} |", cells.join(" | "));
    };
    push(&head);
    let rule = |column: usize| if COUNTED.contains(&column) { "---:" } else { "---" };
    push(&(0..WIDTH).map(|column| rule(column).to_owned()).collect::<Vec<_>>());
    body.iter().chain([&sum]).for_each(|row| push(row));
    Ok(format!("{table}\n{share}\n"))
}

/// Two sums in one. `None` if they are no numbers.
fn added(a: &[String], b: &[String]) -> Option<Vec<String>> {
    let cell = |(column, (a, b)): (usize, (&String, &String))| {
        if COUNTED.contains(&column) {
            return Some((a.parse::<u64>().ok()? + b.parse::<u64>().ok()?).to_string());
        }
        Some(if a == b { a.clone() } else { "in part".to_owned() })
    };
    a.iter().zip(b).enumerate().map(cell).collect()
}

/// How many of the figures that can be compared match. `None` if these are no numbers.
fn share(sum: &[String]) -> Option<String> {
    let of =
        |columns: Range<usize>| sum[columns].iter().map(|cell| cell.parse::<u64>().ok()).sum::<Option<u64>>();
    let (matching, comparable) = (of(MATCHING)?, of(COMPARABLE)?);
    let percent = 100.0 * matching as f64 / comparable.max(1) as f64;
    Some(format!("**{matching} of {comparable} comparable figures match: {percent:.1} %.**"))
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

    const HEAD: &str = "published,reproduced,cells,near,in spread,twice,off,apart,not run,why,note\n";

    fn table_of(texts: &[String]) -> Result<String, Finding> {
        table(&texts.iter().map(|text| ("t.csv".to_owned(), text.clone())).collect::<Vec<_>>())
    }

    #[test]
    fn the_labs_tables_become_the_pages() {
        let one =
            format!("{HEAD}\"A*, of \"\"9\"\"\",in full,4,1,1,1,1,0,0,maps,\nall,in full,4,1,1,1,1,0,0,,\n");
        let two = format!("{HEAD}B,in part,3,2,0,0,0,0,1,,\nall,in part,3,2,0,0,0,0,1,,\n");
        let page = table_of(&[one.clone(), two]).unwrap();
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines[1], "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
        assert_eq!(lines[2], "| A\\*, of \"9\" | in full | 4 | 1 | 1 | 1 | 1 | 0 | 0 | maps |");
        assert_eq!(lines[4], "| all | in part | 7 | 3 | 1 | 1 | 1 | 0 | 1 |  |");
        assert_eq!(lines[6], "**4 of 6 comparable figures match: 66.7 %.**");
        assert_eq!(table_of(&[one]).unwrap().lines().count(), 6, "a table of its own has its sum");
    }

    #[test]
    fn tables_of_another_shape_are_found() {
        assert!(table_of(&[]).is_err(), "no tables");
        assert!(table_of(&[String::new()]).is_err(), "an empty one");
        assert!(table_of(&[format!("{HEAD}all,in full,4\n")]).is_err(), "fields are missing");
        let words = format!("{HEAD}all,in full,4,x,1,1,1,0,0,\n");
        assert!(table_of(&[words.clone(), words]).is_err(), "no numbers");
    }
}
