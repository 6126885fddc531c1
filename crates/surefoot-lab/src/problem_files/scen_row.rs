//! A row of a `.scen` file, split into its columns.
//!
//! Tabs make this easy. In files with blanks the map's name may have some too, so the numbers around it are
//! counted from both ends of the row, and the name is what is left.

use surefoot::formats::{FormatError, Line, Word, quoted};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Zero,
    One,
}

impl Version {
    fn columns(self) -> &'static str {
        match self {
            Self::Zero => "7 columns: bucket, map, start x, start y, goal x, goal y, length",
            Self::One => "9 columns: bucket, map, width, height, start x, start y, goal x, goal y, length",
        }
    }
}

/// A row split into columns.
pub(super) struct Row<'a> {
    line: Line<'a>,
    pub(super) bucket: Word<'a>,
    pub(super) map: Word<'a>,
    pub(super) size: Option<[Word<'a>; 2]>,
    pub(super) cells: [Word<'a>; 4],
    pub(super) length: Word<'a>,
}

impl<'a> Row<'a> {
    pub(super) fn split(line: Line<'a>, version: Version) -> Result<Self, FormatError> {
        // One tab between every two columns and none elsewhere: blanks belong to the map's name.
        let by_tabs = words_between_tabs(line);
        let has_all = match version {
            Version::Zero => matches!(by_tabs.len(), 7 | 9),
            Version::One => by_tabs.len() == 9,
        };
        if has_all && let [bucket, map, numbers @ ..] = &by_tabs[..] {
            return Self::from_columns(line, *bucket, *map, numbers, version);
        }
        // A row that is clearly of this kind lacks a column or has one too many.
        let is_column = |word: &Word<'_>| !word.bytes.is_empty() && !word.bytes.contains(&b' ');
        if by_tabs.len() > 4 && by_tabs.iter().enumerate().all(|(at, word)| at == 1 || is_column(word)) {
            return Err(wrong_columns(line, version, by_tabs.len()));
        }
        // Otherwise the name is what is left when the numbers are taken from both ends.
        let words: Vec<_> = line.words().collect();
        let has_size = match version {
            Version::One => true,
            Version::Zero => {
                words.len() >= 9
                    && words[words.len() - 7..][..2].iter().all(|word| word.whole_number().is_some())
            }
        };
        let numbers = words.len().saturating_sub(if has_size { 7 } else { 5 });
        match words.split_at(numbers) {
            ([bucket, first, others @ ..], numbers) => {
                let end = others.last().unwrap_or(first).end();
                let map = Word { offset: first.offset, bytes: &line.bytes[first.offset..end] };
                Self::from_columns(line, *bucket, map, numbers, version)
            }
            _ => Err(wrong_columns(line, version, words.len())),
        }
    }

    fn from_columns(
        line: Line<'a>,
        bucket: Word<'a>,
        map: Word<'a>,
        numbers: &[Word<'a>],
        version: Version,
    ) -> Result<Self, FormatError> {
        let (size, [start_x, start_y, goal_x, goal_y, length]) = match *numbers {
            [width, height, a, b, c, d, length] => (Some([width, height]), [a, b, c, d, length]),
            [a, b, c, d, length] => (None, [a, b, c, d, length]),
            _ => return Err(wrong_columns(line, version, numbers.len() + 2)),
        };
        Ok(Self { line, bucket, map, size, cells: [start_x, start_y, goal_x, goal_y], length })
    }

    pub(super) fn number(&self, word: Word<'_>, what: &'static str) -> Result<u32, FormatError> {
        word.whole_number().ok_or_else(|| {
            self.line.error(word.offset, format!("{what} as a whole number"), quoted(word.bytes))
        })
    }

    pub(super) fn word(&self, column: Column) -> Word<'a> {
        match column {
            Column::Map => self.map,
            Column::Width => self.size.map_or(self.map, |size| size[0]),
            Column::StartX => self.cells[0],
            Column::StartY => self.cells[1],
            Column::GoalX => self.cells[2],
            Column::GoalY => self.cells[3],
        }
    }
}

fn wrong_columns(line: Line<'_>, version: Version, found: usize) -> FormatError {
    line.error(line.bytes.len(), version.columns(), format!("{found} columns"))
}

/// The columns between tabs, without blanks around them.
fn words_between_tabs(line: Line<'_>) -> Vec<Word<'_>> {
    let mut start = 0;
    let mut words = Vec::new();
    for column in line.bytes.trim_ascii_end().split(|&byte| byte == b'\t') {
        let trimmed = column.trim_ascii_start();
        let offset = start + column.len() - trimmed.len();
        words.push(Word { offset, bytes: trimmed.trim_ascii_end() });
        start += column.len() + 1;
    }
    words
}

/// The columns that can be wrong although they are of the right kind.
#[derive(Clone, Copy)]
pub(super) enum Column {
    Map,
    Width,
    StartX,
    StartY,
    GoalX,
    GoalY,
}
