//! A report as files: `report.html`, `report.md`, a file for each table in `tables` and for each figure in `figures`.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::model::{Item, Report};
use super::{csv, html, markdown, svg};

/// Writes all files of a report into a folder, which is made if there is none. Each is written whole or not at all; files of tables and
/// figures that the report no longer has are left alone.
///
/// # Errors
/// If a file cannot be written; the path comes with it.
pub fn write(report: &Report, folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    let (tables, figures) = (folder.join("tables"), folder.join("figures"));
    for folder in [folder, &tables, &figures] {
        fs::create_dir_all(folder).map_err(|error| (folder.to_path_buf(), error))?;
    }
    for item in report.sections.iter().flat_map(|section| &section.items) {
        match item {
            Item::Text(_) => {}
            Item::Table(table) => {
                let path = tables.join(format!("{}.csv", table.id));
                let text = csv::text(table).map_err(|error| (path.clone(), error))?;
                write_file(&path, &text)?;
            }
            Item::Figure(figure) => {
                write_file(&figures.join(format!("{}.svg", figure.id)), &svg::file(figure))?;
            }
        }
    }
    write_file(&folder.join("report.md"), &markdown::text(report))?;
    write_file(&folder.join("report.html"), &html::page(report))
}

fn write_file(path: &Path, text: &str) -> Result<(), (PathBuf, io::Error)> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.persist(path).map(drop).map_err(|error| error.error)
    });
    written.map_err(|error| (path.to_path_buf(), error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;

    #[test]
    fn all_files_are_there_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("new/one");
        write(&sample(), &target).unwrap();
        let again: Vec<Vec<u8>> =
            ["report.html", "report.md", "tables/table-1.csv", "tables/none.csv", "figures/plot.svg"]
                .iter()
                .map(|name| fs::read(target.join(name)).unwrap())
                .collect();
        assert!(again.iter().all(|bytes| !bytes.is_empty()));
        assert_eq!(fs::read_dir(&target).unwrap().count(), 4);
        assert_eq!(fs::read_dir(target.join("tables")).unwrap().count(), 2);
        write(&sample(), &target).unwrap();
        assert_eq!(fs::read(target.join("report.html")).unwrap(), again[0]);
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(write(&sample(), &file).unwrap_err().0, file);
    }
}
