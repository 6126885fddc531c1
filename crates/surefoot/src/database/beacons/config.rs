//! What beacons are built from.

use alloc::vec::Vec;
use core::fmt;

use crate::codec::{CodecError, Reader, put_number};
use crate::search::Ties;
use crate::space::GridSpace;

/// The largest cutoff and span that can be asked for.
pub(super) const MOST_STEPS: u64 = 1_000_000;
/// The most problems that beacons can be tried on.
pub(crate) const MOST_PROBLEMS: u64 = 10_000_000;
/// So many beacons of the trunk make a large database.
const MANY_BEACONS: usize = 2_000;
/// The largest slack: nine times as long as need be is good enough.
pub(crate) const MOST_SLACK: u64 = 80_000;

/// What beacons are built from, beside their map: the same configuration gives the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeaconConfig {
    /// The most steps of a climb between a state and the beacon of its region; chosen by the size of the map if there is none.
    pub cutoff: Option<u32>,
    /// How many problems the beacons are tried on; chosen by the size of the map if there is none.
    pub problems: Option<u32>,
    /// By how many ten-thousandths a way may be longer than the cheapest one before beacons are added for it.
    pub slack: u32,
    /// Which problems.
    pub seed: u64,
    /// How the climbs break ties; agents that go by the beacons break them the same way.
    pub ties: Ties,
}

impl Default for BeaconConfig {
    fn default() -> Self {
        Self { cutoff: None, problems: None, slack: 100, seed: 1, ties: Ties::Far }
    }
}

impl BeaconConfig {
    /// The cutoff that is used for a map: small maps have small rooms, and large ones must not have too many regions.
    #[must_use]
    pub fn cutoff_for(&self, space: &GridSpace) -> u32 {
        let chosen = || (space.grid().free_count() / 640).isqrt().clamp(12, 120) as u32;
        self.cutoff.unwrap_or_else(chosen)
    }

    /// The number of problems that are used for a map at most; where it is chosen by the size of the map, half of them do if there are
    /// many beacons by then.
    #[must_use]
    pub fn problems_for(&self, space: &GridSpace) -> u32 {
        let chosen = || (space.grid().free_count() / 270).clamp(4_000, MOST_PROBLEMS) as u32;
        self.problems.unwrap_or_else(chosen)
    }

    /// Whether that many problems are enough, where there are so many beacons: a database that is small as yet may learn some more.
    pub(super) fn are_enough(&self, tried: usize, beacons: usize, space: &GridSpace) -> bool {
        let is_large = beacons > MANY_BEACONS;
        self.problems.is_none() && is_large && 2 * tried >= self.problems_for(space) as usize
    }

    /// The longest leg, in cells along either axis, that is looked for.
    pub(super) fn span_for(&self, space: &GridSpace) -> u32 {
        self.cutoff_for(space).saturating_mul(8).clamp(64, 1_000)
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut out = Vec::from([u8::from(self.ties == Ties::Far)]);
        for choice in [self.cutoff, self.problems] {
            put_number(&mut out, choice.map_or(0, |chosen| u64::from(chosen) + 1));
        }
        put_number(&mut out, u64::from(self.slack));
        put_number(&mut out, self.seed);
        out
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let ties = match reader.byte()? {
            0 => Ties::Near,
            1 => Ties::Far,
            _ => return Err(reader.malformed("ties are not broken like this")),
        };
        let cutoff = reader.number_up_to(MOST_STEPS + 1, "no beacons have so large regions")?;
        let problems = reader.number_up_to(MOST_PROBLEMS + 1, "no beacons are tried so often")?;
        let chosen = |number: u64| (number as u32).checked_sub(1);
        let slack = reader.number_up_to(MOST_SLACK, "no beacons are so bad")? as u32;
        Ok(Self { cutoff: chosen(cutoff), problems: chosen(problems), slack, seed: reader.number()?, ties })
    }
}

impl fmt::Display for BeaconConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { slack, seed, ties, .. } = self;
        f.write_str("beacons(")?;
        for (name, choice) in [("cutoff", self.cutoff), ("problems", self.problems)] {
            match choice {
                Some(number) => write!(f, "{name}={number}, ")?,
                None => write!(f, "{name}=auto, ")?,
            }
        }
        let ties = match ties {
            Ties::Near => "low-g",
            Ties::Far => "high-g",
        };
        write!(f, "slack={slack}, seed={seed}, ties={ties})")
    }
}
