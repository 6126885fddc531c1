//! Units of a group trade slots where one of them is in the way of another: nobody has to walk around anybody
//! (TSWAP: Okumura, Défago 2022).

use alloc::vec::Vec;

use super::Crowd;
use super::groups::{Member, Slots};
use super::kind::{Kind, KindState};
use super::lane::LANES;
use super::occupied::Occupants;
use super::tuning::{MOST_IN_FRONT, MOST_TRADES};
use super::unit::UnitStatus;
use crate::space::{Cell, Direction, Heuristic as _, next_run};

impl Crowd {
    /// One unit is in the way of another of its group. If they can trade slots they do. Who traded; `None` if
    /// nobody did, and the first one has to find a way around the other.
    pub(super) fn trade_slots(&mut self, slot: u32, other: u32, occupants: &Occupants) -> Option<u64> {
        let look = |slot: u32| {
            let (lane, at) = (&self.lanes[slot as usize % LANES], slot as usize / LANES);
            Some((*lane.members.get(&(at as u32))?, &lane.units[at]))
        };
        let (Some((own, unit)), Some((others, blocker))) = (look(slot), look(other)) else { return None };
        if own.group != others.group {
            return None;
        }
        if unit.kind != blocker.kind {
            // Slots are those of a kind. But one without any need not wait for another kind, either.
            let is_due = own.slot.is_none() && !own.is_told && blocker.status == UnitStatus::Arrived;
            let number = is_due.then(|| self.claim(Some(occupants), slot, own))?;
            self.assign(slot, number);
            return Some(1);
        }
        if own.trades >= MOST_TRADES && own.slot.is_some() {
            self.settle_here(slot);
            return Some(1);
        }
        if blocker.status == UnitStatus::Arrived {
            let Some(number) = own.slot.or_else(|| self.claim(Some(occupants), slot, own)) else {
                // There is none left: this is near enough.
                self.assign(slot, None);
                return Some(1);
            };
            self.count_trade(slot);
            // All who have arrived on the way to the slot move up by one.
            let row = self.row_to(own, other, number, occupants);
            let mut behind = slot;
            for &(ahead, of_ahead) in &row {
                self.assign(behind, of_ahead);
                behind = ahead;
            }
            self.assign(behind, Some(number));
            return Some(1 + row.len() as u64);
        }
        let (Some(first), Some(second)) = (own.slot, others.slot) else { return None };
        let space = &self.kinds[usize::from(unit.kind)].space;
        let slots = self.groups.get(&own.group).and_then(|group| group.kinds.get(&unit.kind));
        let Slots { places, .. } = slots?;
        let both = |one: u32, another: u32| {
            let left = |from: u32, to: u32| space.estimate(self.place_of(from), places[to as usize]);
            left(slot, one) + left(other, another)
        };
        let is_shorter = both(second, first) < both(first, second);
        // Each stands where the other one wants to go.
        let is_head_on = self.place_of(other) != blocker.walker.position()
            && blocker.walker.position() == self.place_of(slot);
        if is_shorter || is_head_on {
            self.count_trade(slot);
            self.assign(slot, Some(second));
            self.assign(other, Some(first));
        }
        (is_shorter || is_head_on).then_some(1)
    }

    /// Whoever trades again and again is to come to an end.
    fn count_trade(&mut self, slot: u32) {
        if let Some(member) = self.lanes[slot as usize % LANES].members.get_mut(&(slot / LANES as u32)) {
            member.trades = member.trades.saturating_add(1);
        }
    }

    /// Those of a group who have arrived, and stand in a row that leads straight from one of them to a slot,
    /// with the slots that they have.
    fn row_to(&self, own: Member, first: u32, number: u32, occupants: &Occupants) -> Vec<(u32, Option<u32>)> {
        let unit = |slot: u32| &self.lanes[slot as usize % LANES].units[slot as usize / LANES];
        let kind = unit(first).kind;
        let KindState { space, kind: Kind { size, .. }, .. } = &self.kinds[usize::from(kind)];
        let member = |slot: u32| {
            let member = self.lanes[slot as usize % LANES].members.get(&(slot / LANES as u32));
            let is_settled = unit(slot).kind == kind && unit(slot).status == UnitStatus::Arrived;
            member.filter(|member| member.group == own.group && is_settled).map(|member| (slot, member.slot))
        };
        let slots = self.groups.get(&own.group).and_then(|group| group.kinds.get(&kind));
        let mut row = Vec::from_iter(member(first));
        let Some(&goal) = slots.and_then(|slots| slots.places.get(number as usize)) else { return row };
        // Only where the row leads straight to the slot does everybody come nearer.
        let start = space.cell(self.place_of(first));
        let mut runs = core::iter::successors(Some((start, 0, None)), |&(from, ..)| {
            let (direction, moves) = next_run(space.rule(), from, space.cell(goal))?;
            Some((from.after(direction, moves), moves, Some((from, direction))))
        });
        let is_open = |(_, moves, run): (Cell, u32, Option<(Cell, Direction)>)| {
            run.is_none_or(|(from, direction)| space.run(from, direction, moves) == moves)
        };
        if space.is_weighted() || !runs.all(is_open) {
            return row;
        }
        let mut cell = start;
        while let Some((direction, _)) = next_run(space.rule(), cell, space.cell(goal)) {
            cell = cell.after(direction, 1);
            let ahead = occupants.others(&self.map, cell, *size, first).next().and_then(member);
            match ahead.filter(|_| row.len() < MOST_IN_FRONT as usize) {
                Some(ahead) => row.push(ahead),
                None => break,
            }
        }
        row
    }
}
