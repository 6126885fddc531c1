use super::*;
use crate::report::{Axis, Series};

fn series(name: &str, origin: Origin, form: Form, points: &[(f64, f64)]) -> Series {
    let point = |&(x, y): &(f64, f64)| Point { x, y, label: format!("{name} <{x}> & {y}") };
    Series { name: name.to_owned(), origin, form, points: points.iter().map(point).collect() }
}

fn figure(series: Vec<Series>) -> Figure {
    Figure {
        id: "f".to_owned(),
        title: "Quality & <speed> of many algorithms, with a title that is too long for one line of the picture and therefore has two"
            .to_owned(),
        x: Axis::log("expansions a move", None),
        y: Axis::log("suboptimality", Some("%")),
        series,
        notes: Vec::new(),
    }
}

#[test]
fn every_point_is_an_element_with_a_title() {
    let figure = figure(vec![
        series("a*", Origin::Ours, Form::Points, &[(119.8, 0.0), (3.0, 1.0)]),
        series("a*", Origin::Published, Form::Points, &[(110.0, 0.0)]),
        series(
            "lrta*",
            Origin::Ours,
            Form::Line,
            &[(1.0, 400.0), (f64::NAN, 2.0), (9.0, 90.0), (25.0, -1.0)],
        ),
    ]);
    assert_eq!(figure.without_place(), 2);
    let text = file(&figure, Size::Wide);
    assert_eq!(text, file(&figure, Size::Wide));
    let document = roxmltree::Document::parse(&text).unwrap();
    let with_class = |class: &str| {
        let own = |node: &roxmltree::Node<'_, '_>| node.attribute("class").is_some_and(|own| own == class);
        document.descendants().filter(own).count()
    };
    // A marker of each series in the legend as well; one of the two points of the line has no neighbour to be
    // joined with.
    assert_eq!((with_class("m c0"), with_class("m c0 published"), with_class("m c1")), (3, 1, 3));
    assert_eq!((with_class("l c1"), with_class("title")), (0, 2));
    let titles: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")))
        .filter_map(|node| node.text())
        .collect();
    assert!(titles.contains(&"a* <119.8> & 0") && titles.len() == 5, "{titles:?}");
    let words: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    assert!(words.contains(&"expansions a move") && words.contains(&"suboptimality (%)"), "{words:?}");
}

#[test]
fn an_empty_figure_has_its_axes() {
    for size in [Size::Wide, Size::Narrow] {
        let text = part(&figure(Vec::new()), size).into_string();
        let document = roxmltree::Document::parse(&text).unwrap();
        assert!(document.descendants().any(|node| node.attribute("class") == Some("axis")));
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }
}

#[test]
fn letters_of_a_narrow_picture_can_be_read_at_400_pixels() {
    let text = file(&figure(Vec::new()), Size::Narrow);
    let document = roxmltree::Document::parse(text.split_once('\n').unwrap().1).unwrap();
    let width: f64 = document.root_element().attribute("width").unwrap().parse().unwrap();
    assert!(text.contains(&format!(".plot{{font:{FONT}px")) && FONT * 400.0 / width >= 8.0, "{width}");
}

#[test]
fn nothing_leaves_the_picture_and_no_names_overlap() {
    let names: Vec<String> =
        (0..9).map(|at| format!("an algorithm with number {at}{}", "!".repeat(9 * at))).collect();
    let series =
        names.iter().map(|name| series(name, Origin::Published, Form::Points, &[(1.0, 1e6), (1e-3, 0.0)]));
    let figure = figure(series.collect());
    for size in [Size::Wide, Size::Narrow] {
        let text = part(&figure, size).into_string();
        let document = roxmltree::Document::parse(&text).unwrap();
        let number = |node: &roxmltree::Node<'_, '_>, name| {
            node.attribute(name).and_then(|text| text.parse::<f64>().ok())
        };
        let view: Vec<f64> = document
            .root_element()
            .attribute("viewBox")
            .unwrap()
            .split(' ')
            .map(|text| text.parse().unwrap())
            .collect();
        let mut boxes: Vec<(f64, f64, f64)> = Vec::new();
        for node in
            document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")))
        {
            let (x, y, wide) =
                (number(&node, "x").unwrap(), number(&node, "y").unwrap(), text_width(node.text().unwrap()));
            let left = match node.attribute("text-anchor") {
                Some("middle") => x - wide / 2.0,
                Some("end") => x - wide,
                _ => x,
            };
            assert!(
                left >= -0.1 && left + wide <= view[2] + 0.1 && y + 3.0 <= view[3],
                "{node:?} in {view:?}"
            );
            for (other_left, other_right, other_y) in &boxes {
                let apart = left >= *other_right || left + wide <= *other_left || (y - other_y).abs() >= FONT;
                assert!(apart, "{:?} covers another one", node.text());
            }
            boxes.push((left, left + wide, y));
        }
        assert_eq!(
            boxes.len(),
            document.descendants().filter(|node| node.tag_name().name() == "text").count()
        );
    }
}

#[test]
fn a_guide_is_a_line_without_points() {
    let figure = figure(vec![
        series("a*", Origin::Ours, Form::Points, &[(1.0, 1.0), (2.0, 2.0)]),
        series("front", Origin::Ours, Form::Guide, &[(1.0, 1.0), (2.0, 2.0)]),
    ]);
    let text = part(&figure, Size::Wide).into_string();
    let document = roxmltree::Document::parse(&text).unwrap();
    let with_class =
        |class: &str| document.descendants().filter(|node| node.attribute("class") == Some(class)).count();
    // In the plot and in the legend; two points and a marker in the legend.
    assert_eq!((with_class("guide"), with_class("m c0"), with_class("m c1")), (2, 3, 0));
}
