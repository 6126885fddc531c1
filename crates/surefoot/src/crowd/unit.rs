//! Units: who they are, and how they are doing.

use core::fmt;

use super::walker::Walker;
use crate::space::State;

/// The name of a unit. The name of one that was removed is not given to another for the next four thousand million units of its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl UnitId {
    /// The unit as one number, for whoever keeps names as numbers.
    #[must_use]
    pub fn to_number(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.slot)
    }

    /// The unit of a number.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        Self { slot: number as u32, generation: (number >> 32) as u32 }
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.slot, self.generation)
    }
}

/// Who is served first where the work of a frame does not suffice for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// Before all others.
    High,
    /// After those.
    #[default]
    Normal,
    /// When all others were served.
    Low,
}

impl Priority {
    /// All of them, the first first.
    pub const ALL: [Self; 3] = [Self::High, Self::Normal, Self::Low];
}

/// How a unit is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnitStatus {
    /// It is on its way.
    Walking,
    /// It stands on its goal.
    Arrived,
    /// There is no way to its goal. As soon as there is one it goes on.
    Unreachable,
    /// Its algorithm knows no move that would bring it closer. It goes on when the map changes.
    Stuck,
}

/// A unit, or a free slot. Small: there are many.
#[derive(Clone)]
pub(super) struct Unit {
    pub(super) walker: Walker,
    /// Where it stands.
    pub(super) place: State,
    pub(super) generation: u32,
    /// The frame in which it was last served, or had nothing to do.
    pub(super) last_served: u32,
    pub(super) kind: u8,
    pub(super) priority: Priority,
    pub(super) status: UnitStatus,
}

impl Unit {
    /// Whether there is something to do for it.
    #[inline]
    pub(super) fn is_due(&self, frame: u32) -> bool {
        self.status == UnitStatus::Walking && self.last_served != frame && !self.walker.is_gone()
    }

    /// For how many frames it has waited.
    #[inline]
    pub(super) fn waited(&self, frame: u32) -> u32 {
        frame.wrapping_sub(self.last_served)
    }

    /// It has something to do from now on.
    pub(super) fn set_out(&mut self, frame: u32) {
        if self.status != UnitStatus::Walking {
            (self.status, self.last_served) = (UnitStatus::Walking, frame);
        }
    }
}
