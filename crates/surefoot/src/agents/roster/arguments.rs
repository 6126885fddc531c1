//! What a spec says, read with the defaults of its entry.

use alloc::boxed::Box;
use alloc::format;
use core::ops::RangeInclusive;

use super::{Entry, Made};
use crate::agents::dynamic::{GoalChoice, Loops};
use crate::agents::local_search::{Heading, Lesson, LocalSearchAgent};
use crate::agents::{Spec, SpecError};
use crate::database::{
    AbstractDistance, AbstractionConfig, CoverConfig, Pairs, Partition, PatternConfig, PatternContents,
    RecordForm, SubgoalConfig,
};
use crate::search::{Paths, Ties};

/// A spec's arguments, completed with the defaults of its entry.
pub(super) struct Arguments<'a> {
    pub entry: &'a Entry,
    pub spec: &'a Spec,
}

impl Arguments<'_> {
    /// The value of a parameter, as given or by default.
    pub(super) fn text(&self, key: &str) -> &str {
        let default = self.entry.parameters.iter().find(|parameter| parameter.name == key);
        self.spec.value(key).or(default.map(|parameter| parameter.default)).unwrap_or_default()
    }

    pub(super) fn error(&self, key: &str, problem: &dyn core::fmt::Display) -> SpecError {
        let column = match self.spec.value(key) {
            Some(_) => self.spec.column_of(Some(key)) + key.len() + 1,
            None => 1,
        };
        SpecError::new(self.spec, column, format!("{key} is \"{}\": {problem}", self.text(key)))
    }

    pub(super) fn parse<T: core::str::FromStr<Err: core::fmt::Display>>(
        &self,
        key: &str,
    ) -> Result<T, SpecError> {
        self.text(key).parse().map_err(|problem: T::Err| self.error(key, &problem))
    }

    pub(super) fn number(&self, key: &str, range: RangeInclusive<u64>) -> Result<u64, SpecError> {
        let expected = || format!("expected a whole number from {} to {}", range.start(), range.end());
        let number = self.text(key).parse().map_err(|_| self.error(key, &expected()))?;
        if range.contains(&number) { Ok(number) } else { Err(self.error(key, &expected())) }
    }

    /// A decimal number in millionths.
    pub(super) fn millionths(&self, key: &str, range: RangeInclusive<f64>) -> Result<u64, SpecError> {
        let expected = || format!("expected a number from {} to {}", range.start(), range.end());
        let number: f64 = self.text(key).parse().map_err(|_| self.error(key, &expected()))?;
        if range.contains(&number) {
            Ok((number * 1e6 + 0.5) as u64)
        } else {
            Err(self.error(key, &expected()))
        }
    }

    pub(super) fn ties(&self) -> Result<Ties, SpecError> {
        match self.text("ties") {
            "low-g" => Ok(Ties::Near),
            "high-g" => Ok(Ties::Far),
            _ => Err(self.error("ties", &"expected low-g or high-g")),
        }
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, SpecError> {
        match self.text(key) {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(self.error(key, &"expected yes or no")),
        }
    }

    /// A number, or nothing if the value is `unless`.
    pub(super) fn number_unless(
        &self,
        key: &str,
        unless: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, SpecError> {
        if self.text(key) == unless { Ok(None) } else { self.number(key, range).map(Some) }
    }

    pub(super) fn subgoals(&self, form: RecordForm, seed: u64) -> Result<SubgoalConfig, SpecError> {
        let pairs = match self.text("pairs") {
            "random" => Pairs::Random,
            "even" => Pairs::Even,
            _ => return Err(self.error("pairs", &"expected random or even")),
        };
        let paths = match self.text("paths") {
            "a*" => Paths::AStar,
            "jps" => Paths::JumpPoints,
            _ => return Err(self.error("paths", &"expected a* or jps")),
        };
        let records = self.number("n", 0..=100_000_000)?;
        Ok(SubgoalConfig { records, form, ties: self.ties()?, pairs, paths, seed })
    }

    pub(super) fn is_wide(&self) -> Result<bool, SpecError> {
        match self.text("corridor") {
            "wide" => Ok(true),
            "narrow" => Ok(false),
            _ => Err(self.error("corridor", &"expected wide or narrow")),
        }
    }

    pub(super) fn abstraction(&self) -> Result<AbstractionConfig, SpecError> {
        let distance = match self.text("distance") {
            "octile" => AbstractDistance::Octile,
            "euclidean" => AbstractDistance::Euclidean,
            _ => return Err(self.error("distance", &"expected octile or euclidean")),
        };
        Ok(AbstractionConfig { aligned: self.flag("aligned")?, distance })
    }

    /// What a pattern database is built from; `contents` makes what it stores from the cap.
    pub(super) fn patterns(&self, contents: fn(u32) -> PatternContents) -> Result<PatternConfig, SpecError> {
        let level = self.number("level", 0..=64)? as u32;
        let has_cap = self.entry.parameters.iter().any(|parameter| parameter.name == "cap");
        let cap = if has_cap { self.number("cap", 1..=10_000)? as u32 } else { 0 };
        Ok(PatternConfig {
            level,
            aligned: self.flag("aligned")?,
            contents: contents(cap),
            ties: self.ties()?,
        })
    }

    /// What a cover of such regions is built from.
    pub(super) fn cover(&self, partition: Partition) -> Result<CoverConfig, SpecError> {
        Ok(CoverConfig { partition, lossless: self.flag("lossless")?, ties: self.ties()? })
    }

    pub(super) fn goal_choice(&self) -> Result<GoalChoice, SpecError> {
        let loops = match self.text("loops") {
            "state" => Loops::State,
            "ever" => Loops::Ever,
            "region" => Loops::Region,
            _ => return Err(self.error("loops", &"expected state, ever or region")),
        };
        let keeps = match self.text("choose") {
            "move" => false,
            "reached" => true,
            _ => return Err(self.error("choose", &"expected move or reached")),
        };
        Ok(GoalChoice { loops, keeps, deepen: self.number("deepen", 0..=100)? as u32 })
    }

    pub(super) fn local_search(&self, lesson: Lesson, heading: Heading) -> Made {
        let expansions = self.number("expansions", 1..=1_000_000)?;
        let follows_whole_path = match self.text("moves") {
            "one" => false,
            "all" => true,
            _ => return Err(self.error("moves", &"expected one or all")),
        };
        Ok(Box::new(LocalSearchAgent::new(expansions, lesson, heading, follows_whole_path)))
    }
}
