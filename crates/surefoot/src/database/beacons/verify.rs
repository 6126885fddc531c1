//! Whether beacons hold what they promise.

use alloc::string::String;

use super::{BeaconDatabase, BeaconStage};
use crate::search::climb;
use crate::space::{DirectionSet, GridSpace, State, StateSpace};

/// A promise that beacons do not keep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BeaconFault {
    /// A climb between a state and the beacon of its region does not arrive.
    #[error("no climb leads from {state} to the beacon of its region and back")]
    Leg {
        /// The state, as messages name it.
        state: String,
    },
    /// What is built from the map anew is something else.
    #[error("they are not those that are built from the map anew")]
    Different,
}

impl BeaconDatabase {
    /// Makes sure that climbs lead from every state to the beacon of its region and back, and that all is what is built from the map
    /// anew. That legs can be climbed was checked when the database was opened.
    ///
    /// # Errors
    /// The first promise that is not kept.
    pub fn verify(&self, space: &GridSpace) -> Result<(), BeaconFault> {
        self.verify_with(space, |_| {})
    }

    /// The same; `progress` hears of each stage of what is built anew.
    ///
    /// # Errors
    /// The first promise that is not kept.
    pub fn verify_with(
        &self,
        space: &GridSpace,
        progress: impl FnMut(BeaconStage),
    ) -> Result<(), BeaconFault> {
        let cutoff = u64::from(self.config.cutoff_for(space));
        let climbs = |from, to| climb(space, from, to, cutoff, self.config.ties).end == to;
        for state in (0..space.state_limit() as u32).map(State).filter(|&state| space.contains(state)) {
            let beacon = self.beacon(state).map(|beacon| self.state(beacon));
            let is_alone = space.moves(state) == DirectionSet::NONE;
            if !is_alone && !beacon.is_some_and(|beacon| climbs(state, beacon) && climbs(beacon, state)) {
                return Err(BeaconFault::Leg { state: space.describe(state) });
            }
        }
        match Self::build_with(space, self.config, progress) {
            Ok(expected) if expected.as_bytes() == self.as_bytes() => Ok(()),
            _ => Err(BeaconFault::Different),
        }
    }
}
