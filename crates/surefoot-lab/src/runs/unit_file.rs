//! A finished unit as a file: one line with all that is known of the unit, and then its rows as
//! comma-separated values.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use surefoot::files;
use xxhash_rust::xxh3::xxh3_64;

use super::{DatabaseFacts, MapFacts, Provenance, UnitResult};
use crate::rows::{Format, Row, RowWriter};

/// What the first line has, after `# `.
#[derive(Serialize, Deserialize)]
struct Head {
    experiment: String,
    part: String,
    map: MapFacts,
    algorithm: String,
    seed: u64,
    timed: bool,
    database: Option<DatabaseFacts>,
    provenance: Provenance,
    /// The number of rows.
    rows: u64,
    /// The checksum of the rows' text.
    checksum: u64,
}

/// Writes a unit.
pub(super) fn write(unit: &UnitResult, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = RowWriter::new(Vec::new(), Format::Csv);
    unit.rows.iter().try_for_each(|row| writer.write(row))?;
    let rows = writer.finish()?;
    let head = Head {
        experiment: unit.experiment.clone(),
        part: unit.part.clone(),
        map: unit.map.clone(),
        algorithm: unit.spec.to_string(),
        seed: unit.seed,
        timed: unit.timed,
        database: unit.database.clone(),
        provenance: unit.provenance.clone(),
        rows: unit.rows.len() as u64,
        checksum: xxh3_64(&rows),
    };
    out.write_all(b"# ")?;
    serde_json::to_writer(&mut *out, &head)?;
    out.write_all(b"\n")?;
    out.write_all(&rows)
}

/// Reads a unit; what is wrong with the file, in words, if it is not what was written.
pub(super) fn read(path: &Path) -> Result<UnitResult, String> {
    let text = files::read_text(path).map_err(|error| error.to_string())?;
    let (head, rows) = text.split_once('\n').ok_or("it has no rows")?;
    let head = head.strip_prefix("# ").ok_or("its first line is none of a unit")?;
    let head: Head =
        serde_json::from_str(head).map_err(|error| format!("its first line is damaged: {error}"))?;
    if xxh3_64(rows.as_bytes()) != head.checksum {
        return Err("its rows are not those that were written".to_owned());
    }
    let rows: Vec<Row> = csv::Reader::from_reader(rows.as_bytes())
        .into_deserialize()
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    let spec = head.algorithm.parse().map_err(|error| format!("{error}"))?;
    if rows.len() as u64 != head.rows {
        return Err(format!("it has {} rows, not {}", rows.len(), head.rows));
    }
    let Head { experiment, part, map, seed, timed, database, provenance, .. } = head;
    Ok(UnitResult { experiment, part, map, spec, seed, timed, database, provenance, rows })
}
