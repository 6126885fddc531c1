//! All rows of a result set in one table: what is known of the unit before what is known of the walk.

use std::io::{self, Write};
use std::path::Path;

use super::{Host, ResultSet, RunError, UnitResult};
use crate::rows::{COLUMNS, Column};

/// The columns that tell of the unit. Those of the walk, [`COLUMNS`], follow.
pub const UNIT_COLUMNS: [Column; 22] = [
    Column::text("experiment"),
    Column::text("part"),
    Column::whole("seed"),
    Column::flag("timed"),
    Column::text("map_fingerprint"),
    Column::whole("map_width"),
    Column::whole("map_height"),
    Column::whole("map_states"),
    Column::text("rule"),
    Column::text("cost"),
    Column::whole("database_states"),
    Column::whole("database_bytes"),
    Column::whole("database_memory_bytes"),
    Column::whole("database_entries"),
    Column::number("build_seconds"),
    Column::text("version"),
    Column::text("revision"),
    Column::text("compiler"),
    Column::text("processor"),
    Column::text("machine"),
    Column::text("worker"),
    Column::text("date"),
];

/// All columns.
pub fn columns() -> impl Iterator<Item = Column> {
    UNIT_COLUMNS.into_iter().chain(COLUMNS)
}

/// Writes all rows as comma-separated values, after a line with the names of the columns.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_csv(results: &ResultSet, out: impl Write) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(out);
    writer.write_record(columns().map(|column| column.name))?;
    for unit in &results.units {
        let head = head(unit);
        for row in &unit.rows {
            writer.serialize((&head, row))?;
        }
    }
    writer.flush()
}

fn head(unit: &UnitResult) -> Vec<String> {
    let UnitResult { map, database, provenance, .. } = unit;
    let of_database =
        |figure: fn(&super::DatabaseFacts) -> String| database.as_ref().map(figure).unwrap_or_default();
    vec![
        unit.experiment.clone(),
        unit.part.clone(),
        unit.seed.to_string(),
        unit.timed.to_string(),
        format!("{:016x}", map.fingerprint),
        map.width.to_string(),
        map.height.to_string(),
        map.states.to_string(),
        map.rule.clone(),
        map.cost.clone(),
        of_database(|facts| facts.states.to_string()),
        of_database(|facts| facts.bytes.to_string()),
        of_database(|facts| facts.memory_bytes.map_or_else(String::new, |bytes| bytes.to_string())),
        of_database(|facts| facts.entries.to_string()),
        of_database(|facts| facts.build_seconds.to_string()),
        provenance.version.clone(),
        provenance.revision.clone().unwrap_or_default(),
        provenance.compiler.clone().unwrap_or_default(),
        provenance.machine.processor.clone(),
        format!("{} cores, {}", provenance.machine.cores, provenance.machine.system),
        provenance.worker.clone().unwrap_or_default(),
        provenance.date.clone(),
    ]
}

/// Writes all rows of a result set to its folder: as `rows.csv`, and as `rows.parquet` where the program has
/// that.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write_tables(results: &ResultSet, folder: &Path, host: &mut dyn Host) -> Result<(), RunError> {
    let csv = folder.join("rows.csv");
    host.write(&csv, &mut |out| write_csv(results, out)).map_err(RunError::Write)?;
    #[cfg(feature = "parquet")]
    {
        let columns: Vec<Column> = columns().collect();
        let fill = &mut |out: &mut (dyn Write + Send)| {
            super::write_parquet(io::BufReader::new(surefoot::files::OpenFile::open(&csv)?), &columns, out)
        };
        host.write(&folder.join("rows.parquet"), fill).map_err(RunError::Write)?;
    }
    Ok(())
}
