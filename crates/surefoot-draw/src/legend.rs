//! Words beside a picture that say what its colours mean: as lines below an SVG, and as a panel of pixels.

use crate::lettering::ADVANCE;
use crate::sheet::{PAPER, escaped};
use crate::units::RIM;
use crate::{Colour, Picture, Pixels, write_svg};

/// The height of a line of a legend, and the least width of a picture with one, in pixels.
const LEGEND_LINE: u32 = 22;
const LEGEND_WIDTH: u32 = 260;

/// The pixels of a dot of a letter, and of a sample of a colour; the margin; the least width of a panel.
const SCALE: u32 = 2;
const SAMPLE: u32 = 14;
const MARGIN: u32 = 10;
pub(super) const PANEL_WIDTH: u32 = 480;

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

    fn width(&self) -> u32 {
        let sample = if self.colour.is_some() { SAMPLE + 8 } else { 0 };
        sample + self.words.chars().count() as u32 * ADVANCE as u32 * SCALE + 2 * MARGIN
    }
}

/// Where each entry lies on a panel of this width, line by line, and how high that is: a title above, if
/// there is one, then the entries side by side.
fn places(entries: &[Entry], width: u32, has_title: bool) -> (Vec<(u32, u32)>, u32) {
    let (mut x, mut y) = (MARGIN, MARGIN + if has_title { LEGEND_LINE } else { 0 });
    let places = entries.iter().map(|entry| {
        if x > MARGIN && (entry.colour.is_none() || x + entry.width() > width) {
            (x, y) = (MARGIN, y + LEGEND_LINE);
        }
        let place = (x, y);
        x += entry.width();
        place
    });
    let places: Vec<(u32, u32)> = places.collect();
    (places, y + LEGEND_LINE + MARGIN / 2)
}

/// The height of a panel of this width, with a title.
pub(super) fn panel_height(entries: &[Entry], width: u32) -> u32 {
    places(entries, width, true).1
}

/// A panel with a title and what colours mean.
pub(super) fn panel(title: &str, entries: &[Entry], (width, height): (u32, u32)) -> Pixels {
    let mut panel = Pixels::blank((width, height), PAPER);
    let scale = SCALE as usize;
    panel.write(title, (MARGIN as usize, MARGIN as usize), scale, RIM);
    for (entry, (x, y)) in entries.iter().zip(places(entries, width, !title.is_empty()).0) {
        let mut left = x;
        if let Some(colour) = entry.colour {
            // A thin rim, so that pale colours are seen on paper; a thick one as units have it.
            let rim = if entry.is_unit { 3 } else { 1 };
            panel.unit((i64::from(x + rim), i64::from(y + rim)), SAMPLE - 2 * rim, rim, colour);
            left += SAMPLE + 8;
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
    let longest = entries.iter().map(|entry| entry.width() + MARGIN).max().unwrap_or(0);
    let width = map.width().max(longest);
    let below = (width, places(&entries, width, false).1);
    let mut whole = Pixels::blank((width, map.height() + below.1), PAPER);
    whole.paste(&map, (0, 0));
    whole.paste(&panel("", &entries, below), (0, map.height() as usize));
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
    let mut lines = String::new();
    for (place, entry) in (0..).zip(entries) {
        let y = height + LEGEND_LINE * place + LEGEND_LINE / 2;
        let rim = if entry.is_unit { format!(" stroke=\"{RIM}\" stroke-width=\"3\"") } else { String::new() };
        if let Some(colour) = entry.colour {
            lines +=
                &format!("<rect x=\"8\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{colour}\"{rim}/>", y - 6);
        }
        let left = if entry.colour.is_some() { 28 } else { 8 };
        lines += &format!("<text x=\"{left}\" y=\"{}\">{}</text>\n", y + 5, escaped(&entry.words));
    }
    let whole = height + LEGEND_LINE * entries.len() as u32;
    let (inner, wide) = (write_svg(picture), width.max(LEGEND_WIDTH));
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{whole}\" \
         viewBox=\"0 0 {wide} {whole}\" font-family=\"sans-serif\" font-size=\"14\">\n\
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
        assert_eq!(size, (LEGEND_WIDTH, 64 + 2 * LEGEND_LINE));
        assert!(svg.contains("y=\"69\" width=\"12\" height=\"12\" fill=\"#009e73\"/>"), "{svg}");
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
    fn entries_lie_side_by_side_as_far_as_there_is_room() {
        let entries = ["water", "trees", "a longer one"].map(|words| Entry::of(Colour::GOAL, words));
        let (narrow, high) = places(&entries, 120, true);
        assert!(narrow.iter().all(|place| place.0 == MARGIN), "{narrow:?}");
        assert_eq!(places(&entries, 120, false).1, high - LEGEND_LINE);
        let (wide, low) = places(&entries, 2000, true);
        assert!(wide.iter().all(|place| place.1 == wide[0].1) && low < high);
        for (entry, place) in entries.iter().zip(&wide).zip(&wide[1..]).map(|((e, a), b)| (e, b.0 - a.0)) {
            assert_eq!(entry.width(), place);
        }
        assert_eq!(panel_height(&entries, 120), high);
        assert_eq!(panel("x", &entries, (120, high)).height(), high);
    }
}
