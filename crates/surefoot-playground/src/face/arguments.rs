//! What JavaScript passes, checked for what it is.

use js_sys::{JsString, Uint8Array};
use surefoot::Cell;
use wasm_bindgen::prelude::*;

use super::MOST_TEXT;
use crate::numbers;

/// An `Error` with these words.
pub(super) fn error(words: impl AsRef<str>) -> JsError {
    JsError::new(words.as_ref())
}

/// A string.
pub(super) fn string(value: &JsValue, what: &str) -> Result<String, JsError> {
    let Some(string) = value.dyn_ref::<JsString>() else {
        return Err(error(format!("{what} must be a string")));
    };
    if string.length() > MOST_TEXT {
        return Err(error(format!("{what} is too long: {MOST_TEXT} characters at most")));
    }
    Ok(String::from(string))
}

/// A string. `None` if nothing was given.
pub(super) fn optional_string(value: &JsValue, what: &str) -> Result<Option<String>, JsError> {
    if value.is_undefined() || value.is_null() { Ok(None) } else { string(value, what).map(Some) }
}

/// The bytes of a `Uint8Array`.
pub(super) fn bytes(value: &JsValue, what: &str, most: u32) -> Result<Vec<u8>, JsError> {
    let Some(bytes) = value.dyn_ref::<Uint8Array>() else {
        return Err(error(format!("{what} must be a Uint8Array")));
    };
    if bytes.length() > most {
        return Err(error(format!("{what} has {} bytes: {most} at most", bytes.length())));
    }
    Ok(bytes.to_vec())
}

/// A start and a goal.
pub(super) fn ends(x0: f64, y0: f64, x1: f64, y1: f64) -> Result<(Cell, Cell), JsError> {
    let start = numbers::cell(x0, y0, "start").map_err(error)?;
    Ok((start, numbers::cell(x1, y1, "goal").map_err(error)?))
}
