//! `.scen` files: no bytes make the reader panic, and what was read is written and read again alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_lab::problem_files::{parse_scen, write_scen};

fuzz_target!(|bytes: &[u8]| {
    match parse_scen(bytes) {
        Ok(scenario) => {
            for problem in &scenario.problems {
                assert!(problem.length.agrees_with(problem.length.value()));
            }
            let written = write_scen(&scenario).expect("what was read can be written");
            assert_eq!(parse_scen(&written), Ok(scenario));
        }
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
});
