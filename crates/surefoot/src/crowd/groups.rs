//! Groups: many units that are sent to one place.
//!
//! All of them head for the place itself, so that what it sees is looked at once for all. Around it lie as
//! many *slots* as there are units, the nearest by way first. A unit that comes near takes one: of the next
//! few that are free the one that is nearest to it.
//!
//! Units of a group are alike. So where one of them is in the way of another they trade slots (`trades.rs`).
//! Whoever finds no slot left has arrived as soon as one who has arrived is in its way: that is near enough.

use alloc::collections::{BTreeMap, BinaryHeap};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

use super::kind::KindState;
use super::lane::{LANES, Lane};
use super::occupied::Occupants;
use super::squares::under;
use super::tuning::{GROUP_MARGIN, GROUP_SWEEP, SLOTS_IN_VIEW};
use super::unit::UnitStatus;
use super::{Crowd, CrowdError, UnitId};
use crate::space::{Cell, Cost, Grid, GridSpace, Heuristic as _, Role, State, StateSpace as _, sorting};

/// The name of a group in its crowd. It is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub(super) u32);

impl GroupId {
    /// The name as a number: for other languages, files and networks.
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The name that a number stands for.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

impl fmt::Display for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Units that were sent to one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// What there is for each kind of its units.
    pub(super) kinds: BTreeMap<u8, Slots>,
    /// The lanes in which nobody of it was on the way when they were last looked at.
    pub(super) quiet: u16,
}

/// The places of a group's units of one kind.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// Where they were sent.
    pub(super) goal: State,
    /// The nearest first.
    pub(super) places: Vec<State>,
    pub(super) is_taken: Vec<bool>,
    /// The first one that is not taken.
    first: usize,
    /// So many are to be taken. Those after them are for where others have settled on some.
    pub(super) wanted: usize,
    /// Whoever is so near looks for a slot.
    pub(super) near: Cost,
}

impl Slots {
    pub(super) fn new(goal: State, places: Vec<State>, wanted: usize, near: Cost) -> Self {
        Self { goal, is_taken: alloc::vec![false; places.len()], places, first: 0, wanted, near }
    }

    /// Adds some that lie farther away.
    fn add(&mut self, more: Self) {
        self.is_taken.resize(self.places.len() + more.places.len(), false);
        self.places.extend(more.places);
        self.near = self.near.max(more.near);
    }

    pub(super) fn take(&mut self, slot: usize) {
        self.is_taken[slot] = true;
        while self.is_taken.get(self.first) == Some(&true) {
            self.first += 1;
        }
    }

    fn give_back(&mut self, slot: usize) {
        self.is_taken[slot] = false;
        self.first = self.first.min(slot);
    }

    /// Of the next few that nobody has, the one that is nearest to a place.
    fn best_for(&self, space: &GridSpace, place: State) -> Option<usize> {
        let end = self.wanted.max(self.first + 1).min(self.places.len());
        let view = self.first..end.min(self.first + SLOTS_IN_VIEW);
        let free = view.filter(|&slot| !self.is_taken[slot] && space.contains(self.places[slot]));
        free.min_by_key(|&slot| (space.estimate(place, self.places[slot]), slot))
    }
}

/// What a unit of a group knows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) group: GroupId,
    /// Its slot, once it is near.
    pub(super) slot: Option<u32>,
    /// Whether it was told of as arrived.
    pub(super) is_told: bool,
    /// How often others were in its way, and traded slots with it.
    pub(super) trades: u8,
}

impl Member {
    /// Whether it has come near enough, and has no slot to go back to.
    pub(super) fn is_near_enough(&self) -> bool {
        self.slot.is_none() && self.is_told
    }
}

/// Some cells of a map, a bit for each cell.
struct CellSet(Vec<u64>);

impl CellSet {
    fn new(map: &Grid) -> Self {
        Self(alloc::vec![0; map.cell_count().div_ceil(64)])
    }

    fn contains(&self, cell: u32) -> bool {
        self.0[cell as usize / 64] >> (cell % 64) & 1 != 0
    }

    /// Whether it was not there.
    fn insert(&mut self, cell: u32) -> bool {
        let is_new = !self.contains(cell);
        self.0[cell as usize / 64] |= 1 << (cell % 64);
        is_new
    }
}

impl Lane {
    /// A unit has arrived. It is told of once, however often it makes room for others of its group.
    pub(super) fn arrive(&mut self, at: usize) {
        self.units[at].status = UnitStatus::Arrived;
        let told = self.members.get_mut(&(at as u32)).map(|member| &mut member.is_told);
        if !told.is_some_and(|told| core::mem::replace(told, true)) {
            let id = self.id(at);
            self.report.arrived.push(id);
        }
    }
}

impl Crowd {
    /// Sends units to one place. They spread over the free cells around it, the nearest first. Each has
    /// arrived when it stands on a cell of its own there. When all have, the report tells of the group
    /// ([`settled`](super::FrameReport::settled)).
    ///
    /// A unit that gets another goal, pursues somebody or is stopped leaves the group. One that stands on
    /// blocked ground stays, and does not belong to it ([`push_out`](Self::push_out) first).
    ///
    /// # Errors
    /// If there is no such unit, or one of them cannot stand on the goal. Then nobody is sent.
    pub fn send(
        &mut self,
        units: impl IntoIterator<Item = UnitId>,
        goal: impl Into<Cell>,
    ) -> Result<GroupId, CrowdError> {
        let goal = goal.into();
        let mut units: Vec<UnitId> = units.into_iter().collect();
        sorting::sort(&mut units);
        units.dedup();
        let mut kinds: BTreeMap<u8, usize> = BTreeMap::new();
        for &unit in &units {
            *kinds.entry(self.unit(unit)?.kind).or_default() += 1;
        }
        for &kind in kinds.keys() {
            self.kinds[usize::from(kind)].locate(&self.map, Role::Goal, goal)?;
        }
        let id = GroupId(self.next_group);
        let mut group = Group::default();
        let mut taken = CellSet::new(&self.map);
        // Large ones first: they find no room between others.
        let mut order: Vec<(u8, usize)> = kinds.into_iter().collect();
        sorting::sort_stably_by_key(&mut order, |&(kind, _)| {
            Reverse(self.kinds[usize::from(kind)].kind.size)
        });
        // Some are to spare where others may settle on them: when there is one for everybody.
        let spare = |count: usize| if self.occupants.is_some() { count / 8 + 16 } else { 0 };
        let is_mixed = order.len() > 1;
        for &(kind, count) in &order {
            let most = if is_mixed { count } else { count + spare(count) };
            let slots = self.slots_around(kind, goal, (count, most), &units, &mut taken)?;
            group.kinds.insert(kind, slots);
        }
        for (kind, count) in order.into_iter().filter(|_| is_mixed && self.occupants.is_some()) {
            let more = self.slots_around(kind, goal, (0, spare(count)), &units, &mut taken)?;
            if let Some(slots) = group.kinds.get_mut(&kind) {
                slots.add(more);
            }
        }
        for &unit in &units {
            let place = self.unit(unit).map(|unit| group.kinds.get(&unit.kind).map(|slots| slots.goal))?;
            let Some(place) = place else { continue };
            // The goal was looked at. Its own cell may have been blocked: then it stays.
            if self.head_for(unit, place).is_err() {
                continue;
            }
            let lane = &mut self.lanes[unit.slot as usize % LANES];
            let member = Member { group: id, slot: None, is_told: false, trades: 0 };
            lane.members.insert(unit.slot / LANES as u32, member);
        }
        self.next_group += 1;
        self.groups.insert(id, group);
        let occupants = self.occupants.take();
        for unit in &units {
            self.look_for_slot(occupants.as_ref(), unit.slot);
        }
        self.occupants = occupants;
        Ok(id)
    }

    /// The group that a unit was sent with, until it is settled. `None` if there is none.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn group_of(&self, unit: UnitId) -> Result<Option<GroupId>, CrowdError> {
        self.unit(unit)?;
        let members = &self.lanes[unit.slot as usize % LANES].members;
        Ok(members.get(&(unit.slot / LANES as u32)).map(|member| member.group))
    }

    /// The units of a group, until it is settled.
    pub fn members(&self, group: GroupId) -> impl Iterator<Item = UnitId> {
        self.lanes.iter().flat_map(move |lane| {
            let members = lane.members.iter().filter(move |(_, member)| member.group == group);
            members.map(|(&at, _)| lane.id(at as usize))
        })
    }

    /// Slots for so many units of a kind around a cell, or more of them, where nobody else has one.
    fn slots_around(
        &self,
        kind: u8,
        goal: Cell,
        (count, most): (usize, usize),
        units: &[UnitId],
        taken: &mut CellSet,
    ) -> Result<Slots, CrowdError> {
        let KindState { space, kind, .. } = &self.kinds[usize::from(kind)];
        let goal = space.locate(goal)?;
        let is_member = |slot: u32| units.binary_search_by_key(&slot, |unit| unit.slot).is_ok();
        // Others who stand there stay.
        let stays = |slot: u32| {
            let unit = &self.lanes[slot as usize % LANES].units[slot as usize / LANES];
            unit.status != UnitStatus::Walking && !is_member(slot)
        };
        let state = |cell: Cell| cell.y * self.map.width() + cell.x;
        let mut places = Vec::new();
        let mut seen = CellSet::new(&self.map);
        seen.insert(goal.0);
        let mut queue = BinaryHeap::from([Reverse((0, goal))]);
        let mut farthest = 0;
        while let Some(Reverse((cost, place))) = queue.pop() {
            let (cell, size) = (space.cell(place), kind.size);
            let is_free = under(cell, size).all(|cell| !taken.contains(state(cell)))
                && self.occupants.as_ref().is_none_or(|occupants| {
                    occupants.others(&self.map, cell, size, u32::MAX - 1).all(|slot| !stays(slot))
                });
            if is_free {
                for cell in under(cell, size) {
                    taken.insert(state(cell));
                }
                places.push(place);
                farthest = cost;
                if places.len() >= most {
                    break;
                }
            }
            space.for_each_successor(place, |next, step| {
                if seen.insert(next.0) {
                    queue.push(Reverse((cost + step, next)));
                }
            });
        }
        let near = farthest + space.units().of_steps(GROUP_MARGIN, 0);
        Ok(Slots::new(goal, places, count, near))
    }

    /// A unit leaves its group: its slot is free again.
    pub(super) fn leave_group(&mut self, slot: u32) {
        let (lane, at) = (&mut self.lanes[slot as usize % LANES], slot / LANES as u32);
        let Some(member) = lane.members.remove(&at) else { return };
        let kind = lane.units[at as usize].kind;
        let slots = self.groups.get_mut(&member.group).and_then(|group| group.kinds.get_mut(&kind));
        if let (Some(slots), Some(slot)) = (slots, member.slot) {
            slots.give_back(slot as usize);
        }
    }

    /// Gives slots to those who have come near, and sees which groups are settled. Each lane has its turn
    /// every few frames.
    pub(super) fn gather(&mut self) {
        if self.groups.is_empty() {
            return;
        }
        let occupants = self.occupants.take();
        let frame = self.frame;
        for number in (0..LANES).filter(|lane| (*lane as u32).wrapping_add(frame).is_multiple_of(GROUP_SWEEP))
        {
            self.groups.values_mut().for_each(|group| group.quiet |= 1 << number);
            let members: Vec<(u32, Member)> =
                self.lanes[number].members.iter().map(|(&at, &member)| (at, member)).collect();
            for (at, member) in members {
                self.look_for_slot(occupants.as_ref(), at * LANES as u32 + number as u32);
                let is_quiet = self.lanes[number].units[at as usize].status != UnitStatus::Walking;
                if let Some(group) = self.groups.get_mut(&member.group).filter(|_| !is_quiet) {
                    group.quiet &= !(1 << number);
                }
            }
        }
        self.occupants = occupants;
        let is_settled = |group: &Group| group.quiet == u16::MAX;
        let settled: Vec<GroupId> =
            self.groups.iter().filter(|(_, group)| is_settled(group)).map(|(&id, _)| id).collect();
        for &id in &settled {
            self.groups.remove(&id);
            for lane in &mut self.lanes {
                lane.members.retain(|_, member| member.group != id);
            }
        }
        if !settled.is_empty() {
            alloc::sync::Arc::make_mut(&mut self.report).settled.extend(settled);
        }
    }

    /// A unit of a group is on the way again, after it was seen that nobody of its lane is.
    pub(super) fn note_on_the_way(&mut self, slot: u32) {
        let member = self.lanes[slot as usize % LANES].members.get(&(slot / LANES as u32));
        if let Some(group) = member.and_then(|member| self.groups.get_mut(&member.group)) {
            group.quiet &= !(1 << (slot as usize % LANES));
        }
    }

    /// A unit takes a slot if it has none and is near, or if its own was blocked.
    fn look_for_slot(&mut self, occupants: Option<&Occupants>, slot: u32) {
        let (lane, at) = (&self.lanes[slot as usize % LANES], slot as usize / LANES);
        let (unit, Some(&member)) = (&lane.units[at], lane.members.get(&(at as u32))) else { return };
        let space = &self.kinds[usize::from(unit.kind)].space;
        let slots = self.groups.get(&member.group).and_then(|group| group.kinds.get(&unit.kind));
        let (Some(slots), place) = (slots, self.place_of(slot)) else { return };
        let is_due = match member.slot {
            // One that has arrived without a slot has come near enough.
            None => {
                !member.is_told && space.contains(place) && space.estimate(place, slots.goal) <= slots.near
            }
            Some(number) => !space.contains(slots.places[number as usize]),
        };
        if is_due && let Some(number) = self.claim(occupants, slot, member) {
            self.assign(slot, Some(number));
        }
    }

    /// A slot for a unit of a group, which nobody else gets from now on. `None` if there is none left.
    pub(super) fn claim(&mut self, occupants: Option<&Occupants>, slot: u32, member: Member) -> Option<u32> {
        let place = self.place_of(slot);
        let unit = &self.lanes[slot as usize % LANES].units[slot as usize / LANES];
        let KindState { space, kind, .. } = &self.kinds[usize::from(unit.kind)];
        let slots = self.groups.get_mut(&member.group)?.kinds.get_mut(&unit.kind)?;
        loop {
            let number = slots.best_for(space, place)?;
            slots.take(number);
            // One that somebody else has settled on is of no use.
            let cell = space.cell(slots.places[number]);
            let is_spoilt = occupants.is_some_and(|occupants| {
                occupants.others(&self.map, cell, kind.size, slot).any(|other| {
                    let lane = &self.lanes[other as usize % LANES];
                    let is_member = lane.members.get(&(other / LANES as u32));
                    is_member.is_none_or(|other| other.group != member.group)
                        && lane.units[other as usize / LANES].status != UnitStatus::Walking
                })
            });
            if !is_spoilt {
                return Some(number as u32);
            }
        }
    }

    /// A unit of a group goes to a slot from now on; without one it has come near enough.
    pub(super) fn assign(&mut self, slot: u32, number: Option<u32>) {
        let place = self.place_of(slot);
        let (lane, at) = (&mut self.lanes[slot as usize % LANES], slot as usize / LANES);
        let Some(member) = lane.members.get_mut(&(at as u32)) else { return };
        member.slot = number;
        let (group, kind) = (member.group, lane.units[at].kind);
        let slots = self.groups.get_mut(&group).and_then(|group| {
            group.quiet &= !(1 << (slot as usize % LANES));
            group.kinds.get(&kind)
        });
        let goal = number.zip(slots).map_or(place, |(number, slots)| slots.places[number as usize]);
        let (unit, kind) = (&mut lane.units[at], &self.kinds[usize::from(kind)]);
        // Its place or the slot may have been blocked: then it stays as it is, and looks again later.
        if unit.walker.set_goal(kind, place, goal).is_err() {
            return;
        }
        if number.is_some() {
            unit.set_out(self.frame);
            lane.clear(at);
            lane.set_course(at, kind, goal);
        } else {
            // At once: on its way for another frame, somebody could push it, and it would come back.
            lane.clear(at);
            lane.courses.remove(&(at as u32));
            lane.arrive(at);
        }
    }

    /// Others have been in the way of a unit for too long. If it is one of a group that has come near, it has
    /// arrived where it stands, and gives its slot back. Whether it is.
    pub(super) fn settle_here(&mut self, slot: u32) -> bool {
        let (lane, at) = (&self.lanes[slot as usize % LANES], slot as usize / LANES);
        let member = lane.members.get(&(at as u32)).copied();
        // Without a slot it is not near.
        let Some(number) = member.and_then(|member| member.slot) else { return false };
        let kind = lane.units[at].kind;
        self.assign(slot, None);
        let slots = member.and_then(|member| self.groups.get_mut(&member.group)?.kinds.get_mut(&kind));
        slots.into_iter().for_each(|slots| slots.give_back(number as usize));
        true
    }
}
