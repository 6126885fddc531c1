//! A map with paths drawn on it, before it is decided what kind of file it becomes.
//!
//! Maps have from a handful of cells to a hundred million. A picture divides the map into square *blocks*,
//! one cell each or many, and draws each block as a square of pixels, one or many, so that the longer side of
//! the picture comes near a given number of pixels from either end. A block of many cells takes the colour of
//! the terrain that most of them have.

use std::fmt;

use surefoot::space::{Cell, Terrain, TerrainMap};

use crate::units::Units;

/// The longer side of a picture, in pixels, unless told otherwise.
const DEFAULT_SIDE: u32 = 1024;

/// The largest square that a cell is drawn as, in pixels.
const LARGEST_CELL: u32 = 32;

/// A colour of red, green and blue light. Prints as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour {
    /// Red, from 0 to 255.
    pub red: u8,
    /// Green, from 0 to 255.
    pub green: u8,
    /// Blue, from 0 to 255.
    pub blue: u8,
}

impl Colour {
    /// Of a start.
    pub const START: Self = Self::new(0x00, 0x9E, 0x73);
    /// Of a goal.
    pub const GOAL: Self = Self::new(0xC4, 0x1E, 0x3A);
    /// Of a subgoal.
    pub const SUBGOAL: Self = Self::new(0x8E, 0x3B, 0x8E);
    /// Of an agent.
    pub const AGENT: Self = Self::new(0x00, 0x4C, 0x99);

    const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self { red, green, blue }
    }

    /// Colours that can be told apart, by people with colour blindness too (Okabe and Ito's set): the n-th is
    /// for the n-th path. They start over after the last.
    #[must_use]
    pub const fn of_path(index: usize) -> Self {
        const COLOURS: [Colour; 6] = [
            Colour::new(0xD5, 0x5E, 0x00), // vermilion
            Colour::new(0x00, 0x72, 0xB2), // blue
            Colour::new(0x00, 0x9E, 0x73), // green
            Colour::new(0xCC, 0x79, 0xA7), // purple
            Colour::new(0xE6, 0x9F, 0x00), // orange
            Colour::new(0x56, 0xB4, 0xE9), // sky
        ];
        COLOURS[index % COLOURS.len()]
    }

    /// The colour of a terrain. What agents on foot can walk on is bright and the rest is dark, so that a
    /// picture of one pixel a cell is an image that reads as the same world.
    #[must_use]
    pub const fn of_terrain(terrain: Terrain) -> Self {
        match terrain {
            Terrain::Ground => Self::new(0xF4, 0xF0, 0xE6),
            Terrain::Swamp => Self::new(0xB8, 0xC0, 0x8A),
            Terrain::Water => Self::new(0x2F, 0x6F, 0xA8),
            Terrain::Trees => Self::new(0x2F, 0x6B, 0x3A),
            Terrain::OutOfMap => Self::new(0x26, 0x26, 0x2B),
            // `Terrain::Other`, and kinds that may be added.
            _ => Self::new(0x6B, 0x5B, 0x7B),
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// A map with paths and marks, to be written with [`write_svg`](crate::write_svg) or
/// [`write_png`](crate::write_png).
///
/// # Examples
/// ```
/// use surefoot::formats::parse_art;
/// use surefoot::space::Cell;
/// use surefoot_draw::{Colour, Picture, write_svg};
///
/// let map = parse_art(b"..#\n...\n#..")?;
/// let path = [Cell::new(0, 0), Cell::new(1, 1), Cell::new(2, 2)];
/// let picture = Picture::new(&map).with_path(path, Colour::of_path(0));
/// let picture = picture.with_start(path[0]).with_goal(path[2]);
/// assert!(write_svg(&picture).starts_with("<svg"));
/// # Ok::<(), surefoot::formats::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    pub(super) map: &'a TerrainMap,
    longer_side: u32,
    is_bold: bool,
    pub(super) cells: Vec<(Vec<Cell>, Colour)>,
    pub(super) hairlines: Vec<(Vec<[Point; 2]>, Colour)>,
    pub(super) paths: Vec<(Vec<Point>, Colour)>,
    pub(super) dots: Vec<Dots>,
    pub(super) marks: Vec<(Cell, Mark)>,
    pub(super) units: Vec<Units>,
}

/// A place on the map, in fractions of a cell from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Point {
    pub(super) x: u64,
    pub(super) y: u64,
}

impl Point {
    /// The fractions of a cell's side.
    pub(super) const FRACTIONS: u64 = 256;

    /// The middle of a cell.
    pub(super) fn of(cell: Cell) -> Self {
        let middle = |at: u32| u64::from(at) * Self::FRACTIONS + Self::FRACTIONS / 2;
        Self { x: middle(cell.x), y: middle(cell.y) }
    }
}

/// Places with a square around them.
#[derive(Clone, Debug)]
pub(super) struct Dots {
    pub(super) points: Vec<Point>,
    pub(super) colour: Colour,
    /// Whether they are as large as a mark, or as small as can be seen.
    pub(super) is_large: bool,
}

/// What a cell is marked as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A disc.
    Start,
    /// A square.
    Goal,
    /// A disc.
    Agent,
    /// A square.
    Subgoal,
}

impl Mark {
    pub(super) const fn colour(self) -> Colour {
        match self {
            Self::Start => Colour::START,
            Self::Goal => Colour::GOAL,
            Self::Agent => Colour::AGENT,
            Self::Subgoal => Colour::SUBGOAL,
        }
    }

    pub(super) const fn is_round(self) -> bool {
        matches!(self, Self::Start | Self::Agent)
    }
}

impl<'a> Picture<'a> {
    /// A picture of `map` alone, its longer side about 1024 pixels unless the map has very few cells.
    #[must_use]
    pub fn new(map: &'a TerrainMap) -> Self {
        Self {
            map,
            longer_side: DEFAULT_SIDE,
            is_bold: false,
            cells: Vec::new(),
            hairlines: Vec::new(),
            paths: Vec::new(),
            dots: Vec::new(),
            marks: Vec::new(),
            units: Vec::new(),
        }
    }

    /// Paints whole cells, over the map and under all else. Cells outside the map are left out.
    #[must_use]
    pub fn with_cells(mut self, cells: impl IntoIterator<Item = Cell>, colour: Colour) -> Self {
        let inside = cells.into_iter().filter(|&cell| self.contains(cell)).collect();
        self.cells.push((inside, colour));
        self
    }

    /// Draws a line from cell to cell through their centres. Cells outside the map are left out.
    #[must_use]
    pub fn with_path(mut self, cells: impl IntoIterator<Item = Cell>, colour: Colour) -> Self {
        let inside = self.points_of(cells);
        self.paths.push((inside, colour));
        self
    }

    /// Draws many thin lines, each from one cell to another, over painted cells and under all else. Those
    /// with an end outside the map are left out.
    #[must_use]
    pub fn with_hairlines(mut self, lines: impl IntoIterator<Item = [Cell; 2]>, colour: Colour) -> Self {
        let inside = lines.into_iter().filter(|ends| ends.iter().all(|&end| self.contains(end)));
        let inside = inside.map(|ends| ends.map(Point::of)).collect();
        self.hairlines.push((inside, colour));
        self
    }

    /// Draws a line from place to place, each in columns and rows: whole numbers are the middles of cells.
    /// Places outside the map are left out.
    #[must_use]
    pub fn with_line(mut self, places: impl IntoIterator<Item = (f64, f64)>, colour: Colour) -> Self {
        let inside = self.points_at(places);
        self.paths.push((inside, colour));
        self
    }

    /// Dots many cells, over the paths and in the order given. Cells outside the map are left out.
    #[must_use]
    pub fn with_dots(self, cells: impl IntoIterator<Item = Cell>, colour: Colour) -> Self {
        let points = self.points_of(cells);
        self.with_squares(points, colour, false)
    }

    /// The same with larger dots, for a few cells.
    #[must_use]
    pub fn with_spots(self, cells: impl IntoIterator<Item = Cell>, colour: Colour) -> Self {
        let points = self.points_of(cells);
        self.with_squares(points, colour, true)
    }

    /// The same for places as [`with_line`](Self::with_line) has them.
    #[must_use]
    pub fn with_spots_at(self, places: impl IntoIterator<Item = (f64, f64)>, colour: Colour) -> Self {
        let points = self.points_at(places);
        self.with_squares(points, colour, true)
    }

    fn with_squares(mut self, mut points: Vec<Point>, colour: Colour, is_large: bool) -> Self {
        // A place that comes often is one dot.
        points.sort_unstable();
        points.dedup();
        self.dots.push(Dots { points, colour, is_large });
        self
    }

    fn points_of(&self, cells: impl IntoIterator<Item = Cell>) -> Vec<Point> {
        cells.into_iter().filter(|&cell| self.contains(cell)).map(Point::of).collect()
    }

    fn points_at(&self, places: impl IntoIterator<Item = (f64, f64)>) -> Vec<Point> {
        let along = |at: f64, end: u32| {
            let from_edge = at + 0.5;
            let is_inside = from_edge >= 0.0 && from_edge < f64::from(end);
            is_inside.then_some((from_edge * Point::FRACTIONS as f64) as u64)
        };
        let point = |(x, y)| Some(Point { x: along(x, self.map.width())?, y: along(y, self.map.height())? });
        places.into_iter().filter_map(point).collect()
    }

    /// Marks `cell` as a start, with a green disc. Nothing is drawn if it lies outside the map.
    #[must_use]
    pub fn with_start(self, cell: Cell) -> Self {
        self.with_mark(cell, Mark::Start)
    }

    /// Marks `cell` as a goal, with a red square. Nothing is drawn if it lies outside the map.
    #[must_use]
    pub fn with_goal(self, cell: Cell) -> Self {
        self.with_mark(cell, Mark::Goal)
    }

    /// Marks `cell` as where an agent stands, with a blue disc. Nothing is drawn if it lies outside the map.
    #[must_use]
    pub fn with_agent(self, cell: Cell) -> Self {
        self.with_mark(cell, Mark::Agent)
    }

    /// Marks `cell` as a subgoal, with a purple square. Nothing is drawn if it lies outside the map.
    #[must_use]
    pub fn with_subgoal(self, cell: Cell) -> Self {
        self.with_mark(cell, Mark::Subgoal)
    }

    /// Sets the number of pixels of the longer side, from 1 to 16,384. The picture has at most that many and
    /// usually somewhat fewer, since each cell gets the same whole number of pixels or each pixel the same
    /// whole number of cells; and a cell is never larger than 32 pixels.
    #[must_use]
    pub fn with_longer_side(mut self, pixels: u32) -> Self {
        self.longer_side = pixels.clamp(1, 1 << 14);
        self
    }

    /// Draws lines, dots and marks larger where cells are small: for a picture that is one of many.
    #[must_use]
    pub fn with_bold_lines(mut self) -> Self {
        self.is_bold = true;
        self
    }

    /// The size of the picture in pixels: width and height.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        let layout = self.layout();
        (layout.columns * layout.pixels_per_block, layout.rows * layout.pixels_per_block)
    }

    fn with_mark(mut self, cell: Cell, mark: Mark) -> Self {
        if self.contains(cell) {
            self.marks.push((cell, mark));
        }
        self
    }

    fn contains(&self, cell: Cell) -> bool {
        cell.x < self.map.width() && cell.y < self.map.height()
    }

    pub(super) fn layout(&self) -> Layout {
        let (width, height) = (self.map.width(), self.map.height());
        let longer = width.max(height);
        let cells_per_block = longer.div_ceil(self.longer_side);
        Layout {
            cells_per_block,
            pixels_per_block: (self.longer_side / longer).clamp(1, LARGEST_CELL),
            columns: width.div_ceil(cells_per_block),
            rows: height.div_ceil(cells_per_block),
            is_bold: self.is_bold,
        }
    }

    /// Calls `visit` with the terrains of each row of blocks, from top to bottom.
    pub(super) fn for_each_block_row(&self, mut visit: impl FnMut(u32, &[Terrain])) {
        let layout = self.layout();
        let kind_of_letter = kinds_of_letters();
        let side = layout.cells_per_block as usize;
        let mut votes = vec![[0_u32; KINDS.len()]; layout.columns as usize];
        let mut blocks = vec![Terrain::Other; layout.columns as usize];
        let mut rows = self.map.rows();
        for y in 0..layout.rows {
            votes.fill([0; KINDS.len()]);
            for row in rows.by_ref().take(side) {
                for (votes, cells) in votes.iter_mut().zip(row.chunks(side)) {
                    for &letter in cells {
                        votes[usize::from(kind_of_letter[usize::from(letter)])] += 1;
                    }
                }
            }
            for (block, votes) in blocks.iter_mut().zip(&votes) {
                // The first of equals, so that a block that is half free is drawn as free.
                let mut most = 0;
                for kind in 1..KINDS.len() {
                    if votes[kind] > votes[most] {
                        most = kind;
                    }
                }
                *block = KINDS[most];
            }
            visit(y, &blocks);
        }
    }
}

/// How a map is divided into blocks, and how large these are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) cells_per_block: u32,
    pub(super) pixels_per_block: u32,
    pub(super) columns: u32,
    pub(super) rows: u32,
    is_bold: bool,
}

impl Layout {
    /// The thickness of a path in pixels: a third of a cell, or what is seen in a picture of this size.
    pub(super) fn line_thickness(self) -> u32 {
        let seen = self.longer_side() / if self.is_bold { 170 } else { 340 };
        (self.pixels_per_block / 3).max(seen).max(1)
    }

    /// The thickness of a hairline in pixels.
    pub(super) fn hairline_thickness(self) -> u32 {
        (self.line_thickness() / 3).max(1)
    }

    /// The distance in pixels from the middle of a mark to its edge.
    pub(super) fn mark_radius(self) -> u32 {
        let seen = self.longer_side() / if self.is_bold { 72 } else { 128 };
        (self.pixels_per_block * 2 / 5).max(seen).max(1)
    }

    /// The side of a dot in pixels: most of a cell, or what is seen in a picture of this size.
    pub(super) fn dot_side(self, is_large: bool) -> u32 {
        let seen = match is_large {
            true if self.is_bold => self.longer_side() / 128,
            true => self.mark_radius(),
            false => self.longer_side() / 400,
        };
        (self.pixels_per_block * 2 / 3).max(seen).max(1)
    }

    fn longer_side(self) -> u32 {
        self.columns.max(self.rows) * self.pixels_per_block
    }
}

/// All terrains, the ones to prefer in a tie first.
pub(super) const KINDS: [Terrain; 6] =
    [Terrain::Ground, Terrain::Swamp, Terrain::Water, Terrain::Trees, Terrain::OutOfMap, Terrain::Other];

/// The place of a terrain in [`KINDS`].
pub(super) fn kind_index(terrain: Terrain) -> usize {
    KINDS.iter().position(|&kind| kind == terrain).unwrap_or(KINDS.len() - 1)
}

/// The place in [`KINDS`] of the terrain of a letter. What is no letter blocks, like what is out of the map.
pub(super) fn kind_of_letter(letter: u8) -> usize {
    kind_index(Terrain::of_letter(letter).unwrap_or(Terrain::OutOfMap))
}

/// For each byte, its terrain's place in [`KINDS`].
fn kinds_of_letters() -> [u8; 256] {
    core::array::from_fn(|letter| kind_of_letter(letter as u8) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::parse_art;

    fn blocks(picture: &Picture<'_>) -> Vec<Vec<Terrain>> {
        let mut rows = Vec::new();
        picture.for_each_block_row(|_, row| rows.push(row.to_vec()));
        rows
    }

    #[test]
    fn small_maps_are_magnified_and_large_ones_shrunk() {
        let size = |width: u32, height: u32| {
            let letters = vec![b'.'; width as usize * height as usize];
            let map = TerrainMap::new(width, height, letters).unwrap();
            let layout = Picture::new(&map).layout();
            (layout.cells_per_block, layout.pixels_per_block, Picture::new(&map).size())
        };
        assert_eq!(size(3, 2), (1, 32, (96, 64)));
        assert_eq!(size(512, 256), (1, 2, (1024, 512)));
        assert_eq!(size(1025, 2), (2, 1, (513, 1)));
        assert_eq!(size(1, 5_000_000), (4883, 1, (1, 1024)));
    }

    #[test]
    fn a_block_is_what_most_of_its_cells_are() {
        let map = parse_art(b"..##W\n.##WW\nSSSTT").unwrap();
        let picture = Picture::new(&map).with_longer_side(3);
        use Terrain::{Ground, OutOfMap, Swamp, Trees, Water};
        assert_eq!(blocks(&picture), [[Ground, OutOfMap, Water], [Swamp, Swamp, Trees]]);
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        let map = parse_art(b"..").unwrap();
        let far = Cell::new(u32::MAX, 0);
        let picture =
            Picture::new(&map).with_path([Cell::new(1, 0), far], Colour::of_path(0)).with_start(far);
        assert_eq!(picture.paths[0].0, [Point::of(Cell::new(1, 0))]);
        assert!(picture.marks.is_empty());
        let places = [(-0.6, 0.0), (1.0, 0.0), (0.25, 0.0), (0.0, 0.5), (f64::NAN, 0.0), (1e300, 0.0)];
        let picture = Picture::new(&map).with_line(places, Colour::of_path(0));
        assert_eq!(picture.paths[0].0, [Point::of(Cell::new(1, 0)), Point { x: 192, y: 128 }]);
        let ends = [[Cell::new(0, 0), Cell::new(1, 0)], [Cell::new(0, 0), far]];
        let picture = Picture::new(&map).with_hairlines(ends, Colour::of_path(0));
        assert_eq!(picture.hairlines[0].0, [ends[0].map(Point::of)]);
        let picture = Picture::new(&map).with_spots_at(places, Colour::of_path(0));
        assert_eq!(picture.dots[0].points, [Point { x: 192, y: 128 }, Point::of(Cell::new(1, 0))]);
    }
}
