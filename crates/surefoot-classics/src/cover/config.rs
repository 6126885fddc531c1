//! What a cover is built from.

use alloc::vec::Vec;
use core::fmt;

use surefoot::search::Ties;
use surefoot::store::codec::{CodecError, Reader, put_number};

/// The longest climb, side of a sector and path that a cover can be asked for.
const MOST: u64 = 1_000_000;

use crate::regions::partition::Partition;

/// What a cover is built from, beside its map: the same configuration gives the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoverConfig {
    /// How the map is divided.
    pub partition: Partition,
    /// Whether paths are cut down only as far as nothing is lost.
    pub lossless: bool,
    /// How the climbs break ties; agents that use the cover break them the same way.
    pub ties: Ties,
}

impl fmt::Display for CoverConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { partition, lossless, ties } = self;
        match partition {
            Partition::Climbs { cutoff } => write!(f, "cover(climbs, cutoff={cutoff}")?,
            Partition::Sectors { side } => write!(f, "cover(sectors, side={side}")?,
        }
        let lossless = if *lossless { "yes" } else { "no" };
        let ties = match ties {
            Ties::Near => "low-g",
            Ties::Far => "high-g",
        };
        write!(f, ", lossless={lossless}, ties={ties})")
    }
}

impl CoverConfig {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let (kind, length) = match self.partition {
            Partition::Climbs { cutoff } => (0, cutoff),
            Partition::Sectors { side } => (1, side),
        };
        let mut out = Vec::from([kind, u8::from(self.lossless), u8::from(self.ties == Ties::Far)]);
        put_number(&mut out, u64::from(length));
        out
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let [kind, lossless, far] = reader.array()?;
        if lossless > 1 || far > 1 {
            return Err(reader.malformed("this should be 0 or 1"));
        }
        let length = reader.number_up_to(MOST, "no cover has so large regions")? as u32;
        let partition = match (kind, length) {
            (0, cutoff) => Partition::Climbs { cutoff },
            (1, side @ 1..) => Partition::Sectors { side },
            _ => return Err(reader.malformed("maps are not divided like this")),
        };
        let ties = if far == 1 { Ties::Far } else { Ties::Near };
        Ok(Self { partition, lossless: lossless == 1, ties })
    }
}
