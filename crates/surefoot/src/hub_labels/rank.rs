//! The rank of a hub.

use core::fmt;

/// The place of a node in the order of importance: the most important one has the first rank. Labels name
/// hubs by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub(crate) struct HubRank(u32);

impl HubRank {
    /// The rank of a node that has none yet. It comes after all others.
    pub(crate) const UNRANKED: Self = Self(u32::MAX);

    /// The rank at a place in the order.
    #[inline]
    pub(crate) const fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// Its place in the order.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// This rank, and those after it.
    #[inline]
    pub(crate) fn onwards(self) -> impl Iterator<Item = Self> {
        (self.0..u32::MAX).map(Self)
    }

    /// Whether it is one of the first so many.
    #[inline]
    pub(crate) const fn is_among_first(self, count: u32) -> bool {
        self.0 < count
    }

    /// The rank as the key of a table.
    #[inline]
    pub(crate) const fn key(self) -> u32 {
        self.0
    }
}

impl fmt::Display for HubRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
