//! What becomes an `Error` in JavaScript.

use core::error::Error;
use std::borrow::Cow;
use wasm_bindgen::{JsError, JsValue};

/// Why a call did not work.
#[derive(Debug)]
pub enum Problem {
    /// It is told in words.
    Words(Cow<'static, str>),
    /// A function of the caller's threw this.
    Thrown(JsValue),
}

impl Problem {
    /// A problem told in words.
    pub(crate) fn new(words: impl Into<Cow<'static, str>>) -> Self {
        Self::Words(words.into())
    }
}

/// What the library says.
impl<E: Error> From<E> for Problem {
    fn from(error: E) -> Self {
        Self::Words(error.to_string().into())
    }
}

impl From<Problem> for JsValue {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Words(words) => JsError::new(&words).into(),
            Problem::Thrown(value) => value,
        }
    }
}
