use super::*;
use crate::report::{Axis, Column, Form, Origin, Point, Scale, Series};

pub(crate) fn sample() -> Report {
    let mut table = Table::new(
        "table-1",
        "Table 1: figures",
        vec![Column::new("algorithm"), Column::with_unit("suboptimality", "%"), Column::new("moves")],
    );
    let beside = |published, ours| Cell::beside(published, ours, 2);
    table.push_noted(
        vec![Cell::text("a* <b>"), beside(Some(Published::Printed(447.95)), Some(895.9)), Cell::count(12)],
        Some("twice as long".to_owned()),
    );
    let misprint = Published::Misprint { printed: 83.31, corrected: 131.12 };
    table.push_noted(
        vec![Cell::text("misprint"), beside(Some(misprint), Some(100.0))],
        Some("other maps".to_owned()),
    );
    table.push(vec![Cell::text("lost"), beside(Some(Published::Lost), Some(1.0)), Cell::number(None, 2)]);
    table.push(vec![Cell::text("ours alone"), Cell::Number(3.5, 2)]);
    table.push(vec![Cell::text("about"), beside(Some(Published::About(5.0)), None)]);
    let point = |x, y| Point { x, y, label: format!("\"{x}\" & <{y}>") };
    let figure = Figure {
        id: "plot".to_owned(),
        title: "A | figure".to_owned(),
        x: Axis::linear("length", Some("tiles")),
        y: Axis { name: "ratio".to_owned(), unit: None, scale: Scale::Log },
        series: vec![Series {
            name: "lrta*".to_owned(),
            origin: Origin::Ours,
            form: Form::Line,
            points: vec![point(1.0, 2.0), point(2.0, 0.0), point(3.0, f64::INFINITY)],
        }],
        notes: vec!["a note".to_owned()],
    };
    let items = vec![Item::Text("Words & <signs>.".to_owned()), Item::Table(table), Item::Figure(figure)];
    let empty = Table::new("none", "Empty", vec![Column::new("a")]);
    let facts =
        [("version", "0.1.0"), ("machine", "a|b")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    Report {
        title: "A <title> & more".to_owned(),
        made_of: vec![Source { facts: facts.to_vec() }],
        sections: vec![
            Section { id: "one".to_owned(), title: "One".to_owned(), items },
            Section { id: "two".to_owned(), title: "Two".to_owned(), items: vec![Item::Table(empty)] },
        ],
    }
}

/// The page as XML: its few empty elements closed, and the script, which is none, taken out.
fn as_xml(page: &str) -> String {
    let body = page.strip_prefix("<!DOCTYPE html>").expect("a page");
    let mut xml = String::new();
    for (at, part) in body.split("<meta ").enumerate() {
        match (at, part.split_once('>')) {
            (0, _) | (_, None) => xml.push_str(part),
            (_, Some((attributes, rest))) => xml += &format!("<meta {attributes}/>{rest}"),
        }
    }
    xml.replace(SCRIPT, "")
}

#[test]
fn the_page_is_well_formed_and_needs_nothing_else() {
    let page = page(&sample());
    let xml = as_xml(&page);
    let document = roxmltree::Document::parse(&xml).unwrap();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        for attribute in node.attributes() {
            let loads = ["src", "href", "srcset", "data", "action"].contains(&attribute.name());
            assert!(
                !loads || attribute.value().starts_with('#'),
                "{}={}",
                attribute.name(),
                attribute.value()
            );
        }
        assert!(!["link", "img", "iframe", "object", "embed"].contains(&node.tag_name().name()));
    }
    assert!(!page.contains("url(") && !page.contains("@import") && !page.contains("https://"));
    assert_eq!(page.matches("http://").count(), page.matches("http://www.w3.org/2000/svg").count());
    for place in document.descendants().filter_map(|node| node.attribute("href")) {
        assert!(document.descendants().any(|node| node.attribute("id") == Some(&place[1..])), "{place}");
    }
    assert_eq!(page, super::page(&sample()));
}

#[test]
fn every_line_has_a_cell_for_each_column() {
    let xml = as_xml(&page(&sample()));
    let document = roxmltree::Document::parse(&xml).unwrap();
    let body = document.descendants().find(|node| node.has_tag_name("tbody")).unwrap();
    let rows: Vec<Vec<String>> = body
        .children()
        .map(|row| {
            let words = |cell: roxmltree::Node<'_, '_>| {
                cell.descendants().filter_map(|node| node.text().filter(|_| node.is_text())).collect()
            };
            row.children().map(words).collect()
        })
        .collect();
    assert_eq!(
        rows,
        [
            ["a* <b>1", "447.95", "895.90", "2.00", "12"],
            ["misprint2", "131.12†", "100.00", "0.763", "–"],
            ["lost", "–?", "1.00", "", "–"],
            ["ours alone", "–", "3.50", "", "–"],
            ["about", "5.00~", "–", "", "–"],
        ]
    );
    let abbr = document.descendants().find(|node| node.has_tag_name("abbr")).unwrap();
    assert_eq!(abbr.attribute("title"), Some("misprinted in the paper; shown corrected; printed: 83.31"));
}

#[test]
fn reports_without_results_say_so() {
    let page = page(&Report::default());
    assert!(page.contains("There are no results."));
    assert!(roxmltree::Document::parse(&as_xml(&page)).is_ok());
}

#[test]
fn mixed_results_are_told() {
    let mut report = sample();
    assert!(!page(&report).contains("different builds"));
    report.made_of.push(Source::default());
    assert!(page(&report).contains("come from 2 different builds or machines"));
}

#[test]
fn long_names_break_after_their_commas() {
    let broken = |words: &str| breakable(words).into_string();
    assert_eq!(broken("lrta*(f,pdb,level=3)"), "lrta*(f,<wbr>pdb,<wbr>level=3)");
    assert_eq!(broken("pra* 2,853, a* 17"), "pra* 2,853, a* 17");
    assert_eq!(broken(""), "");
}
