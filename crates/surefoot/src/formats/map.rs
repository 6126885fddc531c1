//! `MovingAI` maps, the format of the field's benchmarks.
//!
//! ```text
//! type octile
//! height 3
//! width 5
//! map
//! ..T@@
//! .SSWW
//! ....W
//! ```
//!
//! `height` and `width` come in either order, with any blanks between word and number; lines end with LF or
//! CRLF. A terrain letter is `.`, `@` or any ASCII letter: who can walk on which is decided later, by
//! [`TerrainMap::grid`]. After the rows only blank lines may follow.
//!
//! `type octile-corner` is the older form. Its sizes count the corners of the cells, one more than the cells
//! each way. A block of heights, one character for each corner, comes before the terrain, and the terrain
//! block has the same size, so that its last row and column stand for no cell. As in HOG, the research code
//! that the format comes from, they are skipped. The heights are checked to be printable characters and then
//! dropped: no algorithm here uses them, and a map that was read in this form is written as `octile`.

use alloc::format;
use alloc::vec::Vec;

use super::error::{FormatError, first_character, quoted};
use super::text::{Line, Lines, Word};
use crate::space::{Limits, MAX_CELLS, Terrain, TerrainMap, check_size};

/// Reads a `.map` file.
///
/// # Errors
/// If `bytes` are not such a file, with the place where that shows.
///
/// # Examples
/// ```
/// let map = surefoot::formats::parse_map(b"type octile\nheight 1\nwidth 3\nmap\n.G@\n")?;
/// assert_eq!((map.width(), map.height()), (3, 1));
///
/// let error = surefoot::formats::parse_map(b"type octile\nheight 1\nwidth 3\nmap\n.#@\n").unwrap_err();
/// let expected = "line 5, column 2: expected a terrain letter (A to Z, '.' or '@'), found '#'";
/// assert_eq!(error.to_string(), expected);
/// # Ok::<(), surefoot::formats::FormatError>(())
/// ```
pub fn parse_map(bytes: &[u8]) -> Result<TerrainMap, FormatError> {
    parse_map_within(bytes, &Limits::default())
}

/// The same for a map that may ask for so much.
///
/// # Errors
/// As for [`parse_map`]; also if it has more cells.
pub fn parse_map_within(bytes: &[u8], limits: &Limits) -> Result<TerrainMap, FormatError> {
    let mut lines = Lines::new(bytes);
    let header = parse_header(&mut lines, limits)?;
    if header.has_corners {
        for row in 0..header.height {
            header
                .next_row(&mut lines, row, "height")?
                .check(is_printable, "a printable height character")?;
        }
    }

    // The bytes that are there bound the allocation, not the numbers in the header. If they are too few, then
    // a row is missing or short, and reading on finds which.
    let (width, height) = header.cells();
    let cells = width as usize * height as usize;
    let mut letters = Vec::with_capacity(cells.min(lines.remaining()));
    for row in 0..height {
        let line = header.next_row(&mut lines, row, "terrain")?;
        if header.has_corners {
            line.check(is_printable, "a printable character")?;
        }
        let row = Line { bytes: &line.bytes[..width as usize], ..line };
        row.check(is_terrain, "a terrain letter (A to Z, '.' or '@')")?;
        letters.extend_from_slice(row.bytes);
    }
    if header.has_corners {
        header.next_row(&mut lines, height, "terrain")?.check(is_printable, "a printable character")?;
    }

    if let Some(line) = lines.next_not_blank() {
        let expected = format!("the end of the file after {} rows of the map", header.height);
        return Err(line.error(0, expected, quoted(line.bytes)));
    }
    // The header was checked, and so was each row: this cannot fail.
    TerrainMap::new(width, height, letters).map_err(|error| lines.unexpected_end(format!("{error}")))
}

/// Writes a `.map` file of type `octile`.
///
/// Bytes that are no terrain letters are written as `@`: nobody can walk on either.
#[must_use]
pub fn write_map(map: &TerrainMap) -> Vec<u8> {
    let header = format!("type octile\nheight {}\nwidth {}\nmap\n", map.height(), map.width());
    let mut bytes = Vec::with_capacity(header.len() + (map.width() as usize + 1) * map.height() as usize);
    bytes.extend_from_slice(header.as_bytes());
    for row in map.rows() {
        bytes.extend(row.iter().map(|&letter| if is_terrain(letter) { letter } else { b'@' }));
        bytes.push(b'\n');
    }
    bytes
}

/// The most bytes that the file can have whose beginning is `head`, so that readers know when to stop.
#[cfg(feature = "std")]
pub(crate) fn most_bytes(head: &[u8], limits: &Limits) -> Result<u64, FormatError> {
    let mut lines = Lines::new(head);
    let header = parse_header(&mut lines, limits)?;
    let blocks = if header.has_corners { 2 } else { 1 };
    let rows = u64::from(header.height) * (u64::from(header.width) + 2); // 2: CR and LF
    // The slack is for blank lines at the end; a file with more than that is refused.
    Ok((head.len() - lines.remaining()) as u64 + blocks * rows + 4096)
}

/// What comes before the rows.
struct Header {
    has_corners: bool,
    width: u32,
    height: u32,
}

impl Header {
    /// The size of the map in cells.
    fn cells(&self) -> (u32, u32) {
        let corner = u32::from(self.has_corners);
        (self.width.saturating_sub(corner), self.height.saturating_sub(corner))
    }

    /// The next line, if it has the header's width.
    fn next_row<'a>(&self, lines: &mut Lines<'a>, row: u32, block: &str) -> Result<Line<'a>, FormatError> {
        let Some(line) = lines.next() else {
            let (row, rows) = (row + 1, self.height);
            return Err(lines.unexpected_end(format!("{block} row {row} of {rows}")));
        };
        let (width, found) = (self.width as usize, line.bytes.len());
        if found == width {
            return Ok(line);
        }
        // The first bad character explains more than the length that it leads to.
        let known = &line.bytes[..found.min(width)];
        if let Some(bad) = known.iter().position(|&byte| !is_printable(byte)) {
            return Err(line.error(bad, "a printable character", first_character(&line.bytes[bad..])));
        }
        let expected = format!("{width} characters in each row, as in the header");
        Err(line.error(found.min(width), expected, format!("a row of {found}")))
    }
}

impl Line<'_> {
    /// Refuses the line if it has a byte that `is_good` does not hold of.
    fn check(self, is_good: fn(u8) -> bool, expected: &'static str) -> Result<(), FormatError> {
        match self.bytes.iter().position(|&byte| !is_good(byte)) {
            None => Ok(()),
            Some(bad) => Err(self.error(bad, expected, first_character(&self.bytes[bad..]))),
        }
    }
}

fn is_terrain(byte: u8) -> bool {
    Terrain::of_letter(byte).is_some()
}

fn is_printable(byte: u8) -> bool {
    byte == b' ' || byte.is_ascii_graphic()
}

fn parse_header(lines: &mut Lines<'_>, limits: &Limits) -> Result<Header, FormatError> {
    let has_corners = parse_type(lines)?;
    let (mut width, mut height) = (None, None);
    loop {
        let missing = match (width, height) {
            (None, None) => "\"height\" or \"width\" and a number",
            (Some(_), None) => "\"height\" and a number",
            (None, Some(_)) => "\"width\" and a number",
            (Some(_), Some(_)) => "\"map\"",
        };
        let Some(line) = lines.next_not_blank() else { return Err(lines.unexpected_end(missing)) };
        let mut words = line.words();
        match (words.next().map(|word| word.bytes), width, height) {
            (Some(b"width"), None, _) => width = Some(parse_side(line, words.next())?),
            (Some(b"height"), _, None) => height = Some(parse_side(line, words.next())?),
            (Some(b"map"), Some(width), Some(height)) => {
                no_more_words(line, words.next())?;
                return Ok(Header { has_corners, width, height });
            }
            _ => return Err(line.error(0, missing, quoted(line.bytes))),
        }
        no_more_words(line, words.next())?;
        if let (Some(width), Some(height)) = (width, height) {
            check_sides(line, &Header { has_corners, width, height }, limits)?;
        }
    }
}

/// Whether the map comes with corners.
fn parse_type(lines: &mut Lines<'_>) -> Result<bool, FormatError> {
    const EXPECTED: &str = "\"type octile\" or \"type octile-corner\"";
    let Some(line) = lines.next_not_blank() else { return Err(lines.unexpected_end(EXPECTED)) };
    let mut words = line.words();
    let has_corners = match (words.next().map(|word| word.bytes), words.next()) {
        (Some(b"type"), Some(Word { bytes: b"octile", .. })) => false,
        (Some(b"type"), Some(Word { bytes: b"octile-corner", .. })) => true,
        (Some(b"type"), Some(other)) => {
            return Err(line.error(other.offset, "\"octile\" or \"octile-corner\"", quoted(other.bytes)));
        }
        _ => return Err(line.error(0, EXPECTED, quoted(line.bytes))),
    };
    no_more_words(line, words.next())?;
    Ok(has_corners)
}

fn parse_side(line: Line<'_>, word: Option<Word<'_>>) -> Result<u32, FormatError> {
    let expected = || format!("a whole number from 1 to {MAX_CELLS}");
    let Some(word) = word else {
        return Err(line.error(line.bytes.len(), expected(), "the end of the line"));
    };
    match word.whole_number() {
        Some(side) if side > 0 && u64::from(side) <= MAX_CELLS => Ok(side),
        _ => Err(line.error(word.offset, expected(), quoted(word.bytes))),
    }
}

fn no_more_words(line: Line<'_>, word: Option<Word<'_>>) -> Result<(), FormatError> {
    match word {
        None => Ok(()),
        Some(word) => Err(line.error(word.offset, "the end of the line", quoted(word.bytes))),
    }
}

/// Refuses sizes that no grid can have; `line` is the one that completed them.
fn check_sides(line: Line<'_>, header: &Header, limits: &Limits) -> Result<(), FormatError> {
    let (width, height) = header.cells();
    if check_size(width, height).is_ok() && limits.allow(width, height) {
        return Ok(());
    }
    let most = limits.cells.min(MAX_CELLS);
    let number = line.words().nth(1).map_or(0, |word| word.offset);
    let (expected, unit) = if header.has_corners {
        (format!("2 to {MAX_CELLS} corners each way and at most {most} cells"), "corners")
    } else {
        (format!("at most {most} cells"), "cells")
    };
    Err(line.error(number, expected, format!("{} x {} {unit}", header.width, header.height)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};
    use proptest::prelude::*;

    const SMALL: &str = "type octile\nheight 2\nwidth 3\nmap\n.T@\nSwX\n";

    fn letters(map: &TerrainMap) -> Vec<u8> {
        map.rows().flatten().copied().collect()
    }

    /// The message for `text`.
    fn message(text: impl AsRef<[u8]>) -> String {
        parse_map(text.as_ref()).unwrap_err().to_string()
    }

    #[test]
    fn a_map_is_read_letter_by_letter() {
        let map = parse_map(SMALL.as_bytes()).unwrap();
        assert_eq!((map.width(), map.height()), (3, 2));
        assert_eq!(letters(&map), b".T@SwX");
    }

    #[test]
    fn headers_are_free_in_order_blanks_and_line_ends() {
        let expected = parse_map(SMALL.as_bytes()).unwrap();
        for text in [
            "type octile\nwidth 3\nheight 2\nmap\n.T@\nSwX\n",
            "type\toctile  \n  height   2\nwidth 3 \n map\n.T@\nSwX\n",
            "\u{FEFF}type octile\n\nheight 02\nwidth 3\nmap\n.T@\nSwX",
            "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.T@\r\nSwX\r\n",
            "type octile\nheight 2\nwidth 3\nmap\n.T@\nSwX\n\n \n\r\n",
        ] {
            assert_eq!(parse_map(text.as_bytes()).as_ref(), Ok(&expected), "{text:?}");
        }
    }

    #[test]
    fn corners_are_one_more_than_cells_and_heights_are_skipped() {
        let text = "type octile-corner\nheight 3\nwidth 4\nmap\n2222\n2 ~3\n2222\n.T@?\nSwX?\n????\n";
        assert_eq!(parse_map(text.as_bytes()), parse_map(SMALL.as_bytes()));
        assert_eq!(
            message(text.replace('~', "\u{7}")),
            "line 6, column 3: expected a printable height character, found '\\u{7}'"
        );
        assert_eq!(
            message(text.replace("X?", "X\u{7}")),
            "line 9, column 4: expected a printable character, found '\\u{7}'"
        );
        assert_eq!(
            message(text.replace("\n????", "")),
            "line 9, column 5: expected terrain row 3 of 3, found the end of the file"
        );
        assert!(message("type octile-corner\nheight 1\nwidth 4\nmap\n2222\n....\n").contains("1 corners"));
    }

    #[test]
    fn a_letter_that_is_none_is_pointed_at() {
        let expected = "line 6, column 2: expected a terrain letter (A to Z, '.' or '@'), found ";
        assert_eq!(message(SMALL.replace("wX", "#X")), alloc::format!("{expected}'#'"));
        assert_eq!(message(SMALL.replace("wX", "7X")), alloc::format!("{expected}'7'"));
        let mut bytes = SMALL.as_bytes().to_vec();
        let at = bytes.iter().rposition(|&b| b == b'w').unwrap();
        bytes[at] = 0xFF;
        assert_eq!(message(bytes), alloc::format!("{expected}the byte 0xFF, which is not UTF-8 text"));
    }

    #[test]
    fn rows_of_the_wrong_width_are_pointed_at() {
        let expected = "expected 3 characters in each row, as in the header, found a row of";
        assert_eq!(message(SMALL.replace(".T@", ".T")), alloc::format!("line 5, column 3: {expected} 2"));
        assert_eq!(message(SMALL.replace(".T@", ".T@.")), alloc::format!("line 5, column 4: {expected} 4"));
        assert_eq!(
            message(SMALL.replace(".T@", ".é@")),
            "line 5, column 2: expected a printable character, found 'é'"
        );
    }

    #[test]
    fn truncated_files_say_where_they_end() {
        assert_eq!(
            message(""),
            "line 1, column 1: expected \"type octile\" or \"type octile-corner\", found the end of the file"
        );
        assert_eq!(
            message("type octile\nheight 2\n"),
            "line 2, column 9: expected \"width\" and a number, found the end of the file"
        );
        assert_eq!(
            message("type octile\nheight 2\nwidth 3\nmap\n.T@\n"),
            "line 5, column 4: expected terrain row 2 of 2, found the end of the file"
        );
        // Every cut is an error, save that of the last line end.
        for length in 0..SMALL.len() - 1 {
            assert!(parse_map(&SMALL.as_bytes()[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn absurd_headers_are_refused_before_anything_is_allocated() {
        for (from, to, expected) in [
            (
                "height 2",
                "height 0",
                "line 2, column 8: expected a whole number from 1 to 1073741824, found \"0\"",
            ),
            ("height 2", "height -2", "found \"-2\""),
            ("height 2", "height 2.5", "found \"2.5\""),
            ("height 2", "height 99999999999999999999", "found \"99999999999999999999\""),
            ("height 2", "height", "line 2, column 7: expected a whole number"),
            ("height 2", "height 2 3", "line 2, column 10: expected the end of the line, found \"3\""),
            ("height 2", "height 2\nheight 2", "line 3, column 1: expected \"width\" and a number"),
            (
                "height 2\nwidth 3",
                "height 100000\nwidth 100000",
                "line 3, column 7: expected at most 1073741824",
            ),
            ("octile", "tile", "line 1, column 6: expected \"octile\" or \"octile-corner\", found \"tile\""),
            ("type octile", "P5", "line 1, column 1: expected \"type octile\""),
            ("\nmap", "\npam", "line 4, column 1: expected \"map\", found \"pam\""),
        ] {
            let found = message(SMALL.replace(from, to));
            assert!(found.contains(expected), "{to:?}: {found}");
        }
        // The largest size that a header may have, and no rows: fails at once, and with little memory.
        assert_eq!(
            message("type octile\nheight 32768\nwidth 32768\nmap\n"),
            "line 4, column 4: expected terrain row 1 of 32768, found the end of the file"
        );
    }

    #[test]
    fn nothing_may_follow_the_rows() {
        assert_eq!(
            message(SMALL.replace("SwX\n", "SwX\n\n...\n")),
            "line 8, column 1: expected the end of the file after 2 rows of the map, found \"...\""
        );
    }

    #[test]
    fn what_is_no_letter_is_written_as_out_of_map() {
        let map = TerrainMap::new(3, 1, b".#\n".to_vec()).unwrap();
        assert_eq!(letters(&parse_map(&write_map(&map)).unwrap()), b".@@");
    }

    prop_compose! {
        fn any_map()(width in 1..20_u32, height in 1..20_u32)
            (letters in proptest::collection::vec(
                proptest::sample::select(b".@ABGSTWXYZabgstwxyz".to_vec()), (width * height) as usize),
             width in Just(width), height in Just(height)) -> TerrainMap {
            TerrainMap::new(width, height, letters).unwrap()
        }
    }

    proptest! {
        #[test]
        fn written_maps_read_back(map in any_map()) {
            prop_assert_eq!(parse_map(&write_map(&map)), Ok(map.clone()));
            let crlf = String::from_utf8(write_map(&map)).unwrap().replace('\n', "\r\n");
            prop_assert_eq!(parse_map(crlf.as_bytes()), Ok(map));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse_map(&bytes);
        }

        #[test]
        fn no_damage_makes_it_panic(
            map in any_map(), at in any::<proptest::sample::Index>(), put in any::<u8>(), cut in any::<bool>(),
        ) {
            let mut bytes = write_map(&map);
            let at = at.index(bytes.len());
            if cut { bytes.truncate(at) } else { bytes[at] = put }
            if let Err(error) = parse_map(&bytes) {
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }
}
