//! What units are told: where to go, to stop, where to stand.

use alloc::vec::Vec;

use super::lane::LANES;
use super::unit::UnitStatus;
use super::{Crowd, CrowdError, KindId, Priority, UnitId};
use crate::space::{Cell, Heuristic as _, Role, State, StateSpace as _};

impl Crowd {
    /// Gives a unit another goal.
    ///
    /// # Errors
    /// If there is no such unit, or the goal lies outside the map or is blocked for this kind of unit.
    pub fn set_goal(&mut self, unit: UnitId, goal: Cell) -> Result<(), CrowdError> {
        let kind = &self.kinds[usize::from(self.unit(unit)?.kind)];
        let goal = kind.locate(&self.map, Role::Goal, goal)?;
        self.head_for(unit, goal)
    }

    /// Gives a unit another goal, or if it cannot get there, the nearest state that it can get to. Which one
    /// it is.
    ///
    /// # Errors
    /// If there is no such unit, or it stands where it cannot move because the map has changed.
    pub fn set_goal_or_nearest(&mut self, unit: UnitId, goal: Cell) -> Result<Cell, CrowdError> {
        let kind = &self.kinds[usize::from(self.unit(unit)?.kind)];
        let nearest = kind.nearest_reachable(self.place_of(unit.slot), goal);
        let cell = self.cell(nearest);
        self.head_for(unit, nearest)?;
        Ok(cell)
    }

    /// Gives a unit another priority.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn set_priority(&mut self, unit: UnitId, priority: Priority) -> Result<(), CrowdError> {
        self.unit(unit)?;
        let before = core::mem::replace(&mut self.slot_mut(unit.slot).priority, priority);
        let counts = &mut self.lanes[unit.slot as usize % LANES].counts;
        counts[before as usize] -= 1;
        counts[priority as usize] += 1;
        Ok(())
    }

    /// Lets a unit stay where it is. Its goal is its place from now on. It is not told of as arrived.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn stop(&mut self, unit: UnitId) -> Result<(), CrowdError> {
        self.unit(unit)?;
        let place = self.place_of(unit.slot);
        // On blocked ground it has no place to go to: then it keeps its goal, and does not head for it.
        let _ = self.head_for(unit, place);
        self.slot_mut(unit.slot).status = UnitStatus::Arrived;
        let (lane, at) = (&mut self.lanes[unit.slot as usize % LANES], unit.slot / LANES as u32);
        if lane.units[at as usize].walker.goal() == place {
            lane.courses.remove(&at);
        }
        Ok(())
    }

    /// Puts a unit on a cell, wherever it was. One that was on its way goes on to its goal from there. One
    /// that had arrived, or whose goal was blocked meanwhile, stays.
    ///
    /// # Errors
    /// If there is no such unit, or it cannot stand there, or another one does and units are obstacles. Then
    /// it is where it was.
    pub fn place(&mut self, unit: UnitId, cell: impl Into<Cell>) -> Result<(), CrowdError> {
        let cell = cell.into();
        let kind = &self.kinds[usize::from(self.unit(unit)?.kind)];
        let (place, size) = (kind.locate(&self.map, Role::Start, cell)?, kind.kind.size);
        let stood = self.cell(self.place_of(unit.slot));
        if let Some(occupants) = &mut self.occupants {
            if !occupants.is_room(&self.map, cell, size, unit.slot) {
                return Err(CrowdError::Taken(cell));
            }
            occupants.take(&self.map, stood, size);
            occupants.put(&self.map, cell, size, unit.slot);
        }
        let (lane, at) = (&mut self.lanes[unit.slot as usize % LANES], unit.slot as usize / LANES);
        lane.clear(at);
        lane.forget_progress(at);
        let pace = lane.pace(at);
        let is_idle =
            lane.units[at].status == UnitStatus::Arrived && !lane.pursuits.contains_key(&(at as u32));
        let goal = lane.goal(at);
        let unit = &mut lane.units[at];
        // The walker of one that heads for a link begins anew.
        let is_elsewhere = goal != unit.walker.goal() && unit.walker.set_goal(kind, place, goal).is_err();
        if is_idle || is_elsewhere || unit.walker.put_at(kind, place).is_err() {
            // Or its goal is no place of its kind any more. This one is.
            unit.walker.set_goal(kind, place, place)?;
            unit.status = UnitStatus::Arrived;
        } else {
            unit.set_out(self.frame);
        }
        let (goal, bound) = (unit.walker.goal(), self.config.turn_bound(&unit.walker, kind, pace));
        lane.courses.remove(&(at as u32));
        if !is_idle {
            lane.set_course(at, kind, goal);
        }
        lane.note_goal(bound);
        Ok(())
    }

    /// Puts every unit that stands on blocked ground, because something was built there, on the nearest cell
    /// that it can stand on: one that its goal can be reached from, if there is any. Who was put where.
    ///
    /// A unit that there is no room for at all stays.
    pub fn push_out(&mut self) -> Vec<(UnitId, Cell)> {
        let is_stuck = |id: &UnitId| {
            let space = self.space_of(*id);
            space.is_ok_and(|space| !space.contains(self.place_of(id.slot)))
        };
        let stuck: Vec<UnitId> = self.units().filter(is_stuck).collect();
        let mut put = Vec::new();
        for id in stuck {
            if let Some(cell) = self.nearest_room(id)
                && self.place(id, cell).is_ok()
            {
                put.push((id, cell));
            }
        }
        put
    }

    /// The nearest cell that a unit has room on, and its way open from; if there is none, the nearest one.
    fn nearest_room(&self, id: UnitId) -> Option<Cell> {
        let unit = self.unit(id).ok()?;
        let kind = &self.kinds[usize::from(unit.kind)];
        let (space, goal) = (&kind.space, self.goal_of(id.slot));
        let (from, grid) = (self.cell(self.place_of(id.slot)), space.grid());
        let is_room = |&cell: &Cell| {
            let occupants = self.occupants.as_ref();
            grid.is_free(cell)
                && occupants.is_none_or(|taken| taken.is_room(&self.map, cell, kind.kind.size, id.slot))
        };
        let far = |cell: Cell| (space.estimate(space.state(from), space.state(cell)), cell.y, cell.x);
        let (mut open, mut any) = (None, None);
        for ring in 1..=grid.width().max(grid.height()) {
            for cell in around(from, ring).filter(|&cell| grid.contains(cell)).filter(is_room) {
                let found = Some((far(cell), cell));
                any = any.min(found).or(found);
                if kind.is_way(space.state(cell), goal) {
                    open = open.min(found).or(found);
                }
            }
            // Whatever lies beyond this ring is farther away than straight moves to it.
            let beyond = space.units().of_steps(u64::from(ring) + 1, 0);
            let best = if space.contains(goal) { open } else { any };
            if best.is_some_and(|((cost, ..), _)| cost <= beyond) {
                break;
            }
        }
        open.or(any).map(|(_, cell)| cell)
    }

    /// Which kind a unit is of.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn kind_of(&self, unit: UnitId) -> Result<KindId, CrowdError> {
        self.unit(unit).map(|unit| KindId(unit.kind))
    }

    /// Sends a unit to a state that is one of its kind's. Whatever it was told before is forgotten.
    pub(super) fn head_for(&mut self, id: UnitId, goal: State) -> Result<(), CrowdError> {
        self.unit(id)?;
        let place = self.place_of(id.slot);
        let (lane, at) = (&mut self.lanes[id.slot as usize % LANES], id.slot as usize / LANES);
        let pace = lane.pace(at);
        let unit = &mut lane.units[at];
        let kind = &self.kinds[usize::from(unit.kind)];
        unit.walker.set_goal(kind, place, goal)?;
        let bound = self.config.turn_bound(&unit.walker, kind, pace);
        unit.set_out(self.frame);
        lane.clear(at);
        lane.note_goal(bound);
        lane.set_course(at, kind, goal);
        lane.pursuits.remove(&(at as u32));
        self.leave_group(id.slot);
        Ok(())
    }
}

/// The cells of the square ring that lies so many cells from one. Those that no numbers name are left out.
fn around(from: Cell, ring: u32) -> impl Iterator<Item = Cell> {
    let span = move |at: u32| i64::from(at) - i64::from(ring)..=i64::from(at) + i64::from(ring);
    let rows = span(from.y);
    let (top, bottom) = (*rows.start(), *rows.end());
    rows.flat_map(move |y| {
        // Between the first and the last row only two cells belong to it.
        let step = if y == top || y == bottom { 1 } else { 2 * ring as usize };
        span(from.x).step_by(step).map(move |x| (x, y))
    })
    .filter_map(|(x, y)| Some(Cell::new(u32::try_from(x).ok()?, u32::try_from(y).ok()?)))
}
