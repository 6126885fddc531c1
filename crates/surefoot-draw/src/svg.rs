//! Pictures as SVG text, which any browser shows.
//!
//! Cells of the same terrain side by side are one rectangle, and equal rectangles above each other are one
//! too: a game map of 512 x 512 cells takes some hundred kilobytes. Numbers are in blocks, see the module
//! `picture`.

use std::fmt::Write as _;

use surefoot::space::{Cell, Terrain};

use crate::picture::{Colour, Dots, KINDS, Layout, Picture, Point, kind_index};

/// Writes `picture` as SVG.
#[must_use]
pub fn write_svg(picture: &Picture<'_>) -> String {
    let layout = picture.layout();
    let (width, height) = picture.size();
    let (columns, rows) = (layout.columns, layout.rows);
    let (ground, drawing) = (terrain(picture), drawing(picture));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {columns} {rows}\">\n{ground}{drawing}</svg>\n"
    )
}

/// The map alone, in blocks.
pub(super) fn terrain(picture: &Picture<'_>) -> String {
    let Layout { columns, rows, .. } = picture.layout();
    let background = Colour::of_terrain(Terrain::OutOfMap);
    let mut svg = format!("<rect width=\"{columns}\" height=\"{rows}\" fill=\"{background}\"/>\n");
    for (kind, shapes) in KINDS.iter().zip(terrain_shapes(picture)) {
        if !shapes.is_empty() {
            let colour = Colour::of_terrain(*kind);
            svg += &format!("<path shape-rendering=\"crispEdges\" fill=\"{colour}\" d=\"{shapes}\"/>\n");
        }
    }
    svg
}

/// All but the map, in blocks.
pub(super) fn drawing(picture: &Picture<'_>) -> String {
    let layout = picture.layout();
    let mut svg = String::new();
    for (cells, colour) in &picture.cells {
        let in_blocks = |at: u32| at / layout.cells_per_block;
        let blocks = cells.iter().map(|cell| Cell::new(in_blocks(cell.x), in_blocks(cell.y)));
        let shapes = svg_cells(blocks);
        svg += &format!("<path shape-rendering=\"crispEdges\" fill=\"{colour}\" d=\"{shapes}\"/>\n");
    }
    let in_blocks = |pixels: u32| i64::from(pixels) * 100 / i64::from(layout.pixels_per_block);
    let hair_width = Hundredths(in_blocks(layout.hairline_thickness()));
    for (lines, colour) in &picture.hairlines {
        let mut shapes = String::new();
        for ends in lines {
            let [(x, y), (to_x, to_y)] = ends.map(|end| place(end, layout));
            // Writing to a string cannot fail.
            let _ = write!(shapes, "M{x} {y}L{to_x} {to_y}");
        }
        svg += &format!(
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{hair_width}\" d=\"{shapes}\"/>\n"
        );
    }
    let line_width = Hundredths(in_blocks(layout.line_thickness()));
    for (points, colour) in &picture.paths {
        let points = polyline(points, layout);
        svg += &format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{line_width}\" \
             stroke-linejoin=\"round\" stroke-linecap=\"round\" points=\"{points}\"/>\n"
        );
    }
    for Dots { points, colour, is_large } in &picture.dots {
        let side = in_blocks(layout.dot_side(*is_large));
        let mut shapes = String::new();
        for &point in points {
            let (x, y) = place(point, layout);
            let (x, y, side) = (Hundredths(x.0 - side / 2), Hundredths(y.0 - side / 2), Hundredths(side));
            // Writing to a string cannot fail.
            let _ = write!(shapes, "M{x} {y}h{side}v{side}h-{side}z");
        }
        svg += &format!("<path fill=\"{colour}\" d=\"{shapes}\"/>\n");
    }
    let radius = in_blocks(layout.mark_radius());
    for &(cell, mark) in &picture.marks {
        let colour = mark.colour();
        let (x, y) = place(Point::of(cell), layout);
        svg += &match mark.is_round() {
            true => {
                let radius = Hundredths(radius);
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{colour}\"/>\n")
            }
            false => {
                let side = Hundredths(2 * radius);
                let (x, y) = (Hundredths(x.0 - radius), Hundredths(y.0 - radius));
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{colour}\"/>\n")
            }
        };
    }
    for units in &picture.units {
        svg += &units.to_svg(layout);
    }
    svg
}

/// The squares of `cells` as the data of an SVG path (its attribute `d`), a unit a cell; those side by side
/// are one rectangle, equal rectangles above each other are one too, and each cell is there once.
#[must_use]
pub fn svg_cells(cells: impl IntoIterator<Item = Cell>) -> String {
    let mut cells: Vec<(u32, u32)> = cells.into_iter().map(|cell| (cell.y, cell.x)).collect();
    cells.sort_unstable();
    cells.dedup();
    let runs = cells.chunk_by(|left, right| left.0 == right.0 && left.1 + 1 == right.1);
    let mut data = String::new();
    // Rectangles that end in the row above, then those of this row: x, width and top. Both run from left to
    // right.
    let (mut above, mut open) = (Vec::new().into_iter().peekable(), Vec::new());
    let mut close = |(x, width, top): (u32, usize, u32), bottom: u32| {
        let height = bottom - top;
        // Writing to a string cannot fail.
        let _ = write!(data, "M{x} {top}h{width}v{height}h-{width}z");
    };
    let mut row = 0;
    for run in runs {
        let ((y, x), width) = (run[0], run.len());
        if y != row {
            above.by_ref().for_each(|done| close(done, row));
            above = std::mem::take(&mut open).into_iter().peekable();
            if y != row + 1 {
                above.by_ref().for_each(|done| close(done, row + 1));
            }
            row = y;
        }
        while let Some(done) = above.next_if(|done| done.0 < x) {
            close(done, y);
        }
        let grown = above.next_if(|done| (done.0, done.1) == (x, width));
        open.push(grown.unwrap_or((x, width, y)));
    }
    above.for_each(|done| close(done, row));
    open.into_iter().for_each(|done| close(done, row + 1));
    data
}

/// A rectangle of equal blocks that may grow downwards.
struct Open {
    kind: usize,
    from: u32,
    to: u32,
    top: u32,
}

/// For each terrain, the rectangles that it fills as the data of an SVG path. The background is left out.
fn terrain_shapes(picture: &Picture<'_>) -> [String; KINDS.len()] {
    let background = kind_index(Terrain::OutOfMap);
    let mut shapes: [String; KINDS.len()] = Default::default();
    let mut close = |open: &Open, bottom: u32| {
        let Open { kind, from, to, top } = *open;
        let (width, height) = (to - from, bottom - top);
        // Writing to a string cannot fail.
        let _ = write!(shapes[kind], "M{from} {top}h{width}v{height}h-{width}z");
    };
    let mut open: Vec<Open> = Vec::new();
    picture.for_each_block_row(|y, blocks| {
        let mut next = Vec::with_capacity(open.len());
        // Both lists run from left to right, so one walk over them pairs equal runs.
        let mut above = std::mem::take(&mut open).into_iter().peekable();
        let mut from = 0;
        for run in blocks.chunk_by(|a, b| a == b) {
            let to = from + run.len() as u32;
            let kind = kind_index(run[0]);
            while let Some(done) = above.next_if(|open| open.from < from) {
                close(&done, y);
            }
            if kind != background {
                let grown = above.next_if(|open| (open.kind, open.from, open.to) == (kind, from, to));
                next.push(grown.unwrap_or(Open { kind, from, to, top: y }));
            }
            from = to;
        }
        above.for_each(|done| close(&done, y));
        open = next;
    });
    let rows = picture.layout().rows;
    open.iter().for_each(|open| close(open, rows));
    shapes
}

/// A number of hundredths, printed without the zeros that it does not need.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Hundredths(i64);

impl std::fmt::Display for Hundredths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        match (part, part % 10) {
            (0, _) => write!(f, "{sign}{whole}"),
            (_, 0) => write!(f, "{sign}{whole}.{}", part / 10),
            _ => write!(f, "{sign}{whole}.{part:02}"),
        }
    }
}

/// A point in blocks.
fn place(point: Point, layout: Layout) -> (Hundredths, Hundredths) {
    let along = |at: u64| {
        let hundredths = at * 100 / (Point::FRACTIONS * u64::from(layout.cells_per_block));
        Hundredths(hundredths as i64)
    };
    (along(point.x), along(point.y))
}

/// The points of a line. Where it goes straight on, those between are not needed.
fn polyline(points: &[Point], layout: Layout) -> String {
    let step = |a: Point, b: Point| (b.x as i64 - a.x as i64, b.y as i64 - a.y as i64);
    let mut text = String::new();
    for (at, &point) in points.iter().enumerate() {
        let goes_straight_on = at > 0
            && points.get(at + 1).is_some_and(|&next| step(points[at - 1], point) == step(point, next));
        if !goes_straight_on {
            let (x, y) = place(point, layout);
            let separator = if text.is_empty() { "" } else { " " };
            // Writing to a string cannot fail.
            let _ = write!(text, "{separator}{x},{y}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use surefoot::formats::parse_art;
    use surefoot::space::TerrainMap;

    #[test]
    fn a_small_picture() {
        let map = parse_art(b"..#\n..W\n#WW").unwrap();
        let path = [(0, 0), (1, 0), (1, 1), (1, 1)].map(|(x, y)| Cell::new(x, y));
        let picture =
            Picture::new(&map).with_path(path, Colour::of_path(0)).with_start(path[0]).with_goal(path[2]);
        assert_eq!(
            write_svg(&picture),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"96\" height=\"96\" viewBox=\"0 0 3 3\">\n\
             <rect width=\"3\" height=\"3\" fill=\"#26262b\"/>\n\
             <path shape-rendering=\"crispEdges\" fill=\"#f4f0e6\" d=\"M0 0h2v2h-2z\"/>\n\
             <path shape-rendering=\"crispEdges\" fill=\"#2f6fa8\" d=\"M2 1h1v1h-1zM1 2h2v1h-2z\"/>\n\
             <polyline fill=\"none\" stroke=\"#d55e00\" stroke-width=\"0.31\" stroke-linejoin=\"round\" \
             stroke-linecap=\"round\" points=\"0.5,0.5 1.5,0.5 1.5,1.5 1.5,1.5\"/>\n\
             <circle cx=\"0.5\" cy=\"0.5\" r=\"0.37\" fill=\"#009e73\"/>\n\
             <rect x=\"1.13\" y=\"1.13\" width=\"0.74\" height=\"0.74\" fill=\"#c41e3a\"/>\n\
             </svg>\n"
        );
    }

    #[test]
    fn cells_side_by_side_are_one_rectangle() {
        let cells = [(2, 1), (0, 1), (1, 1), (1, 1), (4, 1), (0, 2)].map(|(x, y)| Cell::new(x, y));
        let data = "M0 1h3v1h-3zM4 1h1v1h-1zM0 2h1v1h-1z";
        assert_eq!(svg_cells(cells), data);
        let map = TerrainMap::new(10, 10, [b'.'; 100].to_vec()).unwrap();
        let picture = Picture::new(&map).with_cells(cells, Colour::of_path(0));
        assert!(write_svg(&picture).contains(&format!("fill=\"#d55e00\" d=\"{data}\"")));
        let halved = write_svg(&picture.with_longer_side(5));
        assert!(halved.contains("d=\"M0 0h3v1h-3zM0 1h1v1h-1z\""), "{halved}");
    }

    #[test]
    fn a_dot_is_a_square_in_the_middle_of_its_cell_and_is_drawn_once() {
        let map = parse_art(b"..\n..").unwrap();
        let cells = [(1, 1), (0, 0), (1, 1), (2, 0)].map(|(x, y)| Cell::new(x, y));
        let svg = write_svg(&Picture::new(&map).with_dots(cells, Colour::of_path(1)));
        let dots =
            "<path fill=\"#0072b2\" d=\"M0.18 0.18h0.65v0.65h-0.65zM1.18 1.18h0.65v0.65h-0.65z\"/>\n</svg>\n";
        assert!(svg.ends_with(dots), "{svg}");
    }

    #[test]
    fn straight_lines_have_two_points() {
        let map = TerrainMap::new(1000, 1, [b'.'; 1000].to_vec()).unwrap();
        let picture = Picture::new(&map).with_path((0..1000).map(|x| Cell::new(x, 0)), Colour::of_path(1));
        assert!(write_svg(&picture).contains("points=\"0.5,0.5 999.5,0.5\""));
    }

    #[test]
    fn large_maps_stay_compact() {
        let map = TerrainMap::new(3000, 2000, vec![b'.'; 6_000_000]).unwrap();
        let svg = write_svg(
            &Picture::new(&map).with_path([Cell::new(0, 0), Cell::new(2999, 1999)], Colour::of_path(0)),
        );
        assert!(svg.len() < 1000, "{} bytes", svg.len());
        assert!(svg.contains("points=\"0.16,0.16 999.83,666.5\""), "{svg}");
    }

    #[test]
    fn hundredths_are_short() {
        let texts = [0, 5, 40, 133, 200, -350].map(|number| Hundredths(number).to_string());
        assert_eq!(texts, ["0", "0.05", "0.4", "1.33", "2", "-3.5"]);
    }

    /// Paints the rectangles of a path's data on `canvas`.
    fn paint(data: &str, letter: u8, width: usize, canvas: &mut [u8]) {
        for shape in data.split('M').skip(1) {
            let numbers: Vec<usize> =
                shape.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
            let [x, y, across, down, back] = numbers[..] else { panic!("{shape}") };
            assert_eq!(across, back);
            for row in y..y + down {
                for cell in &mut canvas[row * width + x..row * width + x + across] {
                    assert_eq!(*cell, b'@', "painted twice");
                    *cell = letter;
                }
            }
        }
    }

    proptest! {
        #[test]
        fn the_rectangles_of_cells_cover_them_exactly(free in proptest::collection::vec(proptest::bool::ANY, 72)) {
            let cells = (0..72).filter(|&at| free[at as usize]).map(|at| Cell::new(at % 9, at / 9));
            let mut canvas = [b'@'; 72];
            paint(&svg_cells(cells), b'.', 9, &mut canvas);
            prop_assert_eq!(canvas.map(|letter| letter == b'.').to_vec(), free);
        }

        #[test]
        fn the_rectangles_cover_the_map_exactly(
            width in 1..9_u32,
            letters in proptest::collection::vec(proptest::sample::select(b"..@@SWTX".to_vec()), 9..80),
        ) {
            let height = letters.len() as u32 / width;
            let letters = letters[..(width * height) as usize].to_vec();
            let map = TerrainMap::new(width, height, letters.clone()).unwrap();
            let mut canvas = vec![b'@'; letters.len()];
            for (shapes, letter) in terrain_shapes(&Picture::new(&map)).iter().zip(*b".SWT@X") {
                paint(shapes, letter, width as usize, &mut canvas);
            }
            prop_assert_eq!(canvas, letters);
        }
    }
}
