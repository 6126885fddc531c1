//! Bytes that the library made.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use crate::border::Out;
use crate::handles::{Handle as _, SurefootBytes};
use crate::problem::{SurefootResult, done};

/// How many bytes there are.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_bytes_size(bytes: SurefootBytes, size: Out<usize>) -> SurefootResult {
    done(|| {
        let size = size.place("size")?;
        bytes.read(|bytes| size.answer(bytes.len()))
    })
}

/// Copies the bytes to where there is room for `capacity` of them. `size` is how many there are, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_bytes_copy(
    bytes: SurefootBytes,
    to: Out<u8>,
    capacity: usize,
    size: Out<usize>,
) -> SurefootResult {
    done(|| {
        let (to, size) = (to.room(capacity, "to")?, size.maybe("size")?);
        bytes.read(|bytes| size.answer(to.put_all(bytes.iter().copied())))
    })
}

/// Frees bytes.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_bytes_free(bytes: SurefootBytes) -> SurefootResult {
    bytes.free()
}
