//! Kinds of units: what each sees of the map, and what its units walk by.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::building::check_built_for;
use super::databases::{Change, Databases, Held, are_beacons};
use super::links::KindLinks;
use super::{CrowdError, squares};
use crate::agent::{Agent, Algorithm};
use crate::beacons::{BeaconGuide, BeaconWalker, ENTRY, beacon_star};
use crate::search::Work;
use crate::space::{
    Cell, CellWeights, CostModel, Grid, GridSpace, Link, MoveRule, QueryError, Revision, Role, State,
    StateSpace as _,
};
use crate::store::{Database, Follows};
use crate::tba::TbaStar;

/// The most kinds in a crowd: a unit keeps its kind in a byte.
pub(super) const MOST_KINDS: usize = 256;
/// The largest size of a unit.
pub(super) const MOST_SIZE: u32 = 64;
/// What units without beacons go on by when they have learned as much as they may: `tba*`, an exact search in
/// slices of so many expansions.
const LAST_RESORT_SLICE: u64 = 50;

/// The name of a kind in its crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub(super) u8);

impl KindId {
    /// The name as a number: for other languages, files and networks.
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0 as u32
    }

    /// The name that a number stands for. `None` if it is that of no kind of any crowd.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        if bits > u8::MAX as u32 { None } else { Some(Self(bits as u8)) }
    }
}

impl fmt::Display for KindId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A kind of units: how they move, how large they are, what ground costs them, and by which algorithm they
/// find their way.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Kind {
    /// Which moves they can make.
    pub rule: MoveRule,
    /// What their moves cost.
    pub costs: CostModel,
    /// How many cells they are wide and high, 1 to 64. A unit stands on the square whose top left cell is its
    /// position, and all of it must be free.
    pub size: u32,
    /// What ground costs them, if not the same everywhere. For units larger than a cell the heaviest cell
    /// under them counts.
    pub weights: Option<CellWeights>,
    /// Links that they take. [`Crowd::add_link`](super::Crowd::add_link) adds others while the game runs.
    pub links: Vec<Link>,
    /// How they find their way: any algorithm of a [roster](crate::agent::Roster), or one of your own.
    /// `beacon*` unless something else is said.
    pub algorithm: Algorithm,
    /// What the algorithm needs, if it is there already: built for this kind's rule and costs, and for
    /// [`Kind::grid`]. Otherwise it is built when the kind is added.
    pub database: Option<Arc<dyn Database>>,
    /// Beacons for units that learned as much as they may
    /// ([`CrowdConfig::most_learned`](super::CrowdConfig::most_learned)), if the algorithm does not go by
    /// beacons itself. Without them such units go on by `tba*`.
    pub relief: Option<Arc<dyn Database>>,
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
            links: Vec::new(),
            algorithm: beacon_star(),
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

/// Whether units go by `beacon*`, and not by another algorithm that has a use for beacons.
fn is_beacon_star(kind: &Kind) -> bool {
    kind.algorithm.entry().is_some_and(|entry| entry.name == ENTRY.name)
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
    /// An agent of the algorithm, from which all others are copied: what takes long to make is made once.
    /// Copies share it. `None` for units that go by beacons, and while there is no database.
    prototype: Option<Box<dyn Agent>>,
    /// Whether the prototype got a repaired database in the place of the one that it was made with.
    pub(super) is_repaired: bool,
    pub(super) space: GridSpace,
    pub(super) links: KindLinks,
    /// The most work that a unit of this kind does in a frame, if that is bounded.
    pub(super) bound: Option<u64>,
    /// The same for one that goes by the algorithm, and not by another because it has learned as much as it
    /// may.
    pub(super) own_bound: Option<u64>,
    /// What has changed since the last frame.
    pub(super) changed: Vec<Change>,
    /// Whether ground has other weights, of which databases do not know everything yet.
    pub(super) is_reweighed: bool,
    /// What ground costs in each cell of the map, for units larger than a cell. The space has the heaviest of
    /// those under each position.
    pub(super) cell_weights: Option<CellWeights>,
    /// Whether the database that the algorithm needs is not there yet.
    pub(super) is_unbuilt: bool,
    /// The database that is being built in frames.
    pub(super) build: Option<Box<Held>>,
    /// Whether one of them may have cut a component in two.
    pub(super) is_cut: bool,
    /// The revision of the space when units were last told of edits.
    pub(super) settled: Option<Revision>,
}

impl KindState {
    pub(super) fn new(kind: Kind, map: &Grid) -> Result<Self, CrowdError> {
        Self::with_or_without(kind, map, true)
    }

    /// The same. If `is_built` is not set, a database that is not there is built later.
    pub(super) fn with_or_without(mut kind: Kind, map: &Grid, is_built: bool) -> Result<Self, CrowdError> {
        let space = kind.space(map)?;
        for database in [&kind.database, &kind.relief].into_iter().flatten() {
            if database.is_repaired() && matches!(database.kind().follows, Follows::BesideFile(_)) {
                return Err(CrowdError::RepairedDatabase);
            }
            check_built_for(&**database, &space)?;
        }
        if let Some(relief) = &kind.relief
            && !are_beacons(&**relief)
        {
            return Err(CrowdError::UselessDatabase { algorithm: "relief".to_string(), needs: "beacons" });
        }
        let needs_database = kind.algorithm.database_config(kind.seed).is_some();
        let is_unbuilt = !is_built && needs_database && kind.database.is_none();
        match &kind.database {
            None if is_unbuilt => {}
            None => kind.database = kind.algorithm.build_database(&space, kind.seed)?,
            Some(_) if !needs_database => {
                let algorithm = kind.algorithm.spec().to_string();
                return Err(CrowdError::UselessDatabase { algorithm, needs: "no database" });
            }
            // What it has no use for is refused now.
            Some(database) => drop(kind.algorithm.agent(Some(database))?),
        }
        // The space has them.
        let weights = kind.weights.take().filter(|_| kind.size > 1);
        let databases = Databases::new(kind.database.take(), kind.relief.take())?;
        let mut made = Self::with_space(kind, space, databases, (is_unbuilt, false))?;
        made.cell_weights = weights;
        Ok(made)
    }

    /// The same where the space and the databases are there already, and agents were given a repaired one if
    /// `is_repaired`.
    pub(super) fn with_space(
        kind: Kind,
        space: GridSpace,
        databases: Databases,
        (is_unbuilt, is_repaired): (bool, bool),
    ) -> Result<Self, CrowdError> {
        let settled = space.revision();
        let mut made = Self {
            prototype: None,
            is_repaired: false,
            kind,
            databases,
            space,
            links: KindLinks::default(),
            bound: None,
            own_bound: None,
            changed: Vec::new(),
            is_reweighed: false,
            cell_weights: None,
            is_unbuilt,
            build: None,
            is_cut: false,
            settled,
        };
        made.make_prototype()?;
        if is_repaired {
            made.renew_prototype()?;
        }
        Ok(made)
    }

    /// Makes the agent that all others are copied from, for databases that were not there before.
    pub(super) fn make_prototype(&mut self) -> Result<(), CrowdError> {
        let is_needless = self.is_unbuilt || self.databases.is_main_beacons() && is_beacon_star(&self.kind);
        self.is_repaired = false;
        self.prototype = match is_needless {
            true => None,
            false => Some(self.kind.algorithm.agent(self.databases.main().as_ref())?),
        };
        self.find_bound()
    }

    /// The algorithm's database is another one, and agents are to be given it: so is the prototype.
    pub(super) fn renew_prototype(&mut self) -> Result<(), CrowdError> {
        self.is_repaired = true;
        if let (Some(database), Some(prototype)) = (self.databases.main(), &mut self.prototype)
            && prototype.use_database(&database).is_err()
        {
            *prototype = self.kind.algorithm.agent(Some(&database))?;
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
        let links = self.links_bound();
        self.own_bound = own.map(|bound| bound.total().saturating_add(links));
        self.bound = bounds
            .into_iter()
            .try_fold(0, |most, bound| Some(u64::max(most, bound?.total().saturating_add(links))));
        Ok(())
    }

    /// An agent of the kind's algorithm.
    pub(super) fn agent(&self) -> Result<Box<dyn Agent>, CrowdError> {
        match &self.prototype {
            Some(prototype) => Ok(prototype.clone_box()),
            None => Ok(self.kind.algorithm.agent(self.databases.main().as_ref())?),
        }
    }

    /// An agent for a unit that has learned as much as it may, where there are no beacons to go by.
    pub(super) fn last_resort(&self) -> Result<Box<dyn Agent>, CrowdError> {
        Ok(Box::new(TbaStar::new(LAST_RESORT_SLICE, true)))
    }

    /// Whether the kind's algorithm goes by beacons.
    #[inline]
    pub(super) fn goes_by_beacons(&self) -> bool {
        self.prototype.is_none() && !self.is_unbuilt
    }

    /// The beacons of the kind, if it has any: to walk by, or to go on by.
    #[inline]
    pub(super) fn guide(&self) -> Option<BeaconGuide<'_>> {
        let Databases { main, relief, .. } = &self.databases;
        let database = main.as_ref().and_then(Held::beacons).or_else(|| relief.as_ref()?.beacons())?;
        Some(BeaconGuide { space: &self.space, database })
    }
}
