//! Several pictures on one sheet, each with a few words above it.

use crate::lettering::ADVANCE;
use crate::picture::{Colour, Picture};
use crate::pixels::Pixels;
use crate::svg::{drawing, terrain};

/// The narrowest column, in pixels: wide enough for words above a small map.
const NARROWEST: u32 = 480;

pub(super) const PAPER: Colour = Colour { red: 0xFF, green: 0xFF, blue: 0xFF };
const INK: Colour = Colour { red: 0x26, green: 0x26, blue: 0x2B };
const PALE_INK: Colour = Colour { red: 0x5A, green: 0x5A, blue: 0x64 };

/// Pictures side by side, from left to right and from top to bottom, each with a title and a caption.
///
/// # Examples
/// ```
/// use surefoot::formats::parse_art;
/// use surefoot::space::Cell;
/// use surefoot_draw::{Colour, Picture, Sheet};
///
/// let map = parse_art(b"..#\n...\n#..")?;
/// let before = Picture::new(&map).with_start(Cell::new(0, 0));
/// let after = before.clone().with_path([Cell::new(0, 0), Cell::new(2, 2)], Colour::of_path(0));
/// let sheet = Sheet::new().with_panel("before", "", before).with_panel("after", "two moves", after);
/// assert!(sheet.to_svg().contains(">two moves</text>"));
/// # Ok::<(), surefoot::formats::FormatError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sheet<'a> {
    panels: Vec<Panel<'a>>,
}

#[derive(Clone, Debug)]
struct Panel<'a> {
    title: String,
    caption: String,
    picture: Picture<'a>,
}

/// Where everything lies on a sheet, in pixels.
struct Arrangement {
    columns: u32,
    rows: u32,
    /// The width of a column, without the gap after it.
    width: u32,
    /// The height of the highest picture, and of the words above each.
    picture_height: u32,
    words_height: u32,
    gap: u32,
    /// The pixels of a dot of a letter.
    scale: u32,
}

impl Arrangement {
    fn size(&self) -> (u32, u32) {
        let height = self.words_height + self.picture_height;
        (self.columns * (self.width + self.gap) + self.gap, self.rows * (height + self.gap) + self.gap)
    }

    /// The upper left corner of a panel's words, and that of its picture.
    fn corners(&self, index: usize) -> ((u32, u32), (u32, u32)) {
        let (column, row) = (index as u32 % self.columns, index as u32 / self.columns);
        let x = self.gap + column * (self.width + self.gap);
        let y = self.gap + row * (self.words_height + self.picture_height + self.gap);
        ((x, y), (x, y + self.words_height))
    }

    /// The height of a line of words.
    fn line(&self) -> u32 {
        12 * self.scale
    }
}

impl<'a> Sheet<'a> {
    /// An empty sheet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a picture with words above it.
    #[must_use]
    pub fn with_panel(
        mut self,
        title: impl Into<String>,
        caption: impl Into<String>,
        picture: Picture<'a>,
    ) -> Self {
        self.panels.push(Panel { title: title.into(), caption: caption.into(), picture });
        self
    }

    /// The size of the sheet in pixels: width and height.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.arrangement().size()
    }

    /// As many columns as bring the sheet close to three by two and leave few places empty.
    fn arrangement(&self) -> Arrangement {
        let sizes = || self.panels.iter().map(|panel| panel.picture.size());
        let width = sizes().map(|(width, _)| width).max().unwrap_or(0).max(NARROWEST);
        let scale = width / (NARROWEST / 3);
        let mut arrangement = Arrangement {
            columns: 1,
            rows: 1,
            width,
            picture_height: sizes().map(|(_, height)| height).max().unwrap_or(0),
            words_height: 0,
            gap: 8 * scale,
            scale,
        };
        let lines = self.panels.iter().map(|panel| 1 + arrangement.wrap(&panel.caption).len()).max();
        arrangement.words_height = lines.unwrap_or(1) as u32 * arrangement.line() + 2 * scale;
        let count = self.panels.len().max(1) as u32;
        let mut least = u64::MAX;
        for columns in 1..=count {
            let tried = Arrangement { columns, rows: count.div_ceil(columns), ..arrangement };
            let (width, height) = tried.size();
            let (across, down) = (2 * u64::from(width), 3 * u64::from(height));
            // In thousandths: how much too wide or too high, and too large for what is on it.
            let places = u64::from(columns * tried.rows);
            let off = 1000 * across.max(down) * places / (across.min(down).max(1) * u64::from(count));
            if off < least {
                (least, arrangement) = (off, tried);
            }
        }
        arrangement
    }

    /// Draws the sheet as SVG.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let sheet = self.arrangement();
        let (width, height) = sheet.size();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"{}\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n",
            9 * sheet.scale
        );
        // One map for all panels that show the same.
        let shared = self.panels.first().map(|panel| &panel.picture);
        let is_shared = |picture: &Picture<'_>| {
            shared.is_some_and(|first| {
                std::ptr::eq(first.map, picture.map) && first.layout() == picture.layout()
            })
        };
        if let Some(first) = shared {
            svg += &format!("<defs><g id=\"map\">\n{}</g></defs>\n", terrain(first));
        }
        for (index, panel) in self.panels.iter().enumerate() {
            let ((x, y), (left, top)) = sheet.corners(index);
            let mut baseline = y + 8 * sheet.scale;
            svg += &format!(
                "<text x=\"{x}\" y=\"{baseline}\" font-weight=\"bold\" fill=\"{INK}\">{}</text>\n",
                escaped(&panel.title)
            );
            for line in sheet.wrap(&panel.caption) {
                baseline += sheet.line();
                let line = escaped(&line);
                svg += &format!("<text x=\"{x}\" y=\"{baseline}\" fill=\"{PALE_INK}\">{line}</text>\n");
            }
            let (layout, (width, height)) = (panel.picture.layout(), panel.picture.size());
            let ground = match is_shared(&panel.picture) {
                true => "<use href=\"#map\"/>\n".to_string(),
                false => terrain(&panel.picture),
            };
            svg += &format!(
                "<svg x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\">\n\
                 {ground}{}</svg>\n",
                layout.columns,
                layout.rows,
                drawing(&panel.picture)
            );
        }
        svg + "</svg>\n"
    }

    /// Draws the sheet as pixels.
    #[must_use]
    pub fn to_pixels(&self) -> Pixels {
        let sheet = self.arrangement();
        let mut pixels = Pixels::blank(sheet.size(), PAPER);
        let scale = sheet.scale as usize;
        for (index, panel) in self.panels.iter().enumerate() {
            let ((x, y), (left, top)) = sheet.corners(index);
            pixels.write(&panel.title, (x as usize, y as usize), scale, INK);
            for (line, text) in (1..).zip(sheet.wrap(&panel.caption)) {
                let y = y + line * sheet.line();
                pixels.write(&text, (x as usize, y as usize), scale, PALE_INK);
            }
            pixels.paste(&panel.picture.to_pixels(), (left as usize, top as usize));
        }
        pixels
    }
}

impl Arrangement {
    /// `text` in lines that fit a column. A word that does not fit has a line of its own.
    fn wrap(&self, text: &str) -> Vec<String> {
        let most = (self.width / (self.scale * ADVANCE as u32)) as usize;
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_string()),
            }
        }
        lines
    }
}

/// `text` as it may stand in SVG.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::parse_art;
    use surefoot::space::{Cell, TerrainMap};

    fn sheet(map: &TerrainMap, panels: usize) -> Sheet<'_> {
        (0..panels).fold(Sheet::new(), |sheet, panel| {
            let picture = Picture::new(map).with_start(Cell::new(panel as u32 % map.width(), 0));
            sheet.with_panel(format!("panel {panel}"), "a & b", picture)
        })
    }

    #[test]
    fn panels_do_not_overlap_and_lie_on_the_sheet() {
        let map = parse_art(&[b'.'; 70]).unwrap();
        for panels in 0..9 {
            let sheet = sheet(&map, panels);
            let arrangement = sheet.arrangement();
            let (width, height) = sheet.size();
            let mut corners: Vec<(u32, u32)> = Vec::new();
            for index in 0..panels {
                let ((x, words), (left, top)) = arrangement.corners(index);
                assert!(x == left && words < top);
                assert!(left + arrangement.width <= width && top + arrangement.picture_height <= height);
                for &(other_x, other_y) in &corners {
                    let is_apart = other_x.abs_diff(x) >= arrangement.width
                        || other_y.abs_diff(words) >= arrangement.words_height + arrangement.picture_height;
                    assert!(is_apart, "{panels} panels");
                }
                corners.push((x, words));
            }
        }
    }

    #[test]
    fn four_panels_are_two_by_two_and_six_are_three_by_two() {
        let map = TerrainMap::new(400, 400, vec![b'.'; 160_000]).unwrap();
        let columns = |panels| sheet(&map, panels).arrangement().columns;
        assert_eq!([1, 2, 4, 5, 6].map(columns), [1, 2, 2, 3, 3]);
    }

    #[test]
    fn the_map_is_written_once() {
        let (map, other) = (parse_art(b"..#\n...").unwrap(), parse_art(b"..#\n...").unwrap());
        let svg = sheet(&map, 3).to_svg();
        assert_eq!((svg.matches("#f4f0e6").count(), svg.matches("<use ").count()), (1, 3));
        assert!(svg.contains(">a &amp; b</text>"));
        let mixed = sheet(&map, 1).with_panel("other", "", Picture::new(&other)).to_svg();
        assert_eq!((mixed.matches("#f4f0e6").count(), mixed.matches("<use ").count()), (2, 1));
    }

    #[test]
    fn pixels_hold_the_pictures_and_the_words() {
        let map = parse_art(b"....\n....").unwrap();
        let sheet = sheet(&map, 2);
        let pixels = sheet.to_pixels();
        assert_eq!((pixels.width(), pixels.height()), sheet.size());
        let at = |x: u32, y: u32| {
            let at = 3 * (y * pixels.width() + x) as usize;
            &pixels.rgb()[at..at + 3]
        };
        for index in 0..2 {
            let ((x, words), (left, top)) = sheet.arrangement().corners(index);
            let colour = Colour::START;
            let middle = at(left + 16 + 32 * index as u32, top + 16);
            assert_eq!(middle, [colour.red, colour.green, colour.blue]);
            let inked = (x..x + 60).flat_map(|x| (words..words + 14).map(move |y| (x, y)));
            assert!(inked.filter(|&(x, y)| at(x, y) == [INK.red, INK.green, INK.blue]).count() > 50);
        }
        assert_eq!(at(0, 0), [255; 3]);
    }

    #[test]
    fn long_captions_are_wrapped() {
        let map = parse_art(b"..").unwrap();
        let caption = "words that do not fit in one line above a map as small as this one is";
        let sheet = Sheet::new().with_panel("", caption, Picture::new(&map));
        let lines = sheet.arrangement().wrap(caption);
        assert_eq!((lines.len(), lines.join(" ")), (3, caption.to_string()));
        assert!(lines.iter().all(|line| line.len() * ADVANCE * 3 <= NARROWEST as usize));
    }
}
