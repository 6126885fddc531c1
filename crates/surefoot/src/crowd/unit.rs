//! Units: who they are, and how they are doing.

use core::fmt;

use super::walker::UnitWalker;

/// The name of a unit. The name of one that was removed comes again only after 65,535 others had its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    pub(super) slot: u32,
    pub(super) generation: u16,
}

impl UnitId {
    /// The unit's place among all: no two units of a crowd have the same at a time, and those of removed
    /// units are used again. For tables.
    #[must_use]
    pub fn slot(self) -> u32 {
        self.slot
    }

    /// The name as a number below 2⁴⁸: for other languages, files and networks.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.slot as u64
    }

    /// The name that a number stands for. `None` if it is that of no unit of any crowd.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        if bits >> 48 != 0 {
            return None;
        }
        Some(Self { slot: bits as u32, generation: (bits >> 32) as u16 })
    }

    /// The unit as one number, for whoever keeps names as numbers.
    #[must_use]
    pub fn to_number(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.slot)
    }

    /// The unit of a number.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        Self { slot: number as u32, generation: (number >> 32) as u16 }
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
    pub(super) walker: UnitWalker,
    pub(super) generation: u16,
    /// For how many frames in a row it has waited, or more.
    pub(super) waited: u16,
    pub(super) kind: u8,
    pub(super) priority: Priority,
    pub(super) status: UnitStatus,
    /// The last bits of the frame that it was last looked at in.
    pub(super) stamp: u8,
}

impl Unit {
    /// A slot that nobody has.
    pub(super) const NOBODY: Self = Self {
        walker: UnitWalker::Gone,
        generation: 0,
        waited: 0,
        kind: 0,
        priority: Priority::Normal,
        status: UnitStatus::Arrived,
        stamp: 0,
    };

    /// Whether there is something to do for it in this frame.
    #[inline]
    pub(super) fn is_due(&self, frame: u32) -> bool {
        self.status == UnitStatus::Walking && self.stamp != frame as u8
    }

    /// It was looked at in this frame.
    #[inline]
    pub(super) fn note_look(&mut self, frame: u32) {
        self.stamp = frame as u8;
    }

    /// It has its turn in this frame.
    #[inline]
    pub(super) fn note_turn(&mut self, frame: u32) {
        self.note_look(frame);
        self.waited = 0;
    }

    /// It has something to do from the frame after this one on.
    pub(super) fn set_out(&mut self, frame: u32) {
        if self.status != UnitStatus::Walking {
            (self.status, self.waited) = (UnitStatus::Walking, 0);
            self.note_look(frame);
        }
    }
}
