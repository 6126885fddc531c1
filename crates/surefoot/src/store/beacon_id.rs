//! The number of a corner.

use core::fmt;

/// The number of a corner among the beacons of a map.
///
/// It stands here, and not with [the beacons](crate::beacons), because [`Edited`](super::Edited) names
/// corners, too. Numbers mean something in one database only. After edits a number may be out of use, and
/// later be that of another corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct BeaconId(u32);

impl BeaconId {
    /// The number of no corner. It is for places that an `Option` would make larger.
    pub const NONE: Self = Self(u32::MAX);

    /// The number of the corner at a place in an array of all corners.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        debug_assert!(index < u32::MAX as usize);
        Self(index as u32)
    }

    /// Its place in an array of all corners.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first so many numbers.
    #[inline]
    pub(crate) fn first(count: usize) -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..count as u32).map(Self)
    }

    /// The corner that is this node of a graph of all corners, or was saved as this number.
    #[inline]
    pub(crate) const fn from_node(node: u32) -> Self {
        Self(node)
    }

    /// Its node in a graph of all corners, and what is saved of it.
    #[inline]
    pub(crate) const fn node(self) -> u32 {
        self.0
    }
}

impl From<BeaconId> for u32 {
    #[inline]
    fn from(id: BeaconId) -> Self {
        id.0
    }
}

impl fmt::Display for BeaconId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
