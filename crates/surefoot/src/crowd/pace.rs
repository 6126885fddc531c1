//! Units that are slower or faster than a move a frame.
//!
//! Most units make one move a frame, whatever its length: that is what lockstep games count with. One that
//! has a [`Speed`] covers so much ground a frame. It belongs to the next cell as soon as it sets out for it,
//! so that nobody else goes there, and sets out for the one after that when it has covered the move's length.
//! A diagonal move is as long as it is drawn, and a link as long as it costs. Lengths are whole numbers, so
//! that all machines agree.

use alloc::vec::Vec;

use super::frame::Proposal;
use super::kind::KindState;
use super::lane::{LANES, Lane, Round};
use super::unit::UnitStatus;
use super::{Crowd, CrowdError, MOST_UNITS, UnitId};
use crate::search::Meter;
use crate::space::{Cell, State};
use crate::store::codec::{CodecError, Reader, put_number, put_state};

/// What a cell's side counts.
const CELL: u32 = 1 << 16;
/// The diagonal of a cell.
const DIAGONAL: u32 = 92_682;
/// The longest move, in cells: a link is as long as it costs, but no longer than this.
const LONGEST: u32 = 1 << 13;
/// The most cells that a unit may cover in a frame.
const MOST_CELLS: u32 = 8;

/// How fast a unit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Speed {
    /// In parts of a cell; 0 for a move a frame.
    parts: u32,
}

impl Speed {
    /// One move a frame, straight or diagonal: what units do unless something else is said.
    pub const MOVE_A_FRAME: Self = Self { parts: 0 };

    /// So many cells in so many frames. It counts in 65,536th parts of a cell, rounded down.
    #[must_use]
    pub const fn new(cells: u32, frames: u32) -> Self {
        let frames = if frames == 0 { 1 } else { frames as u64 };
        let parts = cells as u64 * CELL as u64 / frames;
        // What is none, or too fast, is refused by whoever is to have it.
        Self { parts: if parts == 0 || parts > u32::MAX as u64 { u32::MAX } else { parts as u32 } }
    }

    /// The cells that it covers in a frame. `None` if it makes one move a frame.
    #[must_use]
    pub fn cells_per_frame(self) -> Option<f64> {
        (self.parts > 0).then(|| f64::from(self.parts) / f64::from(CELL))
    }
}

/// Where a unit is on its way from one cell to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The cell that it comes from.
    pub from: Cell,
    /// The cell that it is on, as far as the crowd is concerned.
    pub to: Cell,
    /// How much of the move it has covered, from 0 to 1.
    pub share: f32,
}

impl Progress {
    /// Where to draw it: columns and rows of cells, of which the first has its middle at 0.
    #[must_use]
    pub fn point(self) -> (f32, f32) {
        let between = |from: u32, to: u32| {
            let (from, to) = (from as f32, to as f32);
            from + (to - from) * self.share
        };
        (between(self.from.x, self.to.x), between(self.from.y, self.to.y))
    }
}

/// What is kept of a unit that has a speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    pub(super) speed: Speed,
    /// What is left of the move that it has made last. Below zero it is what it may still cover in this
    /// frame.
    pub(super) left: i32,
    /// The length of that move.
    pub(super) length: u32,
    /// Where that move came from.
    pub(super) from: State,
}

impl Pace {
    /// That of a unit that makes a move a frame.
    pub(super) const NONE: Self = Self { speed: Speed::MOVE_A_FRAME, left: 0, length: 0, from: State(0) };

    /// The most moves that a unit makes in a frame, and a look whether it is there.
    pub(super) fn most_turns(self) -> u64 {
        match self.speed.parts {
            parts if parts > CELL => u64::from(parts / CELL) + 2,
            _ => 1,
        }
    }

    /// It has set out for another cell.
    fn set_out(&mut self, from: State, length: u32) {
        self.left = self.left.saturating_add(length as i32);
        (self.from, self.length) = (from, length);
    }

    /// It stays where it is: what it could have covered is lost.
    fn stay(&mut self) {
        self.left = self.left.max(0);
    }
}

impl Pace {
    /// It as bytes, for checksums.
    pub(super) fn record(self) -> [u8; 12] {
        let mut record = [0; 12];
        record[..4].copy_from_slice(&self.speed.parts.to_le_bytes());
        record[4..8].copy_from_slice(&self.left.to_le_bytes());
        record[8..].copy_from_slice(&self.from.0.to_le_bytes());
        record
    }
}

impl Lane {
    pub(super) fn save_paces(&self, out: &mut Vec<u8>) {
        put_number(out, self.paced().count() as u64);
        for (at, Pace { speed, left, length, from }) in self.paced() {
            put_number(out, at as u64);
            put_number(out, u64::from(speed.parts));
            // Between frames there is no ground left to cover.
            put_number(out, u64::from(left.max(0).unsigned_abs()));
            put_number(out, u64::from(length));
            put_state(out, from);
        }
    }

    pub(super) fn load_paces(&mut self, saved: &mut Reader<'_>, limit: usize) -> Result<(), CodecError> {
        for _ in 0..saved.count(5)? {
            let at = saved.number_up_to(u64::from(MOST_UNITS), "there is no such unit")? as usize;
            let parts = saved.number_up_to(u64::from(MOST_CELLS * CELL), "no unit is so fast")? as u32;
            let left = saved.number_up_to(i32::MAX as u64, "no move is so long")? as i32;
            let length = saved.number_up_to(i32::MAX as u64, "no move is so long")? as u32;
            let pace = Pace { speed: Speed { parts }, left, length, from: saved.state(limit)? };
            if self.paces.len() <= at {
                self.paces.resize(at + 1, Pace::NONE);
            }
            self.paces[at] = pace;
        }
        Ok(())
    }
}

/// How long a move is.
fn length(from: State, to: State, width: u32) -> u32 {
    let is_straight = from.0.abs_diff(to.0) == 1 || from.0.abs_diff(to.0) == width;
    if is_straight { CELL } else { DIAGONAL }
}

impl Lane {
    /// The pace of a unit that has a speed. `None` for others.
    #[inline]
    pub(super) fn pace(&self, at: usize) -> Option<Pace> {
        self.paces.get(at).copied().filter(|pace| pace.speed.parts > 0)
    }

    /// The units that have a speed, by their places in the lane, and their paces.
    pub(super) fn paced(&self) -> impl Iterator<Item = (usize, Pace)> {
        (0..self.paces.len()).filter_map(|at| Some((at, self.pace(at)?)))
    }

    /// Forgets the pace of a unit.
    pub(super) fn forget_pace(&mut self, at: usize) {
        if let Some(pace) = self.paces.get_mut(at) {
            *pace = Pace::NONE;
        }
    }

    /// The unit at a place has set out from one state to another.
    #[inline]
    pub(super) fn note_move(&mut self, at: usize, from: State, to: State, (kind, width): (&KindState, u32)) {
        if self.pace(at).is_some() {
            let over_link = kind.moves_over_link(from, to).map(|moves| moves.min(LONGEST) * CELL);
            self.paces[at].set_out(from, over_link.unwrap_or_else(|| length(from, to, width)));
        }
    }

    /// The unit at a place was put there.
    pub(super) fn forget_progress(&mut self, at: usize) {
        if let Some(pace) = self.paces.get_mut(at) {
            pace.left = 0;
        }
    }

    /// The unit at a place could not move.
    #[inline]
    pub(super) fn note_stay(&mut self, at: usize) {
        if let Some(pace) = self.paces.get_mut(at) {
            pace.stay();
        }
    }

    /// Those who have a speed and are not on their way, because they were stopped or pushed aside, get to the
    /// middle of their cells. It takes no planning.
    pub(super) fn finish_moves(&mut self) {
        for (pace, unit) in self.paces.iter_mut().zip(&self.units) {
            if pace.left > 0 && unit.status != UnitStatus::Walking {
                pace.left = pace.left.saturating_sub(pace.speed.parts as i32).max(0);
            }
        }
    }

    /// The turn of a unit that has a speed: as many moves as it covers ground for.
    pub(super) fn serve_paced(&mut self, round: &Round<'_>, at: usize, meter: &mut Meter) {
        let pace = &mut self.paces[at];
        pace.left = pace.left.saturating_sub(pace.speed.parts as i32);
        self.units[at].note_turn(round.frame);
        while self.is_at_next(at) {
            let (before, place) = (self.proposed.len(), self.place(at));
            self.take_turn(round, at, meter);
            let Some(&Proposal { to, .. }) = self.proposed.get(before) else {
                return self.note_stay(at);
            };
            if round.are_units_obstacles {
                // Whether it is made is seen later.
                return;
            }
            let kind = &round.kinds[usize::from(self.units[at].kind)];
            self.note_move(at, place, to, (kind, round.width));
        }
    }

    /// Whether a unit that has a speed goes on in this frame: there is ground to cover, or it is to see that
    /// it is there.
    fn is_at_next(&self, at: usize) -> bool {
        let left = self.paces[at].left;
        left < 0 || left == 0 && self.place(at) == self.goal(at)
    }
}

impl Crowd {
    /// Gives a unit a speed, from the next frame on.
    ///
    /// # Errors
    /// If there is no such unit, or no unit can be so slow or fast: more than 8 cells a frame, or where units
    /// are obstacles more than one.
    pub fn set_speed(&mut self, unit: UnitId, speed: Speed) -> Result<(), CrowdError> {
        self.unit(unit)?;
        let most = if self.occupants.is_some() { 1 } else { MOST_CELLS };
        if speed.parts > most * CELL {
            return Err(CrowdError::Speed { most });
        }
        let (lane, at) = (&mut self.lanes[unit.slot as usize % LANES], unit.slot as usize / LANES);
        if lane.paces.len() <= at {
            lane.paces.resize(at + 1, Pace::NONE);
        }
        // Of one that has no speed any more nothing is kept: nothing of it would be saved.
        lane.paces[at] = if speed.parts == 0 { Pace::NONE } else { Pace { speed, ..lane.paces[at] } };
        lane.take_back();
        Ok(())
    }

    /// How fast a unit is.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn speed(&self, unit: UnitId) -> Result<Speed, CrowdError> {
        Ok(self.pace_of(unit)?.map_or(Speed::MOVE_A_FRAME, |pace| pace.speed))
    }

    /// Where a unit is on its way from one cell to the next: where a game draws it. One without a speed is on
    /// its cell.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn progress(&self, unit: UnitId) -> Result<Progress, CrowdError> {
        let to = self.position(unit)?;
        let Some(Pace { left, length, from, .. }) = self.pace_of(unit)?.filter(|pace| pace.left > 0) else {
            return Ok(Progress { from: to, to, share: 1.0 });
        };
        let share = 1.0 - left as f32 / length.max(1) as f32;
        Ok(Progress { from: self.cell(from), to, share: share.clamp(0.0, 1.0) })
    }

    fn pace_of(&self, unit: UnitId) -> Result<Option<Pace>, CrowdError> {
        self.unit(unit)?;
        Ok(self.lanes[unit.slot as usize % LANES].pace(unit.slot as usize / LANES))
    }
}
