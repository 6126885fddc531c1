//! Whether a cover holds what it promises.

use alloc::string::String;

use surefoot::search::climb;
use surefoot::space::{GridSpace, State, StateSpace};

use super::{CoverDatabase, Partition, RegionId};

/// A promise that a cover does not keep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CoverFault {
    /// A climb between a state and the one that stands for its region does not arrive.
    #[error("no climb leads from {state} to the state that stands for its region and back")]
    Leg {
        /// The state, as messages name it.
        state: String,
    },
    /// The map is divided in another way.
    #[error("its regions are not those that the map is divided into")]
    Regions,
    /// The paths are not those that should be stored.
    #[error("the paths from region {region} are not those to its neighbours")]
    Paths {
        /// The region.
        region: RegionId,
    },
    /// A chain of paths is not a cheapest one.
    #[error("the way from region {from} to region {goal} is not a cheapest chain of paths")]
    Chain {
        /// Where the way begins.
        from: RegionId,
        /// Where it leads.
        goal: RegionId,
    },
}

impl CoverDatabase {
    /// Makes sure that climbs lead from every state to the one that stands for its region and back, if
    /// regions are made by climbs, and that regions, paths and chains are what is built from the map anew.
    /// That every leg of a path can be climbed and that every chain arrives was checked when the cover was
    /// opened.
    ///
    /// # Errors
    /// The first promise that is not kept.
    pub fn verify(&self, space: &GridSpace) -> Result<(), CoverFault> {
        let states = || (0..space.state_limit() as u32).map(State).filter(|&state| space.contains(state));
        if let Partition::Climbs { cutoff } = self.config.partition {
            let climbs = |from, to| climb(space, from, to, u64::from(cutoff), self.config.ties).end == to;
            for state in states() {
                let seed = self.region(state).map(|region| self.representative(region));
                if !seed.is_some_and(|seed| climbs(state, seed) && climbs(seed, state)) {
                    return Err(CoverFault::Leg { state: space.describe(state) });
                }
            }
        }
        let Ok(expected) = Self::build(space, self.config) else { return Err(CoverFault::Regions) };
        let representatives =
            |cover: &Self| cover.regions.iter().map(|region| region.representative).collect();
        let (own, others): (alloc::vec::Vec<State>, _) = (representatives(self), representatives(&expected));
        if own != others || states().any(|state| self.region(state) != expected.region(state)) {
            return Err(CoverFault::Regions);
        }
        for region in RegionId::first(self.regions()) {
            let places = 0..self.neighbours(region).len();
            if self.neighbours(region) != expected.neighbours(region)
                || places.into_iter().any(|place| self.path(region, place) != expected.path(region, place))
            {
                return Err(CoverFault::Paths { region });
            }
        }
        for from in RegionId::first(self.regions()) {
            for goal in RegionId::first(self.regions()) {
                if self.next_link(from, goal) != expected.next_link(from, goal) {
                    return Err(CoverFault::Chain { from, goal });
                }
            }
        }
        Ok(())
    }
}
