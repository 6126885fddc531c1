//! What beacons are built from.

use alloc::vec::Vec;
use core::fmt;

use crate::store::codec::{CodecError, Reader, put_number};
use crate::transit::TransitConfig;

/// What beacons are built from, beside their map: the same configuration gives the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BeaconConfig {
    /// The most that a move may look up; as much as a decision takes if there is none. Decisions that take
    /// more are spread over several moves.
    pub bound: Option<u64>,
    /// Which corners have labels.
    pub labels: Labelled,
}

/// Which corners have hub labels. Ways are exact in either case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Labelled {
    /// All, unless that makes more hubs than [`Labelled::MOST_OF_ALL`]; then the core.
    #[default]
    Auto,
    /// All of them. After an edit labels are updated only where that is needed.
    All,
    /// Only those of the core. That takes less memory on large maps. After an edit all labels are made anew.
    Core,
}

impl Labelled {
    /// The most hubs that labels of all corners may have together, unless they are asked for: about 2 MB in
    /// memory.
    pub const MOST_OF_ALL: u64 = 170_000;

    /// All of them, with their names.
    pub const NAMES: [(&str, Self); 3] = [("auto", Self::Auto), ("all", Self::All), ("core", Self::Core)];

    /// The name of it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

impl BeaconConfig {
    /// The transit nodes that stand in where there can be no beacons.
    #[must_use]
    pub fn in_place(self) -> TransitConfig {
        TransitConfig { bound: self.bound, ..TransitConfig::default() }
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, self.bound.map_or(0, |bound| bound.saturating_add(1)));
        put_number(&mut out, self.labels as u64);
        out
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let bound = reader.number()?.checked_sub(1);
        let labels = reader.number_up_to(2, "there is no such choice of labels")?;
        Ok(Self { bound, labels: Labelled::NAMES[labels as usize].1 })
    }
}

impl fmt::Display for BeaconConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = self.labels.name();
        match self.bound {
            Some(bound) => write!(f, "beacons(bound={bound},labels={labels})"),
            None => write!(f, "beacons(bound=auto,labels={labels})"),
        }
    }
}

/// Settings, one after the other.
impl BeaconConfig {
    /// A move looks up at most so much.
    #[must_use]
    pub fn with_bound(self, bound: impl Into<Option<u64>>) -> Self {
        Self { bound: bound.into(), ..self }
    }

    /// These corners have labels.
    #[must_use]
    pub fn with_labels(self, labels: Labelled) -> Self {
        Self { labels, ..self }
    }
}
