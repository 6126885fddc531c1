//! Groups as bytes.

use alloc::vec::Vec;

use super::groups::{Group, GroupId, Member, Slots};
use super::lane::LANES;
use super::{Crowd, MOST_UNITS};
use crate::space::{State, StateSpace as _};
use crate::store::codec::{CodecError, Reader, put_number, put_state};

impl Crowd {
    pub(super) fn save_groups(&self, out: &mut Vec<u8>) {
        put_number(out, u64::from(self.next_group));
        put_number(out, self.groups.len() as u64);
        for (id, group) in &self.groups {
            put_number(out, u64::from(id.0));
            put_number(out, u64::from(group.quiet));
            put_number(out, group.kinds.len() as u64);
            for (&kind, slots) in &group.kinds {
                put_number(out, u64::from(kind));
                put_state(out, slots.goal);
                put_number(out, slots.near);
                put_number(out, slots.wanted as u64);
                put_number(out, slots.places.len() as u64);
                for (&place, &is_taken) in slots.places.iter().zip(&slots.is_taken) {
                    put_number(out, u64::from(place.0) << 1 | u64::from(is_taken));
                }
            }
        }
        for lane in &self.lanes {
            put_number(out, lane.members.len() as u64);
            for (&at, member) in &lane.members {
                put_number(out, u64::from(at));
                put_number(out, u64::from(member.group.0));
                put_number(
                    out,
                    member.slot.map_or(0, |slot| u64::from(slot) + 1) << 1 | u64::from(member.is_told),
                );
                put_number(out, u64::from(member.trades));
            }
        }
    }

    /// Reads what was saved, once all units are there.
    pub(super) fn load_groups(&mut self, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let most = u64::from(u32::MAX);
        // So that there is room for more than any game sends.
        self.next_group = saved.number_up_to(most / 2, "no group has such a number")? as u32;
        for _ in 0..saved.count(3)? {
            let id = GroupId(saved.number_up_to(most, "no group has such a number")? as u32);
            let quiet = saved.number_up_to(u64::from(u16::MAX), "there are not so many lanes")? as u16;
            let mut group = Group { quiet, ..Group::default() };
            for _ in 0..saved.count(4)? {
                let kind = saved.number_up_to(u64::from(u8::MAX), "there is no such kind")? as u8;
                let Some(space) = self.kinds.get(usize::from(kind)).map(|kind| &kind.space) else {
                    return Err(saved.malformed("there is no such kind"));
                };
                let limit = space.state_limit();
                let (goal, near) = (saved.state(limit)?, saved.number()?);
                let wanted = saved.number_up_to(u64::from(MOST_UNITS), "there are not so many")? as usize;
                let (mut places, mut taken) = (Vec::new(), Vec::new());
                for number in 0..saved.count(1)? {
                    let place = saved.number_up_to((limit as u64) << 1, "there is no such cell")?;
                    if place >> 1 >= limit as u64 {
                        return Err(saved.malformed("there is no such cell"));
                    }
                    places.push(State((place >> 1) as u32));
                    if place & 1 == 1 {
                        taken.push(number);
                    }
                }
                let mut slots = Slots::new(goal, places, wanted, near);
                taken.into_iter().for_each(|number| slots.take(number));
                group.kinds.insert(kind, slots);
            }
            if id.0 >= self.next_group || self.groups.insert(id, group).is_some() {
                return Err(saved.malformed("no group has such a number"));
            }
        }
        for lane in 0..LANES {
            for _ in 0..saved.count(4)? {
                let at = saved.number_up_to(u64::from(MOST_UNITS), "there is no such unit")? as u32;
                let group = GroupId(saved.number_up_to(most, "there is no such group")? as u32);
                let flags = saved.number_up_to(most << 1, "there is no such slot")?;
                let (slot, is_told) = (((flags >> 1) as u32).checked_sub(1), flags & 1 == 1);
                let trades = saved.number_up_to(u64::from(u8::MAX), "nobody trades so often")? as u8;
                let unit = self.lanes[lane].units.get(at as usize).filter(|unit| !unit.walker.is_gone());
                let slots = unit.and_then(|unit| self.groups.get(&group)?.kinds.get(&unit.kind));
                let is_there = slots.is_some_and(|slots| {
                    slot.is_none_or(|slot| slots.is_taken.get(slot as usize) == Some(&true))
                });
                if !is_there {
                    return Err(saved.malformed("this unit belongs to no such group"));
                }
                self.lanes[lane].members.insert(at, Member { group, slot, is_told, trades });
            }
        }
        Ok(())
    }
}
