//! A table, or the points of a figure, as comma-separated values, with all digits that are known.

use std::io;

use super::figure::{Figure, Form, Origin};
use super::model::{Beside, Cell, ColumnKind, Published, Table};

/// The table. Where published figures stand beside ours there are four columns: published, its mark, ours and
/// the ratio.
///
/// # Errors
/// If memory runs out.
pub fn text(table: &Table) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut heads = Vec::new();
    for (place, column) in table.columns.iter().enumerate() {
        let label = column.label();
        if table.kind(place) == ColumnKind::Beside {
            heads.extend(["published", "mark", "ours", "ratio"].map(|own| format!("{label}: {own}")));
        } else {
            heads.push(label);
        }
    }
    heads.push("note".to_owned());
    writer.write_record(&heads)?;
    for row in &table.rows {
        let mut fields = Vec::new();
        for place in 0..table.columns.len() {
            let cell = row.cells.get(place).unwrap_or(&Cell::Missing);
            match (cell, table.kind(place) == ColumnKind::Beside) {
                (Cell::Beside(figures), _) => fields.extend(beside(figures)),
                (_, true) => fields.extend([String::new(), String::new(), plain(cell), String::new()]),
                (_, false) => fields.push(plain(cell)),
            }
        }
        fields.push(row.note.clone().unwrap_or_default());
        writer.write_record(&fields)?;
    }
    into_text(writer)
}

/// The points of a figure.
///
/// # Errors
/// If memory runs out.
pub fn points(figure: &Figure) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let (x, y) = (figure.x.label(), figure.y.label());
    writer.write_record(["series", "origin", &x, &y, "label"])?;
    for series in figure.series.iter().filter(|series| series.form != Form::Guide) {
        let origin = match series.origin {
            Origin::Ours => "ours",
            Origin::Published => "published",
        };
        for point in &series.points {
            writer.write_record([&series.name, origin, &number(point.x), &number(point.y), &point.label])?;
        }
    }
    into_text(writer)
}

fn into_text(writer: csv::Writer<Vec<u8>>) -> io::Result<String> {
    let bytes = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn plain(cell: &Cell) -> String {
    match cell {
        Cell::Missing | Cell::Beside(_) => String::new(),
        Cell::Text(text) => text.clone(),
        Cell::Number(value, _) => number(*value),
    }
}

fn number(value: f64) -> String {
    if value.is_nan() { String::new() } else { value.to_string() }
}

fn beside(figures: &Beside) -> [String; 4] {
    let mark = match figures.published {
        None => "",
        Some(Published::Printed(_)) => "printed",
        Some(Published::Computed(_)) => "computed",
        Some(Published::About(_)) => "about",
        Some(Published::AtMost(_)) => "at most",
        Some(Published::Misprint { .. }) => "misprint, corrected",
        Some(Published::Lost) => "lost",
    };
    [
        figures.published.and_then(Published::value).map_or(String::new(), number),
        mark.to_owned(),
        figures.ours.map_or(String::new(), number),
        figures.ratio().map_or(String::new(), number),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Item;
    use crate::report::html::tests::sample;

    #[test]
    fn every_digit_is_kept() {
        let report = sample();
        let Item::Table(table) = &report.sections[0].items[1] else { panic!("a table") };
        assert_eq!(
            text(table).unwrap(),
            "algorithm,suboptimality (%): published,suboptimality (%): mark,suboptimality (%): ours,suboptimality (%): ratio,moves,note\n\
             a* <b>,447.95,printed,895.9,2,12,twice as long\n\
             misprint,131.12,\"misprint, corrected\",100,0.7626601586333129,,other maps\n\
             lost,,lost,1,,,\n\
             ours alone,,,3.5,,,\n\
             about,5,about,,,,\n"
        );
        let Item::Table(empty) = &report.sections[1].items[0] else { panic!("a table") };
        assert_eq!(text(empty).unwrap(), "a,note\n");
        let Item::Figure(figure) = &report.sections[0].items[2] else { panic!("a figure") };
        let expected = "series,origin,length (tiles),ratio,label\n\
            lrta*,ours,1,2,\"\"\"1\"\" & <2>\"\nlrta*,ours,2,0,\"\"\"2\"\" & <0>\"\nlrta*,ours,3,inf,\"\"\"3\"\" & <inf>\"\n";
        assert_eq!(points(figure).unwrap(), expected);
    }
}
