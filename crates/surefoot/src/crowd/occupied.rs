//! Units that are in each other's way, where no two may stand on one cell.
//!
//! This is no planning for many: each unit finds its way as if it were alone, and where the next cell is
//! taken it waits. After every [`SIDE_STEP`] turns in which it could not move as it planned to it steps
//! aside, if it can; every third time it steps back instead, to make room. Units of a group trade their
//! places instead (`trades.rs`).
//!
//! A unit that somebody was in the way of is *held up* until it has made [`IN_A_ROW`] moves in a row as it
//! planned them. If it is for [`BLOCKED`] turns, and did not get nearer to its goal by [`PROGRESS`] straight
//! moves than it had been before, it is reported as blocked: whether it stands still or is pushed to and fro.
//!
//! While a unit is held up, its walker is one move ahead of it: the move was planned once and is proposed
//! again in every frame. Where the unit stands is kept here, and [`Lane::place`](super::lane::Lane::place) is
//! the only one to ask. A walker that is elsewhere never plans: it proposes its move if that is legal from
//! the unit's place, and else begins anew there. Moves are made in the order of lanes, and in each lane in
//! the order of service, so that threads make no difference. Only who stands in the way and is to move in
//! this frame, too, goes first.
//!
//! Who is to make room for whom: those who have arrived for all others, low priorities for high ones, later
//! groups for earlier ones, small ones for large ones, and else higher slots for lower ones. Whoever has
//! waited for [`SIDE_STEP`] turns pushes who is to make room out of the way, and those behind that one, too.

use alloc::vec;
use alloc::vec::Vec;

use super::frame::Proposal;
use super::groups::Member;
use super::kind::MOST_SIZE;
use super::lane::LANES;
use super::squares::under;
use super::tuning::{BLOCKED, GIVE_WAY, IN_A_ROW, MOST_IN_FRONT, MOST_PUSHED, PROGRESS, SIDE_STEP};
use super::unit::UnitStatus;
use super::{Crowd, UnitId};
use crate::space::{Cell, Cost, Grid, GridSpace, Heuristic as _, State, StateSpace as _, sorting};

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

    /// The others that stand there, each once for each of its cells.
    pub(super) fn others(&self, map: &Grid, at: Cell, size: u32, slot: u32) -> impl Iterator<Item = u32> {
        let slots = Self::cells(map, at, size).map(|cell| self.slots[cell]);
        slots.filter(move |&other| other != 0 && other != slot + 1).map(|other| other - 1)
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

/// What has become of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Open,
    /// Somebody is asked to go first.
    Trying,
    Made,
    Refused,
}

/// The moves of a frame, while they are made.
#[derive(Clone, Debug, Default)]
pub(super) struct Traffic {
    moves: Vec<(Proposal, Stage)>,
    /// For each slot the number of its move and one more, or 0.
    by_slot: Vec<u32>,
    /// The numbers of moves in the order in which they are made; some come twice.
    order: Vec<u32>,
    /// Who was asked to make room by whoever pushes.
    asked: Vec<u32>,
    /// Whether the frame's budget is in work.
    is_work_counted: bool,
}

impl Traffic {
    fn add(&mut self, proposal: Proposal, stage: Stage) {
        let slot = proposal.unit.slot as usize;
        if self.by_slot.len() <= slot {
            self.by_slot.resize(slot + 1, 0);
        }
        self.moves.push((proposal, stage));
        self.by_slot[slot] = self.moves.len() as u32;
    }

    /// The number of a unit's move.
    fn number(&self, slot: u32) -> Option<usize> {
        (self.by_slot.get(slot as usize).copied().unwrap_or(0) as usize).checked_sub(1)
    }

    /// The same, if the unit has not had its turn.
    fn open(&self, slot: u32) -> Option<usize> {
        self.number(slot).filter(|&number| self.moves[number].1 == Stage::Open)
    }

    fn stage(&self, slot: u32) -> Option<Stage> {
        self.number(slot).map(|number| self.moves[number].1)
    }

    /// A unit has moved.
    fn note(&mut self, made: Proposal) {
        match self.number(made.unit.slot) {
            Some(number) => self.moves[number] = (made, Stage::Made),
            None => self.add(made, Stage::Made),
        }
    }
}

/// Who pushes others out of the way, and where it goes.
#[derive(Clone, Copy)]
struct Push {
    rank: Rank,
    from: State,
    to: State,
}

/// Who makes room for whom: the larger one.
type Rank = (bool, u8, u32, u32, u32);

impl Crowd {
    /// Makes the moves that were proposed, as far as nobody is in the way.
    pub(super) fn make_room(&mut self, is_work_counted: bool) {
        let Some(mut occupants) = self.occupants.take() else { return };
        let mut traffic = core::mem::take(&mut self.traffic);
        traffic.is_work_counted = is_work_counted;
        for lane in &mut self.lanes {
            lane.proposed.drain(..).for_each(|proposal| traffic.add(proposal, Stage::Open));
        }
        // Whoever pushes goes first, or others would take every place that it makes.
        let pushing = (0..traffic.moves.len() as u32).filter_map(|number| {
            let slot = traffic.moves[number as usize].0.unit.slot;
            let held = self.lanes[slot as usize % LANES].held.get(&(slot / LANES as u32));
            held.filter(|held| held.refused >= SIDE_STEP - 1).map(|_| (self.rank(slot), number))
        });
        let mut pushing: Vec<(Rank, u32)> = pushing.collect();
        sorting::sort(&mut pushing);
        let mut order = core::mem::take(&mut traffic.order);
        order.extend(pushing.into_iter().map(|(_, number)| number));
        order.extend(0..traffic.moves.len() as u32);
        for number in order.drain(..) {
            if traffic.moves[number as usize].1 == Stage::Open {
                self.try_move(&mut occupants, &mut traffic, number as usize, 0);
            }
        }
        traffic.order = order;
        for (proposal, stage) in traffic.moves.drain(..) {
            let slot = proposal.unit.slot as usize;
            traffic.by_slot[slot] = 0;
            if stage == Stage::Made {
                self.lanes[slot % LANES].proposed.push(proposal);
            }
        }
        (self.occupants, self.traffic) = (Some(occupants), traffic);
    }

    /// Makes a move, or another one in its place, if there is room.
    fn try_move(&mut self, occupants: &mut Occupants, traffic: &mut Traffic, number: usize, depth: u32) {
        let (Proposal { unit: id, from, to }, _) = traffic.moves[number];
        let is_free = |crowd: &Self, occupants: &Occupants, place: State| {
            crowd.others_at(occupants, id.slot, place).next().is_none()
        };
        let (lane, at) = (id.slot as usize % LANES, id.slot / LANES as u32);
        let was_held = self.lanes[lane].held.contains_key(&at);
        let goal = self.lanes[lane].units[at as usize].walker.goal();
        if !is_free(self, occupants, to) {
            traffic.moves[number].1 = Stage::Trying;
            let space = &self.kinds[usize::from(self.lanes[lane].units[at as usize].kind)].space;
            self.lanes[lane].held.entry(at).or_insert_with(|| Held::new(space, from, goal));
            let first = self.others_at(occupants, id.slot, to).next().and_then(|other| traffic.open(other));
            if let Some(first) = first.filter(|_| depth < MOST_IN_FRONT) {
                self.try_move(occupants, traffic, first, depth + 1);
            }
        }
        let Some(blocker) = self.others_at(occupants, id.slot, to).next() else {
            if !was_held {
                self.lanes[lane].held.remove(&at);
            }
            return self.go(occupants, traffic, Proposal { unit: id, from, to });
        };
        traffic.moves[number].1 = Stage::Refused;
        // One that is being asked goes on with the move that it has, if it can: it keeps its goal meanwhile.
        let has_had_its_turn = !matches!(traffic.stage(blocker), Some(Stage::Open | Stage::Trying));
        if has_had_its_turn && let Some(work) = self.trade_slots(id.slot, blocker, occupants) {
            self.charge(traffic, id.slot, work);
            return self.lanes[lane].note_stay(at as usize);
        }
        let Some(held) = self.lanes[lane].held.get_mut(&at) else { return };
        (held.refused, held.in_a_row) = (held.refused.saturating_add(1), 0);
        let (refused, mut next) = (held.refused, None);
        if refused >= SIDE_STEP {
            let push = Push { rank: self.rank(id.slot), from, to };
            // Where a large one goes there may be several.
            let others: Vec<u32> = self.others_at(occupants, id.slot, to).collect();
            self.push(occupants, traffic, push, &others);
            if is_free(self, occupants, to) {
                return self.go(occupants, traffic, Proposal { unit: id, from, to });
            }
        }
        if refused.is_multiple_of(SIDE_STEP) {
            let has_right_of_way = self.rank(id.slot) < self.rank(blocker);
            let gives_way = refused.is_multiple_of(GIVE_WAY) && !has_right_of_way;
            let space = &self.kinds[usize::from(self.lanes[lane].units[at as usize].kind)].space;
            let left = space.estimate(from, goal);
            // Whoever has the right of way does not go back.
            next = aside(space, gives_way, (from, to, goal), |place| {
                (!has_right_of_way || space.estimate(place, goal) <= left) && is_free(self, occupants, place)
            });
        }
        if let Some(next) = next {
            self.shift(occupants, traffic, Proposal { unit: id, from, to: next });
            self.begin_at(id.slot, next);
        } else {
            self.lanes[lane].note_stay(at as usize);
        }
        let lane = &mut self.lanes[lane];
        let space = &self.kinds[usize::from(lane.units[at as usize].kind)].space;
        if let Some(held) = lane.held.get_mut(&at)
            && held.note_turn(space, next.unwrap_or(from), goal)
            && !self.settle_here(id.slot)
        {
            self.lanes[id.slot as usize % LANES].report.blocked.push(id);
        }
    }

    /// A unit moves as it planned to.
    fn go(&mut self, occupants: &mut Occupants, traffic: &mut Traffic, made: Proposal) {
        self.shift(occupants, traffic, made);
        let Proposal { unit: id, from, to } = made;
        let (lane, at) = (&mut self.lanes[id.slot as usize % LANES], id.slot / LANES as u32);
        let unit = &lane.units[at as usize];
        let (kind, goal) = (&self.kinds[usize::from(unit.kind)], unit.walker.goal());
        let mut is_blocked = false;
        if let Some(held) = lane.held.get_mut(&at) {
            held.in_a_row += 1;
            is_blocked = held.note_turn(&kind.space, to, goal);
            // Behind a link its goal is another one, or as far away as it was.
            if held.in_a_row >= IN_A_ROW || !is_legal(&kind.space, from, to) {
                lane.held.remove(&at);
            }
        }
        if is_blocked && !self.settle_here(id.slot) {
            self.lanes[id.slot as usize % LANES].report.blocked.push(id);
        }
        let lane = &mut self.lanes[id.slot as usize % LANES];
        let kind = &self.kinds[usize::from(lane.units[at as usize].kind)];
        if to == lane.goal(at as usize) && lane.pace(at as usize).is_none_or(|pace| pace.left <= 0) {
            lane.clear(at as usize);
            lane.end_course(at as usize, kind, to);
            lane.arrive(at as usize);
        }
    }

    /// Who else stands where a unit would.
    fn others_at(&self, occupants: &Occupants, slot: u32, place: State) -> impl Iterator<Item = u32> {
        occupants.others(&self.map, self.cell(place), self.size_of(slot), slot)
    }

    /// Makes a move to where there is room.
    fn shift(&mut self, occupants: &mut Occupants, traffic: &mut Traffic, made: Proposal) {
        let Proposal { unit: UnitId { slot, .. }, from, to } = made;
        let size = self.size_of(slot);
        occupants.take(&self.map, self.cell(from), size);
        occupants.put(&self.map, self.cell(to), size, slot);
        let (lane, at) = (&mut self.lanes[slot as usize % LANES], slot / LANES as u32);
        let kind = &self.kinds[usize::from(lane.units[at as usize].kind)];
        lane.note_move(at as usize, from, to, (kind, self.map.width()));
        if let Some(held) = lane.held.get_mut(&at) {
            held.place = to;
        }
        traffic.note(made);
    }

    /// A unit goes on from a place that it did not plan to go to.
    fn begin_at(&mut self, slot: u32, place: State) {
        let (lane, at) = (&mut self.lanes[slot as usize % LANES], slot / LANES as u32);
        let unit = &mut lane.units[at as usize];
        let kind = &self.kinds[usize::from(unit.kind)];
        // If its goal was blocked it says so on a later turn.
        if unit.walker.put_at(kind, place).is_err() {
            let goal = unit.walker.goal();
            lane.held.entry(at).or_insert_with(|| Held::new(&kind.space, place, goal));
        }
    }

    /// Who makes room for whom.
    fn rank(&self, slot: u32) -> Rank {
        let (lane, at) = (&self.lanes[slot as usize % LANES], slot / LANES as u32);
        let unit = &lane.units[at as usize];
        let group = lane.members.get(&at).map_or(u32::MAX, |member| member.group.0);
        let small = MOST_SIZE - self.size_of(slot);
        (unit.status != UnitStatus::Walking, unit.priority as u8, group, small, slot)
    }

    /// Pushes units out of the way, and others behind them, if they are to make room. Whoever pushes pays a
    /// unit of work for each that is asked.
    fn push(&mut self, occupants: &mut Occupants, traffic: &mut Traffic, push: Push, slots: &[u32]) {
        traffic.asked.clear();
        for &slot in slots {
            self.ask(occupants, traffic, push, slot);
        }
        self.charge(traffic, push.rank.4, traffic.asked.len() as u64);
    }

    /// A unit pays for what others had to be looked at for.
    fn charge(&mut self, traffic: &Traffic, slot: u32, work: u64) {
        let lane = &mut self.lanes[slot as usize % LANES];
        lane.report.work += work;
        if traffic.is_work_counted {
            lane.account = lane.account.saturating_sub_unsigned(work);
        }
    }

    /// Asks a unit to make room.
    fn ask(&mut self, occupants: &mut Occupants, traffic: &mut Traffic, push: Push, slot: u32) -> bool {
        if traffic.asked.len() >= MOST_PUSHED || traffic.asked.contains(&slot) {
            return false;
        }
        traffic.asked.push(slot);
        let has_moved = matches!(traffic.stage(slot), Some(Stage::Made | Stage::Trying));
        if has_moved || self.rank(slot) <= push.rank {
            return false;
        }
        let (lane, at) = (&self.lanes[slot as usize % LANES], slot / LANES as u32);
        // One that has not had its turn stands where its move begins.
        let place = match traffic.open(slot) {
            Some(number) => traffic.moves[number].0.from,
            None => lane.place(at as usize),
        };
        let unit = &lane.units[at as usize];
        let (kind, goal) = (&self.kinds[usize::from(unit.kind)], unit.walker.goal());
        if !kind.space.contains(place) {
            return false;
        }
        // Where whoever pushes goes next, most likely: to go there serves only where there is no other place.
        let ahead = i64::from(push.to.0) * 2 - i64::from(push.from.0);
        let mut places = Vec::new();
        kind.space.for_each_successor(place, |next, _| {
            if next != push.from {
                places.push((i64::from(next.0) == ahead, kind.space.estimate(next, goal), next));
            }
        });
        sorting::sort(&mut places);
        let is_room = |crowd: &Self, occupants: &Occupants, next: State| {
            crowd.others_at(occupants, slot, next).next().is_none()
        };
        let free = places.iter().find(|&&(.., next)| is_room(self, occupants, next)).map(|&(.., next)| next);
        let mut next = free;
        if next.is_none() {
            // Straight on first: that is how a corridor is emptied.
            for &(.., place) in places.iter().rev() {
                let Some(other) = self.others_at(occupants, slot, place).next() else { continue };
                if self.ask(occupants, traffic, push, other) && is_room(self, occupants, place) {
                    next = Some(place);
                    break;
                }
            }
        }
        let Some(next) = next else { return false };
        let id = self.lanes[slot as usize % LANES].id(slot as usize / LANES);
        self.shift(occupants, traffic, Proposal { unit: id, from: place, to: next });
        let (lane, at) = (&mut self.lanes[slot as usize % LANES], slot / LANES as u32);
        let unit = &mut lane.units[at as usize];
        let stays = unit.status == UnitStatus::Arrived
            && lane.members.get(&at).is_none_or(Member::is_near_enough)
            && !lane.pursuits.contains_key(&at);
        if stays && unit.walker.set_goal(&self.kinds[usize::from(unit.kind)], next, next).is_ok() {
            // It had arrived, and has now arrived here.
            lane.courses.remove(&at);
            return true;
        }
        self.begin_at(slot, next);
        let frame = self.frame;
        self.slot_mut(slot).set_out(frame);
        self.note_on_the_way(slot);
        true
    }
}

/// Where a unit steps that cannot move from a state to another: aside is where the goal is nearest, back is
/// where it is farthest.
fn aside(
    space: &GridSpace,
    gives_way: bool,
    (from, to, goal): (State, State, State),
    is_room: impl Fn(State) -> bool,
) -> Option<State> {
    let (mut aside, mut back) = (None, None);
    space.for_each_successor(from, |next, _| {
        if next != to && is_room(next) {
            let far = space.estimate(next, goal);
            aside = aside.min(Some((far, next))).or(Some((far, next)));
            back = back.max(Some((far, next)));
        }
    });
    let chosen = if gives_way { back } else { aside };
    chosen.map(|(_, next)| next)
}
