//! The campaign `kills`, for seconds: those of its jobs that are quick are killed some times.

use surefoot_bench::campaign::run::Watch;
use surefoot_bench::campaign::{Setup, kills};

/// Builds of records, beacons and patterns, a lab run, a map, problems, a tape: case n is of job n.
const QUICK: [u64; 7] = [0, 2, 3, 4, 8, 9, 10];

#[cfg(unix)]
#[test]
fn who_kills_the_program_finds_nothing_amiss() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().to_path_buf();
    let program = Some(env!("CARGO_BIN_EXE_surefoot").into());
    let setup = Setup { kept: folder.clone(), folder, seed: 5, next: 0, program, wasm: None, fuzz: None };
    let mut campaign = kills::open(&setup).unwrap();
    let mut count = 0;
    for number in QUICK {
        let case = campaign.case(number, &Watch::default()).unwrap();
        assert_eq!(case.findings, [], "case {number}");
        count += case.count;
    }
    assert!(count >= 3, "{count} kills");
}
