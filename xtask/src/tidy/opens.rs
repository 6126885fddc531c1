//! Files are written in one place: where tests can make that fail.

use super::finding::Finding;
use super::names::names_in;
use super::source::Source;

/// Where files are written.
const HOME: &str = "crates/surefoot/src/files/";

/// What writes files that others rely on.
const WRITERS: [&str; 4] = ["crates/surefoot/", "crates/surefoot-lab/", "crates/surefoot-cli/", "python/"];

/// What the standard library writes with.
const WRITES: [[&str; 2]; 7] = [
    ["fs", "write"],
    ["fs", "rename"],
    ["fs", "remove_file"],
    ["fs", "copy"],
    ["File", "create"],
    ["File", "create_new"],
    ["File", "options"],
];

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    let is_writer = |source: &&Source| {
        WRITERS.iter().any(|folder| source.file.starts_with(folder)) && !source.file.starts_with(HOME)
    };
    let mut findings = Vec::new();
    for source in sources.iter().filter(is_writer) {
        for named in names_in(source) {
            let names = |pair: &&[&str; 2]| named.path.windows(2).any(|two| two == **pair);
            if let Some([of, name]) = WRITES.iter().find(names) {
                let what =
                    format!("`{of}::{name}` writes files; surefoot::files does, and tests make that fail");
                findings.push(Finding::new(&source.file, named.line, what));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(file: &str, text: &str) -> Vec<String> {
        check(&[Source::from_text(file, &["a"], text)]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn files_are_written_at_home_only() {
        let text = "use std::fs;\nfn a() { fs::write(\"a\", \"b\"); }\n";
        assert!(
            found("crates/surefoot-cli/src/a.rs", text)[0]
                .starts_with("crates/surefoot-cli/src/a.rs:2: `fs::write`")
        );
        assert_eq!(found("crates/surefoot/src/files/a.rs", text), [""; 0]);
        assert_eq!(found("crates/surefoot-bench/src/a.rs", text), [""; 0], "nobody relies on these");
        let file = "crates/surefoot-lab/src/a.rs";
        for written in ["std::fs::File::create(x)", "File::options()", "std::fs::rename(x, y)"] {
            assert_eq!(found(file, &format!("fn a() {{ {written}; }}")).len(), 1, "{written}");
        }
        for read in ["files::write(x, y)", "fs::read(x)", "File::open(x)", "OpenFile::create_new(x)"] {
            assert_eq!(found(file, &format!("fn a() {{ {read}; }}")), [""; 0], "{read}");
        }
        assert_eq!(found(file, "#[cfg(test)]\nmod tests { fn a() { fs::write(x, y); } }"), [""; 0]);
    }
}
