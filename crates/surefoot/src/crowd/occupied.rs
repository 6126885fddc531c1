//! Units that are in each other's way, where no two may stand on one cell.
//!
//! This is no planning for many: each unit finds its way as if it were alone, and where the next cell is taken it waits. After every
//! [`SIDE_STEP`] frames in which it could not move as it planned to it steps aside, if it can; every third time it steps back instead, to make room. One that could not
//! move for [`BLOCKED`] frames is reported as blocked; where it is pushed to and fro, each move that it planned and made makes up for half a frame in which it
//! could not.
//!
//! While a unit is held up, its walker is one move ahead of it: the move was planned once and is proposed again in every frame.
//! Moves are made in the order of lanes, and in each lane in the order of service, so that threads make no difference.

use alloc::vec;
use alloc::vec::Vec;

use super::frame::Move;
use super::kind::{KindState, under};
use super::lane::LANES;
use super::unit::{Unit, UnitStatus};
use super::{Crowd, UnitId};
use crate::space::{Cell, Grid, GridSpace, Heuristic as _, State, StateSpace as _};

/// After so many frames in which a unit could not move it steps aside.
const SIDE_STEP: u16 = 3;
/// After so many it steps back.
const GIVE_WAY: u16 = 9;
/// After so many in which it did not move at all it is reported as blocked.
const BLOCKED: u16 = 30;

/// A unit that others are in the way of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// Where it stands.
    pub(super) place: State,
    /// In how many frames it could not move as it planned to.
    pub(super) frames: u16,
    /// Two for each of them, less one for each move that it planned and made.
    pub(super) trouble: u16,
}

impl Held {
    /// The move that it would make if it could; nothing if that has to be planned first.
    pub(super) fn proposal(&self, unit: UnitId, of: &mut Unit, kind: &KindState) -> Option<Move> {
        let to = of.walker.position();
        if to == self.place {
            return None;
        }
        if !is_legal(&kind.space, self.place, to) {
            // A wall was built in between.
            of.walker.put_at(kind, self.place);
            return None;
        }
        Some(Move { unit, from: self.place, to })
    }
}

/// Whether one move leads from one state to another.
pub(super) fn is_legal(space: &GridSpace, from: State, to: State) -> bool {
    let mut is_legal = false;
    space.for_each_successor(from, |state, _| is_legal |= state == to);
    is_legal
}

/// Who stands where.
#[derive(Clone, Debug, Default)]
pub(super) struct Occupants {
    /// For each cell the slot of the unit on it and one more, or 0.
    slots: Vec<u32>,
}

impl Occupants {
    pub(super) fn new(map: &Grid) -> Self {
        Self { slots: vec![0; map.cell_count()] }
    }

    fn cells(map: &Grid, at: Cell, size: u32) -> impl Iterator<Item = usize> {
        let width = map.width() as usize;
        let inside = under(at, size).filter(|&cell| map.contains(cell));
        inside.map(move |cell| cell.y as usize * width + cell.x as usize)
    }

    /// Whether a unit can stand there, as far as the others are concerned.
    pub(super) fn is_room(&self, map: &Grid, at: Cell, size: u32, slot: u32) -> bool {
        Self::cells(map, at, size).all(|cell| self.slots[cell] == 0 || self.slots[cell] == slot + 1)
    }

    pub(super) fn put(&mut self, map: &Grid, at: Cell, size: u32, slot: u32) {
        Self::cells(map, at, size).for_each(|cell| self.slots[cell] = slot + 1);
    }

    pub(super) fn take(&mut self, map: &Grid, at: Cell, size: u32) {
        Self::cells(map, at, size).for_each(|cell| self.slots[cell] = 0);
    }

    pub(super) fn bytes(&self) -> usize {
        core::mem::size_of_val(&self.slots[..])
    }
}

impl Crowd {
    /// Makes the moves that were proposed, as far as nobody is in the way.
    pub(super) fn make_room(&mut self) {
        let Some(mut occupants) = self.occupants.take() else { return };
        for lane in 0..LANES {
            let mut proposed = core::mem::take(&mut self.lanes[lane].report.moves);
            proposed.retain_mut(|proposal| self.try_move(&mut occupants, proposal));
            self.lanes[lane].report.moves = proposed;
        }
        self.occupants = Some(occupants);
    }

    /// Makes a move, or another one in its place. Whether one was made.
    fn try_move(&mut self, occupants: &mut Occupants, proposal: &mut Move) -> bool {
        let Move { unit: id, from, to } = *proposal;
        let (lane, at) = (&mut self.lanes[id.slot as usize % LANES], id.slot / LANES as u32);
        let unit = &mut lane.units[at as usize];
        let kind = &self.kinds[usize::from(unit.kind)];
        let (map, size) = (&self.map, kind.kind.size);
        let is_room =
            |occupants: &Occupants, to: State| occupants.is_room(map, kind.space.cell(to), size, id.slot);
        let go = |occupants: &mut Occupants, to: State| {
            occupants.take(map, kind.space.cell(from), size);
            occupants.put(map, kind.space.cell(to), size, id.slot);
        };
        if is_room(occupants, to) {
            go(occupants, to);
            if let Some(held) = lane.held.get_mut(&at) {
                (held.place, held.trouble) = (to, held.trouble.saturating_sub(1));
                if held.trouble == 0 {
                    lane.held.remove(&at);
                }
            }
            if to == unit.walker.goal() {
                unit.status = UnitStatus::Arrived;
                lane.report.arrived.push(id);
            }
            return true;
        }
        let held = lane.held.entry(at).or_insert(Held { place: from, frames: 0, trouble: 0 });
        held.frames = held.frames.saturating_add(1);
        let was_blocked = held.trouble >= 2 * BLOCKED;
        held.trouble = held.trouble.saturating_add(2).min(4 * BLOCKED);
        if held.trouble >= 2 * BLOCKED && !was_blocked {
            // So that it is not reported again as soon as it has moved a little.
            held.trouble = 4 * BLOCKED;
            lane.report.blocked.push(id);
        }
        if !held.frames.is_multiple_of(SIDE_STEP) {
            return false;
        }
        // Aside is where the goal is nearest, back is where it is farthest.
        let goal = unit.walker.goal();
        let (mut aside, mut back) = (None, None);
        kind.space.for_each_successor(from, |next, _| {
            if next != to && is_room(occupants, next) {
                let far = kind.space.estimate(next, goal);
                aside = aside.min(Some((far, next))).or(Some((far, next)));
                back = back.max(Some((far, next)));
            }
        });
        let chosen = if held.frames.is_multiple_of(GIVE_WAY) { back } else { aside };
        let Some((_, next)) = chosen else { return false };
        go(occupants, next);
        held.place = next;
        unit.walker.put_at(kind, next);
        proposal.to = next;
        true
    }
}
