//! Units that pursue others.
//!
//! A pursuer heads for where its target was when it last looked, and looks again when it is there, or when the target has moved by a quarter of
//! what is left of the way: near a target that is often, far from it seldom. Where it cannot get to the target, it goes to the nearest state that it
//! can get to.

use super::lane::LANES;
use super::unit::UnitStatus;
use super::{Crowd, CrowdError, UnitId};
use crate::space::{Cell, Heuristic as _, Reachability, State, StateSpace as _};

/// A pursuer looks again when its target has moved by one part in so many of what is left of the way.
const PARTS: u64 = 4;

impl Crowd {
    /// Lets a unit pursue another until it gets a goal of its own. It has arrived whenever it stands where its target stands; where no two may stand on
    /// one cell, next to it.
    ///
    /// # Errors
    /// If one of them does not exist, or both are the same.
    pub fn pursue(&mut self, unit: UnitId, target: UnitId) -> Result<(), CrowdError> {
        self.unit(unit)?;
        self.unit(target)?;
        if unit == target {
            return Err(CrowdError::PursuesItself(unit));
        }
        self.pursuits.insert(unit.slot, target);
        let frame = self.frame;
        self.slot_mut(unit.slot).set_out(frame);
        Ok(())
    }

    /// Whom a unit pursues, if it does.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn target(&self, unit: UnitId) -> Result<Option<UnitId>, CrowdError> {
        self.unit(unit)?;
        Ok(self.pursuits.get(&unit.slot).copied())
    }

    /// Lets pursuers look where their targets are.
    pub(super) fn aim(&mut self) {
        let mut pursuits = core::mem::take(&mut self.pursuits);
        pursuits.retain(|&slot, &mut target| match self.unit(target) {
            Ok(_) => {
                self.aim_at(slot, self.place_of(target.slot), self.size_of(target.slot));
                true
            }
            Err(_) => {
                let id = self.lanes[slot as usize % LANES].id(slot as usize / LANES);
                self.report.lost.push(id);
                false
            }
        });
        self.pursuits = pursuits;
    }

    fn aim_at(&mut self, slot: u32, target: State, size: u32) {
        let (lane, at) = (slot as usize % LANES, slot as usize / LANES);
        let place = self.place_of(slot);
        let own_size = self.size_of(slot);
        let id = self.lanes[lane].id(at);
        let cells = (self.cell(place), self.cell(target));
        let unit = &mut self.lanes[lane].units[at];
        if self.occupants.is_some() && do_touch(cells.0, own_size, cells.1, size) {
            if unit.status != UnitStatus::Arrived {
                unit.status = UnitStatus::Arrived;
                self.report.arrived.push(id);
            }
            return;
        }
        let kind = &self.kinds[usize::from(unit.kind)];
        let space = &kind.space;
        if !space.contains(place) {
            return;
        }
        let is_open = space.contains(target) && space.reachability(place, target) != Reachability::No;
        let aim = if is_open { target } else { space.nearest_reachable(place, cells.1) };
        let goal = unit.walker.goal();
        let (moved, left) = (space.estimate(goal, aim), space.estimate(place, goal));
        let is_at_end = unit.status != UnitStatus::Walking || place == goal;
        if aim != goal
            && (is_at_end || moved.saturating_mul(PARTS) >= left)
            && unit.walker.set_goal(kind, place, aim).is_ok()
        {
            self.lanes[lane].clear(at);
            let frame = self.frame.wrapping_sub(1);
            self.lanes[lane].units[at].set_out(frame);
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
