//! What a database of transit nodes is built from.

use alloc::vec::Vec;
use core::fmt;

use crate::store::codec::{CodecError, Reader, put_number};

/// The largest reach.
pub(crate) const MOST_REACH: u64 = 1_000_000;
/// Everything: no way has to lead over a transit node.
pub(crate) const MOST_LEFT: u64 = 10_000;
/// How many states a move expands at most, unless something else is said.
const EXPANSIONS: u64 = 256;

/// What a database of transit nodes is built from, beside its map: the same configuration gives the same
/// bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransitConfig {
    /// How many states are looked at around either end of a way, at least 1: ways that lead farther are to
    /// lead over a transit node.
    pub reach: u32,
    /// How many ten-thousandths of such ways need not. On maps of more than 512 x 512 cells both are more, so
    /// that there is an end to it.
    pub left: u32,
    /// How many states a move expands at most; 256 if nothing is said. Decisions that take more are spread
    /// over several moves.
    pub bound: Option<u64>,
}

impl Default for TransitConfig {
    fn default() -> Self {
        Self { reach: 1000, left: 500, bound: None }
    }
}

impl TransitConfig {
    /// How many states a move expands at most.
    pub(crate) fn expansions(&self) -> u64 {
        self.bound.unwrap_or(EXPANSIONS).clamp(1, u64::from(u32::MAX))
    }

    /// As it is used, whatever it says.
    pub(super) fn reach(&self) -> usize {
        u64::from(self.reach).clamp(1, MOST_REACH) as usize
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, u64::from(self.reach));
        put_number(&mut out, u64::from(self.left));
        put_number(&mut out, self.bound.map_or(0, |bound| bound.saturating_add(1)));
        out
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let mut small = || reader.number_up_to(u64::from(u32::MAX), "no database is built from so much");
        let (reach, left) = (small()? as u32, small()? as u32);
        Ok(Self { reach, left, bound: reader.number()?.checked_sub(1) })
    }
}

impl fmt::Display for TransitConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "transit nodes(reach={}, left={}, bound=", self.reach, self.left)?;
        match self.bound {
            Some(bound) => write!(f, "{bound})"),
            None => f.write_str("auto)"),
        }
    }
}

/// Settings, one after the other.
impl TransitConfig {
    /// So many states are looked at around either end of a way.
    #[must_use]
    pub fn with_reach(self, reach: u32) -> Self {
        Self { reach, ..self }
    }

    /// So many ten-thousandths of longer ways need not lead over a transit node.
    #[must_use]
    pub fn with_left(self, left: u32) -> Self {
        Self { left, ..self }
    }

    /// A move expands at most so many states.
    #[must_use]
    pub fn with_bound(self, bound: impl Into<Option<u64>>) -> Self {
        Self { bound: bound.into(), ..self }
    }
}
