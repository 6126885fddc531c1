//! What beacons are built from.

use alloc::vec::Vec;
use core::fmt;

use crate::codec::{CodecError, Reader, put_number};

/// The largest slack: twice as long as need be.
pub(crate) const MOST_SLACK: u64 = 10_000;

/// What beacons are built from, beside their map: the same configuration gives the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BeaconConfig {
    /// By how many ten-thousandths a walk may be longer than a cheapest one. 0 is exact.
    pub slack: u32,
    /// The most that a move may look up; as much as a decision takes if there is none. Decisions that take more are spread over several moves.
    pub bound: Option<u64>,
}

impl BeaconConfig {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, u64::from(self.slack));
        put_number(&mut out, self.bound.map_or(0, |bound| bound.saturating_add(1)));
        out
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let slack = reader.number_up_to(MOST_SLACK, "no beacons are so bad")? as u32;
        Ok(Self { slack, bound: reader.number()?.checked_sub(1) })
    }
}

impl fmt::Display for BeaconConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "beacons(slack={}, bound=", self.slack)?;
        match self.bound {
            Some(bound) => write!(f, "{bound})"),
            None => f.write_str("auto)"),
        }
    }
}
