//! Tapes: no bytes make the reader or the replay panic, and what was read is written and read again alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot::tape::{Replay, Tape};
use surefoot_fuzz::seal;

// The input is the body: an envelope whose checksum fits is put around it, which no fuzzer would ever guess.
fuzz_target!(|body: &[u8]| {
    if let Err(error) = Tape::from_bytes(body) {
        assert!(!error.to_string().contains('\n'));
    }
    let bytes = seal(b"sftape\r\n", 1, body);
    match Tape::from_bytes(&bytes) {
        Ok(tape) => {
            assert_eq!(tape.to_bytes(), bytes);
            let states = tape.header().states;
            let mut replay = Replay::new(&tape);
            let mut steps = 0;
            while replay.advance() {
                steps += 1;
                assert!(u64::from(replay.position().0) < states);
            }
            assert!(steps <= tape.events().count() && replay.moves() + replay.waits() <= steps as u64);
        }
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
});
