//! Weights of cells as text: a row of numbers for each row of the map.
//!
//! ```text
//! # meadow, road and swamp
//! 4, 4, 1, 4
//! 4, 9, 1, 4
//! 9, 9, 1, 0
//! ```
//!
//! Numbers are 0 to 255, with commas or blanks between them, or both; lines end with LF or CRLF. Blank lines
//! count for nothing, and neither do lines that begin with `#`. 0 stands for no weight: it is for cells that
//! nobody can walk on, and a map with a free cell there is refused. So a table that a spreadsheet or a script
//! writes as CSV is such a file.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::error::{FormatError, quoted};
use super::text::{Line, Lines, Word};
use crate::space::{CellWeights, MAX_CELLS, check_size};

/// Reads weights from rows of numbers.
///
/// # Errors
/// If a number is none from 0 to 255, rows differ in length, or there is no row at all, with the place where
/// that shows.
///
/// # Examples
/// ```
/// use surefoot::formats::parse_weights;
/// use surefoot::space::Cell;
///
/// let weights = parse_weights(b"1, 1, 9\n1, 4, 9\n")?;
/// assert_eq!((weights.width(), weights.height()), (3, 2));
/// assert_eq!(weights.at(Cell::new(1, 1)), Some(4));
///
/// let error = parse_weights(b"1, 1, 9\n1, 400, 9\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 4: expected a weight from 0 to 255, found \"400\"");
/// # Ok::<(), surefoot::formats::FormatError>(())
/// ```
pub fn parse_weights(bytes: &[u8]) -> Result<CellWeights, FormatError> {
    let mut lines = Lines::new(bytes);
    let mut weights = Vec::new();
    let (mut width, mut height) = (0, 0_usize);
    while let Some(line) = lines.next_not_blank() {
        if line.bytes.trim_ascii_start().starts_with(b"#") {
            continue;
        }
        let before = weights.len();
        for word in numbers(line) {
            weights.push(weight(line, word)?);
        }
        let found = weights.len() - before;
        if height == 0 {
            width = found;
        }
        if found != width {
            let expected = format!("{width} weights in each row, as in the first");
            return Err(line.error(line.bytes.len(), expected, format!("a row of {found}")));
        }
        height += 1;
        let sides = (u32::try_from(width), u32::try_from(height));
        if !matches!(sides, (Ok(width), Ok(height)) if check_size(width, height).is_ok()) {
            let expected = format!("at most {MAX_CELLS} weights");
            return Err(line.error(0, expected, format!("{} and more", weights.len())));
        }
    }
    if height == 0 {
        return Err(lines.unexpected_end("rows of weights from 0 to 255"));
    }
    // All but the sum was checked.
    CellWeights::new(width as u32, height as u32, weights).map_err(|error| {
        FormatError::new(super::Place::Whole, "weights that a map can have", error.to_string())
    })
}

/// The pieces of a row between commas and blanks: two commas with nothing between them have an empty piece.
fn numbers<'a>(line: Line<'a>) -> impl Iterator<Item = Word<'a>> {
    let bytes = line.bytes.trim_ascii_end();
    let mut at = Some(0);
    core::iter::from_fn(move || {
        let blanks = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let start = at?;
        let start = start + blanks(start);
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
        let length = bytes[start..].iter().position(is_end).unwrap_or(bytes.len() - start);
        let end = start + length;
        let next = end + blanks(end);
        at = match bytes.get(next) {
            Some(b',') => Some(next + 1),
            Some(_) => Some(next),
            None => None,
        };
        Some(Word { offset: start, bytes: &bytes[start..end] })
    })
}

fn weight(line: Line<'_>, word: Word<'_>) -> Result<u8, FormatError> {
    word.whole_number()
        .and_then(|number| u8::try_from(number).ok())
        .ok_or_else(|| line.error(word.offset, "a weight from 0 to 255", quoted(word.bytes)))
}

/// Writes weights as rows of numbers.
#[must_use]
pub fn write_weights(weights: &CellWeights) -> String {
    let mut text = String::new();
    for row in weights.rows() {
        for (at, weight) in row.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            text.push_str(&weight.to_string());
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(text: &[u8]) -> Vec<Vec<u8>> {
        parse_weights(text).unwrap().rows().map(<[u8]>::to_vec).collect()
    }

    fn message(text: &[u8]) -> String {
        parse_weights(text).unwrap_err().to_string()
    }

    #[test]
    fn commas_and_blanks_may_stand_between_numbers() {
        let expected = [[1, 20, 3], [255, 0, 6]];
        for text in [
            &b"1 20 3\n255 0 6"[..],
            b"1,20,3\r\n255,0,6\r\n",
            b"\xEF\xBB\xBF# a comment\n\n  1, 20 ,\t3 \n  # another\n255,  0 6\n\n",
        ] {
            assert_eq!(rows(text), expected);
        }
        assert_eq!(rows(b"7"), [[7]]);
    }

    #[test]
    fn mistakes_are_shown_where_they_are() {
        assert_eq!(
            message(b"1 2\n3 x4\n"),
            "line 2, column 3: expected a weight from 0 to 255, found \"x4\""
        );
        assert_eq!(message(b"1 256\n"), "line 1, column 3: expected a weight from 0 to 255, found \"256\"");
        assert_eq!(message(b"1 -2\n"), "line 1, column 3: expected a weight from 0 to 255, found \"-2\"");
        assert_eq!(message(b"1,,2\n"), "line 1, column 3: expected a weight from 0 to 255, found \"\"");
        assert_eq!(message(b"1,2,\n"), "line 1, column 5: expected a weight from 0 to 255, found \"\"");
        assert_eq!(
            message(b"1 2\n3\n"),
            "line 2, column 2: expected 2 weights in each row, as in the first, found a row of 1"
        );
        for empty in [&b""[..], b"\n \n", b"# nothing\n"] {
            assert!(
                message(empty).ends_with("expected rows of weights from 0 to 255, found the end of the file")
            );
        }
    }

    proptest! {
        #[test]
        fn what_is_written_comes_back(width in 1_u32..9, weights in prop::collection::vec(any::<u8>(), 1..60)) {
            let height = (weights.len() as u32).div_ceil(width);
            let mut weights = weights;
            weights.resize((width * height) as usize, 1);
            let weights = CellWeights::new(width, height, weights).unwrap();
            prop_assert_eq!(parse_weights(write_weights(&weights).as_bytes()), Ok(weights));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(&b" ,\n12#"[..])], 0..60)) {
            if let Err(error) = parse_weights(&bytes) {
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }
}
