//! An algorithm with its parameters: it makes agents.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString as _;
use alloc::sync::Arc;
use core::fmt;

use super::entry::{Entry, Plain, Recipe};
use crate::agent::{Agent, Spec, SpecError};
use crate::space::GridSpace;
use crate::store::{Database, DatabaseConfig};

/// An algorithm with its parameters. It makes agents, and says which database they go by.
///
/// A [roster](super::Roster) makes it from a [`Spec`]. [`Algorithm::of_agent`] makes one of an agent of your
/// own.
#[derive(Clone)]
pub struct Algorithm {
    spec: Spec,
    entry: Option<Entry>,
    recipe: Arc<dyn Recipe>,
}

impl Algorithm {
    pub(crate) fn new(spec: Spec, entry: &Entry, recipe: Box<dyn Recipe>) -> Self {
        Self { spec, entry: Some(*entry), recipe: recipe.into() }
    }

    /// An algorithm of your own, without an entry in a roster: its agents are copies of one. A crowd of them
    /// can be saved, and loaded with a roster that knows the name.
    ///
    /// # Errors
    /// If the name is none that a spec can have, or has parameters.
    pub fn of_agent(name: &str, agent: impl Agent + 'static) -> Result<Self, SpecError> {
        let spec: Spec = name.parse()?;
        if spec != Spec::of_name(name) {
            return Err(SpecError::new(name, 1, "the name of an agent has no parameters"));
        }
        Ok(Self { spec, entry: None, recipe: Arc::new(Plain(Box::new(agent))) })
    }

    /// What it is called, with its parameters.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Its entry in the roster that made it. `None` if it was made without one.
    #[must_use]
    pub fn entry(&self) -> Option<&Entry> {
        self.entry.as_ref()
    }

    /// What its database is built from. Another seed gives another database. `None` if it needs none.
    #[must_use]
    pub fn database_config(&self, seed: u64) -> Option<Box<dyn DatabaseConfig>> {
        self.recipe.database(seed)
    }

    /// Builds its database. `None` if it needs none.
    ///
    /// # Errors
    /// If the database cannot be built.
    pub fn build_database(
        &self,
        space: &GridSpace,
        seed: u64,
    ) -> Result<Option<Arc<dyn Database>>, SpecError> {
        let build = |config: Box<dyn DatabaseConfig>| {
            config.build_quietly(space).map_err(|error| self.error(&error.to_string()))
        };
        self.database_config(seed).map(build).transpose()
    }

    /// An agent that goes by this database. Where the spec says how the database is to be built (how many
    /// records, which ties), it must have been built so. What the spec leaves out is taken from the database.
    ///
    /// # Errors
    /// If it needs another database, or one at all.
    pub fn agent(&self, database: Option<&Arc<dyn Database>>) -> Result<Box<dyn Agent>, SpecError> {
        self.recipe.agent(database).map_err(|problem| {
            let needs = || {
                let needs = self.entry.map_or("a database", |entry| entry.needs);
                format!("{} needs {needs}", self.spec.algorithm())
            };
            self.error(&problem.unwrap_or_else(needs))
        })
    }

    /// An agent on this map, with a database built on the spot if it needs one.
    ///
    /// # Errors
    /// If the database cannot be built.
    pub fn agent_for(&self, space: &GridSpace, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
        self.agent(self.build_database(space, seed)?.as_ref())
    }

    fn error(&self, problem: &str) -> SpecError {
        SpecError::new(&self.spec, 1, problem)
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Algorithm").field(&self.spec).finish()
    }
}
