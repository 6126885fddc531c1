//! The campaign `kills`, for seconds: each of its jobs is killed some times.

use surefoot_bench::campaign::run::Watch;
use surefoot_bench::campaign::{Setup, kills};

#[cfg(unix)]
#[test]
fn who_kills_the_program_finds_nothing_amiss() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().to_path_buf();
    let program = Some(env!("CARGO_BIN_EXE_surefoot").into());
    let setup = Setup { kept: folder.clone(), folder, seed: 5, next: 0, program, wasm: None };
    let mut campaign = kills::open(&setup).unwrap();
    let mut count = 0;
    for number in 0..kills::JOBS {
        let case = campaign.case(number, &Watch::default()).unwrap();
        assert_eq!(case.findings, [], "case {number}");
        count += case.count;
    }
    assert!(count >= kills::JOBS / 2, "{count} kills");
}
