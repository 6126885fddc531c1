//! Specs with lists of values: `lrta*(d={1,2,3})` and `lrta*(d={1..3})` stand for three specs.

use std::ops::RangeInclusive;

/// The most specs that one text, or all texts of a part of a plan, may stand for.
pub const MOST_SPECS: usize = 10_000;

fn too_many() -> String {
    format!("these are too many specs: at most {MOST_SPECS} can be run; shorten the lists, or split the plan")
}

/// A text that stands for no specs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct ListError {
    /// The byte of the text at which it goes wrong.
    pub at: usize,
    /// What is wrong.
    pub problem: String,
}

/// Every text that `text` stands for: each value of each list in braces with each of all others, the last
/// list fastest.
///
/// # Errors
/// If a brace has no partner, a list has no values, or there would be too many specs.
pub fn expand(text: &str) -> Result<Vec<String>, ListError> {
    let mut made = vec![String::new()];
    let mut at = 0;
    while let Some(open) = text[at..].find(['{', '}']).map(|place| at + place) {
        let error = |at: usize, problem: &str| Err(ListError { at, problem: problem.to_owned() });
        if text.as_bytes()[open] == b'}' {
            return error(open, "this } has no { before it");
        }
        let Some(close) = text[open..].find('}').map(|place| open + place) else {
            return error(open, "this { has no } after it");
        };
        let values = values(&text[open + 1..close]).map_err(|problem| ListError { at: open, problem })?;
        if made.len() * values.len() > MOST_SPECS {
            return error(open, &too_many());
        }
        let before = &text[at..open];
        made = made
            .iter()
            .flat_map(|begun| values.iter().map(move |value| format!("{begun}{before}{value}")))
            .collect();
        at = close + 1;
    }
    made.iter_mut().for_each(|begun| begun.push_str(&text[at..]));
    Ok(made)
}

/// The values of a list without its braces: values between commas, or whole numbers from one to another.
fn values(list: &str) -> Result<Vec<String>, String> {
    let mut values = Vec::new();
    for value in list.split(',').map(str::trim) {
        match value.split_once("..") {
            Some((from, to)) => {
                let range = range(from, to).ok_or_else(|| {
                    format!(
                        "\"{value}\" is no range: write two whole numbers as in 3..7, the lower one first"
                    )
                })?;
                let room = (MOST_SPECS - values.len()) as u64;
                if range.end() - range.start() >= room {
                    return Err(too_many());
                }
                values.extend(range.map(|number| number.to_string()));
            }
            None if value.is_empty() || value.contains('{') => {
                return Err("expected values with commas between them, as in {1,2,3} or {1..3}".to_owned());
            }
            None if values.len() == MOST_SPECS => return Err(too_many()),
            None => values.push(value.to_owned()),
        }
    }
    Ok(values)
}

fn range(from: &str, to: &str) -> Option<RangeInclusive<u64>> {
    let (from, to): (u64, u64) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    (from <= to).then_some(from..=to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stand_for_each_value_with_each() {
        assert_eq!(expand("a*").unwrap(), ["a*"]);
        assert_eq!(expand("x(d={1, 2})").unwrap(), ["x(d=1)", "x(d=2)"]);
        assert_eq!(
            expand("x(a={1..2,9},b={no,yes})").unwrap(),
            ["x(a=1,b=no)", "x(a=1,b=yes)", "x(a=2,b=no)", "x(a=2,b=yes)", "x(a=9,b=no)", "x(a=9,b=yes)"]
        );
    }

    #[test]
    fn mistakes_are_placed() {
        for (text, at) in [
            ("x(a={1,2)", 4),
            ("x(a=1})", 5),
            ("x(a={})", 4),
            ("x(a={1,,2})", 4),
            ("x(a={3..1})", 4),
            ("x(a={1,{2}})", 4),
            ("x(a={1..},b=1)", 4),
            ("x(a={1..5000},b={1..5000})", 16),
            ("x(a={0..18446744073709551615})", 4),
        ] {
            assert_eq!(expand(text).unwrap_err().at, at, "{text}");
        }
    }

    #[test]
    fn lists_that_are_too_long_are_refused_before_they_are_made() {
        for text in ["x(a={1..99999999999})", "x(a={0..18446744073709551615})", "x(a={1..9999,1..9999})"] {
            let error = expand(text).unwrap_err();
            assert!(error.problem.contains("at most 10000 can be run"), "{text}: {error}");
        }
        assert_eq!(expand("x(a={1..9999,0})").unwrap().len(), 10_000);
        assert_eq!(expand("x(a={5,1..9999})").unwrap().len(), 10_000);
    }
}
