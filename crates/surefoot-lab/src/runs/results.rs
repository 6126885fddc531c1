//! What came of a unit, and of all units of a plan.

use serde::{Deserialize, Serialize};
use surefoot::agent::Spec;
use surefoot::space::GridSpace;
use surefoot::store::Database;

use super::provenance::Provenance;
use crate::maps::Symmetry;
use crate::rows::Row;

/// All that came of a plan so far.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultSet {
    /// The plan's name, as in `knn2009`.
    pub name: String,
    /// The plan's title.
    pub title: String,
    /// The plan as it was written.
    pub plan: String,
    /// Whether it was the quick part of the plan.
    pub quick: bool,
    /// The finished units in the order of the plan: by algorithm, then by seed, then by map.
    pub units: Vec<UnitResult>,
    /// How many units of the plan are not finished.
    pub missing: u64,
}

impl ResultSet {
    /// What the results come from: every program once, and if it took times, once for each machine and worker
    /// that it took them on.
    #[must_use]
    pub fn sources(&self) -> Vec<&Provenance> {
        by_source(&self.units)
            .into_iter()
            .filter_map(|own| own.first().map(|unit| &unit.provenance))
            .collect()
    }
}

/// Units that may stand in one table, together: see [`Provenance::may_stand_beside`]. Those that are not
/// timed are with the timed ones of their own machine if there are any, else with any of their program.
pub(crate) fn by_source<'u>(units: impl IntoIterator<Item = &'u UnitResult>) -> Vec<Vec<&'u UnitResult>> {
    let (timed, untimed): (Vec<_>, Vec<_>) = units.into_iter().partition(|unit| unit.timed);
    let mut sources: Vec<Vec<&UnitResult>> = Vec::new();
    for unit in timed.into_iter().chain(untimed) {
        let is = |test: fn(&Provenance, &Provenance) -> bool| {
            sources.iter().position(|known| test(&known[0].provenance, &unit.provenance))
        };
        let own = is(Provenance::is_same_source);
        match own.or_else(|| if unit.timed { None } else { is(Provenance::is_same_program) }) {
            Some(place) => sources[place].push(unit),
            None => sources.push(vec![unit]),
        }
    }
    sources
}

/// What came of one algorithm with one database on the problems of one map.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitResult {
    /// The plan's name.
    pub experiment: String,
    /// The name of the part of the plan that has the algorithm; empty if parts have no names.
    pub part: String,
    /// The map.
    pub map: MapFacts,
    /// The algorithm.
    pub spec: Spec,
    /// The seed of the database; 1 where nothing depends on it.
    pub seed: u64,
    /// Whether walks were timed, one at a time. Else they took all cores, and rows have no times.
    pub timed: bool,
    /// The database, if the algorithm needs one.
    pub database: Option<DatabaseFacts>,
    /// What it was made by.
    pub provenance: Provenance,
    /// One row for each problem, in the order of the problems.
    pub rows: Vec<Row>,
}

/// What there is to know of a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapFacts {
    /// Its name.
    pub name: String,
    /// What tells it from other maps: made from its free cells.
    pub fingerprint: u64,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Free cells.
    pub states: u64,
    /// The rule of movement.
    pub rule: String,
    /// What a diagonal step costs.
    pub cost: String,
    /// How it was laid.
    #[serde(default)]
    pub symmetry: Symmetry,
}

impl MapFacts {
    /// The facts of a map.
    #[must_use]
    pub fn of(name: &str, space: &GridSpace) -> Self {
        let grid = space.grid();
        Self {
            name: name.to_owned(),
            fingerprint: space.fingerprint(),
            width: grid.width(),
            height: grid.height(),
            states: grid.free_count(),
            rule: space.rule().to_string(),
            cost: space.units().to_string(),
            symmetry: Symmetry::NONE,
        }
    }

    /// The name of the map, whichever way it is laid.
    #[must_use]
    pub fn of_map(&self) -> &str {
        self.name.strip_suffix(&format!(" {}", self.symmetry)).unwrap_or(&self.name)
    }

    /// Its cells, free or not.
    #[must_use]
    pub fn cells(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// What there is to know of a database.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DatabaseFacts {
    /// What it was built from.
    pub config: String,
    /// The states in it, as the papers count.
    pub states: u64,
    /// The bytes of its file.
    pub bytes: u64,
    /// The bytes that it takes in memory, if that is known.
    #[serde(default)]
    pub memory_bytes: Option<u64>,
    /// How much there is of what the papers count in it: see [`Database::entries`].
    pub entries: u64,
    /// How long it took to build, on all cores.
    pub build_seconds: f64,
}

impl DatabaseFacts {
    /// The facts of a database that took so long to build.
    #[must_use]
    pub fn of(database: &dyn Database, build_seconds: f64) -> Self {
        Self {
            config: database.config().to_string(),
            states: database.states(),
            bytes: database.to_bytes().len() as u64,
            memory_bytes: Some(database.memory_bytes() as u64),
            entries: database.entries(),
            build_seconds,
        }
    }
}
