//! Lines of a text file that may not be text: numbered, without their ends, never copied.

use alloc::borrow::Cow;

use super::error::{FormatError, Place};

/// The lines of a file. A line ends with LF or CRLF; the last one may end with the file.
///
/// # Examples
/// ```
/// use surefoot::formats::Lines;
///
/// let mut lines = Lines::new(b"speed 5\n\nrange x\n");
/// let speed = lines.next_not_blank().and_then(|line| line.words().nth(1));
/// let speed = speed.and_then(|word| word.whole_number());
/// assert_eq!(speed, Some(5));
///
/// let line = lines.next_not_blank().expect("there is one more line");
/// let word = line.words().nth(1).expect("it has two words");
/// let error = line.error(word.offset, "a whole number", "\"x\"");
/// assert_eq!(error.to_string(), "line 3, column 7: expected a whole number, found \"x\"");
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a [u8],
    /// The number of the line that comes next.
    next_number: usize,
    /// The line before it: an unexpected end of the file is reported at its end.
    last: Line<'a>,
}

/// A line and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its number, counted from 1.
    pub number: usize,
    /// Its bytes, without the line end.
    pub bytes: &'a [u8],
}

impl<'a> Lines<'a> {
    /// The lines of `bytes`. A byte order mark at the start is left out.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        // Some editors start UTF-8 files with a byte order mark.
        let rest = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        Self { rest, next_number: 1, last: Line { number: 1, bytes: &[] } }
    }

    /// The next line that is not blank. `None` if there is no such line.
    pub fn next_not_blank(&mut self) -> Option<Line<'a>> {
        loop {
            let line = self.next()?;
            if !line.is_blank() {
                return Some(line);
            }
        }
    }

    /// How many bytes were not read yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// The error of a file that ends where `expected` should have come.
    #[must_use]
    pub fn unexpected_end(&self, expected: impl Into<Cow<'static, str>>) -> FormatError {
        self.last.error(self.last.bytes.len(), expected, "the end of the file")
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (bytes, rest) = match self.rest.iter().position(|&byte| byte == b'\n') {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        let line = Line { number: self.next_number, bytes: bytes.strip_suffix(b"\r").unwrap_or(bytes) };
        self.rest = rest;
        self.next_number += 1;
        self.last = line;
        Some(line)
    }
}

impl<'a> Line<'a> {
    /// Whether nothing but white space is in it.
    #[must_use]
    pub fn is_blank(self) -> bool {
        self.bytes.trim_ascii().is_empty()
    }

    /// The place of the byte at `offset`. Columns count characters, as editors do; a byte that is part of no
    /// character counts as one.
    #[must_use]
    pub fn place(self, offset: usize) -> Place {
        let mut column = 1;
        let mut bytes = &self.bytes[..offset.min(self.bytes.len())];
        loop {
            match core::str::from_utf8(bytes) {
                Ok(text) => {
                    column += text.chars().count();
                    break;
                }
                Err(error) => {
                    let (valid, after) = bytes.split_at(error.valid_up_to());
                    column += core::str::from_utf8(valid).map_or(0, |text| text.chars().count()) + 1;
                    bytes = &after[error.error_len().unwrap_or(after.len())..];
                }
            }
        }
        Place::Text { line: self.number, column }
    }

    /// The error of a line that has `found` where `expected` should be, at the byte `offset`.
    #[must_use]
    pub fn error(
        self,
        offset: usize,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> FormatError {
        FormatError::new(self.place(offset), expected, found)
    }

    /// The words of the line, with the offsets at which they start.
    pub fn words(self) -> impl Iterator<Item = Word<'a>> {
        let bytes = self.bytes;
        let mut at = 0;
        core::iter::from_fn(move || {
            at += bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace())?;
            let start = at;
            at += bytes[at..].iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len() - at);
            Some(Word { offset: start, bytes: &bytes[start..at] })
        })
    }
}

/// A piece of a line and the offset at which it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Where in the line it starts, in bytes.
    pub offset: usize,
    /// Its bytes.
    pub bytes: &'a [u8],
}

impl Word<'_> {
    /// Where in the line it ends, in bytes: one past the last.
    #[must_use]
    pub fn end(self) -> usize {
        self.offset + self.bytes.len()
    }

    /// The word as a whole number of 32 bits. `None` if it is no such number. A sign is refused too:
    /// `str::parse` would take `+5`, which no format has.
    #[must_use]
    pub fn whole_number(self) -> Option<u32> {
        let all_digits = self.bytes.iter().all(u8::is_ascii_digit);
        core::str::from_utf8(self.bytes).ok().filter(|_| all_digits)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn lines(bytes: &[u8]) -> Vec<&[u8]> {
        Lines::new(bytes).map(|line| line.bytes).collect()
    }

    #[test]
    fn either_line_end_and_none_at_the_end() {
        assert_eq!(lines(b"a\nb\r\nc"), [b"a", b"b", b"c"]);
        assert_eq!(lines(b"a\n\n"), [&b"a"[..], b""]);
        assert_eq!(lines(b""), [&b""[..]; 0]);
        assert_eq!(lines(b"\xEF\xBB\xBFa"), [b"a"]);
    }

    #[test]
    fn columns_count_characters() {
        let line = Line { number: 3, bytes: "äö\u{1F600}x".as_bytes() };
        assert_eq!(line.place(8), Place::Text { line: 3, column: 4 });
        let broken = Line { number: 1, bytes: b"a\xFF\xFEb" };
        assert_eq!(broken.place(3), Place::Text { line: 1, column: 4 });
        let cut = Line { number: 1, bytes: b"\xF0\x9F\x98" };
        assert_eq!(cut.place(3), Place::Text { line: 1, column: 2 });
    }

    #[test]
    fn words_know_their_offsets() {
        let line = Line { number: 1, bytes: b"  ab\t c " };
        let words: Vec<_> = line.words().map(|word| (word.offset, word.bytes)).collect();
        assert_eq!(words, [(2, &b"ab"[..]), (6, &b"c"[..])]);
    }

    #[test]
    fn numbers_have_no_signs_and_no_fractions() {
        let number = |bytes| Word { offset: 0, bytes }.whole_number();
        assert_eq!(number(b"0512"), Some(512));
        for bad in [&b""[..], b"+5", b"-5", b"5.0", b"4294967296", b"\xFF"] {
            assert_eq!(number(bad), None);
        }
    }
}
