//! A mapped database file that is cut short or replaced while it is in use.
//!
//! `open_mapped` says what happens: where a page is gone the system ends the program, and a file that is replaced by renaming stays
//! what it was for whoever has it mapped. What ends a program is tried in a child process.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::Command;

use surefoot::space::{CostModel, Grid, GridSpace, MoveRule};
use surefoot::store::{DatabaseConfig, open_mapped};
use surefoot_classics::ROSTER;
use surefoot_classics::abstraction::AbstractionConfig;

/// The child is told by this which file it is to cut short.
const CHILD: &str = "SUREFOOT_TEST_CUT_FILE";
const SIGBUS: i32 = 7;

fn space() -> GridSpace {
    let grid = Grid::from_fn(90, 70, |cell| cell.x % 7 != 3 || cell.y % 5 == 0).unwrap();
    GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2)
}

fn written(name: &str) -> (PathBuf, Vec<u8>) {
    let config: &dyn DatabaseConfig = &AbstractionConfig::default();
    let bytes = config.build_quietly(&space()).unwrap().to_bytes().into_owned();
    let path = std::env::temp_dir().join(format!("surefoot-{name}-{}.sfdb", std::process::id()));
    fs::write(&path, &bytes).unwrap();
    (path, bytes)
}

#[test]
fn a_file_that_is_cut_short_while_it_is_mapped_ends_the_program() {
    if let Ok(path) = std::env::var(CHILD) {
        let mapped = open_mapped(&path).unwrap();
        let opened = ROSTER.open(&space(), mapped).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
        // The pages are gone.
        println!("{}", opened.to_bytes().iter().map(|&byte| u64::from(byte)).sum::<u64>());
        return;
    }
    let (path, _) = written("cut");
    let test = "a_file_that_is_cut_short_while_it_is_mapped_ends_the_program";
    let child = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(CHILD, &path)
        .output()
        .unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(child.status.signal(), Some(SIGBUS), "{child:?}");
}

#[test]
fn a_file_that_is_replaced_by_renaming_stays_what_it_was() {
    let (path, bytes) = written("replaced");
    let opened = ROSTER.open(&space(), open_mapped(&path).unwrap()).unwrap();
    let new = path.with_extension("new");
    fs::write(&new, b"another file").unwrap();
    fs::rename(&new, &path).unwrap();
    assert!(opened.to_bytes() == bytes);
    assert!(ROSTER.open(&space(), open_mapped(&path).unwrap()).is_err());
    fs::remove_file(&path).unwrap();
}
