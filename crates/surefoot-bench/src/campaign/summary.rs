//! The table of campaigns that is part of the repository: a line for each, as CSV.

use std::fs;
use std::path::Path;

use super::Entry;
use super::ledger::{Account, write};

/// The first line.
pub const HEAD: &str = "name,counts,count,goal,hours,findings,revision";

/// What all runs of a campaign together came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    name: String,
    counts: String,
    count: u64,
    goal: u64,
    hours: String,
    findings: u64,
    revision: String,
}

impl Line {
    /// The line of a campaign.
    #[must_use]
    pub fn of(entry: &Entry, account: &Account) -> Self {
        let revision = match (&account.first_revision, &account.last_revision) {
            (first, last) if first == last => last.clone(),
            (first, last) => format!("{first}..{last}"),
        };
        Self {
            name: entry.name.to_owned(),
            counts: entry.counts.to_owned(),
            count: account.count,
            goal: entry.goal,
            hours: format!("{:.2}", account.seconds / 3600.0),
            findings: account.findings,
            revision,
        }
    }

    /// The line in words.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { name, counts, count, goal, hours, findings, revision } = self;
        format!("{name}: {count} of {goal} {counts}, in {hours} hours, {findings} findings, {revision}")
    }

    fn text(&self) -> String {
        let Self { name, counts, count, goal, hours, findings, revision } = self;
        // What is counted may have commas in it.
        format!("{name},\"{counts}\",{count},{goal},{hours},{findings},{revision}")
    }
}

/// Puts a line in the place of the one with its name. It stays what it was if that counted more: then what
/// was done since is elsewhere.
///
/// # Errors
/// If the file cannot be read or written, or is no such table.
pub fn put(file: &Path, line: &Line) -> Result<(), String> {
    let problem = |what: &dyn std::fmt::Display| format!("{}: {what}", file.display());
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => format!("{HEAD}\n"),
        Err(error) => return Err(problem(&error)),
    };
    match with(&text, line).map_err(|what| problem(&what))? {
        Some(new) => write(file, new),
        None => {
            println!("{}: the line of {} counts more, and stays as it is", file.display(), line.name);
            Ok(())
        }
    }
}

/// The table with a line in the place of its own. `None` if that counts more.
fn with(text: &str, line: &Line) -> Result<Option<String>, String> {
    let (head, lines) = text.split_once('\n').unwrap_or((text, ""));
    if head != HEAD {
        return Err(format!("its first line is {head:?}: expected {HEAD:?}"));
    }
    let mut lines: Vec<String> = lines.lines().map(str::to_owned).collect();
    let is_own = |other: &String| other.split(',').next() == Some(&line.name);
    match lines.iter().position(is_own) {
        Some(at) => {
            // Counted from the end: what is counted may have commas in it.
            let count = lines[at].rsplit(',').nth(4).and_then(|count| count.parse::<u64>().ok());
            let count = count.ok_or_else(|| format!("the line of {} has no count", line.name))?;
            if count > line.count {
                return Ok(None);
            }
            lines[at] = line.text();
        }
        None => lines.push(line.text()),
    }
    lines.sort();
    Ok(Some(format!("{HEAD}\n{}\n", lines.join("\n"))))
}

#[cfg(test)]
mod tests {
    use super::super::CAMPAIGNS;
    use super::*;

    fn line(count: u64) -> Line {
        let account = Account {
            count,
            seconds: 5_000.0,
            first_revision: "1234567".into(),
            last_revision: "89abcde".into(),
            ..Account::default()
        };
        Line::of(&CAMPAIGNS[2], &account)
    }

    #[test]
    fn a_line_takes_the_place_of_its_own() {
        let empty = format!("{HEAD}\n");
        let one = with(&empty, &line(5)).unwrap().unwrap();
        let own = "day,\"simulated minutes, on 1 and 2 threads and in wasm\",5,1440,1.39,0,1234567..89abcde";
        assert_eq!(one, format!("{HEAD}\n{own}\n"));
        let others = format!("{one}zebra,\"stripes\",1,2,3.00,0,1234567\n");
        let more = with(&others, &line(6)).unwrap().unwrap();
        assert_eq!(more, others.replace(",5,1440", ",6,1440"));
        assert_eq!(with(&more, &line(5)).unwrap(), None, "what is there counts more");
    }

    #[test]
    fn what_is_no_table_is_refused() {
        assert!(with("a,b\n", &line(1)).is_err());
        assert!(with(&format!("{HEAD}\nday,1\n"), &line(1)).is_err());
    }
}
