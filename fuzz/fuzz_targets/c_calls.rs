//! Calls of the C library: bytes say which functions are called, with which handles and arguments. The calls are those of
//! `crates/surefoot-c/tests/hostile.c`, which is compiled for this. None may be a fault of the library's.
#![no_main]

use libfuzzer_sys::fuzz_target;
// The C file is linked with the one, and calls the functions of the other.
use surefoot_c as _;
use surefoot_fuzz as _;

unsafe extern "C" {
    /// Makes calls until the bytes are used up. How many were faults.
    safe fn surefoot_hostile_calls(bytes: *const u8, size: usize) -> i32;
}

fuzz_target!(|bytes: &[u8]| {
    assert_eq!(surefoot_hostile_calls(bytes.as_ptr(), bytes.len()), 0, "a call was a fault of the library's");
});
