//! How much what was read may ask for.

use super::MAX_CELLS;

/// How much a file from who knows where may ask for.
///
/// Most files take memory in proportion to their length, whatever they claim. Some do not: pictures and
/// levels are compressed, chunks of a level may lie far apart, and a saved crowd has one map for many kinds
/// of units. There these numbers limit what is taken. A server that reads what players send sets them to
/// what its game needs.
///
/// ```
/// use surefoot::formats::parse_map_within;
/// use surefoot::space::Limits;
///
/// let small = Limits { cells: 4, ..Limits::default() };
/// assert!(parse_map_within(b"type octile\nheight 2\nwidth 2\nmap\n..\n..\n", &small).is_ok());
/// let error = parse_map_within(b"type octile\nheight 2\nwidth 3\nmap\n...\n...\n", &small).unwrap_err();
/// assert_eq!(error.to_string(), "line 3, column 7: expected at most 4 cells, found 3 x 2 cells");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most cells of a map: [`MAX_CELLS`], unless something else is said. What is done with a map takes
    /// time and memory for each cell.
    pub cells: u64,
    /// The most bytes that are read of a file that does not say how long it is, and that what is not in a
    /// file may take: unpacked pixels and tiles, empty ground between chunks, the cells of the kinds of a
    /// saved crowd (a byte each). 2²⁸, unless something else is said.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { cells: MAX_CELLS, bytes: 1 << 28 }
    }
}

impl Limits {
    /// Whether a map may have this size. A side may be 0: that is for others to refuse.
    pub(crate) fn allow(&self, width: u32, height: u32) -> bool {
        u64::from(width) * u64::from(height) <= self.cells.min(MAX_CELLS)
    }
}
