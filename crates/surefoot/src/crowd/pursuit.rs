//! Units that pursue others.
//!
//! A pursuer heads for where its target was when it last looked, and looks again when it is there, or when
//! the target has moved by a quarter of what is left of the way: near a target that is often, far from it
//! seldom.
//!
//! Where it cannot get to the target, it goes to the nearest state that it can get to. To find that takes a
//! search, which is done in slices, one on each of its turns; meanwhile it goes on as it was. All of it is
//! charged to the unit.

use alloc::sync::Arc;

use super::kind::KindState;
use super::lane::LANES;
use super::tuning::{PARTS, RUNS, RUNS_A_UNIT};
use super::unit::{Unit, UnitStatus};
use super::{Crowd, CrowdError, UnitId};
use crate::search::Meter;
use crate::space::{Cell, Cost, Heuristic as _, NearestSearch, State, StateSpace as _};

/// The most work of a look.
pub(super) const LOOK_WORK: u64 = 1 + RUNS / RUNS_A_UNIT;

/// What a pursuer knows of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pursuit {
    pub(super) target: UnitId,
    /// Where the target stands in this frame.
    there: State,
    /// Whether the pursuer has nothing to do until it has looked.
    pub(super) is_idle: bool,
    /// The target's place for which the goal was found, if the target could not be got to. And the map, if it
    /// was the same all the while.
    pub(super) seen: Option<(State, Option<u64>)>,
    /// The search for the nearest state, and the map, if it was the same all the while.
    pub(super) search: Option<(NearestSearch, Option<u64>)>,
}

/// What comes of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// The unit goes on.
    GoOn,
    /// It has another goal.
    NewGoal,
    /// It stands on its goal, and is still looking.
    Wait,
    /// It stands as near to its target as it can, as it did before.
    Stay,
}

impl Pursuit {
    pub(super) fn new(target: UnitId) -> Self {
        Self { target, there: State(0), is_idle: true, seen: None, search: None }
    }

    /// Looks where the target is, on the turn of a pursuer that stands at a place and has a goal.
    pub(super) fn look(
        &mut self,
        unit: &mut Unit,
        (kind, map_mark): (&KindState, u64),
        (place, goal): (State, State),
        meter: &mut Meter,
    ) -> Look {
        meter.charge_probes(1);
        let (space, there) = (&kind.space, self.there);
        if !space.contains(place) {
            return Look::GoOn;
        }
        let is_idle = core::mem::take(&mut self.is_idle);
        let has_looked = self.seen.is_some();
        let is_due = |moved: Cost| {
            is_idle || place == goal || moved.saturating_mul(PARTS) >= space.estimate(place, goal)
        };
        let aim = if kind.is_way(place, there) {
            (self.seen, self.search) = (None, None);
            if !is_due(space.estimate(goal, there)) {
                return Look::GoOn;
            }
            there
        } else {
            if self.search.is_none() {
                let moved = self.seen.map_or(Cost::MAX, |(seen, _)| space.estimate(seen, there));
                if self.seen == Some((there, Some(map_mark))) && !is_idle || !is_due(moved) {
                    return Look::GoOn;
                }
                let search = NearestSearch::new(space, space.cell(place), space.cell(there));
                self.search = Some((search, Some(map_mark)));
            }
            match self.search_on((kind, map_mark), place, meter) {
                Some(found) => found,
                None if place == goal => return Look::Wait,
                None => return Look::GoOn,
            }
        };
        if aim != goal && unit.walker.set_goal(kind, place, aim).is_ok() {
            return Look::NewGoal;
        }
        if place == goal && has_looked { Look::Stay } else { Look::GoOn }
    }

    /// Does a slice of the search. The nearest state, once it is found.
    fn search_on(
        &mut self,
        (kind, map_mark): (&KindState, u64),
        place: State,
        meter: &mut Meter,
    ) -> Option<State> {
        let (search, mark) = self.search.as_mut()?;
        *mark = mark.filter(|mark| *mark == map_mark);
        let among = kind.reached_from(place);
        let (looked, found) = search.advance_among(&kind.space, place, &among, RUNS);
        meter.charge_probes(looked.div_ceil(RUNS_A_UNIT));
        let found = found?;
        self.seen = Some((kind.space.state(search.target), *mark));
        self.search = None;
        Some(kind.space.state(found))
    }
}

impl Crowd {
    /// Lets a unit pursue another until it gets a goal of its own. It has arrived whenever it stands where
    /// its target stands; where no two may stand on one cell, next to it. Where it cannot get there it looks
    /// for the nearest state that it can get to, and counts as walking while it looks.
    ///
    /// # Errors
    /// If one of them does not exist, or both are the same.
    pub fn pursue(&mut self, unit: UnitId, target: UnitId) -> Result<(), CrowdError> {
        self.unit(unit)?;
        self.unit(target)?;
        if unit == target {
            return Err(CrowdError::PursuesItself(unit));
        }
        self.leave_group(unit.slot);
        let lane = &mut self.lanes[unit.slot as usize % LANES];
        let at = unit.slot / LANES as u32;
        lane.pursuits.insert(at, Pursuit::new(target));
        let pursuer = &mut lane.units[at as usize];
        pursuer.set_out(self.frame);
        let bound = self.kinds[usize::from(pursuer.kind)].bound;
        lane.note_goal(bound.map(|bound| bound.saturating_add(LOOK_WORK)));
        Ok(())
    }

    /// Whom a unit pursues, if it does.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn target(&self, unit: UnitId) -> Result<Option<UnitId>, CrowdError> {
        self.unit(unit)?;
        let pursuits = &self.lanes[unit.slot as usize % LANES].pursuits;
        Ok(pursuits.get(&(unit.slot / LANES as u32)).map(|pursuit| pursuit.target))
    }

    /// Tells pursuers where their targets are, and wakes those that have to look. It takes as long for each
    /// of them, whatever the map: they look on their turns.
    pub(super) fn aim(&mut self) {
        for lane in 0..self.lanes.len() {
            let mut pursuits = core::mem::take(&mut self.lanes[lane].pursuits);
            pursuits.retain(|&at, pursuit| {
                let is_there = self.unit(pursuit.target).is_ok();
                if is_there {
                    self.aim_at(lane, at as usize, pursuit);
                } else {
                    let id = self.lanes[lane].id(at as usize);
                    Arc::make_mut(&mut self.report).lost.push(id);
                }
                is_there
            });
            self.lanes[lane].pursuits = pursuits;
        }
    }

    fn aim_at(&mut self, lane: usize, at: usize, pursuit: &mut Pursuit) {
        let (place, id) = (self.lanes[lane].place(at), self.lanes[lane].id(at));
        let there = self.place_of(pursuit.target.slot);
        pursuit.there = there;
        let sizes = (self.size_of(id.slot), self.size_of(pursuit.target.slot));
        let (cell, target) = (self.cell(place), self.cell(there));
        let unit = &mut self.lanes[lane].units[at];
        if self.occupants.is_some() && do_touch(cell, sizes.0, target, sizes.1) {
            if unit.status != UnitStatus::Arrived {
                unit.status = UnitStatus::Arrived;
                Arc::make_mut(&mut self.report).arrived.push(id);
            }
            return;
        }
        let kind = &self.kinds[usize::from(unit.kind)];
        if unit.status != UnitStatus::Walking
            && kind.space.contains(place)
            && place != there
            && pursuit.seen != Some((there, Some(self.map_mark)))
        {
            pursuit.is_idle = true;
            unit.set_out(self.frame.wrapping_sub(1));
        }
    }

    pub(super) fn place_of(&self, slot: u32) -> State {
        self.lanes[slot as usize % LANES].place(slot as usize / LANES)
    }

    pub(super) fn size_of(&self, slot: u32) -> u32 {
        let unit = &self.lanes[slot as usize % LANES].units[slot as usize / LANES];
        self.kinds[usize::from(unit.kind)].kind.size
    }
}

/// Whether two squares touch or overlap.
fn do_touch(a: Cell, a_size: u32, b: Cell, b_size: u32) -> bool {
    let near = |a: u32, b: u32| a <= b.saturating_add(b_size) && b <= a.saturating_add(a_size);
    near(a.x, b.x) && near(a.y, b.y)
}
