//! Rows read back from the files that [`crate::rows`] writes, and from those that have further columns.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::io_problem;
use crate::rows::{COLUMNS, Row};

/// The name that the rows of a folder of results have.
const ROWS_OF_FOLDER: &str = "rows.csv";
/// The columns that may be missing, or have nothing in them.
const OPTIONAL: [&str; 16] = [
    "file_cost",
    "optimal_cost",
    "suboptimality_pct",
    "plan_ns_mean",
    "plan_ns_median",
    "plan_ns_max",
    "first_move_ns",
    "steps20_ns",
    "database",
    "planning_ms",
    "planning_expansions",
    "frames_10_ms",
    "frames_2_ms",
    "frames_1_ms",
    "frames_without_thinking",
    "frames_of_shortest",
];
/// What to do about a file that has no rows.
const REMEDY: &str = "a file of rows is what 'surefoot run --out' writes";

/// A file that has no rows that could be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowFileError {
    /// It cannot be read at all.
    #[error("cannot read {}: {problem}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        problem: String,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column and what is wrong there, and what to do.
        problem: String,
    },
}

/// A row, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedRow {
    /// The line of the file, from 1.
    pub line: u64,
    /// What it says.
    pub row: Row,
}

/// The rows of a file, and what they say that they were made by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowFile {
    /// The rows.
    pub rows: Vec<PlacedRow>,
    /// Every program and machine once, in the order of the rows; none if the rows do not tell.
    pub sources: Vec<RowSource>,
}

/// What a row was made by. Rows of a plan have columns for it; what is not there is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RowSource {
    /// The version of the program.
    pub version: String,
    /// The revision of its source.
    pub revision: String,
    /// The compiler.
    pub compiler: String,
    /// The processor's model.
    pub processor: String,
    /// The number of cores and the system.
    pub machine: String,
    /// The name of the machine, or of the worker on it.
    pub worker: String,
}

impl fmt::Display for RowSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, revision, compiler, processor, machine, worker } = self;
        write!(f, "version {version}")?;
        if !revision.is_empty() {
            write!(f, " ({revision})")?;
        }
        let rest = [compiler, processor, machine].into_iter().filter(|word| !word.is_empty());
        rest.into_iter().try_for_each(|word| write!(f, ", {word}"))?;
        if worker.is_empty() { Ok(()) } else { write!(f, ", worker {worker}") }
    }
}

impl RowFile {
    fn push(&mut self, line: u64, row: Row, source: RowSource) {
        self.rows.push(PlacedRow { line, row });
        // Rows of one source mostly stand together.
        if source != RowSource::default() && !self.sources.iter().rev().any(|known| *known == source) {
            self.sources.push(source);
        }
    }
}

/// The rows of a file, or of the `rows.csv` in a folder. Whether it is comma-separated values or JSON lines
/// is seen from how it begins. Columns that a [`Row`] does not have are passed over.
///
/// # Errors
/// If it cannot be read, or a line of it is no row.
pub fn read_rows(path: &Path) -> Result<RowFile, RowFileError> {
    let path = if path.is_dir() { path.join(ROWS_OF_FOLDER) } else { path.to_path_buf() };
    let unreadable = |problem: String| RowFileError::Read { path: path.clone(), problem };
    let bytes = fs::read(&path).map_err(|error| unreadable(io_problem(&error)))?;
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&bytes);
    let wrong = |line: u64, problem: String| RowFileError::Line { path: path.clone(), line, problem };
    match bytes.trim_ascii_start().first() {
        None => Err(unreadable(format!("the file is empty; {REMEDY}"))),
        Some(b'{') => read_json(bytes, wrong),
        Some(_) => read_csv(bytes, wrong),
    }
}

fn read_json(bytes: &[u8], wrong: impl Fn(u64, String) -> RowFileError) -> Result<RowFile, RowFileError> {
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii));
    let mut file = RowFile::default();
    for (line, text) in lines.filter(|(_, text)| !text.is_empty()) {
        let in_line = |error: serde_json::Error| {
            // It counts lines within the line.
            let text = error.to_string();
            let problem = text.split(" at line").next().unwrap_or(&text);
            wrong(line, format!("column {}: {problem}; {REMEDY}", error.column()))
        };
        let row = serde_json::from_slice(text).map_err(in_line)?;
        file.push(line, row, serde_json::from_slice(text).map_err(in_line)?);
    }
    Ok(file)
}

fn read_csv(bytes: &[u8], wrong: impl Fn(u64, String) -> RowFileError) -> Result<RowFile, RowFileError> {
    let mut reader = csv::Reader::from_reader(bytes);
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(_) => return Err(wrong(1, format!("the head of the file is no text; {REMEDY}"))),
    };
    let is_missing = |name: &&str| !OPTIONAL.contains(name) && !header.iter().any(|own| own == *name);
    let missing: Vec<&str> = COLUMNS.iter().map(|column| column.name).filter(is_missing).collect();
    if let [first, more @ ..] = &missing[..] {
        let more = if more.is_empty() { String::new() } else { format!(", nor {}", more.join(", ")) };
        return Err(wrong(1, format!("there is no column {first}{more}; {REMEDY}")));
    }
    let mut file = RowFile::default();
    let mut record = csv::StringRecord::new();
    loop {
        let line = next_line(bytes, reader.position());
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(file),
            Err(error) => {
                return Err(wrong(line, format!("{}; {REMEDY}", in_words(&error, &header, &record))));
            }
        }
        let in_line = |error| wrong(line, format!("{}; {REMEDY}", in_words(&error, &header, &record)));
        let row = record.deserialize(Some(&header)).map_err(in_line)?;
        file.push(line, row, record.deserialize(Some(&header)).map_err(in_line)?);
    }
}

/// The line of the next record. The reader stands where the last one ended; blank lines may follow, which it
/// does not count.
fn next_line(bytes: &[u8], position: &csv::Position) -> u64 {
    let rest = usize::try_from(position.byte()).ok().and_then(|byte| bytes.get(byte..)).unwrap_or_default();
    let blank = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    position.line() + blank.filter(|&&byte| byte == b'\n').count() as u64
}

/// What is wrong with a record, with the column that has it.
fn in_words(error: &csv::Error, header: &csv::StringRecord, record: &csv::StringRecord) -> String {
    match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            let field = err.field().unwrap_or(0) as usize;
            let (name, value) =
                (header.get(field).unwrap_or_default(), record.get(field).unwrap_or_default());
            format!("column {}, {name}, is \"{value}\": {}", field + 1, err.kind())
        }
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("column {}: there are {len} columns, but the head has {expected_len}", len + 1)
        }
        csv::ErrorKind::Utf8 { err, .. } => format!("column {}: this is no text", err.field() + 1),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::tests::row;
    use crate::rows::{Format, RowWriter};

    /// What the rows of a file with this content are.
    fn read(content: impl AsRef<[u8]>) -> Result<RowFile, String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("rows.csv"), content).unwrap();
        let of_folder = read_rows(folder.path());
        let of_file = read_rows(&folder.path().join("rows.csv"));
        let in_words =
            |error: RowFileError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
        let (of_folder, of_file) = (of_folder.map_err(in_words), of_file.map_err(in_words));
        assert_eq!(of_folder, of_file, "a folder stands for the rows.csv in it");
        of_file
    }

    fn written(format: Format) -> String {
        let mut writer = RowWriter::new(Vec::new(), format);
        let mut infinite = row(9, Some(4), true);
        infinite.database = Some("subgoals(n=10, seed=3)".to_owned());
        for row in [infinite, row(4, None, false)] {
            writer.write(&row).unwrap();
        }
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    #[test]
    fn what_was_written_comes_back() {
        let csv = read(written(Format::Csv)).unwrap().rows;
        assert_eq!(csv.iter().map(|placed| placed.line).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(csv[1].row, row(4, None, false));
        assert_eq!(csv[0].row.database.as_deref(), Some("subgoals(n=10, seed=3)"));
        let json = read(format!("\u{FEFF}\n{}\n", written(Format::JsonLines))).unwrap().rows;
        assert_eq!(json.iter().map(|placed| &placed.row).collect::<Vec<_>>(), [&csv[0].row, &csv[1].row]);
        assert_eq!(json[1].line, 3);
    }

    #[test]
    fn further_columns_and_another_order_do_not_matter() {
        let text = written(Format::Csv);
        let wider: String = text
            .lines()
            .zip(["machine,version,date", "x,1.0,today", "y,1.0,"])
            .map(|(line, more)| format!("{more},{line}\n\n"))
            .collect();
        let file = read(wider).unwrap();
        let sources: Vec<String> = file.sources.iter().map(ToString::to_string).collect();
        assert_eq!(sources, ["version 1.0, x", "version 1.0, y"]);
        assert_eq!(file.rows[1], PlacedRow { line: 5, row: row(4, None, false) });
        assert!(read(&text).unwrap().sources.is_empty());
        // A file of an earlier version may lack what is not always known.
        let older: String =
            text.lines().map(|line| format!("{}\n", line.rsplit_once(',').unwrap().0)).collect();
        assert!(read(older.replace(",\"subgoals(n=10", "")).is_ok());
    }

    #[test]
    fn what_is_no_row_is_told_with_its_place() {
        let csv = written(Format::Csv);
        let json = written(Format::JsonLines);
        for (content, message) in [
            (String::new(), "cannot read rows.csv: the file is empty; a file of rows is what"),
            (
                "type octile\nheight 3\n".to_string(),
                "rows.csv:1: there is no column algorithm, nor map, start_x",
            ),
            (csv.replace("moves,", "steps,"), "rows.csv:1: there is no column moves; a file of rows is"),
            (csv.replace(",10,1.0,", ",ten,1.0,"), "rows.csv:2: column 11, moves, is \"ten\": invalid digit"),
            (format!("{csv}a*,b\n"), "rows.csv:4: column 3: there are 2 columns, but the head has 35"),
            (
                json.replace("\"moves\":10", "\"moves\":-1"),
                "rows.csv:1: column 187: invalid value: integer `-1`, expected u64; a file",
            ),
            (format!("{json}{{}}"), "rows.csv:3: column 2: missing field `algorithm`; a file of rows is"),
        ] {
            let error = read(&content).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
        let error = read([csv.as_bytes(), b"\xFF,".as_slice()].concat()).unwrap_err();
        assert!(error.contains("rows.csv:4: column"), "{error}");
        let error = read_rows(Path::new("nowhere.csv")).unwrap_err().to_string();
        assert_eq!(error, "cannot read nowhere.csv: No such file or directory");
    }
}
