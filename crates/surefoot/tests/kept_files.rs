//! Files of beacons and transit nodes as they are kept: they stay readable, and their bytes are what is
//! written today.
#![allow(clippy::unwrap_used)]

use surefoot::agent::CORE;
use surefoot::beacons::BeaconConfig;
use surefoot::formats::grid_from_art;
use surefoot::space::{CellWeights, CostModel, GridSpace, MoveRule};
use surefoot::store::DatabaseConfig;

const FILE: &str = "testdata/beacons-v3.sfdb";
const TRANSIT: &str = "testdata/transit-v1.sfdb";

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

/// The same map with ground of several weights.
fn weighted() -> GridSpace {
    let space = space();
    let weights = CellWeights::from_fn(20, 10, |cell| 1 + (cell.x / 3 + cell.y) as u8 % 4).unwrap();
    GridSpace::weighted(space.grid().clone(), MoveRule::Squeeze, CostModel::Diagonal14, weights).unwrap()
}

fn transit() -> Vec<u8> {
    let config = CORE.algorithm(&"transit*".parse().unwrap()).unwrap().database_config(1).unwrap();
    config.build_quietly(&weighted()).unwrap().to_bytes().into_owned()
}

#[test]
fn the_kept_transit_nodes_are_read_and_written_as_ever() {
    let kept = std::fs::read(TRANSIT).unwrap();
    let opened = CORE.open(&weighted(), kept.clone()).unwrap();
    assert_eq!(opened.config().to_string(), "transit nodes(reach=1000, left=500, bound=auto)");
    assert!(transit() == kept, "the bytes have changed: raise the version, and keep reading the old one");
}

/// Writes the kept files; not part of the tests.
#[test]
#[ignore = "writes the files that the tests above read"]
fn write_the_kept_files() {
    std::fs::write(FILE, built()).unwrap();
    std::fs::write(TRANSIT, transit()).unwrap();
}
