//! Rosters: every algorithm with its parameters, and every kind of database. Whoever needs a list of the
//! algorithms (the program's help, the conformance cases, the benchmarks) takes it from a roster.

mod algorithm;
mod arguments;
mod entry;
mod names;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use self::algorithm::Algorithm;
pub use self::arguments::Arguments;
pub use self::entry::{Bound, Entry, Parameter, Plain, Recipe, Scale, WithDatabase, parameters};
use self::names::{did_you_mean, nearest, with_star};
use super::{Agent, Spec, SpecError};
use crate::space::GridSpace;
use crate::store::container::Container;
use crate::store::{Database, DatabaseConfig, DatabaseError, DatabaseKind, FileInfo, SharedBytes};

/// The algorithm to take unless there is a reason for another.
pub const DEFAULT: &str = "beacon*";

/// What a game has without any other crate: `beacon*`, what stands in for it, and what it falls back on.
pub static CORE: Roster = Roster::fixed(
    &[crate::beacons::ENTRY, crate::transit::ENTRY, crate::lrta::ENTRY, crate::tba::TBA, crate::tba::SLICED],
    &[&crate::beacons::KIND, &crate::transit::KIND],
);

/// Algorithms by name, and the kinds of databases that they go by.
#[derive(Clone, Debug)]
pub struct Roster {
    entries: Cow<'static, [Entry]>,
    kinds: Cow<'static, [&'static DatabaseKind]>,
}

impl Roster {
    /// A roster of these entries and kinds.
    #[must_use]
    pub const fn fixed(entries: &'static [Entry], kinds: &'static [&'static DatabaseKind]) -> Self {
        Self { entries: Cow::Borrowed(entries), kinds: Cow::Borrowed(kinds) }
    }

    /// The same with an algorithm more. It takes the place of one of the same name.
    #[must_use]
    pub fn with(mut self, entry: Entry) -> Self {
        let entries = self.entries.to_mut();
        entries.retain(|known| known.name != entry.name);
        entries.push(entry);
        self
    }

    /// The same with a kind of database more. It takes the place of one of the same name.
    #[must_use]
    pub fn with_kind(mut self, kind: &'static DatabaseKind) -> Self {
        let kinds = self.kinds.to_mut();
        kinds.retain(|known| known.name != kind.name);
        kinds.push(kind);
        self
    }

    /// All algorithms.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All kinds of databases.
    #[must_use]
    pub fn kinds(&self) -> &[&'static DatabaseKind] {
        &self.kinds
    }

    /// The entry of a name, as [`Spec::algorithm`] gives it. LRTA*(F, G) is plain LRTA*.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        let name = if name == "lrta*(f,g)" { "lrta*" } else { name };
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The algorithm whose name is nearest to one that none has, if one is near.
    #[must_use]
    pub fn nearest_name(&self, name: &str) -> Option<&'static str> {
        nearest(name, self.entries.iter().map(|entry| entry.name))
    }

    /// The names of algorithms without the values in parentheses that some have.
    fn bases(&self) -> impl Iterator<Item = &'static str> {
        self.entries.iter().map(|entry| entry.name.split('(').next().unwrap_or(entry.name))
    }

    /// A spec with the star that its name lacks: `beacon` is `beacon*`, since shells take stars for patterns.
    #[must_use]
    pub fn with_star(&self, spec: &Spec) -> Spec {
        spec.renamed(with_star(spec.name(), || self.bases()))
    }

    /// The algorithm that a spec calls for.
    ///
    /// # Errors
    /// If there is no such algorithm, or it has no such parameter, or not such a value.
    pub fn algorithm(&self, spec: &Spec) -> Result<Algorithm, SpecError> {
        let spec = self.with_star(spec);
        let arguments = self.arguments(&spec)?;
        let recipe = (arguments.entry.make)(&arguments)?;
        let entry = arguments.entry;
        Ok(Algorithm::new(spec.clone(), entry, recipe))
    }

    /// The arguments of a spec, once they are known to be those of an entry. Their values are not looked at.
    ///
    /// # Errors
    /// If there is no such algorithm, or it has no such parameter.
    pub fn arguments<'a>(&'a self, spec: &'a Spec) -> Result<Arguments<'a>, SpecError> {
        // Values without a key are part of the name of some algorithms, and a mistake with all others.
        let Some(entry) = self.entry(&spec.algorithm()).or_else(|| self.entry(spec.name())) else {
            let names: Vec<&str> = self.entries.iter().map(|entry| entry.name).collect();
            let meant = did_you_mean(&spec.algorithm(), names.iter().copied());
            let problem =
                format!("there is no algorithm of this name;{meant} there are: {}", names.join(", "));
            return Err(SpecError::new(spec, 1, problem));
        };
        let known = || {
            let names: Vec<String> =
                entry.parameters.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
            if names.is_empty() {
                format!("{} takes no parameters", entry.name)
            } else {
                format!("{} takes: {}", entry.name, names.join(", "))
            }
        };
        let in_name = entry.name.parse::<Spec>().map_or(0, |name| name.positional().count());
        let in_name = if spec.algorithm() == "lrta*(f,g)" { 2 } else { in_name };
        if let Some(value) = spec.positional().nth(in_name) {
            let meant = did_you_mean(&spec.algorithm(), self.entries.iter().map(|entry| entry.name));
            return Err(SpecError::new(
                spec,
                spec.column_of(None),
                format!("\"{value}\" needs a key, as in key={value};{meant} {}", known()),
            ));
        }
        if let Some(key) = spec.keys().find(|key| entry.parameters.iter().all(|p| p.name != *key)) {
            let column = spec.column_of(Some(key));
            let meant = did_you_mean(key, entry.parameters.iter().map(|parameter| parameter.name));
            let problem = format!("there is no parameter \"{key}\";{meant} {}", known());
            return Err(SpecError::new(spec, column, problem));
        }
        Ok(Arguments { entry, spec })
    }

    /// Makes sure that a spec calls for an agent that exists, without a database.
    ///
    /// # Errors
    /// If there is no such algorithm, or it has no such parameter, or not such a value.
    pub fn check(&self, spec: &Spec) -> Result<(), SpecError> {
        self.algorithm(spec).map(drop)
    }

    /// The agent that a spec calls for, if its algorithm needs no database.
    ///
    /// # Errors
    /// If the spec is wrong, or its algorithm needs a database.
    pub fn agent(&self, spec: &Spec) -> Result<Box<dyn Agent>, SpecError> {
        self.agent_with(spec, None)
    }

    /// The agent that a spec calls for, with its database: see [`Algorithm::agent`].
    ///
    /// # Errors
    /// If the spec is wrong, or its algorithm needs another database.
    pub fn agent_with(
        &self,
        spec: &Spec,
        database: Option<&Arc<dyn Database>>,
    ) -> Result<Box<dyn Agent>, SpecError> {
        self.algorithm(spec)?.agent(database)
    }

    /// The agent that a spec calls for on this map, with a database built on the spot if it needs one.
    ///
    /// # Errors
    /// If the spec is wrong, or the database cannot be built.
    pub fn agent_for(&self, spec: &Spec, space: &GridSpace, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
        self.algorithm(spec)?.agent_for(space, seed)
    }

    /// What the database that a spec calls for is built from. `None` if it needs none.
    ///
    /// # Errors
    /// If the spec is wrong.
    pub fn database_for(&self, spec: &Spec, seed: u64) -> Result<Option<Box<dyn DatabaseConfig>>, SpecError> {
        Ok(self.algorithm(spec)?.database_config(seed))
    }

    /// The database that a spec calls for on this map, built on the spot. `None` if it needs none.
    ///
    /// # Errors
    /// If the spec is wrong, or the database cannot be built.
    pub fn build_database(
        &self,
        spec: &Spec,
        space: &GridSpace,
        seed: u64,
    ) -> Result<Option<Arc<dyn Database>>, SpecError> {
        self.algorithm(spec)?.build_database(space, seed)
    }

    /// The kind of the database in these bytes.
    ///
    /// # Errors
    /// If the bytes are damaged, of another version, or of a kind that this roster does not know.
    pub fn kind_of(&self, bytes: &[u8]) -> Result<&'static DatabaseKind, DatabaseError> {
        self.kind_named(&Container::read(bytes)?.contents)
    }

    /// The kind of database of this name.
    ///
    /// # Errors
    /// If this roster does not know it.
    pub fn kind_named(&self, name: &str) -> Result<&'static DatabaseKind, DatabaseError> {
        let known = || {
            let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name).collect();
            names.join(", ")
        };
        let kind = self.kinds.iter().find(|kind| kind.name == name).copied();
        kind.ok_or_else(|| DatabaseError::UnknownKind { found: String::from(name), known: known() })
    }

    /// Opens the database in these bytes for a map, whichever kind it is.
    ///
    /// The map must be the one that it was built for. Of a map that was edited since, open the database first
    /// and edit the map then.
    ///
    /// # Errors
    /// If the bytes are damaged, of another version, or belong to another map.
    pub fn open(
        &self,
        space: &GridSpace,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Arc<dyn Database>, DatabaseError> {
        let bytes: SharedBytes = Arc::new(bytes);
        let kind = self.kind_of((*bytes).as_ref())?;
        (kind.open)(space, bytes)
    }

    /// What a file says of itself, whichever kind it is, read without its map.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version.
    pub fn inspect(&self, bytes: &[u8]) -> Result<FileInfo, DatabaseError> {
        (self.kind_of(bytes)?.inspect)(bytes)
    }
}
