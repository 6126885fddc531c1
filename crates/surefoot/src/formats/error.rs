//! What is wrong with a file, and where.
//!
//! One shape fits every format: the place, what was expected there, what was found instead. A person can fix
//! a file from that without knowing how it was read.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write as _};

/// Bytes that are not in the format.
///
/// Prints as `line 12, column 5: expected a terrain letter, found '#'`, always on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    place: Place,
    expected: Cow<'static, str>,
    found: Cow<'static, str>,
}

impl FormatError {
    /// An error at `place`, where `expected` should be and `found` is.
    #[must_use]
    pub fn new(
        place: Place,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { place, expected: expected.into(), found: found.into() }
    }

    /// Where it went wrong.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// The line, counted from 1, if the format has lines.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        match self.place {
            Place::Text { line, .. } => Some(line),
            _ => None,
        }
    }

    /// The column, counted from 1 in characters, if the format has lines.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        match self.place {
            Place::Text { column, .. } => Some(column),
            _ => None,
        }
    }

    /// What would have been right there.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What there was instead.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Text { line, column } => write!(f, "line {line}, column {column}: ")?,
            Place::Byte(offset) => write!(f, "byte {offset}: ")?,
            Place::Whole => {}
        }
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl core::error::Error for FormatError {}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// A character of a text file, both counted from 1.
    Text {
        /// The line.
        line: usize,
        /// The character in the line; one past the last if the line ended too early.
        column: usize,
    },
    /// A byte of a binary file, counted from 0.
    Byte(usize),
    /// No one place: the file as a whole.
    Whole,
}

/// Appended to a file's path: `:12:5`, which editors and terminals turn into a link.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { line, column } => write!(f, ":{line}:{column}"),
            Self::Byte(offset) => write!(f, ": byte {offset}"),
            Self::Whole => Ok(()),
        }
    }
}

/// The longest piece of a file that a message repeats, in characters.
const LONGEST_QUOTE: usize = 40;

/// `bytes` as a message shows them: in quotes, on one line, and at most 40 characters.
#[must_use]
pub fn quoted(bytes: &[u8]) -> String {
    // Four bytes a character are enough for any text; a file of one huge line is not decoded whole.
    let head = &bytes[..bytes.len().min(4 * LONGEST_QUOTE + 4)];
    let text = String::from_utf8_lossy(head);
    let mut quote = String::from("\"");
    quote.extend(text.chars().take(LONGEST_QUOTE).flat_map(char::escape_debug));
    quote.push_str(if text.chars().count() > LONGEST_QUOTE { "…\"" } else { "\"" });
    quote
}

/// The character that `bytes` start with, as a message shows it.
#[must_use]
pub fn first_character(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(4)];
    let valid = match core::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => core::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut shown = String::new();
    // Writing to a string cannot fail.
    let _ = match (valid.chars().next(), head.first()) {
        (Some(character), _) => write!(shown, "{character:?}"),
        (None, Some(byte)) => write!(shown, "the byte 0x{byte:02X}, which is not UTF-8 text"),
        (None, None) => write!(shown, "the end of the line"),
    };
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn messages_say_where_what_and_what_instead() {
        let error = FormatError::new(
            Place::Text { line: 12, column: 5 },
            "a terrain letter",
            first_character(b"#.."),
        );
        assert_eq!(error.to_string(), "line 12, column 5: expected a terrain letter, found '#'");
        assert_eq!((error.line(), error.column()), (Some(12), Some(5)));
        let error = FormatError::new(Place::Byte(16), "a width", "0");
        assert_eq!(error.to_string(), "byte 16: expected a width, found 0");
        let error = FormatError::new(Place::Whole, "an image", "nothing");
        assert_eq!(error.to_string(), "expected an image, found nothing");
    }

    #[test]
    fn quotes_stay_short_and_on_one_line() {
        assert_eq!(quoted(b"a\nb"), "\"a\\nb\"");
        assert_eq!(quoted(&[b'x'; 1000]).chars().count(), LONGEST_QUOTE + 3);
        assert_eq!(quoted(b"\xFF"), "\"\u{FFFD}\"");
        assert_eq!(first_character("é.".as_bytes()), "'é'");
        assert_eq!(first_character(b"\xFF."), "the byte 0xFF, which is not UTF-8 text");
        assert_eq!(first_character(b""), "the end of the line");
    }
}
