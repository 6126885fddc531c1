//! Files of a folder, and whether two are the same.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// All files in a folder and in folders in it, by their path from there.
pub(super) type Tree = BTreeMap<String, Vec<u8>>;

/// What has to be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// Every byte.
    Bytes,
    /// All but how long a database took to build, for results of the lab that were not kept from before.
    /// What mixes that with other things has to be whole only.
    AllButTimes,
}

/// Columns and members with how long something took, and what follows from that.
const TIMES: [&str; 2] = ["build_seconds", "checksum"];

/// Reads all files.
pub(super) fn tree(folder: &Path) -> Result<Tree, String> {
    fn read(folder: &Path, before: &str, into: &mut Tree) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{before}{name}");
            if path.is_dir() {
                read(&path, &format!("{name}/"), into)?;
            } else {
                into.insert(name, fs::read(&path)?);
            }
        }
        Ok(())
    }
    let mut files = Tree::new();
    read(folder, "", &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(files)
}

/// Copies a file, or a folder with all that is in it.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
        if !from.is_dir() {
            return fs::copy(from, to).map(drop);
        }
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy_all(&entry.path(), &to.join(entry.file_name()))?;
        }
        Ok(())
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
    }
    copy_all(from, to).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// A file that is to get its name: `.x.sfdb.4711.0.part` becomes `x.sfdb`.
pub(super) fn is_part(name: &str) -> bool {
    let inside = last(name).strip_prefix('.').and_then(|name| name.strip_suffix(".part"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|letter| letter.is_ascii_digit());
    let mut parts = inside.unwrap_or_default().rsplitn(3, '.');
    parts.by_ref().take(2).filter(|part| is_number(part)).count() == 2 && parts.next().is_some()
}

/// A file that is there while the program is at work.
pub(super) fn is_in_the_making(name: &str) -> bool {
    is_part(name) || name.ends_with(".journal")
}

/// Whether a file is what it should be.
pub(super) fn same(name: &str, expected: &[u8], found: &[u8], comparison: Comparison) -> bool {
    if comparison == Comparison::Bytes || expected == found {
        return expected == found;
    }
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    match last(name).rsplit('.').next() {
        // What a table of all has in it is more than one number a line: of these the whole is enough.
        Some("csv") if name.contains("tables/") => found.ends_with(b"\n"),
        Some("csv") => without_times(&text(expected)) == without_times(&text(found)),
        Some("json") => without_members(&text(expected)) == without_members(&text(found)),
        Some("parquet") => found.starts_with(b"PAR1") && found.ends_with(b"PAR1"),
        Some("html") => text(found).trim_end().ends_with("</html>"),
        Some("md") => found.ends_with(b"\n"),
        _ => false,
    }
}

/// Rows without the columns with times. A line before the names of the columns is JSON, after a `#`.
fn without_times(text: &str) -> Vec<Vec<String>> {
    let mut lines = text.lines().peekable();
    let mut rows = Vec::new();
    if let Some(head) = lines.next_if(|line| line.starts_with('#')) {
        rows.push(vec![without_members(head)]);
    }
    let names = lines.peek().map_or_else(Vec::new, |line| cells(line));
    let is_kept = |number: usize| names.get(number).is_none_or(|name| !TIMES.contains(&name.as_str()));
    for line in lines {
        let kept = cells(line).into_iter().enumerate().filter(|&(number, _)| is_kept(number));
        rows.push(kept.map(|(_, cell)| cell).collect());
    }
    rows
}

/// JSON without the numbers of members with times.
fn without_members(text: &str) -> String {
    let mut text = text.to_owned();
    for name in TIMES {
        let mark = format!("\"{name}\":");
        let mut from = 0;
        while let Some(at) = text[from..].find(&mark) {
            let begin = from + at + mark.len();
            let length = text[begin..].find([',', '}']).unwrap_or(text.len() - begin);
            text.replace_range(begin..begin + length, "");
            from = begin;
        }
    }
    text
}

/// The cells of a row. Some are in quotes, and have commas in them.
fn cells(row: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    for letter in row.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            letter => cell.push(letter),
        }
    }
    cells.push(cell);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_make_no_difference_and_all_else_does() {
        let same =
            |name: &str, a: &str, b: &str| same(name, a.as_bytes(), b.as_bytes(), Comparison::AllButTimes);
        let unit = |seconds: &str, checksum: u32, cost: u32, rest: &str| {
            format!(
                "# {{\"build_seconds\":{seconds},\"n\":1,\"checksum\":{checksum}}}\na,build_seconds,cost\n\"x,y\",{seconds},{cost}\n{rest}"
            )
        };
        let whole = unit("0.5", 7, 3, "z,1,2\n");
        assert!(same("units/a.csv", &whole, &unit("0.75", 8, 3, "z,1,2\n")));
        assert!(!same("units/a.csv", &whole, &unit("0.75", 8, 4, "z,1,2\n")));
        assert!(!same("units/a.csv", &whole, &unit("0.75", 8, 3, "")), "half a file");
        assert!(!same("units/a.csv", &whole, &whole.replace("\"n\":1", "\"n\":2")));
        assert!(same("x.json", "{\"build_seconds\":1.5,\"a\":2}", "{\"build_seconds\":1,\"a\":2}"));
        assert!(!same("x.json", "{\"build_seconds\":1.5,\"a\":2}", "{\"build_seconds\":1,\"a\":3}"));
        assert!(!same("x.json", "{\"build_seconds\":1.5,\"a\":2}", "{\"build_sec"));
        assert!(
            same("r.parquet", "PAR1 1 PAR1", "PAR1 2 PAR1") && !same("r.parquet", "PAR1 1 PAR1", "PAR1 1")
        );
        assert!(!same("r.html", "<p>1</html>", "<p>") && !same("a.sfdb", "12", "13"));
        let bytes = super::same("x.json", b"1", b"2", Comparison::Bytes);
        assert!(!bytes);
    }

    #[test]
    fn files_that_are_to_get_their_names_are_known() {
        for name in [".a.map.12.0.part", "out/units/.x-1.csv.7.31.part", ".whole.1.1.part"] {
            assert!(is_part(name), "{name}");
        }
        for name in ["a.map.12.0.part", ".a.map.part", ".12.0.part", ".a.x.0.part", ".a.1..part", ".a.1.2"] {
            assert!(!is_part(name), "{name}");
        }
    }

    #[test]
    fn a_copy_of_a_folder_has_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("a");
        fs::create_dir_all(from.join("b/c")).unwrap();
        fs::write(from.join("b/c/d"), "x").unwrap();
        fs::write(from.join("e"), "y").unwrap();
        copy(&from, &folder.path().join("to/z")).unwrap();
        let files = tree(&folder.path().join("to/z")).unwrap();
        assert_eq!(files, tree(&from).unwrap());
        assert_eq!(files.keys().collect::<Vec<_>>(), ["b/c/d", "e"]);
    }
}
