//! What beacons are built from.

use alloc::vec::Vec;
use core::fmt;

use crate::codec::{CodecError, Reader, put_number};
use crate::database::TransitConfig;

/// What beacons are built from, beside their map: the same configuration gives the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BeaconConfig {
    /// The most that a move may look up; as much as a decision takes if there is none. Decisions that take more are spread over several moves.
    pub bound: Option<u64>,
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
        out
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        Ok(Self { bound: reader.number()?.checked_sub(1) })
    }
}

impl fmt::Display for BeaconConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bound {
            Some(bound) => write!(f, "beacons(bound={bound})"),
            None => f.write_str("beacons(bound=auto)"),
        }
    }
}
