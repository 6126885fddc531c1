//! What a spec says, read with the defaults of its entry.

use alloc::format;
use core::ops::RangeInclusive;

use super::entry::Entry;
use crate::agent::{Spec, SpecError};
use crate::search::Ties;

/// A spec's arguments, completed with the defaults of its entry.
pub struct Arguments<'a> {
    /// The entry.
    pub entry: &'a Entry,
    /// What was asked for.
    pub spec: &'a Spec,
}

impl Arguments<'_> {
    /// Whether the spec itself names a parameter.
    #[must_use]
    pub fn gives(&self, key: &str) -> bool {
        self.spec.value(key).is_some()
    }

    /// The value of a parameter, as given or by default.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        let default = self.entry.parameters.iter().find(|parameter| parameter.name == key);
        self.spec.value(key).or(default.map(|parameter| parameter.default)).unwrap_or_default()
    }

    /// What is wrong with the value of a parameter, and where it stands.
    #[must_use]
    pub fn error(&self, key: &str, problem: &dyn core::fmt::Display) -> SpecError {
        let column = match self.spec.value(key) {
            Some(_) => self.spec.column_of(Some(key)) + key.len() + 1,
            None => 1,
        };
        SpecError::new(self.spec, column, format!("{key} is \"{}\": {problem}", self.text(key)))
    }

    /// A value of any type.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse<T: core::str::FromStr<Err: core::fmt::Display>>(&self, key: &str) -> Result<T, SpecError> {
        self.text(key).parse().map_err(|problem: T::Err| self.error(key, &problem))
    }

    /// A whole number.
    ///
    /// # Errors
    /// If it is none, or outside the range.
    pub fn number(&self, key: &str, range: RangeInclusive<u64>) -> Result<u64, SpecError> {
        let expected = || format!("expected a whole number from {} to {}", range.start(), range.end());
        let number = self.text(key).parse().map_err(|_| self.error(key, &expected()))?;
        if range.contains(&number) { Ok(number) } else { Err(self.error(key, &expected())) }
    }

    /// A decimal number in millionths.
    ///
    /// # Errors
    /// If it is none, or outside the range.
    pub fn millionths(&self, key: &str, range: RangeInclusive<f64>) -> Result<u64, SpecError> {
        let expected = || format!("expected a number from {} to {}", range.start(), range.end());
        let number: f64 = self.text(key).parse().map_err(|_| self.error(key, &expected()))?;
        if range.contains(&number) {
            Ok((number * 1e6 + 0.5) as u64)
        } else {
            Err(self.error(key, &expected()))
        }
    }

    /// Which of equally promising states counts.
    ///
    /// # Errors
    /// If it is neither `low-g` nor `high-g`.
    pub fn ties(&self) -> Result<Ties, SpecError> {
        match self.text("ties") {
            "low-g" => Ok(Ties::Near),
            "high-g" => Ok(Ties::Far),
            _ => Err(self.error("ties", &"expected low-g or high-g")),
        }
    }

    /// A value that is `yes` or `no`.
    ///
    /// # Errors
    /// If it is neither.
    pub fn flag(&self, key: &str) -> Result<bool, SpecError> {
        match self.text(key) {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(self.error(key, &"expected yes or no")),
        }
    }

    /// A number. `None` if the value is `unless`.
    ///
    /// # Errors
    /// If it is neither, or outside the range.
    pub fn number_unless(
        &self,
        key: &str,
        unless: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, SpecError> {
        if self.text(key) == unless { Ok(None) } else { self.number(key, range).map(Some) }
    }
}
