//! Rows as Parquet, made from the same rows as comma-separated values: the two cannot differ.

use std::io::{self, Read, Write};
use std::sync::Arc;

use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::rows::{Column, ColumnKind};

/// The rows that are written together.
const ROWS_A_GROUP: usize = 50_000;

/// Writes a table of comma-separated values with these columns as Parquet. An empty cell is a null.
///
/// # Errors
/// If the table is not what its columns say, or cannot be read or written.
pub fn write_parquet(csv: impl Read, columns: &[Column], out: impl Write + Send) -> io::Result<()> {
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?;
    let schema = Type::group_type_builder("rows").with_fields(fields).build().map_err(io::Error::other)?;
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer =
        SerializedFileWriter::new(out, Arc::new(schema), properties).map_err(io::Error::other)?;
    let mut reader = csv::Reader::from_reader(csv);
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    if *reader.headers()? != names {
        return Err(io::Error::other("the columns of the table are not those that were expected"));
    }
    let mut records = reader.records();
    loop {
        let group: Vec<csv::StringRecord> = records.by_ref().take(ROWS_A_GROUP).collect::<Result<_, _>>()?;
        if group.is_empty() {
            break;
        }
        let mut group_writer = writer.next_row_group().map_err(io::Error::other)?;
        for (place, column) in columns.iter().enumerate() {
            let cells = group.iter().map(|record| record.get(place).unwrap_or_default());
            write_column(&mut group_writer, *column, cells)?;
        }
        group_writer.close().map_err(io::Error::other)?;
    }
    writer.close().map_err(io::Error::other)?;
    Ok(())
}

fn field(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let builder =
        |physical| Type::primitive_type_builder(column.name, physical).with_repetition(Repetition::OPTIONAL);
    let built = match column.kind {
        ColumnKind::Text => builder(PhysicalType::BYTE_ARRAY).with_logical_type(Some(LogicalType::String)),
        ColumnKind::Whole => builder(PhysicalType::INT64).with_converted_type(ConvertedType::UINT_64),
        ColumnKind::Number => builder(PhysicalType::DOUBLE),
        ColumnKind::Flag => builder(PhysicalType::BOOLEAN),
    };
    built.build().map(Arc::new)
}

fn write_column<'c, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    column: Column,
    cells: impl Iterator<Item = &'c str> + Clone,
) -> io::Result<()> {
    // 1 for a value, 0 for a null.
    let levels: Vec<i16> = cells.clone().map(|cell| i16::from(!cell.is_empty())).collect();
    let cells = cells.filter(|cell| !cell.is_empty());
    let wrong =
        |cell: &str| io::Error::other(format!("\"{cell}\" does not belong in the column {}", column.name));
    let Some(mut writer) = group.next_column().map_err(io::Error::other)? else {
        return Err(io::Error::other("there are fewer columns than were expected"));
    };
    let levels = Some(&levels[..]);
    let written = match column.kind {
        ColumnKind::Text => {
            let values: Vec<ByteArray> = cells.map(ByteArray::from).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, levels, None)
        }
        ColumnKind::Whole => {
            // Read back as a number without a sign, it is the same.
            let value = |cell: &str| cell.parse::<u64>().map(u64::cast_signed).map_err(|_| wrong(cell));
            let values: Vec<i64> = cells.map(value).collect::<Result<_, _>>()?;
            writer.typed::<Int64Type>().write_batch(&values, levels, None)
        }
        ColumnKind::Number => {
            let values: Vec<f64> =
                cells.map(|cell| cell.parse().map_err(|_| wrong(cell))).collect::<Result<_, _>>()?;
            writer.typed::<DoubleType>().write_batch(&values, levels, None)
        }
        ColumnKind::Flag => {
            let values: Vec<bool> =
                cells.map(|cell| cell.parse().map_err(|_| wrong(cell))).collect::<Result<_, _>>()?;
            writer.typed::<BoolType>().write_batch(&values, levels, None)
        }
    };
    written.map_err(io::Error::other)?;
    writer.close().map_err(io::Error::other)
}
