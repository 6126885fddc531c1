//! The way through a map: paths, costs, and walkers that make one move per call.
//!
//! A [`Navigator`] is a map and what was computed for it once. It goes by beacons where corners of walls are
//! few, which is exact, and by transit nodes where ground has weights or is cluttered (`technique.rs`).
//!
//! A navigator and its walkers share one *revision* of the map, which never changes. An edit makes a new
//! revision. So nothing is locked, and what a walker does depends on nothing but its own calls.

mod builder;
mod error;
#[cfg(feature = "std")]
mod file;
mod path;
mod progress;
mod technique;
#[cfg(test)]
mod tests;
mod walker;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "std")]
use std::path::Path as FilePath;

pub use self::builder::NavigatorBuilder;
pub use self::error::{NavigatorError, NoWay};
pub use self::path::Path;
pub use self::progress::{BuildProgress, BuildStage};
use self::technique::Technique;
pub use self::walker::Walker;
use crate::database::BeaconConfig;
use crate::map::{Edit, Map};
use crate::search::{Answer, GridPlanner, Planner as _, Work};
use crate::space::{Cell, Cost, GridSpace, PathCost, QueryError, Role, State, StateSpace as _};

/// A map and what was computed for it. It never changes.
struct Revision {
    map: Map,
    technique: Arc<dyn Technique>,
    /// Whether the map was edited since this was built: then its bytes have to be made anew.
    is_edited: bool,
}

/// Finds ways through a [`Map`]: build it once, and ask it as often as you like, from as many threads as you
/// like.
///
/// A copy is cheap: it shares everything. No question searches the map, and none changes the navigator.
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
    revision: Arc<Revision>,
}

impl Navigator {
    fn of(map: &Map, technique: Arc<dyn Technique>) -> Self {
        Self { revision: Arc::new(Revision { map: map.clone(), technique, is_edited: false }) }
    }

    /// Opens a navigator from the bytes that [`to_bytes`](Self::to_bytes) gave for the same map.
    ///
    /// # Errors
    /// If the bytes are damaged, of another version, or belong to another map.
    pub fn from_bytes(map: &Map, bytes: &[u8]) -> Result<Self, NavigatorError> {
        Ok(Self::of(map, technique::open(map.space(), bytes)?))
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
        let Revision { map, technique, is_edited } = &*self.revision;
        if *is_edited { Ok(technique.renewed_bytes(map.space())?) } else { Ok(technique.bytes().to_vec()) }
    }

    /// The map as it is now.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.revision.map
    }

    /// Whether all paths and walks are cheapest ones. That is so unless ground has weights or the map is very
    /// cluttered; then they seldom cost more than a few percent more.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.revision.technique.is_exact()
    }

    /// Whether it was built from these settings.
    #[must_use]
    pub fn is_built_from(&self, config: BeaconConfig) -> bool {
        self.revision.technique.is_built_from(config)
    }

    /// The most planning that [`Walker::poll_move`] does in a call, whatever the start and the goal.
    #[must_use]
    pub fn work_bound(&self) -> Work {
        technique::bound(&self.revision.technique)
    }

    /// The bytes of all that was computed for the map, which all copies and walkers share.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.revision.technique.memory_bytes()
    }

    /// A path from one cell to another; `None` if there is no way.
    ///
    /// # Errors
    /// If a cell lies outside the map or is blocked.
    pub fn path(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<Option<Path>, QueryError> {
        let (space, technique) = (self.space(), &self.revision.technique);
        let (from, to) = space.locate_ends(start.into(), goal.into())?;
        if !is_open(space, from, to) {
            return Ok(None);
        }
        let path = technique.path(space, from, to).or_else(|| search(space, from, to)?.path);
        Ok(path.map(|path| Path::new(space, &path)))
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
        let (space, technique) = (self.space(), &self.revision.technique);
        let (from, to) = space.locate_ends(start.into(), goal.into())?;
        let cost = || technique.cost(space, from, to).or_else(|| search_cost(space, from, to));
        Ok(is_open(space, from, to).then(cost).flatten().map(|cost| space.path_cost(cost)))
    }

    /// Whether there is a way from one cell to another. Nothing is searched for that.
    ///
    /// # Errors
    /// If a cell lies outside the map or is blocked.
    pub fn reachable(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<bool, QueryError> {
        let (from, to) = self.space().locate_ends(start.into(), goal.into())?;
        Ok(is_open(self.space(), from, to))
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
        let costs = self.revision.technique.costs(space, from, &goals);
        let missing =
            |goal: State| is_open(space, from, goal).then(|| search_cost(space, from, goal)).flatten();
        let costs = costs.into_iter().zip(goals).map(|(cost, goal)| cost.or_else(|| missing(goal)));
        Ok(costs.map(|cost| cost.map(|cost| space.path_cost(cost))).collect())
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
        let nearest = self.revision.technique.nearest_of(space, from, &goals);
        Ok(nearest.map(|(place, cost)| (place, space.path_cost(cost))))
    }

    /// A unit on its way from one cell to another. If there is no way, its first move says so.
    ///
    /// # Errors
    /// If a cell lies outside the map or is blocked.
    pub fn walker(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<Walker, QueryError> {
        Walker::new(&self.revision, start.into(), goal.into())
    }

    /// Edits the map, and brings the navigator up to date: all answers are as good as before when this
    /// returns.
    ///
    /// Copies of the navigator, the map that it was built from, and walkers on their way stay as they are: an
    /// edit makes a new revision. [`Walker::follow`] takes a walker along.
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
    /// If a cell lies outside the map, or a weight cannot be. Then nothing has changed.
    pub fn edit(&mut self, edits: impl IntoIterator<Item = Edit>) -> Result<(), NavigatorError> {
        let mut map = self.map().clone();
        let changed = map.make(edits)?;
        if !changed.is_empty() {
            let technique = self.revision.technique.repaired(map.space(), &changed)?;
            self.revision = Arc::new(Revision { map, technique, is_edited: true });
        }
        Ok(())
    }

    fn space(&self) -> &GridSpace {
        self.revision.map.space()
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

/// Whether a way leads from one free state to another.
fn is_open(space: &GridSpace, from: State, to: State) -> bool {
    space.reachability(from, to) != crate::space::Reachability::No
}

/// A path by search: where transit nodes know of none, though there is one.
fn search(space: &GridSpace, from: State, to: State) -> Option<Answer> {
    GridPlanner::fastest().plan(space, from, to).ok()
}

fn search_cost(space: &GridSpace, from: State, to: State) -> Option<Cost> {
    search(space, from, to)?.cost()
}
