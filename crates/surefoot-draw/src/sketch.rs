//! Pictures of databases: what a [`Sketch`] says in shapes becomes pixels here.

use surefoot::space::TerrainMap;
use surefoot::store::{Mark, Shade, Sketch};

use crate::{Colour, Picture, Sheet};

/// The colour that a shade stands for.
#[must_use]
pub fn colour_of(shade: Shade) -> Colour {
    match shade {
        Shade::Path(number) => Colour::of_path(usize::from(number)),
        Shade::Region(number) => pale(Colour::of_path(usize::from(number))),
        Shade::Line => Colour { red: 0xA9, green: 0xBC, blue: 0xCC },
        Shade::FaintLine => Colour { red: 0xD9, green: 0xDC, blue: 0xD6 },
        Shade::Subgoal => Colour::SUBGOAL,
        // Faint, and whatever there may be.
        _ => Colour { red: 0x8F, green: 0x96, blue: 0xA3 },
    }
}

/// Half-way to white: walls stay what is darkest.
fn pale(colour: Colour) -> Colour {
    let half = |part: u8| part / 2 + 128;
    Colour { red: half(colour.red), green: half(colour.green), blue: half(colour.blue) }
}

/// Draws shapes over a picture, the first one lowest.
#[must_use]
pub fn with_marks<'a>(picture: Picture<'a>, marks: &[Mark]) -> Picture<'a> {
    marks.iter().fold(picture, |picture, mark| match mark {
        Mark::Cells(cells, shade) => picture.with_cells(cells.iter().copied(), colour_of(*shade)),
        Mark::Lines(lines, shade) => picture.with_hairlines(lines.iter().copied(), colour_of(*shade)),
        Mark::Path(cells, shade) => picture.with_path(cells.iter().copied(), colour_of(*shade)),
        Mark::Curve(points, shade) => picture.with_line(points.iter().copied(), colour_of(*shade)),
        Mark::Dots(cells, shade) => picture.with_dots(cells.iter().copied(), colour_of(*shade)),
        Mark::Spots(cells, shade) => picture.with_spots(cells.iter().copied(), colour_of(*shade)),
        Mark::SpotsAt(points, shade) => picture.with_spots_at(points.iter().copied(), colour_of(*shade)),
        Mark::Start(cell) => picture.with_start(*cell),
        Mark::Goal(cell) => picture.with_goal(*cell),
        Mark::Meeting(cell) => picture.with_subgoal(*cell),
        _ => picture,
    })
}

/// The panels of a sketch side by side, each on the map.
#[must_use]
pub fn sheet_of_sketch<'a>(map: &'a TerrainMap, sketch: &Sketch, side: u32) -> Sheet<'a> {
    sketch.panels.iter().fold(Sheet::new(), |sheet, (title, caption, marks)| {
        let picture = with_marks(Picture::new(map).with_longer_side(side), marks);
        sheet.with_panel(title.clone(), caption.clone(), picture)
    })
}

/// What the colours of a sketch stand for.
#[must_use]
pub fn legend_of_sketch(sketch: &Sketch) -> Vec<(Colour, &'static str)> {
    sketch.legend.iter().map(|&(shade, words)| (colour_of(shade), words)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::parse_art;
    use surefoot::space::Cell;

    #[test]
    fn every_mark_leaves_its_colour() {
        let map = parse_art(b"....\n....\n....\n....").unwrap();
        let (one, other) = (Cell::new(0, 0), Cell::new(3, 3));
        let shade = Shade::Path(3);
        let plain = Picture::new(&map).to_pixels();
        for mark in [
            Mark::Cells(vec![one], shade),
            Mark::Lines(vec![[one, other]], shade),
            Mark::Path(vec![one, other], shade),
            Mark::Curve(vec![(0.5, 0.5), (3.5, 3.5)], shade),
            Mark::Dots(vec![one], shade),
            Mark::Spots(vec![one], shade),
            Mark::SpotsAt(vec![(1.5, 1.5)], shade),
            Mark::Start(one),
            Mark::Goal(one),
            Mark::Meeting(one),
        ] {
            let drawn = with_marks(Picture::new(&map), std::slice::from_ref(&mark)).to_pixels();
            assert!(drawn != plain, "{mark:?}");
        }
    }
}
