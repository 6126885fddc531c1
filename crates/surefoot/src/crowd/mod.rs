//! Crowds: thousands of units on one map, one budget for all of them in every frame.
//!
//! What a game calls every frame. A [`Crowd`] has a map and [kinds](Kind) of units, each with its own view of
//! the map and one database that all its units share; units are added, get goals, and every
//! [frame](Crowd::frame) moves them on:
//!
//! ```
//! use surefoot::crowd::{Crowd, FrameBudget, Kind, Priority};
//! use surefoot::formats::grid_from_art;
//! use surefoot::space::{Cell, CostModel, MoveRule};
//!
//! let grid = grid_from_art(
//!     "......
//!      .####.
//!      ......",
//! )?;
//! let mut crowd = Crowd::new(grid);
//! let scouts = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2))?;
//! let unit = crowd.add(scouts, Cell::new(1, 0), Cell::new(1, 2), Priority::Normal)?;
//! for _ in 0..4 {
//!     let report = crowd.frame(FrameBudget::Work(10_000));
//!     assert_eq!(report.moves.len(), 1);
//! }
//! assert_eq!(crowd.position(unit)?, Cell::new(1, 2));
//! assert_eq!(crowd.report().arrived, [unit]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/play/crowd.md` has the whole of it: budgets and waits, priorities, maps that change, memory, saving.
//!
//! - `kind.rs`: what a kind of units sees and walks by. `walker.rs`: what makes one unit walk. `unit.rs`:
//!   what is kept of it.
//! - `lane.rs`: who is served in a frame, in which order. `frame.rs`: what a frame may take and what came of
//!   it.
//! - `links.rs`: doors, ladders and teleporters.
//! - `edits.rs`: maps that change. `databases.rs`: how databases follow. `upkeep.rs`: what of that can wait.
//!   `weights.rs`: ground that changes its price. `building.rs`: kinds that are built while the game runs.

mod building;
mod databases;
mod edits;
mod error;
mod frame;
mod groups;
mod kind;
mod lane;
mod links;
mod memory;
mod occupied;
mod orders;
mod pace;
mod pursuit;
mod questions;
mod saved;
mod saved_groups;
mod saved_kind;
mod settings;
mod squares;
#[cfg(test)]
mod tests;
mod trades;
mod tuning;
mod unit;
mod upkeep;
mod walker;
mod weights;

use alloc::collections::{BTreeMap, VecDeque};
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use self::building::{BuiltKind, KindBuild};
pub use self::error::CrowdError;
pub use self::frame::{FrameBudget, FrameReport, Move};
use self::groups::Group;
pub use self::groups::GroupId;
pub use self::kind::{Kind, KindId};
use self::kind::{KindState, MOST_KINDS};
use self::lane::{LANES, Lane, Round};
pub use self::links::LinkId;
pub use self::memory::CrowdMemory;
use self::occupied::{Occupants, Traffic};
use self::pace::Pace;
pub use self::pace::{Progress, Speed};
use self::unit::Unit;
pub use self::unit::{Priority, UnitId, UnitStatus};
use self::walker::UnitWalker;
use crate::space::{Cell, FastDivision, Grid, GridSpace, Role, State};

/// The most units in a crowd.
const MOST_UNITS: u32 = 1 << 26;

/// How a crowd behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrowdConfig {
    /// A unit that has waited for so many frames counts as one of high priority.
    pub patience: u16,
    /// The most states that a unit may learn a value of. One that has more forgets them, and goes on by
    /// beacons or by an exact search in slices until it gets another goal.
    pub most_learned: u64,
    /// How often a unit that goes by beacons may have to choose its way anew, because of edits, without
    /// having got nearer to its goal since. One that had to more often goes on by an exact search in slices
    /// until it gets another goal.
    pub most_choices: u16,
    /// Whether no two units may stand on one cell. Then they wait for each other, step aside and give way
    /// (`docs/play/crowd.md` says how, and what that is not). It takes four bytes for each cell of the map.
    pub are_units_obstacles: bool,
    /// Whether units are served on all threads of the pool at hand (feature `rayon`). It makes no difference
    /// to what they do.
    pub is_parallel: bool,
}

impl Default for CrowdConfig {
    fn default() -> Self {
        Self {
            patience: 8,
            most_learned: 1000,
            most_choices: 8,
            are_units_obstacles: false,
            is_parallel: false,
        }
    }
}

impl CrowdConfig {
    /// The most that a unit takes on each of its next turns, as long as patience lasts. `None` if there is no
    /// bound.
    fn turn_bound(&self, walker: &UnitWalker, kind: &KindState, pace: Option<Pace>) -> Option<u64> {
        if let Some(turns) = pace.map(Pace::most_turns).filter(|&turns| turns > 1) {
            return kind.bound.map(|bound| bound.saturating_mul(turns));
        }
        let is_beacons = matches!(walker, UnitWalker::Beacons(_));
        if is_beacons && (self.are_units_obstacles || kind.may_have_work() || kind.links.were_there()) {
            // It chooses its way anew when others push it aside, when its beacons are put right, and behind
            // every link. It may push others itself.
            let pushes = if self.are_units_obstacles { u64::from(tuning::MOST_IN_FRONT) + 1 } else { 0 };
            return kind.bound.map(|bound| bound.saturating_add(pushes));
        }
        // Those who are on a climb for so long are still on it when they are served before whoever has lost
        // patience.
        walker.bound(kind, u32::from(self.patience).saturating_add(3), self.most_learned)
    }
}

/// Units on a map, and all that they share.
#[derive(Clone)]
pub struct Crowd {
    config: CrowdConfig,
    map: Grid,
    /// What tells the map from others, edits included.
    map_mark: u64,
    kinds: Vec<KindState>,
    lanes: Vec<Lane>,
    /// Slots that were used and are free, the first to become so first.
    free: VecDeque<u32>,
    /// Who stands where, if that matters.
    occupants: Option<Occupants>,
    /// Units that were sent together, until they have settled.
    groups: BTreeMap<GroupId, Group>,
    /// The name that the next group gets.
    next_group: u32,
    /// Memory for the moves of a frame.
    traffic: Traffic,
    frame: u32,
    /// Work on databases that was done and is still to be paid from the budgets of frames.
    debt: u64,
    report: Arc<FrameReport>,
}

impl Crowd {
    /// An empty crowd on a map: a [`Grid`], or the cells of a [`Map`](crate::Map).
    #[must_use]
    pub fn new(map: impl Into<Grid>) -> Self {
        Self::with_config(map, CrowdConfig::default())
    }

    /// The same, with other than the usual settings.
    #[must_use]
    pub fn with_config(map: impl Into<Grid>, config: CrowdConfig) -> Self {
        let map = map.into();
        let lanes = (0..LANES as u32).map(|number| Lane { number, ..Lane::default() }).collect();
        Self {
            config,
            occupants: config.are_units_obstacles.then(|| Occupants::new(&map)),
            map_mark: map.fingerprint(),
            map,
            kinds: Vec::new(),
            lanes,
            free: VecDeque::new(),
            groups: BTreeMap::new(),
            next_group: 0,
            traffic: Traffic::default(),
            frame: 0,
            debt: 0,
            report: Arc::default(),
        }
    }

    /// Adds a kind of units. If it has no database and needs one, that is built now.
    ///
    /// # Errors
    /// If there is no such algorithm, or the weights, links or the database are for another map, or there are
    /// too many kinds.
    pub fn add_kind(&mut self, mut kind: Kind) -> Result<KindId, CrowdError> {
        let links = core::mem::take(&mut kind.links);
        let before = (self.map_mark, self.debt);
        let id = self.add_kind_state(|map| KindState::new(kind, map))?;
        let added = links.into_iter().try_for_each(|link| self.add_link(id, link).map(drop));
        if let Err(error) = added {
            self.kinds.pop();
            (self.map_mark, self.debt) = before;
            return Err(error);
        }
        Ok(id)
    }

    fn add_kind_state(
        &mut self,
        make: impl FnOnce(&Grid) -> Result<KindState, CrowdError>,
    ) -> Result<KindId, CrowdError> {
        if self.kinds.len() == MOST_KINDS {
            return Err(CrowdError::TooManyKinds);
        }
        self.kinds.push(make(&self.map)?);
        Ok(KindId((self.kinds.len() - 1) as u8))
    }

    /// Adds a unit. It is on its way from the next frame on.
    ///
    /// # Errors
    /// If there is no such kind, or it cannot stand on the start or the goal, or there are too many units.
    pub fn add(
        &mut self,
        kind: KindId,
        start: Cell,
        goal: Cell,
        priority: Priority,
    ) -> Result<UnitId, CrowdError> {
        let state = self.kinds.get(usize::from(kind.0)).ok_or(CrowdError::NoKind(kind))?;
        let place = state.locate(&self.map, Role::Start, start)?;
        let goal = state.locate(&self.map, Role::Goal, goal)?;
        let size = state.kind.size;
        let walker = UnitWalker::begin(state, place, goal)?;
        let bound = self.config.turn_bound(&walker, state, None);
        if let Some(occupants) = &self.occupants
            && !occupants.is_room(&self.map, start, size, u32::MAX - 1)
        {
            return Err(CrowdError::Taken(start));
        }
        let slot = self.take_slot()?;
        if let Some(occupants) = &mut self.occupants {
            occupants.put(&self.map, start, size, slot);
        }
        let frame = self.frame;
        let unit = self.slot_mut(slot);
        let generation = unit.generation.wrapping_add(1);
        *unit = Unit { walker, generation, kind: kind.0, priority, ..Unit::NOBODY };
        unit.set_out(frame);
        let lane = &mut self.lanes[slot as usize % LANES];
        lane.counts[priority as usize] += 1;
        lane.note_goal(bound);
        lane.set_course(slot as usize / LANES, &self.kinds[usize::from(kind.0)], goal);
        Ok(UnitId { slot, generation })
    }

    /// Removes a unit.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn remove(&mut self, unit: UnitId) -> Result<(), CrowdError> {
        let place = self.position(unit)?;
        let size = self.size_of(unit.slot);
        if let Some(occupants) = &mut self.occupants {
            occupants.take(&self.map, place, size);
        }
        self.leave_group(unit.slot);
        let removed = self.slot_mut(unit.slot);
        let priority = removed.priority;
        *removed = Unit { generation: removed.generation, ..Unit::NOBODY };
        let lane = &mut self.lanes[unit.slot as usize % LANES];
        lane.counts[priority as usize] -= 1;
        lane.clear(unit.slot as usize / LANES);
        lane.forget_pace(unit.slot as usize / LANES);
        lane.pursuits.remove(&(unit.slot / LANES as u32));
        lane.courses.remove(&(unit.slot / LANES as u32));
        self.free.push_back(unit.slot);
        Ok(())
    }

    /// Moves everyone on who is on the way, as far as the budget goes.
    ///
    /// The report is shared with the crowd, which can be used while it is read. Its memory serves again in
    /// the next frame if it was dropped by then.
    pub fn frame(&mut self, budget: FrameBudget<'_>) -> Arc<FrameReport> {
        self.frame = self.frame.wrapping_add(1);
        if Arc::get_mut(&mut self.report).is_none() {
            // Somebody keeps the last one.
            self.report = Arc::default();
        }
        Arc::make_mut(&mut self.report).begin(self.frame);
        let settled = self.settle_edits().saturating_add(self.settle_links());
        self.debt = self.debt.saturating_add(settled);
        self.aim();
        self.gather();
        let (work, time_left) = match budget {
            FrameBudget::Everyone => (None, None),
            FrameBudget::Work(work) => (Some(self.pay_debt(work)), None),
            FrameBudget::Time(time_left) => (None, Some(time_left)),
        };
        // In another frame half of it may go to databases.
        let is_upkeep_due = self.debt > 0 || self.kinds.iter().any(KindState::may_have_work);
        let least = match budget {
            FrameBudget::Work(work) if is_upkeep_due => Some(work - work / 2),
            FrameBudget::Work(work) => Some(work),
            _ => None,
        };
        let units = self.len();
        let round = Round {
            frame: self.frame,
            kinds: &self.kinds,
            map_mark: self.map_mark,
            width: self.map.width(),
            config: self.config,
            are_units_obstacles: self.occupants.is_some(),
            time_left,
        };
        let serve = |lane: &mut Lane| {
            let of_lane = |work: u64| share(work, lane.count(), units);
            let (share, least) = (work.map(of_lane), least.map(of_lane));
            lane.serve(&round, share);
            lane.report.wait_bound = lane.state_wait_bound(&round, least);
        };
        #[cfg(feature = "rayon")]
        if self.config.is_parallel {
            use rayon::prelude::*;
            self.lanes.par_iter_mut().for_each(serve);
        } else {
            self.lanes.iter_mut().for_each(serve);
        }
        #[cfg(not(feature = "rayon"))]
        self.lanes.iter_mut().for_each(serve);
        self.make_room(work.is_some());
        let report = Arc::make_mut(&mut self.report);
        let columns = FastDivision::by(self.map.width());
        let cell = |state: State| {
            let (y, x) = columns.divide(state.0);
            Cell::new(x, y)
        };
        for lane in &self.lanes {
            report.add(&lane.report, &lane.proposed, cell);
        }
        let kept_up = self.keep_up(budget);
        self.debt = if work.is_some() { self.debt.saturating_add(kept_up) } else { 0 };
        Arc::make_mut(&mut self.report).upkeep = settled + kept_up;
        Arc::clone(&self.report)
    }

    /// What happened in the last frame.
    #[must_use]
    pub fn report(&self) -> &FrameReport {
        &self.report
    }

    /// How many units there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.lanes.iter().map(|lane| u64::from(lane.count())).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a unit stands.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn position(&self, unit: UnitId) -> Result<Cell, CrowdError> {
        self.unit(unit).map(|_| self.cell(self.place_of(unit.slot)))
    }

    /// Where a unit is to go.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn goal(&self, unit: UnitId) -> Result<Cell, CrowdError> {
        self.unit(unit).map(|_| self.cell(self.goal_of(unit.slot)))
    }

    /// How a unit is doing.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn status(&self, unit: UnitId) -> Result<UnitStatus, CrowdError> {
        self.unit(unit).map(|unit| unit.status)
    }

    /// All units, in the order of their slots in each lane.
    pub fn units(&self) -> impl Iterator<Item = UnitId> {
        self.lanes.iter().flat_map(|lane| {
            let places = (0..lane.units.len()).filter(|&at| !lane.units[at].walker.is_gone());
            places.map(|at| lane.id(at))
        })
    }

    /// The map.
    #[must_use]
    pub fn map(&self) -> &Grid {
        &self.map
    }

    /// What a kind of units sees of the map.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn space(&self, kind: KindId) -> Result<&GridSpace, CrowdError> {
        let state = self.kinds.get(usize::from(kind.0)).ok_or(CrowdError::NoKind(kind))?;
        Ok(&state.space)
    }

    /// The cell of a state. It is the same for all kinds of units.
    fn cell(&self, state: State) -> Cell {
        Cell::new(state.0 % self.map.width(), state.0 / self.map.width())
    }

    /// How the crowd behaves.
    #[must_use]
    pub fn config(&self) -> &CrowdConfig {
        &self.config
    }

    fn goal_of(&self, slot: u32) -> State {
        self.lanes[slot as usize % LANES].goal(slot as usize / LANES)
    }

    fn space_of(&self, unit: UnitId) -> Result<&GridSpace, CrowdError> {
        let unit = self.unit(unit)?;
        Ok(&self.kinds[usize::from(unit.kind)].space)
    }

    fn unit(&self, id: UnitId) -> Result<&Unit, CrowdError> {
        let unit = self.lanes[id.slot as usize % LANES].units.get(id.slot as usize / LANES);
        let is_it = |unit: &&Unit| unit.generation == id.generation && !unit.walker.is_gone();
        unit.filter(is_it).ok_or(CrowdError::NoUnit(id))
    }

    fn slot_mut(&mut self, slot: u32) -> &mut Unit {
        &mut self.lanes[slot as usize % LANES].units[slot as usize / LANES]
    }

    /// A slot that is free.
    fn take_slot(&mut self) -> Result<u32, CrowdError> {
        if let Some(slot) = self.free.pop_front() {
            return Ok(slot);
        }
        let slot: usize = self.lanes.iter().map(|lane| lane.units.len()).sum();
        if slot >= MOST_UNITS as usize {
            return Err(CrowdError::TooManyUnits);
        }
        let units = &mut self.lanes[slot % LANES].units;
        if units.len() == units.capacity() {
            // By an eighth: there may be many, and what is not used is lost.
            units.reserve_exact(units.len() / 8 + 4);
        }
        units.push(Unit::NOBODY);
        Ok(slot as u32)
    }
}

/// What a lane gets of a frame's work: in proportion to its units, and something in any case.
fn share(work: u64, of_lane: u32, of_all: u64) -> i64 {
    let share = u128::from(work) * u128::from(of_lane) / u128::from(of_all.max(1));
    i64::try_from(share).unwrap_or(i64::MAX / 4).clamp(1, i64::MAX / 4)
}

impl core::fmt::Debug for Crowd {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Crowd").field("units", &self.len()).field("frame", &self.frame).finish()
    }
}
