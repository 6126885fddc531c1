//! Kinds of units: what each sees of the map, and what its units walk by.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use super::CrowdError;
use super::databases::Databases;
use super::renewal::Renewal;
use super::squares;
use crate::agents::{Agent, BeaconWalker, Guide, Spec, roster};
use crate::database::{BuiltFor, Database};
use crate::search::Work;
use crate::space::{
    Cell, CellWeights, CostModel, Edition, Grid, GridSpace, MoveRule, QueryError, Role, State,
    StateSpace as _,
};

/// The most kinds in a crowd: a unit keeps its kind in a byte.
pub(super) const MOST_KINDS: usize = 256;
/// The largest size of a unit.
pub(super) const MOST_SIZE: u32 = 64;
/// What units without beacons go on by when they have learned as much as they may: an exact search in slices.
const LAST_RESORT: &str = "tba*";

/// The name of a kind in its crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub(super) u8);

impl fmt::Display for KindId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A kind of units: how they move, how large they are, what ground costs them, and by which algorithm they find their way.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Kind {
    /// Which moves they can make.
    pub rule: MoveRule,
    /// What their moves cost.
    pub costs: CostModel,
    /// How many cells they are wide and high, 1 to 64. A unit stands on the square whose top left cell is its position, and all of it must
    /// be free.
    pub size: u32,
    /// What ground costs them, if not the same everywhere. For units larger than a cell the heaviest cell under them counts.
    pub weights: Option<CellWeights>,
    /// How they find their way: any algorithm of the [roster]. `beacon*` unless something else is said.
    pub algorithm: Spec,
    /// What the algorithm needs, if it is there already: built for this kind's rule and costs, and for [`Kind::grid`]. Otherwise it is built when
    /// the kind is added.
    pub database: Option<Database>,
    /// Beacons for units that learned as much as they may ([`CrowdConfig::most_learned`](super::CrowdConfig::most_learned)), if the algorithm does
    /// not go by beacons itself. Without them such units go on by `tba*`.
    pub relief: Option<Database>,
    /// Which of the many databases to build.
    pub seed: u64,
}

impl Kind {
    /// Units of one cell that go by beacons over even ground.
    #[must_use]
    pub fn new(rule: MoveRule, costs: CostModel) -> Self {
        Self {
            rule,
            costs,
            size: 1,
            weights: None,
            algorithm: Spec::of_name("beacon*"),
            database: None,
            relief: None,
            seed: 1,
        }
    }

    /// The cells of a map that a unit of this kind can stand on.
    #[must_use]
    pub fn grid(&self, map: &Grid) -> Grid {
        squares::positions(map, self.size)
    }

    /// What a unit of this kind sees of a map: for building its database.
    ///
    /// # Errors
    /// If the weights do not fit the map.
    pub fn space(&self, map: &Grid) -> Result<GridSpace, CrowdError> {
        if !(1..=MOST_SIZE).contains(&self.size) {
            return Err(CrowdError::Size(self.size));
        }
        let grid = self.grid(map);
        match &self.weights {
            None => Ok(GridSpace::new(grid, self.rule, self.costs)),
            Some(weights) => {
                let weights =
                    if self.size > 1 { heaviest(weights, self.size, map)? } else { weights.clone() };
                Ok(GridSpace::weighted(grid, self.rule, self.costs, weights)?)
            }
        }
    }
}

/// For each position the heaviest cell under a unit of this size.
fn heaviest(weights: &CellWeights, size: u32, map: &Grid) -> Result<CellWeights, CrowdError> {
    weights.check(map)?;
    let (width, height) = (weights.width(), weights.height());
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
    let mut heaviest: Vec<u8> = cells.map(|cell| weights.at(cell).unwrap_or(0)).collect();
    squares::over_squares(&mut heaviest, width as usize, size, u8::max);
    Ok(CellWeights::new(width, height, heaviest)?)
}

/// A kind in its crowd.
#[derive(Clone)]
pub(super) struct KindState {
    /// Without its databases.
    pub(super) kind: Kind,
    pub(super) databases: Databases,
    /// An agent of the algorithm, from which all others are copied: what takes long to make is made once. Copies share it. `None` for units that
    /// go by beacons.
    prototype: Option<Box<dyn Agent>>,
    /// Whether the prototype got a repaired database in the place of the one that it was made with.
    pub(super) is_repaired: bool,
    /// Those of them whose files stay what they were, as they were built.
    pub(super) as_built: Databases,
    /// Databases that are to take the place of those in use, for the sake of a shorter log.
    pub(super) renewal: Option<Box<Renewal>>,
    pub(super) space: GridSpace,
    /// The most work that a unit of this kind does in a frame, if that is bounded.
    pub(super) bound: Option<u64>,
    /// The same for one that goes by the algorithm, and not by another because it has learned as much as it may.
    pub(super) own_bound: Option<u64>,
    /// The positions that changed since the last frame.
    pub(super) changed: Vec<Cell>,
    /// Whether one of them may have cut a component in two.
    pub(super) is_cut: bool,
    /// The edition of the space when units were last told of edits.
    pub(super) settled: Option<Edition>,
}

impl KindState {
    pub(super) fn new(mut kind: Kind, map: &Grid) -> Result<Self, CrowdError> {
        roster::check(&kind.algorithm)?;
        let space = kind.space(map)?;
        for database in [&kind.database, &kind.relief].into_iter().flatten() {
            let (expected, found) = (BuiltFor::of(&space), database.built_for());
            if expected != *found {
                let (expected, found) = (expected.to_string(), found.to_string());
                return Err(CrowdError::OtherDatabase { expected, found });
            }
        }
        if kind.database.is_none() {
            kind.database = roster::build_database(&kind.algorithm, &space, kind.seed)?;
        }
        // The space has them.
        kind.weights = None;
        let databases = Databases::new(kind.database.take(), kind.relief.take());
        let as_built = databases.with_history();
        Self::with_space(kind, space, databases, as_built, false)
    }

    /// The same where the space and the databases are there already, and agents were given a repaired one if `is_repaired`.
    pub(super) fn with_space(
        kind: Kind,
        space: GridSpace,
        databases: Databases,
        as_built: Databases,
        is_repaired: bool,
    ) -> Result<Self, CrowdError> {
        let settled = space.edition();
        let prototype = match &databases.main {
            Some(Database::Beacons(_)) => None,
            main => Some(roster::agent_with(&kind.algorithm, main.as_ref())?),
        };
        let mut made = Self {
            prototype,
            is_repaired: false,
            kind,
            databases,
            as_built,
            renewal: None,
            space,
            bound: None,
            own_bound: None,
            changed: Vec::new(),
            is_cut: false,
            settled,
        };
        made.find_bound()?;
        if is_repaired {
            made.renew_prototype()?;
        }
        Ok(made)
    }

    /// The algorithm's database is another one, and agents are to be given it: so is the prototype.
    pub(super) fn renew_prototype(&mut self) -> Result<(), CrowdError> {
        self.is_repaired = true;
        if let (Some(database), Some(prototype)) = (&self.databases.main, &mut self.prototype)
            && prototype.use_database(database).is_err()
        {
            *prototype = roster::agent_with(&self.kind.algorithm, Some(database))?;
        }
        self.find_bound()
    }

    /// The state of a cell, if a unit can stand there. `map` tells blocked cells from those without room.
    pub(super) fn locate(&self, map: &Grid, role: Role, cell: Cell) -> Result<State, QueryError> {
        let for_size = |error: QueryError| error.for_size(self.kind.size, cell, map.is_free(cell));
        self.space.locate(cell).map_err(|error| for_size(error).at(role))
    }

    /// Finds the most that a unit does in a frame; it may change with the databases.
    pub(super) fn find_bound(&mut self) -> Result<(), CrowdError> {
        let beacons = self.guide().map_or(Work::default(), |guide| BeaconWalker::bound(guide.database));
        let own = self.prototype.as_ref().map_or(Some(beacons), |prototype| prototype.bound());
        let bounds = [own, self.last_resort()?.bound(), Some(beacons)];
        self.own_bound = own.map(|bound| bound.total());
        self.bound = bounds.into_iter().try_fold(0, |most, bound| Some(u64::max(most, bound?.total())));
        Ok(())
    }

    /// An agent of the kind's algorithm.
    pub(super) fn agent(&self) -> Result<Box<dyn Agent>, CrowdError> {
        match &self.prototype {
            Some(prototype) => Ok(prototype.clone_box()),
            None => Ok(roster::agent_with(&self.kind.algorithm, self.databases.main.as_ref())?),
        }
    }

    /// An agent for a unit that has learned as much as it may, where there are no beacons to go by.
    pub(super) fn last_resort(&self) -> Result<Box<dyn Agent>, CrowdError> {
        Ok(roster::agent(&Spec::of_name(LAST_RESORT))?)
    }

    /// Whether the kind's algorithm goes by beacons.
    #[inline]
    pub(super) fn goes_by_beacons(&self) -> bool {
        matches!(self.databases.main, Some(Database::Beacons(_)))
    }

    /// The beacons of the kind, if it has any: to walk by, or to go on by.
    #[inline]
    pub(super) fn guide(&self) -> Option<Guide<'_>> {
        match (&self.databases.main, &self.databases.relief) {
            (Some(Database::Beacons(database)), _) | (_, Some(Database::Beacons(database))) => {
                Some(Guide { space: &self.space, database })
            }
            _ => None,
        }
    }
}
