//! Reads every published map and problem set in the folder that `SUREFOOT_BENCHMARKS` names, else in
//! `../shared/benchmarks`, writes it, and reads it again. The files are not part of the project: without them the
//! test says so and ends.
#![cfg(feature = "std")]

use std::path::{Path, PathBuf};

use surefoot::formats::{parse_map, parse_scen, read_map, read_scen, write_map, write_scen};

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files_below(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

#[test]
fn published_files_are_read_and_written() {
    let folder = std::env::var_os("SUREFOOT_BENCHMARKS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/benchmarks"),
        PathBuf::from,
    );
    if !folder.is_dir() {
        println!("no benchmark files in {}: nothing read", folder.display());
        return;
    }
    let mut files = Vec::new();
    files_below(&folder, &mut files).unwrap();
    let (mut maps, mut problems) = (0, 0);
    for file in &files {
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("map") => {
                let map = read_map(file).unwrap_or_else(|error| panic!("{error}"));
                let bytes = write_map(&map);
                assert!(bytes.trim_ascii_end() == std::fs::read(file).unwrap().trim_ascii_end());
                assert_eq!(parse_map(&bytes).as_ref(), Ok(&map));
                maps += 1;
            }
            Some("scen") => {
                let scenario = read_scen(file).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(parse_scen(&write_scen(&scenario).unwrap()).as_ref(), Ok(&scenario));
                // The lengths are printed just as the file has them.
                let text = std::fs::read_to_string(file).unwrap();
                let rows = text.lines().skip(1).filter(|row| !row.trim().is_empty());
                for (row, problem) in rows.zip(&scenario.problems) {
                    assert!(row.trim_end().ends_with(&problem.length.to_string()), "{row}");
                }
                problems += scenario.problems.len();
            }
            _ => {}
        }
    }
    println!("{maps} maps, {problems} problems");
    assert!(maps > 0, "no maps in {}", folder.display());
}
