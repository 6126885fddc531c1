//! Levels of Tiled and LDtk: no bytes make a reader panic, or give a map that is larger than it may be. What comes after a byte 255 is
//! the file that the level names.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot::formats::{LevelOptions, parse_art, parse_ldtk, parse_tmx, write_art};
use surefoot::space::Limits;

const MOST_CELLS: u64 = 4096;

fuzz_target!(|bytes: &[u8]| {
    let at = bytes.iter().position(|&byte| byte == 255).unwrap_or(bytes.len());
    let (level, beside) = (&bytes[..at], bytes.get(at + 1..).unwrap_or_default());
    let limits = Limits { cells: MOST_CELLS, bytes: 1 << 16 };
    // By name, and the only one.
    for layer in [None, Some("a".to_owned())] {
        let options = LevelOptions { layer, walkable: vec![0, 2], limits, ..LevelOptions::default() };
        let read = if level.trim_ascii_start().starts_with(b"{") {
            parse_ldtk(level, &options, &mut |_| Ok(beside.to_vec()))
        } else {
            parse_tmx(level, &options, &mut |_| Ok(beside.to_vec()))
        };
        match read {
            Ok(map) => {
                assert!(u64::from(map.width()) * u64::from(map.height()) <= MOST_CELLS);
                assert_eq!(parse_art(write_art(&map).as_bytes()), Ok(map));
            }
            Err(error) => assert!(!error.to_string().contains('\n')),
        }
    }
});
