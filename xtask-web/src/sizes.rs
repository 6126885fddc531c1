//! How much a browser has to load, beside what it may be.

use flate2::{Compression, write::GzEncoder};
use std::io::Write as _;
use std::path::Path;

/// A module and what it may take: its folder in `web/dist`, bytes, and bytes when compressed.
const AIMS: [(&str, u64, u64); 2] = [("surefoot", 500_000, 200_000), ("playground", 1_300_000, 500_000)];

/// How large a module is.
pub(crate) struct Size {
    file: String,
    bytes: u64,
    gzip: u64,
    aim: u64,
    aim_gzip: u64,
}

impl Size {
    fn is_held(&self) -> bool {
        self.bytes <= self.aim && self.gzip <= self.aim_gzip
    }
}

/// Measures the modules in `dist`.
///
/// # Errors
/// A module that is missing or cannot be read.
pub(crate) fn of(dist: &Path) -> Result<Vec<Size>, String> {
    let size = |(name, aim, aim_gzip): (&str, u64, u64)| {
        let file = format!("{name}/{name}_bg.wasm");
        let path = dist.join(&file);
        let bytes =
            std::fs::read(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let gzip = compressed(&bytes).map_err(|error| format!("{file} could not be compressed: {error}"))?;
        Ok(Size { file, bytes: bytes.len() as u64, gzip, aim, aim_gzip })
    };
    AIMS.into_iter().map(size).collect()
}

/// How many bytes are left of them after `gzip -9`, as a server would send them.
fn compressed(bytes: &[u8]) -> std::io::Result<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len() as u64)
}

/// Prints the table.
pub(crate) fn print(sizes: &[Size]) {
    println!("{:34} {:>10} {:>10} {:>10} {:>10}", "module", "bytes", "aim", "gzip -9", "aim");
    for size in sizes {
        let remark = if size.is_held() { "" } else { "  over its aim" };
        let Size { file, bytes, gzip, aim, aim_gzip } = size;
        println!("{file:34} {bytes:>10} {aim:>10} {gzip:>10} {aim_gzip:>10}{remark}");
    }
}

/// Holds modules to their aims.
///
/// # Errors
/// The first module that is larger than it may be.
pub(crate) fn hold(sizes: &[Size]) -> Result<(), String> {
    match sizes.iter().find(|size| !size.is_held()) {
        None => Ok(()),
        Some(Size { file, bytes, gzip, aim, aim_gzip }) => Err(format!(
            "{file} has {bytes} bytes ({gzip} compressed), and may have {aim} ({aim_gzip}): see what was linked, \
             for example with `twiggy top`"
        )),
    }
}
