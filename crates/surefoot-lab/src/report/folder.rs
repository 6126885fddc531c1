//! A report as files: `report.html`, `report.md`, a file for each table in `tables`; for each figure one
//! with the picture and one with its points in `figures`.

use std::io;

use super::model::{Item, Report};
use super::{csv, html, markdown, svg};

/// The folders that the files are in, below that of the report.
pub const FOLDERS: [&str; 2] = ["tables", "figures"];

/// All files of a report: their names, with the folder that they are in, and what they say. The page comes
/// last: when it is there, all is there.
///
/// # Errors
/// If memory runs out.
pub fn files(report: &Report) -> io::Result<Vec<(String, String)>> {
    let [tables, figures] = FOLDERS;
    let mut files = Vec::new();
    for item in report.sections.iter().flat_map(|section| &section.items) {
        match item {
            Item::Text(_) => {}
            Item::Table(table) => files.push((format!("{tables}/{}.csv", table.id), csv::text(table)?)),
            Item::Figure(figure) => {
                files.push((format!("{figures}/{}.svg", figure.id), svg::file(figure, svg::Size::Wide)));
                files.push((format!("{figures}/{}.csv", figure.id), csv::points(figure)?));
            }
        }
    }
    files.push(("report.md".to_owned(), markdown::text(report)));
    files.push(("report.html".to_owned(), html::page(report)));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;

    #[test]
    fn every_table_and_figure_has_a_file() {
        let written = files(&sample()).unwrap();
        let names: Vec<&str> = written.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "tables/table-1.csv",
                "figures/plot.svg",
                "figures/plot.csv",
                "tables/none.csv",
                "report.md",
                "report.html"
            ]
        );
        assert!(written.iter().all(|(_, text)| !text.is_empty()));
        assert_eq!(written, files(&sample()).unwrap());
    }
}
