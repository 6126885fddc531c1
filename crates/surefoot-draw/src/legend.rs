//! Lines below a picture that say what its colours mean.

use crate::sheet::escaped;
use crate::{Colour, Picture, write_svg};

/// The height of a line of a legend, and the least width of a picture with one, in pixels.
const LEGEND_LINE: u32 = 22;
const LEGEND_WIDTH: u32 = 260;

/// Writes `picture` as SVG, with a line below it for each colour. Gives its width and height in pixels, too.
#[must_use]
pub fn svg_with_legend(picture: &Picture<'_>, legend: &[(Colour, &str)]) -> (String, (u32, u32)) {
    let (width, height) = picture.size();
    let mut lines = String::new();
    for (place, (colour, words)) in (0..).zip(legend) {
        let y = height + LEGEND_LINE * place + LEGEND_LINE / 2;
        lines += &format!(
            "<rect x=\"8\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"28\" y=\"{}\">{}</text>\n",
            y - 6,
            y + 5,
            escaped(words)
        );
    }
    let whole = height + LEGEND_LINE * legend.len() as u32;
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
}
