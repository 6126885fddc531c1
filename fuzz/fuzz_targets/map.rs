//! `.map` files and ASCII art: no bytes make a reader panic, and what was read is written and read again alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot::formats::{parse_art, parse_map, write_art, write_map};
use surefoot_draw::{Picture, write_svg};

fuzz_target!(|bytes: &[u8]| {
    match parse_map(bytes) {
        Ok(map) => {
            assert_eq!(parse_map(&write_map(&map)).as_ref(), Ok(&map));
            assert!(write_svg(&Picture::new(&map)).ends_with("</svg>\n"));
        }
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
    match parse_art(bytes) {
        Ok(map) => assert_eq!(parse_art(write_art(&map).as_bytes()), Ok(map)),
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
});
