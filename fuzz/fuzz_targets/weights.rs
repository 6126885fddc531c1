//! Weights of cells, as rows of numbers and as images: no bytes make a reader panic, and what was read is written and read again alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot::formats::{parse_weights, parse_weights_image, write_weights};
use surefoot::space::CellWeights;

fuzz_target!(|bytes: &[u8]| {
    match parse_weights(bytes) {
        Ok(weights) => check(&weights),
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
    match parse_weights_image(bytes) {
        // As text it has up to four times as many bytes.
        Ok(weights) if weights.rows().len() < 100 => check(&weights),
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
});

fn check(weights: &CellWeights) {
    assert_eq!(parse_weights(write_weights(weights).as_bytes()).as_ref(), Ok(weights));
}
