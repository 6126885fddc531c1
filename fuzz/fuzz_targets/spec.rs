//! Specs: no text makes the parser or the roster panic, and a spec that was read is written and read again alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot::agent::Spec;
use surefoot_classics::ROSTER;

fuzz_target!(|text: &str| {
    match text.parse::<Spec>() {
        Ok(spec) => {
            assert_eq!(spec.to_string().parse::<Spec>().as_ref(), Ok(&spec));
            if let Err(error) = ROSTER.agent(&spec) {
                assert!(!error.to_string().contains('\n'));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
