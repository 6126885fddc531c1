//! Crowds as bytes that outlive the program, and the checksum by which players in lockstep see that they are
//! still in step.
//!
//! In the [envelope](crate::store::codec): settings; the map as it is now, a bit a cell; each kind with what
//! it walks by; lanes; slots, with all that their units have planned and learned. Nothing of it is trusted
//! when it is read.

use alloc::boxed::Box;
use alloc::vec::Vec;

use xxhash_rust::xxh3::Xxh3;

use super::groups::Member;
use super::kind::KindState;
use super::lane::{Astray, LANES, Stated};
use super::occupied::{Held, Occupants};
use super::pursuit::Pursuit;
use super::unit::{Priority, Unit, UnitStatus};
use super::walker::{Boxed, UnitWalker};
use super::{Crowd, CrowdConfig, CrowdError, MOST_UNITS, UnitId};
use crate::agent::{CORE, Roster};
use crate::beacons::BeaconWalker;
use crate::space::{Cell, Grid, Limits, NearestSearch, State, StateSpace as _};
use crate::store::codec;
use crate::store::codec::{CodecError, Reader, put_number, put_signed, put_state};

pub(super) const SAVED_CROWD: codec::Envelope =
    codec::Envelope { name: "saved crowd", label: *b"sfcrowd\n", oldest: 6, version: 6 };

const STATUSES: [UnitStatus; 4] =
    [UnitStatus::Walking, UnitStatus::Arrived, UnitStatus::Unreachable, UnitStatus::Stuck];

impl Crowd {
    /// A number that is the same for crowds that are alike: the frame, the map, who is where, with which
    /// goal, and how that is going, and whose turn is next. Cheap enough for every frame: players of a
    /// lockstep game compare it. What units have planned is not in it, but shows in a later frame.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(&self.frame.to_le_bytes());
        hash.update(&self.map_mark.to_le_bytes());
        hash.update(&self.debt.to_le_bytes());
        self.kinds.iter().for_each(|kind| hash.update(&[u8::from(kind.is_unbuilt)]));
        for lane in &self.lanes {
            hash.update(&lane.account.to_le_bytes());
            lane.turns.iter().for_each(|turn| hash.update(&turn.to_le_bytes()));
            for at in 0..lane.units.len() {
                let unit = &lane.units[at];
                let of_unit = [unit.kind, unit.priority as u8, unit.status as u8];
                let mut record = [0; 16];
                record[..4].copy_from_slice(&lane.place(at).0.to_le_bytes());
                record[4..8].copy_from_slice(&lane.goal(at).0.to_le_bytes());
                record[8..10].copy_from_slice(&unit.generation.to_le_bytes());
                record[10..12].copy_from_slice(&unit.waited.to_le_bytes());
                record[12..15].copy_from_slice(&of_unit);
                record[15] = u8::from(unit.walker.is_gone());
                hash.update(&record);
            }
            for (at, Member { group, slot, is_told, trades }) in &lane.members {
                let slot = slot.map_or(0, |slot| slot + 1);
                [*at, group.0, slot, u32::from(*is_told), u32::from(*trades)]
                    .iter()
                    .for_each(|part| hash.update(&part.to_le_bytes()));
            }
            // Who has none any more is as if it never had one: that is how it is saved.
            for (at, pace) in lane.paced() {
                hash.update(&(at as u32).to_le_bytes());
                hash.update(&pace.record());
            }
        }
        hash.digest()
    }

    /// The whole crowd as bytes: the map, databases, units and all that they have planned and learned.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut body = Vec::new();
        let out = &mut body;
        let CrowdConfig { patience, most_learned, most_choices, are_units_obstacles, is_parallel } =
            self.config;
        put_number(out, u64::from(patience));
        put_number(out, most_learned);
        put_number(out, u64::from(most_choices));
        put_number(out, u64::from(are_units_obstacles) | u64::from(is_parallel) << 1);
        put_map(out, &self.map);
        out.extend_from_slice(&self.map_mark.to_le_bytes());
        put_number(out, u64::from(self.frame));
        put_number(out, self.debt);
        put_number(out, self.kinds.len() as u64);
        self.kinds.iter().for_each(|kind| kind.save(out));
        for lane in &self.lanes {
            put_signed(out, lane.account);
            lane.turns.iter().for_each(|&turn| put_number(out, u64::from(turn)));
            put_number(out, u64::from(lane.has_waiting));
            put_option(out, lane.stated.map(|stated| stated.frames));
            put_option(out, lane.stated.and_then(|stated| stated.share));
            put_number(out, lane.stated.map_or(0, |stated| stated.most));
            put_number(out, lane.held.len() as u64);
            for (&at, held) in &lane.held {
                put_number(out, u64::from(at));
                put_state(out, held.place);
                put_number(out, u64::from(held.refused));
                put_number(out, u64::from(held.in_a_row));
                put_number(out, u64::from(held.turns));
                put_number(out, held.nearest);
            }
            put_number(out, lane.astray.len() as u64);
            for (&at, astray) in &lane.astray {
                put_number(out, u64::from(at));
                put_number(out, u64::from(astray.choices));
                put_number(out, astray.nearest);
            }
            put_number(out, lane.pursuits.len() as u64);
            for (&at, pursuit) in &lane.pursuits {
                put_number(out, u64::from(at));
                pursuit.save(out, self.map.width());
            }
            lane.save_paces(out);
            lane.save_courses(out);
        }
        let slots: usize = self.lanes.iter().map(|lane| lane.units.len()).sum();
        put_number(out, slots as u64);
        for slot in 0..slots {
            self.lanes[slot % LANES].units[slot / LANES].save(&self.kinds, out);
        }
        put_number(out, self.free.len() as u64);
        self.free.iter().for_each(|&slot| put_number(out, u64::from(slot)));
        self.save_groups(out);
        codec::seal(&SAVED_CROWD, &body)
    }

    /// The crowd that was saved. It goes on exactly as that one would have.
    ///
    /// # Errors
    /// If the bytes are no saved crowd, or are damaged.
    pub fn load(bytes: &[u8]) -> Result<Self, CrowdError> {
        Self::load_with(bytes, &CORE)
    }

    /// The same for a crowd whose units go by other algorithms than those of this crate: the roster knows
    /// them.
    ///
    /// # Errors
    /// If the bytes are no saved crowd, or are damaged, or the roster does not know its algorithms.
    pub fn load_with(bytes: &[u8], roster: &Roster) -> Result<Self, CrowdError> {
        Self::load_within(bytes, roster, &Limits::default())
    }

    /// The same for a crowd from who knows where, which may ask for so much.
    ///
    /// # Errors
    /// As for [`Crowd::load_with`]; also if it asks for more.
    pub fn load_within(bytes: &[u8], roster: &Roster, limits: &Limits) -> Result<Self, CrowdError> {
        let mut saved = Reader::new(codec::open(&SAVED_CROWD, bytes)?);
        let saved = &mut saved;
        let patience = saved.number_up_to(u64::from(u16::MAX), "nobody is so patient")? as u16;
        let most_learned = saved.number()?;
        let most_choices = saved.number_up_to(u64::from(u16::MAX), "nobody chooses so often")? as u16;
        let flags = saved.number_up_to(3, "there are two settings")?;
        let config = CrowdConfig {
            patience,
            most_learned,
            most_choices,
            are_units_obstacles: flags & 1 == 1,
            is_parallel: flags & 2 == 2,
        };
        let map = read_map(saved)?;
        if !limits.allow(map.width(), map.height()) {
            return Err(saved.malformed("this map has more cells than are allowed").into());
        }
        let cells = map.cell_count() as u64;
        let mut crowd = Self::with_config(map, config);
        crowd.map_mark = u64::from_le_bytes(saved.array()?);
        crowd.frame = saved.number_up_to(u64::from(u32::MAX), "no frame has such a number")? as u32;
        crowd.debt = saved.number()?;
        let kinds = saved.number_up_to(super::kind::MOST_KINDS as u64, "there are too many kinds")?;
        // One map stands for all kinds, and each takes memory for all of its cells.
        if kinds.saturating_mul(cells) > limits.bytes.max(cells) {
            return Err(saved.malformed("these kinds have more cells than are allowed").into());
        }
        for _ in 0..kinds {
            crowd.kinds.push(KindState::load(saved, &crowd.map, roster)?);
        }
        crowd.load_lanes(saved)?;
        crowd.load_slots(saved)?;
        crowd.load_lists(saved)?;
        crowd.load_groups(saved)?;
        saved.finish()?;
        crowd.take_places(saved)?;
        Ok(crowd)
    }

    fn load_lanes(&mut self, saved: &mut Reader<'_>) -> Result<(), CrowdError> {
        let limit = self.map.cell_count();
        for lane in &mut self.lanes {
            lane.account = saved.signed()?;
            for turn in &mut lane.turns {
                *turn = saved.number_up_to(u64::from(MOST_UNITS), "there is no such turn")? as u32;
            }
            lane.has_waiting = saved.number_up_to(1, "this should be 0 or 1")? == 1;
            let (frames, share, most) = (read_option(saved)?, read_option(saved)?, saved.number()?);
            lane.stated = frames.map(|frames| Stated { frames, share, most });
            for _ in 0..saved.count(6)? {
                let at = saved.number_up_to(u64::from(MOST_UNITS), "there is no such unit")? as u32;
                let place = saved.state(limit)?;
                let refused = saved.number_up_to(u64::from(u16::MAX), "nobody waits so long")? as u16;
                let in_a_row = saved.number_up_to(7, "nobody is in its way")? as u8;
                let turns = saved.number_up_to(u64::from(u16::MAX), "nobody waits so long")? as u16;
                let nearest = saved.number()?;
                lane.held.insert(at, Held { place, refused, in_a_row, turns, nearest });
            }
            for _ in 0..saved.count(3)? {
                let at = saved.number_up_to(u64::from(MOST_UNITS), "there is no such unit")? as u32;
                let choices = saved.number_up_to(u64::from(u16::MAX), "nobody chooses so often")? as u16;
                lane.astray.insert(at, Astray { choices, nearest: saved.number()? });
            }
            for _ in 0..saved.count(4)? {
                let at = saved.number_up_to(u64::from(MOST_UNITS), "there is no such unit")? as u32;
                lane.pursuits.insert(at, Pursuit::load(saved, &self.map)?);
            }
            lane.load_paces(saved, limit)?;
            lane.load_courses(saved, limit)?;
        }
        Ok(())
    }

    fn load_slots(&mut self, saved: &mut Reader<'_>) -> Result<(), CrowdError> {
        for slot in 0..saved.count(2)? {
            let lane = &mut self.lanes[slot % LANES];
            let unit = Unit::load(saved, &self.kinds, self.frame)?;
            if !unit.walker.is_gone() {
                lane.counts[unit.priority as usize] += 1;
            }
            lane.units.push(unit);
        }
        Ok(())
    }

    fn load_lists(&mut self, saved: &mut Reader<'_>) -> Result<(), CrowdError> {
        let slots: usize = self.lanes.iter().map(|lane| lane.units.len()).sum();
        let last = (slots as u64).saturating_sub(1);
        let mut is_free = alloc::vec![false; slots];
        for _ in 0..saved.count(1)? {
            let slot = saved.number_up_to(last, "there is no such slot")? as u32;
            let is_known = is_free.get_mut(slot as usize).is_none_or(|known| core::mem::replace(known, true));
            if is_known || !self.slot_mut(slot).walker.is_gone() {
                return Err(saved.malformed("this slot is not free").into());
            }
            self.free.push_back(slot);
        }
        Ok(())
    }

    /// Puts everyone where they stand, where no two may stand on one cell.
    fn take_places(&mut self, saved: &Reader<'_>) -> Result<(), CodecError> {
        let mut occupants = self.occupants.is_some().then(|| Occupants::new(&self.map));
        for lane in &self.lanes {
            let mut held = lane.held.keys();
            if occupants.is_none() && held.len() > 0 {
                return Err(saved.malformed("nobody is in anyone's way here"));
            }
            let is_nobody = |&at: &u32| lane.units.get(at as usize).is_none_or(|unit| unit.walker.is_gone());
            let others = lane.astray.keys().chain(lane.pursuits.keys()).chain(lane.courses.keys());
            let mut paced = (0..lane.paces.len() as u32).filter(|&at| lane.pace(at as usize).is_some());
            if held.any(is_nobody) || others.into_iter().any(is_nobody) || paced.any(|at| is_nobody(&at)) {
                return Err(saved
                    .malformed("nobody is there to be held up, to pursue, to be fast, or to take a link"));
            }
            let Some(occupants) = &mut occupants else { continue };
            for at in (0..lane.units.len()).filter(|&at| !lane.units[at].walker.is_gone()) {
                let (slot, place) = (lane.id(at).slot, self.cell(lane.place(at)));
                let size = self.size_of(slot);
                if !occupants.is_room(&self.map, place, size, slot) {
                    return Err(saved.malformed("two units stand on one cell"));
                }
                occupants.put(&self.map, place, size, slot);
            }
        }
        self.occupants = occupants;
        Ok(())
    }
}

impl Pursuit {
    fn save(&self, out: &mut Vec<u8>, width: u32) {
        put_number(out, self.target.to_number());
        let flags = [self.is_idle, self.seen.is_some(), self.search.is_some()];
        put_number(out, flags.into_iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(flag)));
        if let Some((place, mark)) = self.seen {
            put_state(out, place);
            put_option(out, mark);
        }
        if let Some((NearestSearch { target, best, distance, is_below, run }, mark)) = self.search {
            [target, best].iter().for_each(|cell| put_state(out, State(cell.y * width + cell.x)));
            put_number(out, distance << 1 | u64::from(is_below));
            put_number(out, u64::from(run));
            put_option(out, mark);
        }
    }

    fn load(saved: &mut Reader<'_>, map: &Grid) -> Result<Self, CodecError> {
        let mut pursuit = Self::new(UnitId::from_number(saved.number()?));
        let flags = saved.number_up_to(7, "there are three flags")?;
        pursuit.is_idle = flags & 1 == 1;
        if flags & 2 == 2 {
            pursuit.seen = Some((saved.state(map.cell_count())?, read_option(saved)?));
        }
        if flags & 4 == 4 {
            let cell = |state: State| Cell::new(state.0 % map.width(), state.0 / map.width());
            let (target, best) = (cell(saved.state(map.cell_count())?), cell(saved.state(map.cell_count())?));
            let row = saved.number_up_to(u64::from(u32::MAX) << 1 | 1, "there is no such row")?;
            let run = saved.number_up_to(u64::from(map.width()), "no row has so many runs")? as u32;
            let (distance, is_below) = (row >> 1, row & 1 == 1);
            let search = NearestSearch { target, best, distance, is_below, run };
            pursuit.search = Some((search, read_option(saved)?));
        }
        Ok(pursuit)
    }
}

impl Unit {
    fn save(&self, kinds: &[KindState], out: &mut Vec<u8>) {
        put_number(out, u64::from(self.generation));
        match &self.walker {
            UnitWalker::Gone => return put_number(out, 0),
            // Without beacons it can only stand there.
            UnitWalker::Beacons(_) if kinds[usize::from(self.kind)].guide().is_none() => put_number(out, 4),
            UnitWalker::Beacons(_) => put_number(out, 1),
            UnitWalker::Agent(boxed) => put_number(out, 2 + u64::from(boxed.is_relief)),
        }
        put_number(out, u64::from(self.kind));
        put_number(out, u64::from(self.waited));
        put_number(out, self.priority as u64);
        put_number(out, self.status as u64);
        let space = &kinds[usize::from(self.kind)].space;
        match &self.walker {
            UnitWalker::Gone => {}
            UnitWalker::Beacons(walker) if kinds[usize::from(self.kind)].guide().is_none() => {
                [walker.position(), walker.goal()].into_iter().for_each(|state| put_state(out, state));
            }
            UnitWalker::Beacons(walker) => walker.save(space, out),
            UnitWalker::Agent(boxed) => {
                put_state(out, boxed.goal);
                boxed.agent.save(space, out);
            }
        }
    }

    fn load(saved: &mut Reader<'_>, kinds: &[KindState], frame: u32) -> Result<Self, CrowdError> {
        let generation = saved.number_up_to(u64::from(u16::MAX), "no slot was used so often")? as u16;
        let what = saved.number_up_to(4, "nobody walks like this")?;
        if what == 0 {
            return Ok(Self { generation, ..Self::NOBODY });
        }
        let number = saved.number_up_to(u64::from(u8::MAX), "there is no such kind")? as u8;
        let Some(kind) = kinds.get(usize::from(number)) else {
            return Err(saved.malformed("there is no such kind").into());
        };
        let waited = saved.number_up_to(u64::from(u16::MAX), "nobody waits so long")? as u16;
        let priority = Priority::ALL[saved.number_up_to(2, "there is no such priority")? as usize];
        let status = STATUSES[saved.number_up_to(3, "there is no such status")? as usize];
        let walker = match (what, kind.guide()) {
            (1, Some(guide)) => UnitWalker::Beacons(BeaconWalker::restored(guide, saved)?),
            (4, _) => {
                let limit = kind.space.state_limit();
                UnitWalker::stranded(saved.state(limit)?, saved.state(limit)?)
            }
            (1, None) => return Err(saved.malformed("this kind has no beacons").into()),
            _ => {
                let is_relief = what == 3;
                let goal = saved.state(kind.space.state_limit())?;
                let mut agent = if is_relief { kind.last_resort()? } else { kind.agent()? };
                agent.restore(&kind.space, saved)?;
                UnitWalker::Agent(Box::new(Boxed { agent, goal, is_relief }))
            }
        };
        Ok(Self { walker, generation, waited, kind: number, priority, status, stamp: frame as u8 })
    }
}

/// Writes a number that there may be.
fn put_option(out: &mut Vec<u8>, number: Option<u64>) {
    put_number(out, u64::from(number.is_some()));
    if let Some(number) = number {
        put_number(out, number);
    }
}

fn read_option(saved: &mut Reader<'_>) -> Result<Option<u64>, CodecError> {
    let is_there = saved.number_up_to(1, "this should be 0 or 1")? == 1;
    is_there.then(|| saved.number()).transpose()
}

/// Writes a map, a bit a cell.
fn put_map(out: &mut Vec<u8>, map: &Grid) {
    put_number(out, u64::from(map.width()));
    put_number(out, u64::from(map.height()));
    for y in 0..map.height() {
        for first in (0..map.width()).step_by(8) {
            let bit = |at: u32| u8::from(map.is_free(Cell::new(first + at, y))) << at;
            out.push((0..8).map(bit).sum());
        }
    }
}

fn read_map(saved: &mut Reader<'_>) -> Result<Grid, CrowdError> {
    let (width, height) = (saved.number()?, saved.number()?);
    let row = width.div_ceil(8) as usize;
    let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(height)) else {
        return Err(saved.malformed("no map is so large").into());
    };
    // So many bytes there must be before memory is taken for them.
    let size = row.checked_mul(height as usize).ok_or_else(|| saved.malformed("no map is so large"))?;
    let bytes = saved.bytes(size)?;
    let is_free = |cell: Cell| bytes[cell.y as usize * row + cell.x as usize / 8] >> (cell.x % 8) & 1 == 1;
    Ok(Grid::from_fn(width, height, is_free)?)
}
