//! Reads every published map in the folder that `SUREFOOT_BENCHMARKS` names, else in
//! `../shared/benchmarks`, writes it, and reads it again. The files are not part of the project: without them the
//! test says so and ends.
#![cfg(feature = "std")]

use std::path::{Path, PathBuf};

use surefoot::formats::{parse_map, read_map, write_map};

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
fn published_maps_are_read_and_written() {
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
    let mut maps = 0;
    for file in &files {
        if file.extension().is_some_and(|extension| extension == "map") {
            let map = read_map(file).unwrap_or_else(|error| panic!("{error}"));
            let bytes = write_map(&map);
            assert!(bytes.trim_ascii_end() == std::fs::read(file).unwrap().trim_ascii_end());
            assert_eq!(parse_map(&bytes).as_ref(), Ok(&map));
            maps += 1;
        }
    }
    println!("{maps} maps");
    assert!(maps > 0, "no maps in {}", folder.display());
}
