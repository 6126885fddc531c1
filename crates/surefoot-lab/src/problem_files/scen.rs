//! `MovingAI` problem sets: starts and goals on a map, with the length of an optimal path between them.
//!
//! ```text
//! version 1
//! 26  maps/dao/arena.map  49  49  1  11  1  12  1
//! 27  maps/dao/arena.map  49  49  1  13  4  12  3.41421
//! ```
//!
//! | version | columns |
//! | --- | --- |
//! | `1`, `1.0` | bucket, map, map width, map height, start x, start y, goal x, goal y, optimal length |
//! | `0`, `0.0`, or no version line | the same without the map's width and height |
//!
//! Columns are separated by tabs, or by blanks in older files. The map's name may have blanks in it in both:
//! the other columns are numbers, and they are counted from the ends of the row. Files of version 0 that give
//! the map's size are met as well, so a row of that version has a size if two more whole numbers are where it
//! would be. Lines end with LF or CRLF; blank lines are skipped.

use std::borrow::Cow;
use std::path::Path;

use surefoot::formats::{
    FileError, FormatError, Line, Lines, Place, Word, first_character, quoted, read_with,
};
use surefoot::space::{Cell, MAX_CELLS};

use super::length::Length;
use super::scen_row::{Column, Row, Version};

/// A set of problems.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// The problems, in the order of the file.
    pub problems: Vec<Problem>,
}

/// A start and a goal on a map, and what is known of the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// A rough measure of difficulty: a quarter of the optimal length in most files.
    pub bucket: u32,
    /// The map, as the file names it; often a path on the machine of who made the file.
    pub map: String,
    /// The map's width and height. Files of version 0 don't say.
    pub map_size: Option<(u32, u32)>,
    /// Where the agent starts.
    pub start: Cell,
    /// Where it wants to go.
    pub goal: Cell,
    /// The length of an optimal path, or 0 if there is no path.
    pub length: Length,
}

impl Problem {
    /// Whether the file says that there is no path: its length is 0, and start and goal differ.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        self.length.value() == 0.0 && self.start != self.goal
    }

    /// What a row with this problem has in a column.
    fn text(&self, column: Column) -> String {
        let number = match column {
            Column::Map => return self.map.clone(),
            Column::Width => self.map_size.map_or(0, |size| size.0),
            Column::StartX => self.start.x,
            Column::StartY => self.start.y,
            Column::GoalX => self.goal.x,
            Column::GoalY => self.goal.y,
        };
        format!("{number}")
    }

    /// Checks that a row with this problem can be read.
    fn check(&self) -> Result<(), Fault> {
        if self.map.is_empty() || self.map.trim_ascii() != self.map || self.map.contains(['\t', '\n']) {
            let expected = "a map name without tabs, line ends, and blanks around it";
            return Err(Fault { column: Column::Map, expected: expected.into() });
        }
        let Some((width, height)) = self.map_size else { return Ok(()) };
        if !(1..=MAX_CELLS).contains(&(u64::from(width) * u64::from(height))) {
            let expected = format!("a map of 1 to {MAX_CELLS} cells");
            return Err(Fault { column: Column::Width, expected: expected.into() });
        }
        for (column, name, value, limit) in [
            (Column::StartX, "start x", self.start.x, width),
            (Column::StartY, "start y", self.start.y, height),
            (Column::GoalX, "goal x", self.goal.x, width),
            (Column::GoalY, "goal y", self.goal.y, height),
        ] {
            if value >= limit {
                let expected = format!("{name} from 0 to {}, since the map is {width} x {height}", limit - 1);
                return Err(Fault { column, expected: expected.into() });
            }
        }
        Ok(())
    }
}

/// Reads a `.scen` file.
///
/// # Errors
/// If `bytes` are not such a file, with the place where that shows.
///
/// # Examples
/// ```
/// let text = b"version 1\n0\tarena.map\t49\t49\t1\t11\t2\t13\t2.41421\n";
/// let scenario = surefoot_lab::problem_files::parse_scen(text)?;
/// let problem = &scenario.problems[0];
/// assert_eq!(problem.goal, surefoot::space::Cell::new(2, 13));
/// assert!(problem.length.agrees_with(1.0 + 2_f64.sqrt()));
/// # Ok::<(), surefoot::formats::FormatError>(())
/// ```
pub fn parse_scen(bytes: &[u8]) -> Result<Scenario, FormatError> {
    const VERSION: &str = "a first line such as \"version 1\"";
    let mut lines = Lines::new(bytes);
    let Some(first) = lines.next_not_blank() else { return Err(lines.unexpected_end(VERSION)) };
    let mut scenario = Scenario::default();
    let version = match first.words().next() {
        Some(Word { bytes: b"version", .. }) => parse_version(first)?,
        // Without a version line the file is of version 0, and its first row starts with a number.
        Some(word) if word.whole_number().is_some() => {
            scenario.problems.push(parse_row(first, Version::Zero)?);
            Version::Zero
        }
        _ => return Err(first.error(0, VERSION, quoted(first.bytes))),
    };
    while let Some(line) = lines.next_not_blank() {
        scenario.problems.push(parse_row(line, version)?);
    }
    Ok(scenario)
}

/// Reads the `.scen` file at `path`.
///
/// # Errors
/// If there is no such file, it cannot be read, or it is no problem set.
pub fn read_scen(path: impl AsRef<Path>) -> Result<Scenario, FileError> {
    read_with(path, parse_scen)
}

/// Writes a `.scen` file: version 1 if every problem says its map's size, version 0 otherwise.
///
/// # Errors
/// If a problem is such that the file could not be read again: its map's name is empty or has tabs, line ends
/// or blanks around it, or a cell lies outside the map. The line of the error is the one that it would have
/// been in.
pub fn write_scen(scenario: &Scenario) -> Result<Vec<u8>, FormatError> {
    let has_sizes = scenario.problems.iter().all(|problem| problem.map_size.is_some());
    let mut text = String::from(if has_sizes { "version 1\n" } else { "version 0\n" });
    for (index, problem) in scenario.problems.iter().enumerate() {
        problem.check().map_err(|fault| {
            let place = Place::Text { line: index + 2, column: 1 };
            FormatError::new(place, fault.expected, quoted(problem.text(fault.column).as_bytes()))
        })?;
        let Problem { bucket, map, start, goal, length, .. } = problem;
        let size = problem.map_size.map_or(String::new(), |(width, height)| format!("{width}\t{height}\t"));
        text.push_str(&format!(
            "{bucket}\t{map}\t{size}{}\t{}\t{}\t{}\t{length}\n",
            start.x, start.y, goal.x, goal.y
        ));
    }
    Ok(text.into_bytes())
}

/// What is wrong with a problem, and the column that shows it.
struct Fault {
    column: Column,
    expected: Cow<'static, str>,
}

fn parse_version(line: Line<'_>) -> Result<Version, FormatError> {
    const EXPECTED: &str = "version 0, 1 or 1.0";
    let mut words = line.words().skip(1);
    let Some(number) = words.next() else {
        return Err(line.error(line.bytes.len(), EXPECTED, "the end of the line"));
    };
    let version = match number.bytes {
        b"0" | b"0.0" => Version::Zero,
        b"1" | b"1.0" => Version::One,
        other => return Err(line.error(number.offset, EXPECTED, quoted(other))),
    };
    match words.next() {
        None => Ok(version),
        Some(word) => Err(line.error(word.offset, "the end of the line", quoted(word.bytes))),
    }
}

/// The longest row that is looked at. Longer ones are no problems, and splitting them would cost memory.
const LONGEST_ROW: usize = 1 << 16;

fn parse_row(line: Line<'_>, version: Version) -> Result<Problem, FormatError> {
    if line.bytes.len() > LONGEST_ROW {
        let found = format!("a line of {}", line.bytes.len());
        return Err(line.error(LONGEST_ROW, format!("a row of at most {LONGEST_ROW} bytes"), found));
    }
    let text = str::from_utf8(line.bytes).map_err(|error| {
        let bad = error.valid_up_to();
        line.error(bad, "UTF-8 text", first_character(&line.bytes[bad..]))
    })?;
    let row = Row::split(line, version)?;
    let problem = Problem {
        bucket: row.number(row.bucket, "a bucket")?,
        map: String::from(&text[row.map.offset..row.map.end()]),
        map_size: match row.size {
            Some([width, height]) => {
                Some((row.number(width, "the map's width")?, row.number(height, "the map's height")?))
            }
            None => None,
        },
        start: Cell::new(row.number(row.cells[0], "start x")?, row.number(row.cells[1], "start y")?),
        goal: Cell::new(row.number(row.cells[2], "goal x")?, row.number(row.cells[3], "goal y")?),
        length: Length::parse(&text[row.length.offset..row.length.end()]).ok_or_else(|| {
            let expected = "a length: 0 or a positive number such as 138.2";
            line.error(row.length.offset, expected, quoted(row.length.bytes))
        })?,
    };
    problem.check().map_err(|fault| {
        let word = row.word(fault.column);
        line.error(word.offset, fault.expected, quoted(word.bytes))
    })?;
    Ok(problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ROW: &str = "26\tmy maps/a b.map\t49\t48\t1\t11\t2\t13\t2.41421";

    fn problem() -> Problem {
        Problem {
            bucket: 26,
            map: "my maps/a b.map".to_string(),
            map_size: Some((49, 48)),
            start: Cell::new(1, 11),
            goal: Cell::new(2, 13),
            length: Length::new(2.41421, 5).unwrap(),
        }
    }

    fn message(text: impl AsRef<[u8]>) -> String {
        parse_scen(text.as_ref()).unwrap_err().to_string()
    }

    #[test]
    fn tabs_or_blanks_and_any_line_end() {
        let expected = Scenario { problems: vec![problem()] };
        for text in [
            format!("version 1\n{ROW}\n"),
            format!("version 1.0\r\n{ROW}\r\n\r\n"),
            format!("version 1\n{}", ROW.replace('\t', " ")),
            format!("  version  1 \n\n  {} \t \n \n", ROW.replace('\t', " \t ")),
            format!("\u{FEFF}version 1\n{ROW}"),
            format!("version 0\n{ROW}\n"),
            format!("version 0\n{}\n", ROW.replace('\t', " ")),
        ] {
            assert_eq!(parse_scen(text.as_bytes()).as_ref(), Ok(&expected), "{text:?}");
        }
    }

    #[test]
    fn version_0_does_not_give_the_size() {
        let expected = Scenario { problems: vec![Problem { map_size: None, ..problem() }] };
        let row = ROW.replace("\t49\t48", "");
        for text in [
            format!("version 0\n{row}\n"),
            format!("version 0.0\n{}\n", row.replace('\t', " ")),
            format!("{row}\n"),
            row.replace('\t', "  "),
        ] {
            assert_eq!(parse_scen(text.as_bytes()).as_ref(), Ok(&expected), "{text:?}");
        }
    }

    #[test]
    fn a_file_may_have_no_problems_but_not_be_empty() {
        assert_eq!(parse_scen(b"version 1\n"), Ok(Scenario::default()));
        assert_eq!(
            message(""),
            "line 1, column 1: expected a first line such as \"version 1\", found the end of the file"
        );
    }

    #[test]
    fn a_length_of_0_means_unreachable_unless_start_is_goal() {
        assert!(!problem().is_unreachable());
        assert!(Problem { length: Length::ZERO, ..problem() }.is_unreachable());
        assert!(!Problem { length: Length::ZERO, goal: problem().start, ..problem() }.is_unreachable());
    }

    #[test]
    fn each_column_is_checked() {
        let file = format!("version 1\n{ROW}\n");
        for (from, to, expected) in [
            ("version 1", "version 2", "line 1, column 9: expected version 0, 1 or 1.0, found \"2\""),
            (
                "version 1",
                "version",
                "line 1, column 8: expected version 0, 1 or 1.0, found the end of the line",
            ),
            ("version 1", "version 1 x", "line 1, column 11: expected the end of the line, found \"x\""),
            (
                "version 1",
                "P5",
                "line 1, column 1: expected a first line such as \"version 1\", found \"P5\"",
            ),
            ("26\t", "a\t", "line 2, column 1: expected a bucket as a whole number, found \"a\""),
            ("my maps/a b.map", "", "line 2, column 4: expected a map name"),
            ("\t49", "\t-1", "line 2, column 20: expected the map's width as a whole number, found \"-1\""),
            ("\t49", "\t0", "line 2, column 20: expected a map of 1 to 1073741824 cells, found \"0\""),
            ("\t49\t48", "\t99999\t99999", "line 2, column 20: expected a map of 1 to 1073741824 cells"),
            ("\t11", "\t48", "expected start y from 0 to 47, since the map is 49 x 48, found \"48\""),
            ("\t2\t", "\t49\t", "expected goal x from 0 to 48, since the map is 49 x 48, found \"49\""),
            ("\t13", "\t1.5", "line 2, column 33: expected goal y as a whole number, found \"1.5\""),
            ("2.41421", "-3", "expected a length: 0 or a positive number such as 138.2, found \"-3\""),
            ("2.41421", "inf", "found \"inf\""),
            ("2.41421", "nan", "found \"nan\""),
            (
                "\t2.41421",
                "",
                "line 2, column 35: expected 9 columns: bucket, map, width, height, start x, start y, goal x, goal y, length, found 8 columns",
            ),
            ("my maps/a b.map\t49\t", "", "expected 9 columns: bucket, map, width, height, start x,"),
        ] {
            let found = message(file.replace(from, to));
            assert!(found.contains(expected), "{to:?}: {found}");
        }
    }

    #[test]
    fn names_may_be_any_utf8_and_nothing_else() {
        let text = format!("version 1\n{}\n", ROW.replace("a b", "Größe €"));
        assert_eq!(parse_scen(text.as_bytes()).unwrap().problems[0].map, "my maps/Größe €.map");
        // Columns count characters, not bytes.
        assert!(message(text.replace("13", "x")).starts_with("line 2, column 37:"));
        let mut bytes = text.into_bytes();
        let at = bytes.iter().position(|&b| b == b'G').unwrap();
        bytes[at] = 0xFF;
        assert_eq!(
            message(bytes),
            "line 2, column 12: expected UTF-8 text, found the byte 0xFF, which is not UTF-8 text"
        );
    }

    #[test]
    fn errors_start_with_a_place_that_editors_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.scen");
        std::fs::write(&path, "version 1\n0\ta.map\n").unwrap();
        let error = read_scen(&path).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{}:2:8: expected 9 columns", path.display())));
    }

    #[test]
    fn endless_rows_are_refused() {
        let text = format!("version 1\n{}", "1 ".repeat(LONGEST_ROW));
        assert!(message(text).contains("expected a row of at most 65536 bytes, found a line of 131072"));
    }

    #[test]
    fn what_could_not_be_read_again_is_not_written() {
        for (bad, found) in [
            (Problem { map: String::new(), ..problem() }, "blanks around it, found \"\""),
            (Problem { map: "a\tb".to_string(), ..problem() }, "blanks around it, found \"a\\tb\""),
            (Problem { map: " a".to_string(), ..problem() }, "blanks around it, found \" a\""),
            (Problem { map_size: Some((0, 9)), ..problem() }, "cells, found \"0\""),
            (Problem { goal: Cell::new(49, 0), ..problem() }, "49 x 48, found \"49\""),
        ] {
            let error = write_scen(&Scenario { problems: vec![problem(), bad] }).unwrap_err();
            assert_eq!(error.line(), Some(3));
            assert!(error.to_string().ends_with(found), "{error}");
        }
    }

    prop_compose! {
        fn any_problem()(
            bucket in any::<u32>(), map in "[a-zA-Z0-9_./é-]([a-zA-Z0-9_./é -]{0,10}[a-z0-9])?",
            width in 1..1000_u32, height in 1..1000_u32, has_size in any::<bool>(),
            xs in any::<[proptest::sample::Index; 2]>(), ys in any::<[proptest::sample::Index; 2]>(),
            length in 0.0..10000.0_f64, decimals in 0..10_u8,
        ) -> Problem {
            let cell = |at: usize| {
                Cell::new(xs[at].index(width as usize) as u32, ys[at].index(height as usize) as u32)
            };
            Problem {
                bucket, map, map_size: has_size.then_some((width, height)),
                start: cell(0), goal: cell(1), length: Length::new(length, decimals).unwrap(),
            }
        }
    }

    proptest! {
        #[test]
        fn written_scenarios_read_back(problems in proptest::collection::vec(any_problem(), 0..10)) {
            let scenario = Scenario { problems };
            prop_assert_eq!(parse_scen(&write_scen(&scenario).unwrap()), Ok(scenario));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse_scen(&bytes);
        }

        #[test]
        fn no_damage_makes_it_panic(
            problems in proptest::collection::vec(any_problem(), 1..4),
            at in any::<proptest::sample::Index>(), put in any::<u8>(), cut in any::<bool>(),
        ) {
            let mut bytes = write_scen(&Scenario { problems }).unwrap();
            let at = at.index(bytes.len());
            if cut { bytes.truncate(at) } else { bytes[at] = put }
            if let Err(error) = parse_scen(&bytes) {
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }
}
