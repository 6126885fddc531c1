//! The way through a map: paths, costs, and walkers that make one move per call.
//!
//! A [`Navigator`] is a map and what was computed for it once. It goes by beacons where corners of walls are
//! few, which is exact, and by transit nodes where ground has weights or is cluttered.
//!
//! A navigator and its walkers share one *snapshot* of the map, which never changes. An edit makes a new
//! snapshot. So nothing is locked, and what a walker does depends on nothing but its own calls.

mod builder;
mod error;
#[cfg(feature = "std")]
mod file;
#[cfg(test)]
mod tests;
mod walker;

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "std")]
use std::path::Path as FilePath;

pub use self::builder::NavigatorBuilder;
pub use self::error::{NavigatorError, NoWay};
pub use self::walker::Walker;
use crate::agent::{Agent, CORE};
use crate::beacons::{BeaconConfig, beacon_star};
use crate::links::LinkTable;
use crate::map::{Edit, Map};
use crate::search::Work;
use crate::space::{Cell, Cost, GridSpace, Path, PathCost, QueryError, Role, SmoothPath, State};
use crate::store::{Answers, Database, DatabaseError};

/// A map and what was computed for it. It never changes.
struct Snapshot {
    map: Map,
    database: Arc<dyn Database>,
    answers: Arc<dyn Answers>,
    /// All walkers are copies of it.
    agent: Box<dyn Agent>,
    /// The links of the map.
    links: LinkTable,
    /// Whether the map was edited since this was built: then its bytes have to be made anew.
    is_edited: bool,
}

impl Snapshot {
    fn new(map: Map, database: Arc<dyn Database>, is_edited: bool) -> Result<Self, NavigatorError> {
        let answers = Arc::clone(&database).answers().ok_or_else(|| {
            let (expected, found) =
                (String::from("beacons or transit nodes"), database.kind().name.to_string());
            NavigatorError::from(DatabaseError::OtherContents { expected, found })
        })?;
        let agent = beacon_star().agent(Some(&database)).map_err(|_| {
            NavigatorError::from(DatabaseError::Unsuitable { problem: "no agent goes by such a database" })
        })?;
        let space = map.space();
        let links =
            LinkTable::complete(space, map.links().as_slice(), &mut |from, to| answers.cost(space, from, to));
        Ok(Self { map, database, answers, agent, links, is_edited })
    }

    fn cost(&self, from: State, to: State) -> Option<Cost> {
        if self.links.is_empty() {
            return self.answers.cost(self.map.space(), from, to);
        }
        let space = self.map.space();
        let ask = &mut |from, to| self.answers.cost(space, from, to);
        self.links.choose(space, (from, to), ask).0.map(|choice| choice.cost)
    }

    /// The states of a way, both ends included, and what it costs.
    fn path(&self, from: State, to: State) -> Option<(Vec<State>, Cost)> {
        let space = self.map.space();
        if self.links.is_empty() {
            return self.answers.path(space, from, to);
        }
        let ask = &mut |from, to| self.answers.cost(space, from, to);
        self.links.path(space, (from, to), ask, |from, to| self.answers.path(space, from, to))
    }

    /// Where that way turns, and what it costs.
    fn turning_points(&self, from: State, to: State, points: &mut Vec<Cell>) -> Option<Cost> {
        let space = self.map.space();
        if self.links.is_empty() {
            return self.answers.turning_points(space, from, to, points);
        }
        points.clear();
        let (states, cost) = self.path(from, to)?;
        points.extend(Path::new(space, &states, cost).turning_points());
        Some(cost)
    }
}

/// Finds ways through a [`Map`]: build it once, and ask it as often as you like, from as many threads as you
/// like.
///
/// A copy is cheap: it shares everything. No question changes the navigator. Beacons
/// answer without a search; transit nodes look around both ends, and search the map where they know no way.
///
/// ```
/// use surefoot::Map;
///
/// let map = Map::from_art("......\n.####.\n......")?;
/// let nav = map.navigator()?;
/// let path = nav.path((1, 0), (1, 2))?.expect("there is a way");
/// assert_eq!(path.moves(), 4);
/// assert_eq!(path.cost().to_f64(), 4.0);
/// assert_eq!(nav.nearest_of((1, 0), [(5, 2), (2, 0)])?.map(|(place, _)| place), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Navigator {
    snapshot: Arc<Snapshot>,
}

impl Navigator {
    fn of(map: &Map, database: Arc<dyn Database>) -> Result<Self, NavigatorError> {
        Ok(Self { snapshot: Arc::new(Snapshot::new(map.clone(), database, false)?) })
    }

    /// Opens a navigator from the bytes that [`to_bytes`](Self::to_bytes) gave for the same map.
    ///
    /// # Errors
    /// If the bytes are damaged, of another version, or belong to another map.
    pub fn from_bytes(map: &Map, bytes: &[u8]) -> Result<Self, NavigatorError> {
        Self::of(map, CORE.open(map.space(), bytes.to_vec())?)
    }

    /// Opens a navigator from a file that [`save`](Self::save) or `surefoot build` wrote for the same map.
    /// [`Map::navigator_cached`] builds it if there is none.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, of another version, or belongs to another map.
    #[cfg(feature = "std")]
    pub fn open(map: &Map, path: impl AsRef<FilePath>) -> Result<Self, NavigatorError> {
        Self::from_bytes(map, &file::read(path.as_ref())?)
    }

    /// Saves the navigator to a file. The file appears as a whole, or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    #[cfg(feature = "std")]
    pub fn save(&self, path: impl AsRef<FilePath>) -> Result<(), NavigatorError> {
        file::write(path.as_ref(), &self.to_bytes()?)
    }

    /// The navigator as bytes. The map is not in them. After an edit this takes about as long as a build.
    ///
    /// # Errors
    /// If an edited map has become too large for a file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NavigatorError> {
        let Snapshot { map, database, is_edited, .. } = &*self.snapshot;
        let renewed = if *is_edited { Some(database.renewed(map.space())?) } else { None };
        Ok(renewed.as_ref().unwrap_or(database).to_bytes().into_owned())
    }

    /// The map as it is now.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.snapshot.map
    }

    /// Whether all paths and walks are cheapest ones. That is so unless ground has weights or the map is very
    /// cluttered; then they seldom cost more than a few percent more.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.snapshot.answers.is_exact()
    }

    /// Whether it was built from these settings.
    #[must_use]
    pub fn is_built_from(&self, config: BeaconConfig) -> bool {
        let built = self.snapshot.database.config();
        built.is_equal(&config) || built.is_equal(&config.in_place())
    }

    /// The most planning that [`Walker::poll_move`] does in a call, whatever the start and the goal.
    #[must_use]
    pub fn work_bound(&self) -> Work {
        // Both kinds have one.
        let mut bound = self.snapshot.agent.bound().unwrap_or_default();
        if !self.snapshot.links.is_empty() {
            let (looks, questions) = self.snapshot.links.most_to_choose();
            bound.probes += looks + questions * self.snapshot.answers.question_bound();
        }
        bound
    }

    /// The bytes of all that was computed for the map, which all copies and walkers share.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.snapshot.database.memory_bytes()
    }

    /// A path from one cell to another; `None` if there is no way.
    ///
    /// # Errors
    /// If a cell lies outside the map or is blocked.
    pub fn path(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<Option<Path>, QueryError> {
        let space = self.space();
        let (from, to) = space.locate_ends(start.into(), goal.into())?;
        let path = self.snapshot.path(from, to);
        Ok(path.map(|(states, cost)| Path::new(space, &states, cost)))
    }

    /// Fills `points` with the cells at which the [path](Self::path) from one cell to another turns, start
    /// and goal included, and tells what the path costs. Between two of them all moves have one direction.
    /// `None` if there is no way; then there are no points.
    ///
    /// By beacons that takes less than the path: no cell in between is looked at, and nothing is allocated
    /// once the list has room.
    ///
    /// ```
    /// # use surefoot::{Cell, Map};
    /// let nav = Map::from_art("......\n.####.\n......")?.navigator()?;
    /// let mut points = Vec::new();
    /// let cost = nav.turning_points((1, 0), (1, 2), &mut points)?.expect("there is a way");
    /// assert_eq!(cost.to_f64(), 4.0);
    /// assert_eq!(points, [(1, 0), (0, 0), (0, 2), (1, 2)].map(Cell::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell lies outside the map or is blocked. Then the list is left as it is.
    pub fn turning_points(
        &self,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        points: &mut Vec<Cell>,
    ) -> Result<Option<PathCost>, QueryError> {
        let (from, to) = self.space().locate_ends(start.into(), goal.into())?;
        let cost = self.snapshot.turning_points(from, to, points);
        Ok(cost.map(|cost| self.space().path_cost(cost)))
    }

    /// A path pulled tight, at any angle, for a unit that is drawn between cells: straight lines from corner
    /// to corner, up to the first link. It is no longer than the path. [`GridSpace::smooth_ahead`] takes
    /// less, for the next lines only.
    ///
    /// # Errors
    /// If a unit cannot go along the path on this map: it is of another one, or of before an edit.
    pub fn smooth(&self, path: &Path) -> Result<SmoothPath, QueryError> {
        let cells = path.cells();
        let cells = if self.map().links().is_empty() { cells } else { self.space().up_to_link(cells) };
        self.space().smooth(cells)
    }

    /// What a path from one cell to another costs; `None` if there is no way.
    ///
    /// # Errors
    /// If a cell lies outside the map or is blocked.
    pub fn cost(
        &self,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
    ) -> Result<Option<PathCost>, QueryError> {
        let space = self.space();
        let (from, to) = space.locate_ends(start.into(), goal.into())?;
        Ok(self.snapshot.cost(from, to).map(|cost| space.path_cost(cost)))
    }

    /// Whether there is a way from one cell to another. Nothing is searched for that.
    ///
    /// # Errors
    /// If a cell lies outside the map or is blocked.
    pub fn reachable(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<bool, QueryError> {
        let (from, to) = self.space().locate_ends(start.into(), goal.into())?;
        Ok(self.snapshot.links.is_way(self.space(), from, to))
    }

    /// What paths from one cell to many others cost, in their order; `None` for those that there is no way
    /// to. That takes less than to ask for each.
    ///
    /// # Errors
    /// If a cell lies outside the map or is blocked.
    pub fn costs<C: Into<Cell>>(
        &self,
        start: impl Into<Cell>,
        goals: impl IntoIterator<Item = C>,
    ) -> Result<Vec<Option<PathCost>>, QueryError> {
        let space = self.space();
        let (from, goals) = self.locate_all(start.into(), goals)?;
        let costs = if self.snapshot.links.is_empty() {
            self.snapshot.answers.costs(space, from, &goals)
        } else {
            goals.iter().map(|&goal| self.snapshot.cost(from, goal)).collect()
        };
        Ok(costs.into_iter().map(|cost| cost.map(|cost| space.path_cost(cost))).collect())
    }

    /// The goal that is nearest to a cell by way: its place among the goals, and what a path there costs.
    /// `None` if there is no way to any of them. Equally near ones: the first.
    ///
    /// # Errors
    /// If a cell lies outside the map or is blocked.
    pub fn nearest_of<C: Into<Cell>>(
        &self,
        start: impl Into<Cell>,
        goals: impl IntoIterator<Item = C>,
    ) -> Result<Option<(usize, PathCost)>, QueryError> {
        let space = self.space();
        let (from, goals) = self.locate_all(start.into(), goals)?;
        let nearest = if self.snapshot.links.is_empty() {
            self.snapshot.answers.nearest_of(space, from, &goals)
        } else {
            let costs =
                (0..).zip(&goals).filter_map(|(place, &goal)| Some((self.snapshot.cost(from, goal)?, place)));
            costs.min().map(|(cost, place)| (place, cost))
        };
        Ok(nearest.map(|(place, cost)| (place, space.path_cost(cost))))
    }

    /// A unit on its way from one cell to another. If there is no way, its first move says so.
    ///
    /// # Errors
    /// If a cell lies outside the map or is blocked.
    pub fn walker(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<Walker, QueryError> {
        Walker::new(&self.snapshot, start.into(), goal.into())
    }

    /// Edits the map, and brings the navigator up to date: all answers are as good as before when this
    /// returns.
    ///
    /// What it takes depends on what has changed: a few corners' labels on maps with few walls, and up to a
    /// whole build where the map is large and cluttered (`is_exact` by labels of the core). A
    /// [`Crowd`](crate::Crowd) spreads the same work over its frames.
    ///
    /// Copies of the navigator, the map that it was built from, and walkers on their way stay as they are: an
    /// edit makes a new snapshot. [`Walker::follow`] takes a walker along.
    ///
    /// ```
    /// use surefoot::{Edit, Map};
    ///
    /// let mut nav = Map::from_art("......\n.####.\n......")?.navigator()?;
    /// let mut walker = nav.walker((1, 0), (1, 2))?;
    /// nav.edit([Edit::block((0, 1))])?;
    /// walker.follow(&nav)?; // the way by the left is closed now
    /// while let Some(cell) = walker.next_move()? {
    ///     assert_ne!(cell, (0, 1).into());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell lies outside the map, or a weight cannot be, or there can be no navigator of the map as it
    /// would be. Then nothing has changed.
    pub fn edit(&mut self, edits: impl IntoIterator<Item = Edit>) -> Result<(), NavigatorError> {
        let mut map = self.map().clone();
        let changed = map.make(edits)?;
        if !changed.is_empty() {
            let mut maintained = Arc::clone(&self.snapshot.database).maintained();
            let database = match maintained.edit_fully(map.space(), &changed) {
                Some(_) => maintained.database(),
                None => self.snapshot.database.renewed(map.space())?,
            };
            self.snapshot = Arc::new(Snapshot::new(map, database, true)?);
        }
        Ok(())
    }

    fn space(&self) -> &GridSpace {
        self.snapshot.map.space()
    }

    fn locate_all<C: Into<Cell>>(
        &self,
        start: Cell,
        goals: impl IntoIterator<Item = C>,
    ) -> Result<(State, Vec<State>), QueryError> {
        let start = self.space().locate(start).map_err(|error| error.at(Role::Start))?;
        let goal = |goal: C| self.space().locate(goal.into()).map_err(|error| error.at(Role::Goal));
        Ok((start, goals.into_iter().map(goal).collect::<Result<_, _>>()?))
    }
}

impl fmt::Debug for Navigator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Navigator").field("map", self.map()).field("is_exact", &self.is_exact()).finish()
    }
}
