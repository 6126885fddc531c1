//! Maps drawn with characters: for tests, examples, and files made in an editor.
//!
//! | character | cell |
//! | --- | --- |
//! | `.` or a blank | ground |
//! | `#` or `@` | out of map: blocked |
//! | a letter | the terrain that it stands for in `.map` files |
//!
//! `S` and `G` stand for swamp and ground there. Both are passable, so a start and a goal drawn with these
//! letters are what one would think.
//!
//! Drawings come in two styles. One with a `.` in it is *dotted*: blanks before and after a row are
//! indentation, and a blank inside a row is an error. One without is *blank*: each blank is a cell, so rows
//! are not to be indented. Empty lines before and after the drawing don't count, and neither does what ends
//! the lines, LF or CRLF. All rows must be equally wide in either style.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::error::{FormatError, first_character};
use super::text::{Line, Lines};
use crate::space::{Grid, MAX_CELLS, Terrain, TerrainMap, TerrainSet, check_size};

/// Reads a map drawn with characters.
///
/// # Errors
/// If rows differ in width, a character has no meaning, or there is no row at all.
pub fn parse_art(bytes: &[u8]) -> Result<TerrainMap, FormatError> {
    let is_dotted = bytes.contains(&b'.');
    let mut lines = Lines::new(bytes);
    let mut letters = Vec::with_capacity(bytes.len());
    let (mut width, mut height) = (0, 0_usize);
    while let Some(line) = lines.next() {
        let (indent, row) = row_of(line, is_dotted);
        if row.is_empty() {
            if height == 0 {
                continue;
            }
            expect_no_more_rows(&mut lines, is_dotted)?;
            break;
        }
        if height == 0 {
            width = row.len();
        }
        for (at, &byte) in row.iter().enumerate() {
            letters.push(letter_of(byte, is_dotted).ok_or_else(|| {
                let expected =
                    if is_dotted { "'.', '#', '@' or a letter" } else { "' ', '#', '@' or a letter" };
                line.error(indent + at, expected, first_character(&row[at..]))
            })?);
        }
        if row.len() != width {
            let expected = format!("{width} cells in each row, as in the first");
            return Err(line.error(
                indent + row.len().min(width),
                expected,
                format!("a row of {}", row.len()),
            ));
        }
        height += 1;
    }
    if height == 0 {
        return Err(lines.unexpected_end("a row of cells drawn with '.' and '#'"));
    }

    let too_large =
        || lines.unexpected_end(format!("at most {MAX_CELLS} cells instead of {width} x {height}"));
    let sides = (u32::try_from(width), u32::try_from(height));
    let (Ok(columns), Ok(rows)) = sides else { return Err(too_large()) };
    check_size(columns, rows).map_err(|_| too_large())?;
    TerrainMap::new(columns, rows, letters).map_err(|_| too_large())
}

/// The world of agents on foot in a map drawn with characters.
///
/// # Errors
/// As for [`parse_art`].
///
/// # Examples
/// ```
/// use surefoot::formats::grid_from_art;
/// use surefoot::space::Cell;
///
/// let grid = grid_from_art("
///     S.#
///     #..
///     #.G
/// ")?;
/// assert!(grid.is_free(Cell::new(2, 2)));
/// assert!(!grid.is_free(Cell::new(2, 0)));
/// # Ok::<(), surefoot::formats::FormatError>(())
/// ```
pub fn grid_from_art(art: &str) -> Result<Grid, FormatError> {
    Ok(parse_art(art.as_bytes())?.grid(TerrainSet::GROUND))
}

/// Draws `map` with the characters that [`parse_art`] reads, in the dotted style where there is a dot.
///
/// Out-of-map cells (`@`, and bytes that are no terrain letters) are drawn as `#`, which is easier on the
/// eyes.
#[must_use]
pub fn write_art(map: &TerrainMap) -> String {
    let mut art = String::with_capacity((map.width() as usize + 1) * map.height() as usize);
    for row in map.rows() {
        art.extend(row.iter().map(|&letter| match letter {
            b'@' => '#',
            letter if Terrain::of_letter(letter).is_some() => char::from(letter),
            _ => '#',
        }));
        art.push('\n');
    }
    art
}

/// The cells of `line`, and how many bytes of indentation come before them.
fn row_of(line: Line<'_>, is_dotted: bool) -> (usize, &[u8]) {
    if is_dotted {
        let row = line.bytes.trim_ascii_start();
        (line.bytes.len() - row.len(), row.trim_ascii_end())
    } else {
        (0, line.bytes)
    }
}

fn expect_no_more_rows(lines: &mut Lines<'_>, is_dotted: bool) -> Result<(), FormatError> {
    for line in lines.by_ref() {
        let (indent, row) = row_of(line, is_dotted);
        if !row.is_empty() {
            return Err(line.error(
                indent,
                "the end of the drawing after an empty line",
                first_character(row),
            ));
        }
    }
    Ok(())
}

fn letter_of(byte: u8, is_dotted: bool) -> Option<u8> {
    match byte {
        b'#' => Some(b'@'),
        b' ' if !is_dotted => Some(b'.'),
        _ => Terrain::of_letter(byte).map(|_| byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use proptest::prelude::*;

    fn letters(art: &str) -> Vec<u8> {
        parse_art(art.as_bytes()).unwrap().rows().flatten().copied().collect()
    }

    fn message(art: &str) -> String {
        parse_art(art.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn dotted_drawings_may_be_indented() {
        assert_eq!(letters("\n  .#\n  @T\n  "), b".@@T");
        assert_eq!(letters(".#\r\nS."), b".@S.");
    }

    #[test]
    fn in_blank_drawings_each_blank_is_a_cell() {
        assert_eq!(letters("####\n  W#\n####"), b"@@@@..W@@@@@");
        assert_eq!(letters("  \n"), b"..");
    }

    #[test]
    fn rows_that_differ_are_pointed_at() {
        assert_eq!(
            message("\n ...\n ..\n"),
            "line 3, column 4: expected 3 cells in each row, as in the first, found a row of 2"
        );
        assert_eq!(
            message("###\n####"),
            "line 2, column 4: expected 3 cells in each row, as in the first, found a row of 4"
        );
        assert_eq!(
            message("..\n\n  ..\n"),
            "line 3, column 3: expected the end of the drawing after an empty line, found '.'"
        );
    }

    #[test]
    fn characters_without_a_meaning_are_pointed_at() {
        assert_eq!(message(" .+."), "line 1, column 3: expected '.', '#', '@' or a letter, found '+'");
        assert_eq!(message(".. ."), "line 1, column 3: expected '.', '#', '@' or a letter, found ' '");
        assert_eq!(message("# é"), "line 1, column 3: expected ' ', '#', '@' or a letter, found 'é'");
        assert!(message("\n\n").contains("expected a row of cells"));
        assert!(message("").contains("expected a row of cells"));
    }

    proptest! {
        #[test]
        fn what_is_drawn_reads_back(width in 1..9_u32, letters in proptest::collection::vec(
            proptest::sample::select(b"..@GSTWXo".to_vec()), 1..60))
        {
            let height = letters.len() as u32 / width;
            prop_assume!(height > 0);
            let letters = letters[..(width * height) as usize].to_vec();
            let map = TerrainMap::new(width, height, letters).unwrap();
            prop_assert_eq!(parse_art(write_art(&map).as_bytes()), Ok(map));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = parse_art(&bytes);
        }

        #[test]
        fn no_drawing_makes_it_panic(art in "[.# \nSGé\t\r]{0,60}") {
            let _ = parse_art(art.as_bytes());
        }
    }
}
