//! Reads every published problem set in the folder that `SUREFOOT_BENCHMARKS` names, else in
//! `../shared/benchmarks`, writes it, and reads it again. The files are not part of the project: without them the
//! test says so and ends.

use std::path::{Path, PathBuf};

use surefoot_lab::problem_files::{parse_scen, read_scen, write_scen};

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
fn published_problems_are_read_and_written() {
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
    let mut problems = 0;
    for file in &files {
        if file.extension().is_some_and(|extension| extension == "scen") {
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
    }
    println!("{problems} problems");
    assert!(problems > 0, "no problems in {}", folder.display());
}
