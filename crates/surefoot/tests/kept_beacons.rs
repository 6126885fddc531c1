//! The file of beacons as it is kept: it stays readable, and its bytes are what is written today.
#![allow(clippy::unwrap_used)]

use surefoot::agent::CORE;
use surefoot::beacons::BeaconConfig;
use surefoot::formats::grid_from_art;
use surefoot::space::{CostModel, GridSpace, MoveRule};
use surefoot::store::DatabaseConfig;

const FILE: &str = "testdata/beacons-v3.sfdb";

fn space() -> GridSpace {
    let grid = grid_from_art(include_str!("../testdata/map.txt")).unwrap();
    GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14)
}

fn built() -> Vec<u8> {
    let config: &dyn DatabaseConfig = &BeaconConfig::default();
    config.build_quietly(&space()).unwrap().to_bytes().into_owned()
}

#[test]
fn the_kept_beacons_are_read_and_written_as_ever() {
    let kept = std::fs::read(FILE).unwrap();
    let opened = CORE.open(&space(), kept.clone()).unwrap();
    assert_eq!(opened.config().to_string(), "beacons(bound=auto,labels=auto)");
    assert!(built() == kept, "the bytes have changed: raise the version, and keep reading the old one");
}

/// Beacons that were not exact are no more, nor are those of before there was a core.
#[test]
fn beacons_of_before_have_to_be_built_anew() {
    let old: [&[u8]; 2] =
        [include_bytes!("../testdata/beacons-v1.sfdb"), include_bytes!("../testdata/beacons-v2.sfdb")];
    for bytes in old {
        let error = CORE.open(&space(), bytes).unwrap_err();
        assert!(error.to_string().ends_with("build it anew"), "{error}");
    }
}

/// Writes the kept beacons; not part of the tests.
#[test]
#[ignore = "writes the file that the test above reads"]
fn write_the_kept_beacons() {
    std::fs::write(FILE, built()).unwrap();
}
