//! Units that are in each other's way, where no two may stand on one cell.
//!
//! This is no planning for many: each unit finds its way as if it were alone, and where the next cell is
//! taken it waits. After every [`SIDE_STEP`] turns in which it could not move as it planned to it steps
//! aside, if it can; every third time it steps back instead, to make room.
//!
//! A unit that somebody was in the way of is *held up* until it has made [`IN_A_ROW`] moves in a row as it
//! planned them. If it is for [`BLOCKED`] turns, and did not get nearer to its goal by [`PROGRESS`] straight
//! moves than it had been before, it is reported as blocked: whether it stands still or is pushed to and fro.
//!
//! While a unit is held up, its walker is one move ahead of it: the move was planned once and is proposed
//! again in every frame. Where the unit stands is kept here, and [`Lane::place`](super::lane::Lane::place) is
//! the only one to ask. A walker that is elsewhere never plans: it proposes its move if that is legal from
//! the unit's place, and else begins anew there. Moves are made in the order of lanes, and in each lane in
//! the order of service, so that threads make no difference.

use alloc::vec;
use alloc::vec::Vec;

use super::Crowd;
use super::frame::Proposal;
use super::kind::KindState;
use super::lane::LANES;
use super::squares::under;
use super::tuning::{BLOCKED, GIVE_WAY, IN_A_ROW, PROGRESS, SIDE_STEP};
use super::unit::UnitStatus;
use crate::space::{Cell, Cost, Grid, GridSpace, Heuristic as _, State, StateSpace as _};

/// A unit that others are in the way of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// Where it stands.
    pub(super) place: State,
    /// In how many turns it could not move as it planned to.
    pub(super) refused: u16,
    /// How many moves it made in a row since.
    pub(super) in_a_row: u8,
    /// For how many turns it has made no progress.
    pub(super) turns: u16,
    /// How near it was to its goal when it last made some.
    pub(super) nearest: Cost,
}

impl Held {
    fn new(space: &GridSpace, place: State, goal: State) -> Self {
        Self { place, refused: 0, in_a_row: 0, turns: 0, nearest: space.estimate(place, goal) }
    }

    /// It has had its turn, and stands at a place now. Whether it is to be reported as blocked.
    fn note_turn(&mut self, space: &GridSpace, place: State, goal: State) -> bool {
        self.place = place;
        let left = space.estimate(place, goal);
        if left.saturating_add(space.units().of_steps(PROGRESS, 0)) <= self.nearest {
            (self.nearest, self.turns) = (left, 0);
            return false;
        }
        self.turns = self.turns.saturating_add(1);
        self.turns == BLOCKED
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
            let mut proposed = core::mem::take(&mut self.lanes[lane].proposed);
            proposed.retain_mut(|proposal| self.try_move(&mut occupants, proposal));
            self.lanes[lane].proposed = proposed;
        }
        self.occupants = Some(occupants);
    }

    /// Makes a move, or another one in its place. Whether one was made.
    fn try_move(&mut self, occupants: &mut Occupants, proposal: &mut Proposal) -> bool {
        let Proposal { unit: id, from, to } = *proposal;
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
        let goal = unit.walker.goal();
        if is_room(occupants, to) {
            go(occupants, to);
            lane.note_move(at as usize, from, to, (kind, map.width()));
            let is_there =
                to == lane.goal(at as usize) && lane.pace(at as usize).is_none_or(|pace| pace.left <= 0);
            if let Some(held) = lane.held.get_mut(&at) {
                held.in_a_row += 1;
                if held.note_turn(&kind.space, to, goal) {
                    lane.report.blocked.push(id);
                }
                // Behind a link its goal is another one, or as far away as it was.
                if held.in_a_row >= IN_A_ROW || !is_legal(&kind.space, from, to) {
                    lane.held.remove(&at);
                }
            }
            if is_there {
                lane.units[at as usize].status = UnitStatus::Arrived;
                lane.clear(at as usize);
                lane.end_course(at as usize, kind, to);
                lane.report.arrived.push(id);
            }
            return true;
        }
        let held = lane.held.entry(at).or_insert_with(|| Held::new(&kind.space, from, goal));
        (held.refused, held.in_a_row) = (held.refused.saturating_add(1), 0);
        let is_aside = held.refused.is_multiple_of(SIDE_STEP);
        let next = is_aside.then(|| aside(kind, held.refused, (from, to, goal), |to| is_room(occupants, to)));
        let next = next.flatten();
        if held.note_turn(&kind.space, next.unwrap_or(from), goal) {
            lane.report.blocked.push(id);
        }
        let Some(next) = next else {
            lane.note_stay(at as usize);
            return false;
        };
        go(occupants, next);
        lane.note_move(at as usize, from, next, (kind, map.width()));
        let unit = &mut lane.units[at as usize];
        // If its goal was blocked it says so on a later turn.
        let _ = unit.walker.put_at(kind, next);
        proposal.to = next;
        true
    }
}

/// Where a unit steps that cannot move from a state to another: aside is where the goal is nearest, back is
/// where it is farthest.
fn aside(
    kind: &KindState,
    refused: u16,
    (from, to, goal): (State, State, State),
    is_room: impl Fn(State) -> bool,
) -> Option<State> {
    let (mut aside, mut back) = (None, None);
    kind.space.for_each_successor(from, |next, _| {
        if next != to && is_room(next) {
            let far = kind.space.estimate(next, goal);
            aside = aside.min(Some((far, next))).or(Some((far, next)));
            back = back.max(Some((far, next)));
        }
    });
    let chosen = if refused.is_multiple_of(GIVE_WAY) { back } else { aside };
    chosen.map(|(_, next)| next)
}
