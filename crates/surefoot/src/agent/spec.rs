//! Specs: the names by which algorithms are called, as in `weighted-a*(gamma=0.2)`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// A name and its arguments, as written: `name`, or `name(value, key=value, …)`. Arguments are separated by
/// commas or semicolons. Which names and keys exist is the [roster](super::Roster)'s to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    name: String,
    arguments: Vec<Argument>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Argument {
    key: Option<String>,
    value: String,
}

/// What is wrong with a spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("algorithm \"{spec}\", column {column}: {problem}")]
pub struct SpecError {
    spec: String,
    column: usize,
    problem: String,
}

impl SpecError {
    /// What is wrong, without the spec and the place in it.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// What is wrong with a spec, and at which column.
    pub fn new(spec: &(impl ToString + ?Sized), column: usize, problem: impl Into<String>) -> Self {
        Self { spec: spec.to_string(), column, problem: problem.into() }
    }
}

impl Spec {
    /// An algorithm with its default parameters.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        Self { name: name.to_string(), arguments: Vec::new() }
    }

    /// The same arguments under another name.
    #[must_use]
    pub(crate) fn renamed(&self, name: &str) -> Self {
        Self { name: name.to_string(), arguments: self.arguments.clone() }
    }

    /// The algorithm's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name with the values that have no key, as in `lrta*(pdb,g)`: what the [roster](super::Roster)
    /// knows the algorithm by.
    #[must_use]
    pub fn algorithm(&self) -> String {
        let values: Vec<&str> = self.positional().collect();
        if values.is_empty() { self.name.clone() } else { format!("{}({})", self.name, values.join(",")) }
    }

    /// The value given for `key`, if there is one.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        let argument = self.arguments.iter().find(|argument| argument.key.as_deref() == Some(key))?;
        Some(&argument.value)
    }

    /// The keys given, in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().filter_map(|argument| argument.key.as_deref())
    }

    /// The values given without a key, in order.
    pub fn positional(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().filter(|argument| argument.key.is_none()).map(|argument| &*argument.value)
    }

    /// The column at which the spec, as it prints itself, has the argument with this key (`None`: the first
    /// without one). 1 if there is none.
    pub(super) fn column_of(&self, key: Option<&str>) -> usize {
        let Some(place) = self.arguments.iter().position(|argument| argument.key.as_deref() == key) else {
            return 1;
        };
        let before: usize =
            self.arguments[..place].iter().map(|argument| argument.to_string().len() + 1).sum();
        self.name.len() + 2 + before
    }
}

/// What is written of an argument.
impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            Some(key) => write!(f, "{key}={}", self.value),
            None => f.write_str(&self.value),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (place, argument) in self.arguments.iter().enumerate() {
            write!(f, "{}{argument}", if place == 0 { "(" } else { "," })?;
        }
        if self.arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        // Columns count characters from 1, in the text as given.
        let column = |byte: usize| text[..byte].chars().count() + 1;
        let error = |byte: usize, problem: &str| SpecError::new(text, column(byte), problem);
        let name_end =
            text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '*')).unwrap_or(text.len());
        let name = &text[..name_end];
        if name.is_empty() {
            return Err(error(0, "expected the name of an algorithm, made of letters, digits, - and *"));
        }
        let mut spec = Self { name: name.to_string(), arguments: Vec::new() };
        let rest = &text[name_end..];
        if rest.is_empty() {
            return Ok(spec);
        }
        if !rest.starts_with('(') {
            return Err(error(name_end, "expected ( or the end after the name"));
        }
        let Some(inner) = rest[1..].strip_suffix(')') else {
            return Err(error(text.len(), "expected ) at the end"));
        };
        if inner.trim().is_empty() {
            return Ok(spec);
        }
        let mut at = name_end + 1;
        for part in inner.split([',', ';']) {
            let start = at + part.len() - part.trim_start().len();
            let is_word = |word: &str| {
                !word.is_empty()
                    && word
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '*' | '/'))
            };
            let (key, value) = match part.split_once('=') {
                Some((key, value)) => (Some(key.trim()), value.trim()),
                None => (None, part.trim()),
            };
            if key.is_some_and(|key| !is_word(key)) || !is_word(value) {
                return Err(error(start, "expected a value or key=value"));
            }
            if key.is_some_and(|key| spec.value(key).is_some()) {
                return Err(error(start, "this key was given before"));
            }
            spec.arguments.push(Argument { key: key.map(ToString::to_string), value: value.to_string() });
            at += part.len() + 1;
        }
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use proptest::prelude::*;

    #[test]
    fn specs_are_read() {
        let spec: Spec = "lrta*(pdb, f;level=3,cap = 20)".parse().unwrap();
        assert_eq!(spec.name(), "lrta*");
        assert_eq!(spec.positional().collect::<Vec<_>>(), ["pdb", "f"]);
        assert_eq!(spec.keys().collect::<Vec<_>>(), ["level", "cap"]);
        assert_eq!(spec.value("cap"), Some("20"));
        assert_eq!(spec.to_string(), "lrta*(pdb,f,level=3,cap=20)");
        assert_eq!("a*()".parse::<Spec>().unwrap().to_string(), "a*");
    }

    #[test]
    fn mistakes_are_placed() {
        for (text, column) in [
            ("", 1),
            ("a* ", 3),
            ("a*(d=3", 7),
            ("a*(d=3)x", 9),
            ("a*(d=)", 4),
            ("a*(,)", 4),
            ("a*(d=1,d=2)", 8),
            ("a*(d=1,é)", 8),
            ("a*(d=1, é)", 9),
            ("a*(d=1,  d=2)", 10),
        ] {
            let message = format!("{}", text.parse::<Spec>().unwrap_err());
            assert!(message.contains(&format!("column {column}:")), "{text}: {message}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(&spec.to_string().parse::<Spec>().unwrap(), &spec);
            }
        }
    }
}
