//! The table of campaigns: what runs of hours came to. Each writes its line into a file of comma-separated
//! values; here the file is checked, and the page has the same table.

use std::fmt::Write as _;

use super::blocks::Block;
use super::finding::Finding;

/// The file that campaigns write.
pub(crate) const TABLE: &str = "docs/understand/campaigns.csv";
const HEAD: &str = "name,counts,count,goal,hours,findings,revision";
/// Its place on the page.
pub(crate) const BLOCK: Block<'static> = Block {
    page: "docs/understand/campaigns.md",
    begin: "<!-- From campaigns.csv: `cargo xtask tidy --fix` writes this table. -->\n",
    source: TABLE,
};

/// A line of the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    name: String,
    counts: String,
    count: u64,
    goal: u64,
    hours: String,
    findings: u64,
    revision: String,
}

/// What the file has.
///
/// # Errors
/// The first line that is not as it should be.
pub(crate) fn rows(table: &str) -> Result<Vec<Row>, Finding> {
    let (head, lines) = table.split_once('\n').unwrap_or((table, ""));
    if head != HEAD {
        return Err(Finding::new(TABLE, 1, format!("the first line has to be {HEAD}")));
    }
    let mut rows: Vec<Row> = Vec::new();
    for (number, line) in lines.lines().enumerate() {
        let row = row(line).map_err(|what| Finding::new(TABLE, number + 2, what))?;
        if rows.last().is_some_and(|last| last.name >= row.name) {
            let what = format!("{} is there twice, or not in the order of the alphabet", row.name);
            return Err(Finding::new(TABLE, number + 2, what));
        }
        rows.push(row);
    }
    if !table.ends_with('\n') {
        return Err(Finding::new(TABLE, rows.len() + 1, "the last line does not end"));
    }
    Ok(rows)
}

fn row(line: &str) -> Result<Row, String> {
    let shape = || format!("{line:?}: expected {HEAD}, what is counted in quotes");
    let (name, rest) = line.split_once(",\"").ok_or_else(shape)?;
    let (counts, rest) = rest.split_once("\",").ok_or_else(shape)?;
    let cells: Vec<&str> = rest.split(',').collect();
    let [count, goal, hours, findings, revision] = cells[..] else { return Err(shape()) };
    let number = |what: &str, cell: &str| {
        cell.parse::<u64>().map_err(|_| format!("{what} is {cell:?}: expected a whole number"))
    };
    let is_name =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    if !is_name(name) {
        return Err(format!("the name is {name:?}: expected small letters"));
    }
    if counts.is_empty() || counts.contains(['"', '|']) {
        return Err(format!("what is counted is {counts:?}: expected words"));
    }
    let is_time = hours.split_once('.').is_some_and(|(whole, rest)| {
        let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        are_digits(whole) && are_digits(rest) && rest.len() == 2
    });
    if !is_time {
        return Err(format!("the hours are {hours:?}: expected a number with two digits after the point"));
    }
    let is_revision = |text: &str| {
        let hash = text.strip_suffix('+').unwrap_or(text);
        (7..=40).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let (first, last) = revision.split_once("..").unwrap_or((revision, revision));
    if !is_revision(first) || !is_revision(last) {
        return Err(format!("the revision is {revision:?}: expected one of git, or two with .. between"));
    }
    let row = Row {
        name: name.to_owned(),
        counts: counts.to_owned(),
        count: number("the count", count)?,
        goal: number("the goal", goal)?,
        hours: hours.to_owned(),
        findings: number("the number of findings", findings)?,
        revision: revision.to_owned(),
    };
    if row.goal == 0 {
        return Err("the goal is 0".to_owned());
    }
    Ok(row)
}

/// The page's table of them.
pub(crate) fn table_of(rows: &[Row]) -> String {
    let mut table = String::from(
        "| campaign | counted | so far | goal | hours | findings | revision |\n| --- | --- | ---: | ---: | ---: | ---: | --- |\n",
    );
    for Row { name, counts, count, goal, hours, findings, revision } in rows {
        let (count, goal) = (with_commas(*count), with_commas(*goal));
        let _ = writeln!(
            table,
            "| [`{name}`](#{name}) | {counts} | {count} | {goal} | {hours} | {findings} | `{revision}` |"
        );
    }
    table
}

fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What is wrong with the file, and with the page's table. `names` are the campaigns that there are.
pub(crate) fn check(table: &str, page: &str, names: &[&str]) -> Vec<Finding> {
    let rows = match rows(table) {
        Ok(rows) => rows,
        Err(finding) => return vec![finding],
    };
    let mut findings = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        if !names.contains(&row.name.as_str()) {
            let what = format!("there is no campaign {}; there are {}", row.name, names.join(", "));
            findings.push(Finding::new(TABLE, number + 2, what));
        }
    }
    findings.extend(BLOCK.check(page, &table_of(&rows)));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "day,\"minutes, on 2 threads\",1234,5000,0.25,0,1234567..89abcdef01+\n";

    fn table(lines: &str) -> String {
        format!("{HEAD}\n{lines}")
    }

    #[test]
    fn a_table_that_is_not_the_files_is_found_and_written_anew() {
        let page = format!("# x\n{}old\n<!-- The table ends. -->\n", BLOCK.begin);
        let found = check(&table(LINE), &page, &["day"]);
        assert!(found[0].to_string().starts_with(&format!("{}:3: ", BLOCK.page)), "{}", found[0]);
        let fixed = BLOCK.with(&page, &table_of(&rows(&table(LINE)).unwrap())).unwrap();
        assert_eq!(check(&table(LINE), &fixed, &["day"]), []);
        let row =
            "| [`day`](#day) | minutes, on 2 threads | 1,234 | 5,000 | 0.25 | 0 | `1234567..89abcdef01+` |";
        assert!(fixed.contains(row), "{fixed}");
        assert_eq!(check(&table(&LINE.replace("1234,", "1235,")), &fixed, &["day"]).len(), 1);
        assert_eq!(check(&table(LINE), &fixed, &["night"]).len(), 1, "nobody knows this campaign");
    }

    #[test]
    fn lines_that_are_not_well_formed_are_found() {
        assert_eq!(rows(&table(LINE)).unwrap().len(), 1);
        assert_eq!(rows(&table("")).unwrap(), []);
        for (old, new) in [
            ("day", "Day"),
            ("day", ""),
            ("\"minutes, on 2 threads\"", "minutes"),
            ("\"minutes, on 2 threads\"", "\"\""),
            ("1234,", "x,"),
            ("1234,", "-1,"),
            (",5000", ",0"),
            (",5000", ""),
            ("0.25", "0.2"),
            ("0.25", "1"),
            (",0,", ",,"),
            ("1234567..", "123456.."),
            ("89abcdef01+", "89abcdefg1"),
            ("\n", ""),
        ] {
            let line = LINE.replacen(old, new, 1);
            assert!(rows(&table(&line)).is_err(), "{line}");
        }
        assert!(rows(&table(&format!("{LINE}{LINE}"))).is_err(), "twice");
        assert!(rows("a,b\n").is_err());
    }

    #[test]
    fn numbers_are_told_in_threes() {
        let texts = [0, 999, 1_000, 123_456_789].map(with_commas);
        assert_eq!(texts, ["0", "999", "1,000", "123,456,789"]);
    }
}
