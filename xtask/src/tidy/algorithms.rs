//! The book's table of algorithms, and those of single ones, which are the roster's.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use surefoot::agent::Entry;
use surefoot_classics::ROSTER;

use super::blocks::Block;
use super::finding::Finding;

/// Its place.
pub(crate) const BLOCK: Block<'static> = Block {
    page: "docs/understand/algorithms.md",
    begin: "<!-- The roster's: `cargo xtask tidy --fix` writes this table. -->\n",
    source: "the roster",
};

/// What stands around the name in the line above the table of a single algorithm.
const CARD: [&str; 2] = ["<!-- The roster's `", "`: `cargo xtask tidy --fix` writes this table. -->\n"];

/// A row of the table.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) bound: String,
}

/// The roster's rows.
pub(crate) fn rows() -> Vec<Row> {
    let row = |entry: &Entry| Row {
        name: entry.name.to_string(),
        summary: entry.summary.to_string(),
        bound: entry.bound.to_string(),
    };
    ROSTER.entries().iter().map(row).collect()
}

/// The places of a page for tables of single algorithms.
pub(crate) fn places<'a>(
    page: &'a str,
    text: &'a str,
) -> impl Iterator<Item = Result<(Block<'a>, &'static Entry), Finding>> {
    let line_and_name = |(number, begin): (usize, &'a str)| {
        Some((number, begin, begin.strip_prefix(CARD[0])?.strip_suffix(CARD[1])?))
    };
    (1..).zip(text.split_inclusive('\n')).filter_map(line_and_name).map(move |(number, begin, name)| {
        let unknown = || Finding::new(page, number, format!("the roster has no {name}"));
        let entry = ROSTER.entry(name).ok_or_else(unknown)?;
        Ok((Block { page, begin, source: "the roster" }, entry))
    })
}

/// What is wrong with the tables of single algorithms: each algorithm has one, on one of these pages.
pub(crate) fn check_cards(pages: &BTreeMap<String, String>) -> Result<Vec<Finding>, Finding> {
    let mut findings = Vec::new();
    let mut homes: BTreeMap<&str, &str> = BTreeMap::new();
    for (page, text) in pages {
        for place in places(page, text) {
            let (block, entry) = place?;
            findings.extend(block.check(text, &card(entry)));
            if let Some(other) = homes.insert(entry.name, page) {
                findings.push(Finding::new(page, 1, format!("{other} has the table of {}, too", entry.name)));
            }
        }
    }
    for entry in ROSTER.entries().iter().filter(|entry| !homes.contains_key(entry.name)) {
        let line = CARD.join(entry.name);
        let what = format!(
            "no page has the table of {}: its page has a line {:?} for it",
            entry.name,
            line.trim_end()
        );
        findings.push(Finding::new(BLOCK.page, 1, what));
    }
    Ok(findings)
}

/// The table of a single algorithm: what its paths are like, its bound, its needs, its parameters.
pub(crate) fn card(entry: &Entry) -> String {
    let mut table = format!("| `{}` | |\n| --- | --- |\n", cell(entry.name));
    let paths = if entry.optimal { "always cheapest" } else { "not always cheapest" };
    let ground = if entry.takes_weights { "any weights" } else { "the same weight everywhere" };
    let rows = [
        ("paths", paths.to_string()),
        ("planning a move, at most", entry.bound.to_string()),
        ("needs", entry.needs.to_string()),
        ("ground", ground.to_string()),
        ("paper", entry.paper.to_string()),
    ];
    for (what, words) in rows {
        let _ = writeln!(table, "| {what} | {} |", cell(&words));
    }
    for parameter in entry.parameters {
        let (name, default) = (parameter.name, parameter.default);
        let _ = writeln!(table, "| `{name}={default}` | {} |", cell(parameter.meaning));
    }
    if entry.parameters.is_empty() {
        table.push_str("| parameters | none |\n");
    }
    table
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The table of these rows.
pub(crate) fn table(rows: &[Row]) -> String {
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

    #[test]
    fn a_page_has_the_tables_that_it_has_a_place_for() {
        let place = |name: &str| CARD.join(name);
        let text = format!("# x\n{}{}", place("p-lrta*"), place("jps"));
        let found: Vec<(Block<'_>, &Entry)> = places("x.md", &text).map(Result::unwrap).collect();
        assert_eq!(found.iter().map(|(block, _)| block.begin).collect::<String>(), text[4..]);
        let (queue, jumps) = (card(found[0].1), card(found[1].1));
        assert!(
            queue.starts_with("| `p-lrta*` | |\n| --- | --- |\n| paths | not always cheapest |\n"),
            "{queue}"
        );
        assert!(queue.contains("| planning a move, at most | queue + 1 expansions |\n"), "{queue}");
        assert!(
            queue.ends_with("| `queue=30` | states in the queue, and updates a move, 0 to 10000 |\n"),
            "{queue}"
        );
        assert!(jumps.contains("| ground | the same weight everywhere |\n"), "{jumps}");
        assert!(jumps.ends_with("| parameters | none |\n"), "{jumps}");
        let text = format!("# x\n{}", place("teleport*"));
        let finding = places("x.md", &text).next().unwrap().err().unwrap();
        assert_eq!(finding.to_string(), "x.md:2: the roster has no teleport*");
    }

    #[test]
    fn each_algorithm_has_its_table_on_one_page() {
        let whole =
            |entry: &Entry| format!("{}{}<!-- The table ends. -->\n", CARD.join(entry.name), card(entry));
        let all: String = ROSTER.entries().iter().map(whole).collect();
        let mut pages = BTreeMap::from([("a.md".to_string(), all.clone())]);
        assert_eq!(check_cards(&pages).unwrap(), []);
        let first = &ROSTER.entries()[0];
        pages.insert("b.md".to_string(), whole(first));
        let said = |pages: &BTreeMap<String, String>| check_cards(pages).unwrap()[0].to_string();
        assert_eq!(said(&pages), format!("b.md:1: a.md has the table of {}, too", first.name));
        pages.insert("b.md".to_string(), whole(first).replace("paths", "walks"));
        assert!(said(&pages).starts_with("b.md:4: this is not what the roster has"));
        let others = BTreeMap::from([("a.md".to_string(), all.replace(&whole(first), ""))]);
        let missing = format!("{}:1: no page has the table of {}", BLOCK.page, first.name);
        assert!(said(&others).starts_with(&missing));
    }
}
