//! JSON, as far as the page needs it: values are written as text at once, and put together.

use std::fmt::Write as _;

/// A text in quotes.
#[must_use]
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            control if control < ' ' => _ = write!(out, "\\u{:04x}", u32::from(control)),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// A number; `null` if JSON has no such number.
#[must_use]
pub fn number(number: f64) -> String {
    if number.is_finite() { number.to_string() } else { String::from("null") }
}

/// A list of values that are JSON already.
pub fn list(values: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut out = String::from("[");
    for value in values {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(value.as_ref());
    }
    out.push(']');
    out
}

/// A list of numbers.
pub fn numbers(numbers: impl IntoIterator<Item = impl Into<f64>>) -> String {
    list(numbers.into_iter().map(|value| number(value.into())))
}

/// An object of names and values that are JSON already.
#[must_use]
pub fn object(fields: &[(&str, String)]) -> String {
    let mut out = String::from("{");
    for (name, value) in fields {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(&text(name));
        out.push(':');
        out.push_str(value);
    }
    out.push('}');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn what_is_written_is_read_back() {
        let odd = "a \"quoted\" \\ word\n\r\t\u{1}\u{7f} ü → 𝄞";
        let written = object(&[
            ("text", text(odd)),
            ("numbers", numbers([0.0, -1.5, 1e300, f64::NAN, f64::INFINITY])),
            ("cells", numbers([0_u32, u32::MAX])),
            ("lists", list([list([""; 0]), list([text("")])])),
            ("none", object(&[])),
        ]);
        let expected = json!({
            "text": odd,
            "numbers": [0.0, -1.5, 1e300, null, null],
            "cells": [0.0, 4_294_967_295_u32],
            "lists": [[], [""]],
            "none": {},
        });
        let read: Value = serde_json::from_str(&written).unwrap();
        for key in ["text", "lists", "none"] {
            assert_eq!(read[key], expected[key]);
        }
        let as_numbers = |value: &Value| -> Vec<Option<f64>> {
            value.as_array().unwrap().iter().map(Value::as_f64).collect()
        };
        for key in ["numbers", "cells"] {
            assert_eq!(as_numbers(&read[key]), as_numbers(&expected[key]), "{written}");
        }
    }
}
