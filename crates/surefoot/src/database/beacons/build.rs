//! Builds beacons.

use alloc::vec;
use alloc::vec::Vec;

use super::hubs::{HubCost, hub_labels};
use super::leaves::cut_leaves;
use super::lessons::Learner;
use super::twigs::{Place, Twigs, main_regions};
use super::web::{Leg, Web};
use super::{BeaconConfig, BeaconDatabase};
use crate::database::container::DatabaseError;
use crate::database::cover::Partition;
use crate::database::parallel::in_parallel;
use crate::database::partition::{NONE, Regions, neighbours};
use crate::space::{Cost, GridSpace, State};

/// What is found before it is packed. Beacons of the trunk come first, twigs after them.
pub(super) struct Found {
    pub(super) regions: Regions,
    /// The beacon of each region; none of a state that no move leads from.
    pub(super) of_region: Vec<Option<u32>>,
    pub(super) states: Vec<State>,
    /// The legs of each beacon to beacons of the trunk.
    pub(super) legs: Vec<Vec<Leg>>,
    /// The next beacon on the way out of each twig.
    pub(super) out: Vec<u32>,
    /// For each region the beacons beyond the legs of its own that ways began or ended with.
    pub(super) views: Vec<Vec<u32>>,
    /// The hubs of each beacon of the trunk, itself last.
    pub(super) hubs: Vec<Vec<HubCost>>,
}

/// A stage of a build, for those who show how far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BeaconStage {
    /// The map is divided into regions.
    Regions,
    /// So many of so many problems have been tried.
    Problems(u32, u32),
    /// What is known is put together.
    Labels,
}

impl BeaconDatabase {
    /// Builds beacons for a map, on all cores with the feature `rayon`. The bytes do not depend on how many there are.
    ///
    /// # Errors
    /// If there is more than a file can hold.
    pub fn build(space: &GridSpace, config: BeaconConfig) -> Result<Self, DatabaseError> {
        Self::build_with(space, config, |_| {})
    }

    /// The same; `progress` hears of each stage.
    ///
    /// # Errors
    /// If there is more than a file can hold.
    pub fn build_with(
        space: &GridSpace,
        config: BeaconConfig,
        mut progress: impl FnMut(BeaconStage),
    ) -> Result<Self, DatabaseError> {
        let found = find(space, &config, &mut progress);
        Self::pack(space, config, &found)
    }
}

fn find(space: &GridSpace, config: &BeaconConfig, progress: &mut dyn FnMut(BeaconStage)) -> Found {
    progress(BeaconStage::Regions);
    let (cutoff, span) = (config.cutoff_for(space), config.span_for(space));
    let partition = Partition::Climbs { cutoff };
    let regions = Regions::new(space, partition, config.ties);
    let neighbours = neighbours(space, &regions.labels);
    let mut web = Web::new(space, config.ties, span);
    let beacon_of = plant_trunk(&mut web, &regions, partition);
    let middles = web.states.len() as u32;
    let problems = config.problems_for(space);
    let main_of = main_regions(&beacon_of, &neighbours);
    let mut learner = Learner {
        web: &mut web,
        regions: &regions,
        beacon_of: &beacon_of,
        main_of: &main_of,
        cutoff,
        views: Default::default(),
    };
    learner.learn(config, |tried| progress(BeaconStage::Problems(tried, problems)));
    let views = learner.views;
    progress(BeaconStage::Labels);
    let twigs = Twigs::grow(&mut web, &regions, &beacon_of, &neighbours);
    let mut legs_of_twigs = legs_of_twigs(&web, &twigs, span / 2);
    // Ways are to lead over bends rather than over the middles of regions.
    web.leave_out_dominated(|over| over >= middles);
    let hubs = hub_labels(&web.legs);
    let trunk = web.states.len() as u32;
    let number = |place: Place| match place {
        Place::Trunk(beacon) => beacon,
        Place::Twig(twig) => trunk + twig,
    };
    let mut views_of: Vec<Vec<u32>> = vec![Vec::new(); beacon_of.len()];
    for (region, seen) in views {
        views_of[region as usize] = seen;
    }
    let (mut states, mut legs) = (web.states, web.legs);
    states.extend(&twigs.states);
    legs.append(&mut legs_of_twigs);
    cut_leaves(Found {
        of_region: twigs.of_region.iter().map(|place| place.map(number)).collect(),
        states,
        legs,
        out: twigs.out.iter().map(|&place| number(place)).collect(),
        views: views_of,
        hubs,
        regions,
    })
}

/// The states of large regions become the first beacons, and in a component without any, but with a move, the state of its largest one. The beacon
/// of each region that has one.
fn plant_trunk(web: &mut Web<'_>, regions: &Regions, partition: Partition) -> Vec<Option<u32>> {
    let representatives = &regions.list.representatives;
    let mut sizes = vec![0_u64; representatives.len()];
    for &label in regions.labels.iter().filter(|&&label| label != NONE) {
        sizes[label as usize] += 1;
    }
    let mut is_trunk: Vec<bool> = sizes.iter().map(|&size| !partition.is_small(size)).collect();
    let mut first = 0;
    for &count in &regions.list.components {
        let component = first..first + count as usize;
        first = component.end;
        // A state by itself needs no way.
        let is_single = component.clone().map(|region| sizes[region]).sum::<u64>() < 2;
        if is_single {
            is_trunk[component].fill(false);
        } else if !is_trunk[component.clone()].contains(&true)
            && let Some(largest) = component.max_by_key(|&region| (sizes[region], usize::MAX - region))
        {
            is_trunk[largest] = true;
        }
    }
    web.add(
        representatives.iter().zip(&is_trunk).filter(|&(_, &is_trunk)| is_trunk).map(|(&state, _)| state),
    );
    representatives
        .iter()
        .zip(is_trunk)
        .map(|(&state, is_trunk)| web.number(state).filter(|_| is_trunk))
        .collect()
}

/// The legs of each twig to beacons of the trunk that no others make up for.
fn legs_of_twigs(web: &Web<'_>, twigs: &Twigs, span: u32) -> Vec<Vec<Leg>> {
    let scratch = || vec![Cost::MAX; web.states.len()];
    in_parallel(&twigs.states, scratch, |direct, &state| {
        web.undominated(&web.legs_to_near(state, span, |_| true), direct, |_| true)
    })
}
