//! How much a browser has to load, beside what it may be.

use flate2::{Compression, write::GzEncoder};
use std::io::Write as _;
use std::path::Path;

/// Bytes of a module, as they are and when compressed.
#[derive(Clone, Copy)]
struct Bytes {
    plain: u64,
    gzip: u64,
}

impl Bytes {
    fn is_within(self, most: Self) -> bool {
        self.plain <= most.plain && self.gzip <= most.gzip
    }

    /// A fiftieth more: what another version of the compiler may make of the same code.
    fn and_some(self) -> Self {
        Self { plain: self.plain + self.plain / 50, gzip: self.gzip + self.gzip / 50 }
    }
}

/// What a module is to be and what it has come to.
struct Limits {
    /// Its folder in `web/dist`.
    name: &'static str,
    /// What is wished for: to miss it is no failure.
    aim: Bytes,
    /// What was reached: a module must not be larger than that and some. Whoever makes one smaller writes it
    /// down here.
    reached: Bytes,
}

const LIMITS: [Limits; 2] = [
    Limits {
        name: "surefoot",
        aim: Bytes { plain: 500_000, gzip: 200_000 },
        reached: Bytes { plain: 1_026_044, gzip: 377_537 },
    },
    Limits {
        name: "playground",
        aim: Bytes { plain: 1_300_000, gzip: 500_000 },
        reached: Bytes { plain: 1_353_341, gzip: 484_713 },
    },
];

/// How large a module is.
pub(crate) struct Size {
    file: String,
    bytes: Bytes,
    aim: Bytes,
    ceiling: Bytes,
}

/// Measures the modules in `dist`.
///
/// # Errors
/// A module that is missing or cannot be read.
pub(crate) fn of(dist: &Path) -> Result<Vec<Size>, String> {
    let size = |limits: &Limits| {
        let file = format!("{0}/{0}_bg.wasm", limits.name);
        let path = dist.join(&file);
        let module =
            std::fs::read(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let gzip = compressed(&module).map_err(|error| format!("{file} could not be compressed: {error}"))?;
        let bytes = Bytes { plain: module.len() as u64, gzip };
        Ok(Size { file, bytes, aim: limits.aim, ceiling: limits.reached.and_some() })
    };
    LIMITS.iter().map(size).collect()
}

/// How many bytes are left of them after `gzip -9`, as a server would send them.
fn compressed(bytes: &[u8]) -> std::io::Result<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len() as u64)
}

/// Prints the table.
pub(crate) fn print(sizes: &[Size]) {
    let line = |name: &str, columns: [&str; 6], remark: &str| {
        let columns = columns.map(|column| format!(" {column:>10}")).concat();
        println!("{name:30}{columns}{remark}");
    };
    line("module", ["bytes", "aim", "ceiling", "gzip -9", "aim", "ceiling"], "");
    for Size { file, bytes, aim, ceiling } in sizes {
        let remark = if bytes.is_within(*aim) { "" } else { "  over its aim" };
        let numbers = [bytes.plain, aim.plain, ceiling.plain, bytes.gzip, aim.gzip, ceiling.gzip];
        let numbers = numbers.map(|number| number.to_string());
        line(file, numbers.each_ref().map(String::as_str), remark);
    }
}

/// Holds modules to their ceilings.
///
/// # Errors
/// The first module that is larger than it may be.
pub(crate) fn hold(sizes: &[Size]) -> Result<(), String> {
    match sizes.iter().find(|size| !size.bytes.is_within(size.ceiling)) {
        None => Ok(()),
        Some(Size { file, bytes, ceiling, .. }) => Err(format!(
            "{file} has {} bytes ({} compressed), and may have {} ({}): see what was linked, for example with \
             `twiggy top`",
            bytes.plain, bytes.gzip, ceiling.plain, ceiling.gzip
        )),
    }
}
