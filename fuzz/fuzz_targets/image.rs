//! PNG and BMP images: no bytes make the reader panic or ask for more memory than it promises.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot::formats::parse_image;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = parse_image(bytes) {
        assert!(!error.to_string().contains('\n'));
    }
});
