//! Words beside a picture that say what its colours mean: as lines below an SVG, and as a panel of pixels.

use crate::lettering::ADVANCE;
use crate::sheet::{PAPER, escaped};
use crate::units::RIM;
use crate::{Colour, Picture, Pixels, write_svg};

/// The least width of a picture with a legend, and of a panel, in pixels.
const LEGEND_WIDTH: u32 = 260;
pub(super) const PANEL_WIDTH: u32 = 480;

/// How large words and samples of colours are. They grow with the picture, so that the words below a large
/// one can be read where a page makes it small.
#[derive(Clone, Copy)]
struct Measure {
    /// The pixels of a dot of a letter, of which seven are a letter's height.
    dot: u32,
}

impl Measure {
    /// For a picture of this width: at 400 pixels for all of it a letter is still 8 pixels high.
    fn of(width: u32) -> Self {
        Self { dot: width.div_ceil(320).max(2) }
    }

    fn line(self) -> u32 {
        11 * self.dot
    }

    /// A sample of a colour, as high as a letter.
    fn sample(self) -> u32 {
        7 * self.dot
    }

    fn margin(self) -> u32 {
        5 * self.dot
    }

    /// From the left end of a sample to its words.
    fn words(self) -> u32 {
        self.sample() + 4 * self.dot
    }
}

/// A colour and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// `None` for words alone, which begin a line.
    pub(super) colour: Option<Colour>,
    pub(super) words: String,
    /// Whether units have it: then it has a rim.
    pub(super) is_unit: bool,
}

impl Entry {
    pub(super) fn of(colour: Colour, words: impl Into<String>) -> Self {
        Self { colour: Some(colour), words: words.into(), is_unit: false }
    }

    pub(super) fn words(words: impl Into<String>) -> Self {
        Self { colour: None, words: words.into(), is_unit: false }
    }

    fn width(&self, measure: Measure) -> u32 {
        let sample = if self.colour.is_some() { measure.words() } else { 0 };
        sample + self.words.chars().count() as u32 * ADVANCE as u32 * measure.dot + 2 * measure.margin()
    }
}

/// Where each entry lies on a panel of this width, line by line, and how high that is: a title above, if
/// there is one, then the entries side by side.
fn places(entries: &[Entry], width: u32, measure: Measure, has_title: bool) -> (Vec<(u32, u32)>, u32) {
    let (margin, line) = (measure.margin(), measure.line());
    let (mut x, mut y) = (margin, margin + if has_title { line } else { 0 });
    let places = entries.iter().map(|entry| {
        if x > margin && (entry.colour.is_none() || x + entry.width(measure) > width) {
            (x, y) = (margin, y + line);
        }
        let place = (x, y);
        x += entry.width(measure);
        place
    });
    let places: Vec<(u32, u32)> = places.collect();
    (places, y + line + margin / 2)
}

/// The height of a panel of this width, with a title.
pub(super) fn panel_height(entries: &[Entry], width: u32) -> u32 {
    places(entries, width, Measure::of(width), true).1
}

/// A panel with a title and what colours mean.
pub(super) fn panel(title: &str, entries: &[Entry], size: (u32, u32)) -> Pixels {
    panel_in(Measure::of(size.0), title, entries, size)
}

fn panel_in(measure: Measure, title: &str, entries: &[Entry], (width, height): (u32, u32)) -> Pixels {
    let mut panel = Pixels::blank((width, height), PAPER);
    let (scale, margin) = (measure.dot as usize, measure.margin() as usize);
    panel.write(title, (margin, margin), scale, RIM);
    for (entry, (x, y)) in entries.iter().zip(places(entries, width, measure, !title.is_empty()).0) {
        let mut left = x;
        if let Some(colour) = entry.colour {
            // A thin rim, so that pale colours are seen on paper; a thick one as units have it.
            let rim = if entry.is_unit { 3 } else { 1 };
            panel.unit((i64::from(x + rim), i64::from(y + rim)), measure.sample() - 2 * rim, rim, colour);
            left += measure.words();
        }
        panel.write(&entry.words, (left as usize, y as usize), scale, RIM);
    }
    panel
}

/// Draws `picture` as pixels, with words below it for each colour.
#[must_use]
pub fn pixels_with_legend(picture: &Picture<'_>, legend: &[(Colour, &str)]) -> Pixels {
    let entries: Vec<Entry> = legend.iter().map(|&(colour, words)| Entry::of(colour, words)).collect();
    let map = picture.to_pixels();
    let measure = Measure::of(map.width());
    let longest = entries.iter().map(|entry| entry.width(measure) + measure.margin()).max().unwrap_or(0);
    let width = map.width().max(longest);
    let below = (width, places(&entries, width, measure, false).1);
    let mut whole = Pixels::blank((width, map.height() + below.1), PAPER);
    whole.paste(&map, (0, 0));
    whole.paste(&panel_in(measure, "", &entries, below), (0, map.height() as usize));
    whole
}

/// Writes `picture` as SVG, with a line below it for each colour. Gives its width and height in pixels, too.
#[must_use]
pub fn svg_with_legend(picture: &Picture<'_>, legend: &[(Colour, &str)]) -> (String, (u32, u32)) {
    let entries: Vec<Entry> = legend.iter().map(|&(colour, words)| Entry::of(colour, words)).collect();
    svg_with_entries(picture, &entries)
}

/// The same, with words alone and with units.
pub(super) fn svg_with_entries(picture: &Picture<'_>, entries: &[Entry]) -> (String, (u32, u32)) {
    let (width, height) = picture.size();
    let measure = Measure::of(width);
    let (line, sample, left) = (measure.line(), measure.sample(), measure.margin());
    let mut lines = String::new();
    for (place, entry) in (0..).zip(entries) {
        let y = height + line * place + line / 2;
        let rim = if entry.is_unit { format!(" stroke=\"{RIM}\" stroke-width=\"3\"") } else { String::new() };
        if let Some(colour) = entry.colour {
            let top = y - sample / 2;
            lines += &format!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{sample}\" height=\"{sample}\" fill=\"{colour}\"{rim}/>"
            );
        }
        let left = left + if entry.colour.is_some() { measure.words() } else { 0 };
        let base = y + sample * 3 / 8;
        lines += &format!("<text x=\"{left}\" y=\"{base}\">{}</text>\n", escaped(&entry.words));
    }
    let whole = height + line * entries.len() as u32;
    let (inner, wide) = (write_svg(picture), width.max(LEGEND_WIDTH));
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{whole}\" \
         viewBox=\"0 0 {wide} {whole}\" font-family=\"sans-serif\" font-size=\"{sample}\">\n\
         <rect width=\"{wide}\" height=\"{whole}\" fill=\"#fff\"/>\n{inner}{lines}</svg>\n"
    );
    (svg, (wide, whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::parse_art;

    #[test]
    fn each_colour_has_a_line_below_the_picture() {
        let map = parse_art(b"..\n..").unwrap();
        let legend = [(Colour::START, "the start"), (Colour::GOAL, "a & b")];
        let (svg, size) = svg_with_legend(&Picture::new(&map), &legend);
        assert_eq!(size, (LEGEND_WIDTH, 64 + 2 * 22));
        assert!(svg.contains("y=\"68\" width=\"14\" height=\"14\" fill=\"#009e73\"/>"), "{svg}");
        assert!(svg.contains(">the start</text>") && svg.contains(">a &amp; b</text>"), "{svg}");
    }

    #[test]
    fn pixels_have_the_same_words_below_them() {
        let map = parse_art(b"..\n..").unwrap();
        let picture = Picture::new(&map);
        let legend = [(Colour::START, "the start"), (Colour::GOAL, "a longer word for the goal")];
        let (plain, whole) = (picture.to_pixels(), pixels_with_legend(&picture, &legend));
        assert!(whole.height() > plain.height() && whole.width() > plain.width());
        // The picture is as it was, and each colour is below it.
        let row = |pixels: &Pixels, y: u32| {
            let from = 3 * (y * pixels.width()) as usize;
            pixels.rgb()[from..from + 3 * plain.width() as usize].to_vec()
        };
        assert!((0..plain.height()).all(|y| row(&plain, y) == row(&whole, y)));
        let below = &whole.rgb()[3 * (plain.height() * whole.width()) as usize..];
        for (colour, _) in legend {
            let rgb = [colour.red, colour.green, colour.blue];
            assert!(below.chunks(3).any(|pixel| pixel == rgb), "{colour}");
        }
        // The longest line has room: its last letter is followed by paper.
        let paper = [PAPER.red, PAPER.green, PAPER.blue];
        let width = 3 * whole.width() as usize;
        assert!(below.chunks(width).all(|row| row[width - 3..] == paper));
    }

    #[test]
    fn words_can_be_read_where_a_page_makes_the_picture_small() {
        for width in [400, 800, 960, 1012, 1280, 4000] {
            let letter = Measure::of(width).sample();
            assert!(letter * 400 >= width * 8, "{letter} pixels of {width}");
        }
    }

    #[test]
    fn entries_lie_side_by_side_as_far_as_there_is_room() {
        let entries = ["water", "trees", "a longer one"].map(|words| Entry::of(Colour::GOAL, words));
        let measure = Measure::of(120);
        let (narrow, high) = places(&entries, 120, measure, true);
        assert!(narrow.iter().all(|place| place.0 == measure.margin()), "{narrow:?}");
        assert_eq!(places(&entries, 120, measure, false).1, high - measure.line());
        let (wide, low) = places(&entries, 2000, measure, true);
        assert!(wide.iter().all(|place| place.1 == wide[0].1) && low < high);
        for (entry, place) in entries.iter().zip(&wide).zip(&wide[1..]).map(|((e, a), b)| (e, b.0 - a.0)) {
            assert_eq!(entry.width(measure), place);
        }
        assert_eq!(panel_height(&entries, 120), high);
        assert_eq!(panel("x", &entries, (120, high)).height(), high);
    }
}
