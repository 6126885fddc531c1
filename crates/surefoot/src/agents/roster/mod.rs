//! Every algorithm with its parameters: one line each. Whoever needs a list of the algorithms — the program's
//! help, the conformance cases, the benchmarks — takes it from here.

mod arguments;
mod beacons;
mod cover;
mod entries;
mod names;
mod pr_lrta;
mod transit;
mod trials;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use self::arguments::Arguments;
pub use self::entries::ENTRIES;
use self::entries::{EVEN_GRID, LEVEL, RECORDS, WITH_TREE};
use self::names::did_you_mean;
pub(super) use self::names::with_star;
use self::pr_lrta::LEVEL2;
pub use super::saved::{restore, save};
use super::{Agent, DepthLrtaStar, Spec, SpecError};
use crate::control::DepthTree;
use crate::database::{
    Abstraction, BeaconConfig, BeaconDatabase, CoverConfig, CoverDatabase, Database, DatabaseConfig,
    DatabaseError, Partition, PatternConfig, PatternDatabase, RecordForm, SubgoalConfig, SubgoalDatabase,
    TransitConfig, TransitDatabase,
};
use crate::space::GridSpace;

/// The algorithm to take unless there is a reason for another.
pub const DEFAULT: &str = "beacon*";

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

/// How much planning one move can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bound {
    /// As much as the map makes necessary.
    NotRealTime,
    /// At most this much, whatever the map: a formula of the parameters.
    PerMove(&'static str),
}

impl core::fmt::Display for Bound {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NotRealTime => "not real-time",
            Self::PerMove(formula) => formula,
        })
    }
}

/// An algorithm of the roster.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name in a spec.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Whether every path it finds is a cheapest one.
    pub optimal: bool,
    /// Whether it arrives wherever there is a way.
    pub complete: bool,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// How much planning one move can take.
    pub bound: Bound,
    /// What it needs of a map beyond states and moves.
    pub needs: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    make: Make,
}

/// An agent, or why there is none.
type Made = Result<Box<dyn Agent>, SpecError>;

impl Entry {
    /// Whether it takes maps whose cells have weights ([`GridSpace::weighted`]). The others refuse them when they begin.
    #[must_use]
    pub fn takes_weights(&self) -> bool {
        self.needs != EVEN_GRID
    }

    /// A spec of this algorithm that is quick to prepare on a map of so many states: where it needs a database, a small one. For
    /// tests and demos.
    #[must_use]
    pub fn quick_spec(&self, states: usize) -> String {
        self.spec_with_records(50, states)
    }

    /// The same with so many records in its database, if it needs one that has records.
    #[must_use]
    pub fn spec_with_records(&self, records: u64, states: usize) -> String {
        let has = |name: &str| self.parameters.iter().any(|parameter| parameter.name == name);
        let doublings = u64::from(states.max(1).ilog2());
        // A level has half as many nodes as the one below it, or fewer: this one has a hundred or so.
        let coarse = doublings.saturating_sub(6).max(2);
        // On open ground it has a quarter: then this one has a thousand or so.
        let fine = (doublings / 2).saturating_sub(5).max(1);
        if has(RECORDS.name) {
            self.spec_with(&[(RECORDS.name, records)])
        } else if has(LEVEL2.name) {
            // A hundred or so at most, on any ground: the table is made anew for every agent.
            self.spec_with(&[(LEVEL.name, fine), (LEVEL2.name, doublings.saturating_sub(7).max(fine + 2))])
        } else if has(LEVEL.name) {
            let is_walked = matches!(self.make, Make::WithAbstraction(_));
            self.spec_with(&[(LEVEL.name, if is_walked { fine } else { coarse })])
        } else {
            String::from(self.name)
        }
    }

    /// A spec of this algorithm with some parameters.
    fn spec_with(&self, parameters: &[(&str, impl core::fmt::Display)]) -> String {
        let parameters: Vec<String> =
            parameters.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let parameters = parameters.join(",");
        match self.name.strip_suffix(')') {
            Some(name) => format!("{name};{parameters})"),
            None => format!("{}({parameters})", self.name),
        }
    }
}

/// What makes an agent from its database, once its parameters are known to be right.
type WithSubgoals = Box<dyn FnOnce(Arc<SubgoalDatabase>) -> Box<dyn Agent>>;

/// The same for an abstraction, from which more may have to be made.
type WithAbstraction = Box<dyn FnOnce(Arc<Abstraction>) -> Result<Box<dyn Agent>, DatabaseError>>;

/// The same for a pattern database.
type WithPatterns = Box<dyn FnOnce(Arc<PatternDatabase>) -> Box<dyn Agent>>;

/// The same for a cover.
type WithCover = Box<dyn FnOnce(Arc<CoverDatabase>) -> Box<dyn Agent>>;
type WithBeacons = Box<dyn FnOnce(Arc<BeaconDatabase>) -> Box<dyn Agent>>;
type WithTransit = fn(Arc<TransitDatabase>) -> Box<dyn Agent>;

/// How an agent is made.
#[derive(Clone, Copy, Debug)]
enum Make {
    /// From its parameters alone.
    Plain(fn(&Arguments<'_>) -> Made),
    /// From its parameters and a database of subgoals.
    WithSubgoals {
        /// What the database is to be built from, for a seed.
        config: fn(&Arguments<'_>, u64) -> Result<SubgoalConfig, SpecError>,
        /// The parameters come first: a wrong one is to be known before a database is built.
        agent: fn(&Arguments<'_>) -> Result<WithSubgoals, SpecError>,
    },
    /// From its parameters and a clique abstraction.
    WithAbstraction(fn(&Arguments<'_>) -> Result<WithAbstraction, SpecError>),
    /// From its parameters and a pattern database.
    WithPatterns {
        /// What the database is to be built from.
        config: fn(&Arguments<'_>) -> Result<PatternConfig, SpecError>,
        /// The parameters come first.
        agent: fn(&Arguments<'_>) -> Result<WithPatterns, SpecError>,
    },
    /// From its parameters and a cover.
    WithCover {
        /// What the cover is to be built from.
        config: fn(&Arguments<'_>) -> Result<CoverConfig, SpecError>,
        /// The parameters come first.
        agent: fn(&Arguments<'_>) -> Result<WithCover, SpecError>,
    },
    /// From its parameters and beacons.
    WithBeacons {
        /// What the beacons are to be built from.
        config: fn(&Arguments<'_>) -> Result<BeaconConfig, SpecError>,
        /// The parameters come first.
        agent: fn(&Arguments<'_>) -> Result<WithBeacons, SpecError>,
    },
    /// From its parameters and transit nodes.
    WithTransit {
        /// What the nodes are to be built from.
        config: fn(&Arguments<'_>) -> Result<TransitConfig, SpecError>,
        /// What makes the agent.
        agent: WithTransit,
    },
}

/// The entry of a name, as [`Spec::algorithm`] gives it. LRTA*(F, G) is plain LRTA*.
#[must_use]
pub fn entry(name: &str) -> Option<&'static Entry> {
    let name = if name == "lrta*(f,g)" { "lrta*" } else { name };
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// The entry of a spec, once its parameters are known to be the entry's.
fn arguments(spec: &Spec) -> Result<Arguments<'_>, SpecError> {
    // Values without a key are part of the name of some algorithms, and a mistake with all others.
    let Some(entry) = entry(&spec.algorithm()).or_else(|| entry(spec.name())) else {
        let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
        let meant = did_you_mean(&spec.algorithm(), names.iter().copied());
        let problem = format!("there is no algorithm of this name;{meant} there are: {}", names.join(", "));
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
        let meant = did_you_mean(&spec.algorithm(), ENTRIES.iter().map(|entry| entry.name));
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

/// The agent that a spec calls for, if its algorithm needs no database.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value, or it needs a database.
pub fn agent(spec: &Spec) -> Result<Box<dyn Agent>, SpecError> {
    agent_with(spec, None)
}

/// Makes sure that a spec calls for an agent that exists, without a database.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value.
pub fn check(spec: &Spec) -> Result<(), SpecError> {
    let arguments = arguments(spec)?;
    match arguments.entry.make {
        Make::Plain(make) => make(&arguments).map(drop),
        Make::WithSubgoals { config, agent } => config(&arguments, 0).and(agent(&arguments)).map(drop),
        Make::WithAbstraction(agent) => arguments.abstraction().and(agent(&arguments)).map(drop),
        Make::WithPatterns { config, agent } => config(&arguments).and(agent(&arguments)).map(drop),
        Make::WithCover { config, agent } => config(&arguments).and(agent(&arguments)).map(drop),
        Make::WithBeacons { config, agent } => config(&arguments).and(agent(&arguments)).map(drop),
        Make::WithTransit { config, .. } => config(&arguments).map(drop),
    }
}

/// What the database that a spec calls for is built from, if it needs one. Another seed gives another database.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value.
pub fn database_for(spec: &Spec, seed: u64) -> Result<Option<DatabaseConfig>, SpecError> {
    let arguments = arguments(spec)?;
    match arguments.entry.make {
        Make::Plain(_) => Ok(None),
        Make::WithSubgoals { config, .. } => config(&arguments, seed).map(DatabaseConfig::Subgoals).map(Some),
        Make::WithAbstraction(_) => arguments.abstraction().map(DatabaseConfig::Abstraction).map(Some),
        Make::WithPatterns { config, .. } => config(&arguments).map(DatabaseConfig::Patterns).map(Some),
        Make::WithCover { config, .. } => config(&arguments).map(DatabaseConfig::Cover).map(Some),
        Make::WithBeacons { config, .. } => config(&arguments).map(DatabaseConfig::Beacons).map(Some),
        Make::WithTransit { config, .. } => config(&arguments).map(DatabaseConfig::Transit).map(Some),
    }
}

/// The agent that a spec calls for, with its database. Where the spec says how the database is to be built (how many
/// records, which ties), it must have been built so; what the spec leaves out is taken from the database.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value, or it needs another database.
pub fn agent_with(spec: &Spec, database: Option<&Database>) -> Result<Box<dyn Agent>, SpecError> {
    let arguments = arguments(spec)?;
    let refuse = |problem: String| Err(SpecError::new(spec, 1, problem));
    let differs = |key: &str, differs: bool| spec.value(key).is_some() && differs;
    let needs = format!("{} needs {}", arguments.entry.name, arguments.entry.needs);
    let (config, agent) = match arguments.entry.make {
        Make::Plain(make) => return make(&arguments),
        Make::WithSubgoals { config, agent } => (config, agent(&arguments)?),
        Make::WithAbstraction(agent) => {
            let (asked, agent) = (arguments.abstraction()?, agent(&arguments)?);
            let Some(Database::Abstraction(abstraction)) = database else { return refuse(needs) };
            let built = abstraction.config();
            if differs("aligned", asked.aligned != built.aligned)
                || differs("distance", asked.distance != built.distance)
            {
                return refuse(format!("it needs {asked}, but the database is {built}"));
            }
            return agent(Arc::clone(abstraction)).or_else(|error| refuse(error.to_string()));
        }
        Make::WithPatterns { config, agent } => {
            let (asked, agent) = (config(&arguments)?, agent(&arguments)?);
            let Some(Database::Patterns(database)) = database else { return refuse(needs) };
            let built = database.config();
            let same_kind =
                core::mem::discriminant(&asked.contents) == core::mem::discriminant(&built.contents);
            if !same_kind
                || differs("level", asked.level != built.level)
                || differs("cap", asked.contents != built.contents)
                || differs("aligned", asked.aligned != built.aligned)
                || differs("ties", asked.ties != built.ties)
            {
                return refuse(format!("it needs {asked}, but the database is {built}"));
            }
            return Ok(agent(Arc::clone(database)));
        }
        Make::WithCover { config, agent } => {
            let (asked, agent) = (config(&arguments)?, agent(&arguments)?);
            let Some(Database::Cover(cover)) = database else { return refuse(needs) };
            let built = cover.config();
            let same_kind =
                core::mem::discriminant(&asked.partition) == core::mem::discriminant(&built.partition);
            let size = if matches!(asked.partition, Partition::Sectors { .. }) { "sector" } else { "cutoff" };
            if !same_kind
                || differs(size, asked.partition != built.partition)
                || differs("lossless", asked.lossless != built.lossless)
                || differs("ties", asked.ties != built.ties)
            {
                return refuse(format!("it needs {asked}, but the database is {built}"));
            }
            return Ok(agent(Arc::clone(cover)));
        }
        Make::WithBeacons { config, agent } => {
            let (asked, agent) = (config(&arguments)?, agent(&arguments)?);
            // Where ground has weights there are no beacons: transit nodes stand in for them.
            if let Some(Database::Transit(nodes)) = database {
                return Ok(transit::agent(Arc::clone(nodes)));
            }
            let Some(Database::Beacons(beacons)) = database else { return refuse(needs) };
            let built = beacons.config();
            if differs("bound", asked.bound != built.bound) {
                return refuse(format!("it needs {asked}, but the database is {built}"));
            }
            return Ok(agent(Arc::clone(beacons)));
        }
        Make::WithTransit { config, agent } => {
            let asked = config(&arguments)?;
            let Some(Database::Transit(nodes)) = database else { return refuse(needs) };
            let built = nodes.config();
            if differs("reach", asked.reach != built.reach)
                || differs("left", asked.left != built.left)
                || differs("bound", asked.bound != built.bound)
            {
                return refuse(format!("it needs {asked}, but the database is {built}"));
            }
            return Ok(agent(Arc::clone(nodes)));
        }
    };
    let Some(Database::Subgoals(database)) = database else { return refuse(needs) };
    let built = database.config();
    let asked = config(&arguments, built.seed)?;
    let is_of_the_kind = match asked.form {
        RecordForm::Compressed | RecordForm::Lossless => {
            matches!(built.form, RecordForm::Compressed | RecordForm::Lossless)
        }
        RecordForm::Farthest | RecordForm::BeforeFirstMiss => {
            matches!(built.form, RecordForm::Farthest | RecordForm::BeforeFirstMiss)
        }
    };
    if !is_of_the_kind
        || differs("n", asked.records != built.records)
        || differs("ties", asked.ties != built.ties)
        || differs("pairs", asked.pairs != built.pairs)
        || differs("paths", asked.paths != built.paths)
        || differs("lossless", asked.form != built.form)
        || differs("subgoal", asked.form != built.form)
    {
        let name = arguments.entry.name;
        return refuse(format!(
            "this database is {built}, but {name} needs {asked}: build it anew, or change the spec"
        ));
    }
    Ok(agent(Arc::clone(database)))
}

/// The agent that a spec of `lrta*(dt,g)` calls for, with a tree of one's own.
///
/// # Errors
/// If the spec is of another algorithm or wrong, or says another dmax than the tree's.
pub fn agent_with_tree(spec: &Spec, tree: Arc<DepthTree>) -> Result<Box<dyn Agent>, SpecError> {
    let arguments = arguments(spec)?;
    if arguments.entry.name != WITH_TREE {
        let problem = format!("{} has no tree, only {WITH_TREE} has", arguments.entry.name);
        return Err(SpecError::new(spec, 1, problem));
    }
    let deepest = tree.settings().deepest;
    if spec.value("dmax").is_some() && arguments.number("dmax", 1..=100)? != u64::from(deepest) {
        return Err(arguments.error("dmax", &format!("the tree was made for {deepest}")));
    }
    Ok(Box::new(DepthLrtaStar::with_tree(tree, arguments.ties()?)))
}

/// The database that a spec calls for on this map, built on the spot; nothing if it needs none. Where ground has weights, `beacon*` gets transit nodes.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value, or the database cannot be built.
pub fn build_database(spec: &Spec, space: &GridSpace, seed: u64) -> Result<Option<Database>, SpecError> {
    let build =
        |config| Database::build(space, config).map_err(|error| SpecError::new(spec, 1, error.to_string()));
    database_for(spec, seed)?.map(build).transpose()
}

/// The agent that a spec calls for on this map, with a database built on the spot if it needs one.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value, or the database cannot be built.
pub fn agent_for(spec: &Spec, space: &GridSpace, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
    agent_with(spec, build_database(spec, space, seed)?.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{CostModel, Grid, MoveRule};
    #[test]
    fn every_default_makes_an_agent() {
        for entry in ENTRIES {
            let space =
                GridSpace::new(Grid::from_fn(4, 3, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
            agent_for(&entry.name.parse().unwrap(), &space, 1).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    #[test]
    fn mistakes_say_what_there_is() {
        let message = |text: &str| match agent(&text.parse().unwrap()) {
            Ok(_) => panic!("{text} was accepted"),
            Err(error) => error.to_string(),
        };
        assert!(message("b*").contains("there are: a*, weighted-a*"));
        assert!(message("a*(d=3)").ends_with("a* takes no parameters"));
        assert!(message("weighted-a*(gama=1)").contains("column 13: there is no parameter \"gama\""));
        assert!(message("weighted-a*(gamma=2)").contains("column 19: gamma is \"2\": expected a number"));
        assert!(message("weighted-a*(0.5)").contains("column 13: \"0.5\" needs a key"));
        assert!(message("weighted-a*(gamma=1,0.5)").contains("column 21: \"0.5\" needs a key"));
        assert!(message("beacn*").contains("; did you mean beacon*? there are: a*"));
        assert!(message("weighted-a*(gama=1)").contains("; did you mean gamma? weighted-a* takes: gamma="));
        assert!(message("lrta*(pdp,g)").contains("; did you mean lrta*(pdb,g)?"));
        assert!(message("weighted-a*(gamma=1, ma=1)").contains("column 21: there is no parameter \"ma\""));
    }

    #[test]
    fn parameters_are_checked_without_a_database() {
        for entry in ENTRIES {
            check(&entry.name.parse().unwrap()).unwrap();
        }
        for wrong in [
            "pra*(k=1)",
            "pra*(corridor=x)",
            "s-pra*(distance=x)",
            "s-pra*(aligned=x)",
            "knn-lrta*(cutoff=x)",
            "knn-lrta*(n=-1)",
            "knn-lrta*(k=0)",
            "knn-lrta-2009*(d=0)",
            "lrta*(d=0)",
        ] {
            assert!(check(&wrong.parse().unwrap()).is_err(), "{wrong}");
        }
    }
}
