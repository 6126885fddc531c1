//! What there is to say of a database: facts for people, figures for programs.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::codec;
use super::container::{BuiltFor, Container};
use super::database::DatabaseConfig;

/// A figure that programs read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Figure {
    /// A count.
    Count(u64),
    /// A ratio.
    Ratio(f64),
    /// Whether something is so.
    Flag(bool),
    /// A count for each of some things, such as levels.
    Counts(Vec<u64>),
}

/// Something to say of a database.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What it is about, in a word or two.
    pub label: &'static str,
    /// What there is to say, for people.
    pub text: String,
    /// The same for programs, by name.
    pub figures: Vec<(&'static str, Figure)>,
}

impl Fact {
    /// Something to say that has no figures.
    #[must_use]
    pub fn new(label: &'static str, text: impl Into<String>) -> Self {
        Self { label, text: text.into(), figures: Vec::new() }
    }

    /// The same with a figure.
    #[must_use]
    pub fn with(mut self, name: &'static str, figure: Figure) -> Self {
        self.figures.push((name, figure));
        self
    }

    /// The same with a count.
    #[must_use]
    pub fn with_count(self, name: &'static str, count: u64) -> Self {
        self.with(name, Figure::Count(count))
    }
}

/// What the file of a database says of itself. What it says of its map is not checked: to use it, open it.
#[derive(Clone, Debug)]
pub struct FileInfo {
    /// The name of its kind in the file.
    pub contents: String,
    /// The version of the format.
    pub version: u32,
    /// What it was built for.
    pub built_for: BuiltFor,
    /// What it was built from.
    pub config: Box<dyn DatabaseConfig>,
    /// What there is in it.
    pub facts: Vec<Fact>,
    /// The bytes of the file.
    pub bytes: u64,
    /// The bytes of each section, by its tag.
    pub sections: Vec<(String, usize)>,
}

impl FileInfo {
    /// Puts together what the frame of a file says, and what the technique reads in it.
    #[must_use]
    pub fn new(bytes: &[u8], container: &Container, config: impl DatabaseConfig, facts: Vec<Fact>) -> Self {
        Self {
            contents: container.contents.to_owned(),
            version: codec::version_of(bytes),
            built_for: container.built_for.clone(),
            config: Box::new(config),
            facts,
            bytes: bytes.len() as u64,
            sections: container.sizes().collect(),
        }
    }
}

/// A number with commas between its thousands.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = alloc::format!("{number}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_commas() {
        let texts = [0, 12, 999, 1_000, 12_345, 1_234_567].map(thousands);
        assert_eq!(texts, ["0", "12", "999", "1,000", "12,345", "1,234,567"]);
    }
}
