//! Questions about ways: what a unit has before it, what a way costs, what is nearest.
//!
//! The databases of kinds answer them in microseconds. While one is brought up to date after an edit, and for
//! kinds whose database answers nothing, an exact search does: so what is told is always of the map as it is.

use alloc::vec::Vec;

use super::edits::is_open;
use super::kind::KindState;
use super::walker::UnitWalker;
use super::{Crowd, CrowdError, KindId, UnitId};
use crate::agent::Step;
use crate::search::{GridPlanner, Meter, Planner as _};
use crate::space::{Cell, Cost, GridSpace, Path, PathCost, Role, SmoothPath, State, StateSpace as _};
use crate::store::{Answers, Sketch, View};

impl Crowd {
    /// The way that a unit has before it: every cell from where it stands to its goal. `None` if there is no
    /// way. Unless the map is edited, or others push it aside, a unit that goes by beacons walks just there.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn path(&self, unit: UnitId) -> Result<Option<Path>, CrowdError> {
        let (kind, place, goal) = self.errand(unit)?;
        let walker = &self.unit(unit)?.walker;
        if self.has_course(unit.slot) {
            // It heads for a link, or will.
            return Ok(kind.path(place, goal));
        }
        Ok(kind.foresee(walker, place, goal).or_else(|| kind.path(place, goal)))
    }

    /// The way that a unit has before it, [pulled tight](GridSpace::smooth) under its size, at any angle: for
    /// a unit that is drawn between cells. It ends at the first link, if there is one. `None` if there is no
    /// way.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn smooth_path(&self, unit: UnitId) -> Result<Option<SmoothPath>, CrowdError> {
        let space = &self.errand(unit)?.0.space;
        Ok(self.path(unit)?.map(|path| space.smooth(space.up_to_link(path.cells()))).transpose()?)
    }

    /// What is left of a unit's way. `None` if there is none.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn cost_left(&self, unit: UnitId) -> Result<Option<PathCost>, CrowdError> {
        let (kind, place, goal) = self.errand(unit)?;
        Ok(kind.costs(place, &[goal]).pop().flatten().map(|cost| kind.space.path_cost(cost)))
    }

    /// How many moves are left of a unit's way. `None` if there is none.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn moves_left(&self, unit: UnitId) -> Result<Option<usize>, CrowdError> {
        Ok(self.path(unit)?.map(|path| path.moves()))
    }

    /// A path that a unit of a kind could take from one cell to another. `None` if there is no way.
    ///
    /// # Errors
    /// If there is no such kind, or it cannot stand on one of the cells.
    pub fn path_between(
        &self,
        kind: KindId,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
    ) -> Result<Option<Path>, CrowdError> {
        let (kind, start, goals) = self.question(kind, start.into(), [goal])?;
        Ok(goals.first().and_then(|&goal| kind.path(start, goal)))
    }

    /// What a way costs for units of a kind. `None` if there is no way.
    ///
    /// # Errors
    /// If there is no such kind, or it cannot stand on one of the cells.
    pub fn cost(
        &self,
        kind: KindId,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
    ) -> Result<Option<PathCost>, CrowdError> {
        Ok(self.costs(kind, start, [goal])?.pop().flatten())
    }

    /// What ways to many goals cost, in their order; `None` for those that there is no way to. That takes
    /// less than to ask for each.
    ///
    /// # Errors
    /// If there is no such kind, or it cannot stand on one of the cells.
    pub fn costs<C: Into<Cell>>(
        &self,
        kind: KindId,
        start: impl Into<Cell>,
        goals: impl IntoIterator<Item = C>,
    ) -> Result<Vec<Option<PathCost>>, CrowdError> {
        let (kind, start, goals) = self.question(kind, start.into(), goals)?;
        let costs = kind.costs(start, &goals);
        Ok(costs.into_iter().map(|cost| cost.map(|cost| kind.space.path_cost(cost))).collect())
    }

    /// The goal that is nearest by way: its place among the goals, and what a way there costs. `None` if
    /// there is no way to any of them. Equally near ones: the first.
    ///
    /// # Errors
    /// If there is no such kind, or it cannot stand on one of the cells.
    pub fn nearest_of<C: Into<Cell>>(
        &self,
        kind: KindId,
        start: impl Into<Cell>,
        goals: impl IntoIterator<Item = C>,
    ) -> Result<Option<(usize, PathCost)>, CrowdError> {
        let (kind, start, goals) = self.question(kind, start.into(), goals)?;
        let nearest = match kind.answers().filter(|_| kind.links.are_none()) {
            Some(answers) => answers.with(|answers| answers.nearest_of(&kind.space, start, &goals)),
            None => {
                let costs = kind.costs(start, &goals).into_iter().enumerate();
                let found = costs.filter_map(|(place, cost)| Some((cost?, place)));
                found.min().map(|(cost, place)| (place, cost))
            }
        };
        Ok(nearest.map(|(place, cost)| (place, kind.space.path_cost(cost))))
    }

    /// What the database of a kind looks like as it is now: corners and legs of beacons, regions of covers.
    /// `None` if there is none yet, or until the next frame after an edit.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn sketch(&self, kind: KindId) -> Result<Option<Sketch>, CrowdError> {
        let state = self.kind_state(kind)?;
        let database = state.databases.main().filter(|_| state.changed.is_empty());
        Ok(database.and_then(|database| database.sketch(&state.space, &View::default()).ok()))
    }

    /// Whether there is a way for units of a kind. Nothing is searched for that.
    ///
    /// # Errors
    /// If there is no such kind, or it cannot stand on one of the cells.
    pub fn reachable(
        &self,
        kind: KindId,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
    ) -> Result<bool, CrowdError> {
        let (kind, start, goals) = self.question(kind, start.into(), [goal])?;
        Ok(goals.iter().all(|&goal| kind.is_way(start, goal)))
    }

    /// Where a unit stands and where it is to go.
    fn errand(&self, id: UnitId) -> Result<(&KindState, State, State), CrowdError> {
        let unit = self.unit(id)?;
        let kind = &self.kinds[usize::from(unit.kind)];
        Ok((kind, self.place_of(id.slot), self.goal_of(id.slot)))
    }

    fn question<C: Into<Cell>>(
        &self,
        kind: KindId,
        start: Cell,
        goals: impl IntoIterator<Item = C>,
    ) -> Result<(&KindState, State, Vec<State>), CrowdError> {
        let kind = self.kinds.get(usize::from(kind.0)).ok_or(CrowdError::NoKind(kind))?;
        let start = kind.locate(&self.map, Role::Start, start)?;
        let goal = |goal: C| kind.locate(&self.map, Role::Goal, goal.into());
        Ok((kind, start, goals.into_iter().map(goal).collect::<Result<_, _>>()?))
    }
}

/// What answers questions of a kind.
enum Answerer<'a> {
    Held(&'a dyn Answers),
    Shared(alloc::sync::Arc<dyn Answers>),
}

impl Answerer<'_> {
    fn with<T>(&self, ask: impl FnOnce(&dyn Answers) -> T) -> T {
        match self {
            Self::Held(answers) => ask(*answers),
            Self::Shared(answers) => ask(&**answers),
        }
    }
}

impl KindState {
    /// The database that answers questions. `None` if there is none, or it does not know the map as it is.
    fn answers(&self) -> Option<Answerer<'_>> {
        let main = self.databases.main.as_ref();
        if !self.changed.is_empty() || main.is_none_or(super::databases::Held::is_upkeep_due) {
            return None;
        }
        match self.guide() {
            Some(guide) => Some(Answerer::Held(guide.database)),
            None => main?.database().answers().map(Answerer::Shared),
        }
    }

    fn costs(&self, start: State, goals: &[State]) -> Vec<Option<Cost>> {
        if !self.links.are_none() {
            return self.costs_over_links(start, goals, self.answers().is_some());
        }
        let is_there = |&goal: &State| is_open(&self.space, start, goal);
        match self.answers().filter(|_| goals.iter().all(is_there)) {
            Some(answers) => answers.with(|answers| answers.costs(&self.space, start, goals)),
            None => {
                goals.iter().map(|&goal| self.path(start, goal).map(|path| path.cost().amount())).collect()
            }
        }
    }

    fn path(&self, start: State, goal: State) -> Option<Path> {
        if !self.links.are_none() {
            return self.path_over_links(start, goal, self.answers().is_some());
        }
        if !is_open(&self.space, start, goal) {
            return None;
        }
        let (states, cost) = match self.answers() {
            Some(answers) => answers.with(|answers| answers.path(&self.space, start, goal))?,
            None => {
                let found = GridPlanner::fastest().plan(&self.space, start, goal).ok()?.path?;
                (found.states, found.cost)
            }
        };
        Some(Path::new(&self.space, &states, cost))
    }

    /// The way that a walker by beacons will take from its unit's place. `None` if that cannot be told.
    fn foresee(&self, walker: &UnitWalker, place: State, goal: State) -> Option<Path> {
        let UnitWalker::Beacons(walker) = walker else { return None };
        if !is_open(&self.space, place, goal) {
            // One that stands on its goal has arrived there, even if that was blocked since.
            return None;
        }
        let guide = self.guide().filter(|_| self.answers().is_some())?;
        let mut walker = walker.clone();
        let mut states = Vec::from([place]);
        if walker.position() != place {
            // The move that others held it up in.
            states.push(walker.position());
        }
        while states.len() <= self.space.state_limit() {
            match walker.step(guide, &mut Meter::new()) {
                Step::Moved(next) => states.push(next),
                Step::Waiting => {}
                Step::Arrived => break,
                Step::Unreachable | Step::Stuck => return None,
            }
        }
        let cost = cost_of(&self.space, &states).filter(|_| states.last() == Some(&goal))?;
        Some(Path::new(&self.space, &states, cost))
    }
}

/// What a row of moves costs. `None` if one of them cannot be made.
fn cost_of(space: &GridSpace, states: &[State]) -> Option<Cost> {
    states.windows(2).try_fold(0, |sum: Cost, ends| {
        let mut cost = None;
        space.for_each_successor(ends[0], |next, move_cost| {
            if next == ends[1] {
                cost = Some(move_cost);
            }
        });
        sum.checked_add(cost?)
    })
}
