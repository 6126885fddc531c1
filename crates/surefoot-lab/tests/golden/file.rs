//! The golden file: how it is written, and how two of them are compared.

use std::fmt::Write as _;

use super::{StateSpace as _, Walks, World};

pub(super) const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden_walks.txt");

const HEADER: &str = "\
# Golden walks: what every entry of the roster takes on a few small maps. See tests/golden/main.rs.
# Compared by: cargo test -p surefoot-lab --test golden
# Written by:  cargo xtask bless
#
# A line is the sum over all problems of a map:
#   spec        the entry, with parameters that are quick to prepare
#   solved      problems on whose goal it arrived
#   moves       moves
#   waits       steps in which it planned and did not move
#   cost        what the moves cost, in the units of the cost model
#   expansions, backups, trace, climbs, probes
#               planning by kind, as in surefoot::search::Work
#   most        the work of the one step that took the most, all kinds together
#   memory      states held in memory, as the papers count
#   route       hash of all states on the way
#   db-bytes    length of the database's file
#   db-hash     hash of that file
";

/// The columns after the first: names and widths. Widths are fixed: one number that grows is to change one line.
const COLUMNS: [(&str, usize); 14] = [
    ("solved", 6),
    ("moves", 6),
    ("waits", 5),
    ("cost", 15),
    ("expansions", 10),
    ("backups", 8),
    ("trace", 7),
    ("climbs", 7),
    ("probes", 7),
    ("most", 6),
    ("memory", 7),
    ("route", 8),
    ("db-bytes", 8),
    ("db-hash", 8),
];

/// What the golden file would say now.
pub(super) fn text(all: &[(World, Vec<Walks>)]) -> String {
    let mut text = String::from(HEADER);
    for (world, walks) in all {
        let (grid, space) = (world.space.grid(), &world.space);
        let optimum: u64 = world.problems.iter().map(|problem| problem.optimum).sum();
        write!(
            text,
            "\n[{}] {}\n{} x {}, {} free cells of {}; moves {}, costs {}; {} problems, optimum {optimum}\n",
            world.name,
            world.about,
            grid.width(),
            grid.height(),
            grid.free_count(),
            space.state_limit(),
            space.rule(),
            space.units().name(),
            world.problems.len(),
        )
        .unwrap();
        push_line(&mut text, "spec", &COLUMNS.map(|(name, _)| name.to_string()));
        for walks in walks {
            push_line(&mut text, &walks.spec.to_string(), &cells(walks));
        }
    }
    text
}

fn cells(walks: &Walks) -> [String; 14] {
    let (tally, work) = (&walks.tally, &walks.tally.work);
    let (bytes, hash) = walks
        .database
        .map_or_else(Default::default, |(bytes, hash)| (bytes.to_string(), format!("{hash:08x}")));
    let or_dash = |text: String| if text.is_empty() { String::from("-") } else { text };
    [
        tally.solved.to_string(),
        tally.moves.to_string(),
        tally.waits.to_string(),
        tally.cost.to_string(),
        work.expansions.to_string(),
        work.backups.to_string(),
        work.trace_steps.to_string(),
        work.climb_steps.to_string(),
        work.probes.to_string(),
        tally.most_work.to_string(),
        tally.memory.to_string(),
        format!("{:08x}", tally.route.digest() as u32),
        or_dash(bytes),
        or_dash(hash),
    ]
}

fn push_line(text: &mut String, first: &str, cells: &[String; 14]) {
    write!(text, "{first:34}").unwrap();
    for (cell, (_, width)) in cells.iter().zip(COLUMNS) {
        write!(text, " {cell:>width$}").unwrap();
    }
    text.push('\n');
}

/// The lines in which two golden files differ, each after the name of its map; empty if there are none.
pub(super) fn differences(before: &str, now: &str) -> String {
    let (before, now) = (lines(before), lines(now));
    let mut found: Vec<(&str, char, &str)> = Vec::new();
    for line in &before {
        if !now.iter().any(|other| other.is_about_the_same_as(line)) {
            found.push((line.map, '-', line.text));
        }
    }
    for line in &now {
        let old = before.iter().find(|other| other.is_about_the_same_as(line));
        if old.is_none_or(|old| old.text != line.text) {
            found.extend(old.map(|old| (old.map, '-', old.text)));
            found.push((line.map, '+', line.text));
        }
    }
    let mut text = String::new();
    if !found.is_empty() {
        write!(text, "{:12}", "").unwrap();
        push_line(&mut text, "spec", &COLUMNS.map(|(name, _)| name.to_string()));
    }
    found.iter().for_each(|(map, sign, line)| writeln!(text, "{map:9} {sign} {line}").unwrap());
    text
}

/// A line of a golden file, and what it is about: the map in whose section it is, and its first word.
struct Line<'a> {
    map: &'a str,
    word: &'a str,
    text: &'a str,
}

impl Line<'_> {
    fn is_about_the_same_as(&self, other: &Line<'_>) -> bool {
        (self.map, self.word) == (other.map, other.word)
    }
}

/// All lines but empty ones. A comment is about nothing but itself.
fn lines(text: &str) -> Vec<Line<'_>> {
    let mut map = "";
    let mut lines = Vec::new();
    for text in text.lines().map(str::trim_end).filter(|text| !text.is_empty()) {
        let word = if text.starts_with('#') { text } else { text.split(' ').next().unwrap_or_default() };
        map = word.strip_prefix('[').and_then(|word| word.strip_suffix(']')).unwrap_or(map);
        lines.push(Line { map, word, text });
    }
    lines
}

#[test]
fn every_kind_of_difference_is_told() {
    let before = "[a] one\nx 1\ny 2\n[b] two\nx 1\n";
    let signs = |now: &str| {
        let told = differences(before, now);
        told.lines()
            .skip(1)
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    assert!(differences(before, before).is_empty());
    assert_eq!(signs("[a] one\nx 1\ny 3\n[b] two\nx 1"), ["a - y 2", "a + y 3"]);
    assert_eq!(signs("[a] one\nx 1\n[b] two\nx 1\nz 5"), ["a - y 2", "b + z 5"]);
    assert_eq!(signs("[a] one\nx 1\ny 2\n[b] 2\nx 2"), ["b - [b] two", "b + [b] 2", "b - x 1", "b + x 2"]);
    assert_eq!(signs("").len(), 5);
    assert_eq!(signs(&format!("# comment\n{before}")), ["+ # comment"]);
}
