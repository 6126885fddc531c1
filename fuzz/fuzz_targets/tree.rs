//! Decision trees: no bytes make the reader panic, and what was read is written and read again alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_classics::depth::DepthTree;

fuzz_target!(|bytes: &[u8]| {
    match DepthTree::parse(bytes) {
        Ok(tree) => assert_eq!(DepthTree::parse(tree.to_text("a comment").as_bytes()), Ok(tree)),
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
});
