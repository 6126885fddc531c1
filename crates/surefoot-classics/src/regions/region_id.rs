//! The number of a region.

use core::fmt;

/// The number of a region among those of a cover or a pattern database.
///
/// Numbers mean something in one database only. Regions of one component of a map are numbered in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct RegionId(u32);

impl RegionId {
    /// The number of no region. It is for places that an `Option` would make larger.
    pub const NONE: Self = Self(u32::MAX);

    /// The number of the region at a place in an array of all regions.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// Its place in an array of all regions.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first so many numbers.
    #[inline]
    pub fn first(count: u32) -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..count).map(Self)
    }

    /// The region of this number, as it is written in files.
    #[inline]
    pub(crate) const fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// The number itself, as it is written in files.
    #[inline]
    pub(crate) const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for RegionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Regions that are numbered in a row: those of one component of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegionSpan {
    first: u32,
    after: u32,
}

impl RegionSpan {
    /// So many regions, after all those of the spans before.
    pub(crate) const fn after(before: Option<Self>, count: u32) -> Self {
        let first = match before {
            Some(before) => before.after,
            None => 0,
        };
        Self { first, after: first + count }
    }

    /// The first of them.
    pub(crate) const fn first(self) -> RegionId {
        RegionId(self.first)
    }

    /// How many there are.
    #[inline]
    pub(crate) const fn len(self) -> usize {
        (self.after - self.first) as usize
    }

    #[inline]
    pub(crate) const fn contains(self, region: RegionId) -> bool {
        self.first <= region.0 && region.0 < self.after
    }

    /// The place of one of them.
    #[inline]
    pub(crate) const fn place(self, region: RegionId) -> usize {
        (region.0 - self.first) as usize
    }

    /// All of them, in order.
    #[inline]
    pub(crate) fn regions(self) -> impl ExactSizeIterator<Item = RegionId> + Clone {
        (self.first..self.after).map(RegionId)
    }
}
