//! An algorithm of a roster: what it is, which parameters it takes, and what makes its agents.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::arguments::Arguments;
use crate::agent::{Agent, SpecError};
use crate::store::{Database, DatabaseConfig, shared_as};

/// A parameter of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The key in a spec.
    pub name: &'static str,
    /// The value if none is given, written as in a spec.
    pub default: &'static str,
    /// What it sets, and which values it takes.
    pub meaning: &'static str,
}

/// Parameters that several techniques have.
pub mod parameters {
    use super::Parameter;

    /// Among equally promising states the farthest counts, unless the spec says otherwise.
    pub const TIES_HIGH: Parameter = Parameter {
        name: "ties",
        default: "high-g",
        meaning: "which of equally promising states counts: low-g the nearest, high-g the farthest",
    };
    /// Among equally promising states the nearest counts, unless the spec says otherwise.
    pub const TIES_LOW: Parameter = Parameter { default: "low-g", ..TIES_HIGH };
    /// Whether a lookahead goes on where it meets the goal.
    pub const PAST_GOAL: Parameter = Parameter {
        name: "past-goal",
        default: "no",
        meaning: "whether a lookahead goes on to its horizon where it meets the goal: yes or no",
    };
    /// How much is planned in each move.
    pub const SLICE: Parameter = Parameter {
        name: "slice",
        default: "50",
        meaning: "planning a move, in expansions, 1 to 1000000000",
    };
}

/// How much planning one move can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bound {
    /// As much as the map makes necessary.
    NotRealTime,
    /// At most this much, whatever the map: a formula of the parameters.
    PerMove(&'static str),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotRealTime => "not real-time",
            Self::PerMove(formula) => formula,
        })
    }
}

/// Which of its parameters decides how long an algorithm takes to be prepared on a map. Tests, demos and
/// tuning go by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scale {
    /// None: it is prepared as it is.
    Fixed,
    /// `n`, the number of records.
    Records,
    /// `level`, whose nodes are the regions of its database.
    Regions,
    /// `level`, which it walks on.
    WalkedLevel,
    /// `level`, which it walks on, and `level2`, whose nodes are the regions of its database.
    TwoLevels,
}

/// An algorithm of a roster. A technique has the constant in its own folder.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name in a spec.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Whether every path it finds is a cheapest one.
    pub optimal: bool,
    /// Whether it arrives wherever there is a way.
    pub complete: bool,
    /// Whether it takes maps whose cells have weights
    /// ([`GridSpace::weighted`](crate::space::GridSpace::weighted)). The others refuse them when they begin.
    pub takes_weights: bool,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// How much planning one move can take.
    pub bound: Bound,
    /// What it needs of a map beyond states and moves.
    pub needs: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// Which parameter decides how long it takes to be prepared.
    pub scale: Scale,
    /// Reads the parameters. What is wrong with them is to be known before a database is built.
    pub make: fn(&Arguments<'_>) -> Result<Box<dyn Recipe>, SpecError>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.name).finish()
    }
}

/// What an entry makes of its parameters: agents, and the database that they go by.
pub trait Recipe: Send + Sync {
    /// What the database is built from. Another seed gives another database. `None` if it needs none.
    fn database(&self, seed: u64) -> Option<Box<dyn DatabaseConfig>> {
        let _ = seed;
        None
    }

    /// An agent that goes by this database.
    ///
    /// # Errors
    /// Why it cannot be had: `None` if it needs a database of another kind, or one at all.
    fn agent(&self, database: Option<&Arc<dyn Database>>) -> Result<Box<dyn Agent>, Option<String>>;
}

/// The recipe of an algorithm that needs no database: all agents are copies of one.
pub struct Plain(pub Box<dyn Agent>);

impl Plain {
    /// The recipe of such agents, as [`Entry::make`] returns it.
    ///
    /// # Errors
    /// Never.
    pub fn recipe(agent: impl Agent + 'static) -> Result<Box<dyn Recipe>, SpecError> {
        Ok(Box::new(Self(Box::new(agent))))
    }
}

impl Recipe for Plain {
    fn agent(&self, _: Option<&Arc<dyn Database>>) -> Result<Box<dyn Agent>, Option<String>> {
        Ok(self.0.clone_box())
    }
}

/// Whether a database that was built from the second is what the first asks for.
type Fits<C> = Box<dyn Fn(&C, &C) -> bool + Send + Sync>;

/// Makes an agent from its database.
type Make<D> = Box<dyn Fn(Arc<D>) -> Result<Box<dyn Agent>, String> + Send + Sync>;

/// The recipe of an algorithm that goes by a database of type `D`, which is built from a `C`.
pub struct WithDatabase<C, D> {
    config: Box<dyn Fn(u64) -> C + Send + Sync>,
    fits: Fits<C>,
    make: Make<D>,
}

impl<C: DatabaseConfig, D: Database> WithDatabase<C, D> {
    /// The recipe. `config` is what the database is built from, for a seed. `fits` says whether a database
    /// that was built from its second argument is what the first asks for.
    ///
    /// # Errors
    /// Never.
    pub fn recipe(
        config: impl Fn(u64) -> C + Send + Sync + 'static,
        fits: impl Fn(&C, &C) -> bool + Send + Sync + 'static,
        make: impl Fn(Arc<D>) -> Result<Box<dyn Agent>, String> + Send + Sync + 'static,
    ) -> Result<Box<dyn Recipe>, SpecError> {
        Ok(Box::new(Self { config: Box::new(config), fits: Box::new(fits), make: Box::new(make) }))
    }
}

impl<C: DatabaseConfig, D: Database> Recipe for WithDatabase<C, D> {
    fn database(&self, seed: u64) -> Option<Box<dyn DatabaseConfig>> {
        Some(Box::new((self.config)(seed)))
    }

    fn agent(&self, database: Option<&Arc<dyn Database>>) -> Result<Box<dyn Agent>, Option<String>> {
        let database: Arc<D> = database.and_then(shared_as).ok_or(None)?;
        let built = database.config().downcast_ref::<C>().ok_or(None)?;
        let asked = (self.config)(built.seed());
        if !(self.fits)(&asked, built) {
            return Err(Some(format!(
                "this database is {built}, but {asked} is asked for: build it anew, or change the spec"
            )));
        }
        (self.make)(database).map_err(Some)
    }
}

impl Entry {
    /// A spec of this algorithm that is quick to prepare on a map of so many states: where it needs a
    /// database, a small one. For tests and demos.
    #[must_use]
    pub fn quick_spec(&self, states: usize) -> String {
        self.spec_with_records(50, states)
    }

    /// The same with so many records in its database, if it needs one that has records.
    #[must_use]
    pub fn spec_with_records(&self, records: u64, states: usize) -> String {
        let doublings = u64::from(states.max(1).ilog2());
        // A level has half as many nodes as the one below it, or fewer: this one has a hundred or so.
        let coarse = doublings.saturating_sub(6).max(2);
        // On open ground it has a quarter: then this one has a thousand or so.
        let fine = (doublings / 2).saturating_sub(5).max(1);
        match self.scale {
            Scale::Fixed => self.name.to_string(),
            Scale::Records => self.spec_with(&[("n", records)]),
            // A hundred or so at most, on any ground: the table is made anew for every agent.
            Scale::TwoLevels => {
                self.spec_with(&[("level", fine), ("level2", doublings.saturating_sub(7).max(fine + 2))])
            }
            Scale::WalkedLevel => self.spec_with(&[("level", fine)]),
            Scale::Regions => self.spec_with(&[("level", coarse)]),
        }
    }

    /// A spec of this algorithm with some parameters.
    #[must_use]
    pub fn spec_with(&self, parameters: &[(&str, impl fmt::Display)]) -> String {
        let parameters: Vec<String> =
            parameters.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let parameters = parameters.join(",");
        match self.name.strip_suffix(')') {
            Some(name) => format!("{name};{parameters})"),
            None => format!("{}({parameters})", self.name),
        }
    }
}
