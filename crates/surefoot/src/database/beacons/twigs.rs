//! How all regions hang together: those of nooks by twigs on the trunk, and the trunk so that it is as connected as the map.
//!
//! Along jagged walls there are thousands of nooks that climbs do not get into from afar. The beacons that lead into them are twigs: each
//! has one way out, over the next, and no hub label of its own. What lies beyond the trunk is known to it through that way.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::web::Web;
use crate::database::parallel::in_parallel;
use crate::database::partition::Regions;
use crate::search::{GridPlanner, Planner};
use crate::space::State;

/// No chain of twigs is longer than this: to walk up one is part of a move.
pub(crate) const MOST_TWIGS: usize = 8;

/// A beacon of the trunk, or a twig, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Trunk(u32),
    Twig(u32),
}

/// The twigs, and where the beacon of each region is.
#[derive(Default)]
pub(super) struct Twigs {
    pub(super) states: Vec<State>,
    /// For each the next on its way out: a twig with a lower number, or a beacon of the trunk.
    pub(super) out: Vec<Place>,
    pub(super) of_region: Vec<Option<Place>>,
}

impl Twigs {
    /// Gives every region a beacon, and makes the trunk as connected as the map. `beacon_of` has those of the trunk, at least one in each
    /// component; `neighbours` are the pairs of regions that a move leads between.
    pub(super) fn grow(
        web: &mut Web<'_>,
        regions: &Regions,
        beacon_of: &[Option<u32>],
        neighbours: &[(u32, u32)],
    ) -> Self {
        let mut twigs = Self::for_nooks(web, regions, beacon_of, neighbours);
        twigs.promote_long_chains(web);
        twigs.connect(web, regions, neighbours);
        twigs.drop_promoted(web);
        twigs
    }

    fn for_nooks(
        web: &Web<'_>,
        regions: &Regions,
        beacon_of: &[Option<u32>],
        neighbours: &[(u32, u32)],
    ) -> Self {
        let nooks = outwards(beacon_of, neighbours);
        let state = |region: u32| regions.list.representatives[region as usize];
        let ways = in_parallel(&nooks, GridPlanner::fastest, |planner, &(nook, next)| {
            let path = planner.plan(web.space, state(nook), state(next)).ok()?.path?;
            Some(web.bends(&path))
        });
        let mut grown = Self::default();
        let mut places: Vec<Option<Place>> = beacon_of.iter().map(|own| own.map(Place::Trunk)).collect();
        let mut of_state = BTreeMap::new();
        for (&(nook, next), way) in nooks.iter().zip(ways) {
            // Regions are taken outwards from the trunk: the next one has its place.
            let Some(mut out) = places[next as usize] else { continue };
            for state in way.unwrap_or_default().into_iter().rev().chain([state(nook)]) {
                let known = web.number(state).map(Place::Trunk).or(of_state.get(&state).copied());
                out = known.unwrap_or_else(|| {
                    let twig = Place::Twig(grown.states.len() as u32);
                    grown.states.push(state);
                    grown.out.push(out);
                    of_state.insert(state, twig);
                    twig
                });
            }
            places[nook as usize] = Some(out);
        }
        // Only a state by itself is in a component without a beacon of the trunk, and has no place.
        grown.of_region = places;
        grown
    }

    fn state(&self, web: &Web<'_>, place: Place) -> State {
        match place {
            Place::Trunk(beacon) => web.states[beacon as usize],
            Place::Twig(twig) => self.states[twig as usize],
        }
    }

    /// The beacon of the trunk that a chain of twigs leads to.
    fn root(&self, mut place: Place) -> u32 {
        loop {
            match place {
                Place::Trunk(beacon) => return beacon,
                Place::Twig(twig) => place = self.out[twig as usize],
            }
        }
    }

    /// Makes those twigs part of the trunk that too long a chain hangs on.
    fn promote_long_chains(&self, web: &mut Web<'_>) {
        let mut heights = vec![1; self.states.len()];
        for twig in (0..self.states.len()).rev() {
            if let Place::Twig(out) = self.out[twig] {
                heights[out as usize] = heights[twig].max(heights[out as usize] - 1) + 1;
            }
        }
        let is_promoted = |twig: usize| heights[twig] > MOST_TWIGS;
        // Whatever a promoted one hangs on has a longer chain, and is promoted as well.
        let promoted = (0..self.states.len()).filter(|&twig| is_promoted(twig));
        web.add(promoted.clone().map(|twig| self.states[twig]));
        for twig in promoted {
            let (state, next) = (self.states[twig], self.state(web, self.out[twig]));
            if let (Some(a), Some(b), Some(cost)) =
                (web.number(state), web.number(next), web.leg(state, next))
            {
                web.put_leg(a, b, cost);
            }
        }
    }

    /// Leaves out the twigs that are part of the trunk now.
    fn drop_promoted(&mut self, web: &Web<'_>) {
        let mut new_places = Vec::with_capacity(self.states.len());
        let mut kept = 0;
        for twig in 0..self.states.len() {
            new_places.push(match web.number(self.states[twig]) {
                Some(beacon) => Place::Trunk(beacon),
                None => {
                    kept += 1;
                    Place::Twig(kept - 1)
                }
            });
        }
        let renew = |place: &mut Place| {
            if let Place::Twig(twig) = *place {
                *place = new_places[twig as usize];
            }
        };
        self.out.iter_mut().for_each(renew);
        self.of_region.iter_mut().flatten().for_each(renew);
        let is_kept = |twig: usize| matches!(new_places[twig], Place::Twig(_));
        let mut at = 0..;
        self.out.retain(|_| at.next().is_some_and(is_kept));
        at = 0..;
        self.states.retain(|_| at.next().is_some_and(is_kept));
    }

    /// Adds beacons until there are ways over the trunk between all regions that a move leads between, and between each beacon and that of
    /// its region: bends of a path are joined to each other, but not always to anything else.
    fn connect(&self, web: &mut Web<'_>, regions: &Regions, neighbours: &[(u32, u32)]) {
        let root = |region: u32| self.of_region[region as usize].map(|place| self.root(place));
        let of_regions = neighbours.iter().filter_map(|&(a, b)| Some([root(a)?, root(b)?]));
        let of_beacons = (0..)
            .zip(&web.states)
            .filter_map(|(beacon, state)| Some([beacon, root(regions.labels[state.index()])?]));
        let pairs: Vec<[u32; 2]> = of_regions.chain(of_beacons).collect();
        let mut sets = Sets::of_web(web);
        let mut planner = GridPlanner::fastest();
        for ends in pairs {
            if sets.are_one(ends[0], ends[1]) {
                continue;
            }
            let states = ends.map(|beacon| web.states[beacon as usize]);
            // A move leads from one region to the other, or a climb within it: there is a path.
            let Ok(Some(path)) = planner.plan(web.space, states[0], states[1]).map(|answer| answer.path)
            else {
                continue;
            };
            let mut chain = web.bends(&path);
            web.add(chain.iter().copied());
            chain.insert(0, states[0]);
            chain.push(states[1]);
            for pair in chain.windows(2) {
                let numbers = [pair[0], pair[1]].map(|state| web.number(state));
                if let ([Some(a), Some(b)], Some(cost)) = (numbers, web.leg(pair[0], pair[1])) {
                    web.put_leg(a, b, cost);
                }
            }
            sets = Sets::of_web(web);
        }
    }
}

/// For each region the nearest one with a beacon, by the number of regions between; a region with a beacon is its own.
pub(super) fn main_regions(beacon_of: &[Option<u32>], neighbours: &[(u32, u32)]) -> Vec<u32> {
    let mut main_of: Vec<u32> = (0..beacon_of.len() as u32).collect();
    for (nook, next) in outwards(beacon_of, neighbours) {
        main_of[nook as usize] = main_of[next as usize];
    }
    main_of
}

/// The regions without a beacon, outwards from those that have one, each with the one before it.
fn outwards(beacon_of: &[Option<u32>], neighbours: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); beacon_of.len()];
    for &(a, b) in neighbours {
        around[a as usize].push(b);
        around[b as usize].push(a);
    }
    let mut has_place: Vec<bool> = beacon_of.iter().map(Option::is_some).collect();
    let mut front: Vec<u32> =
        (0..beacon_of.len() as u32).filter(|&region| has_place[region as usize]).collect();
    let mut nooks = Vec::new();
    while !front.is_empty() {
        let mut next_front = Vec::new();
        for region in front {
            for &nook in &around[region as usize] {
                if !has_place[nook as usize] {
                    has_place[nook as usize] = true;
                    nooks.push((nook, region));
                    next_front.push(nook);
                }
            }
        }
        front = next_front;
    }
    nooks
}

/// Which beacons legs connect.
pub(super) struct Sets(Vec<u32>);

impl Sets {
    pub(super) fn new(beacons: usize, legs: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut sets = Self((0..beacons as u32).collect());
        for (from, to) in legs {
            let (a, b) = (sets.of(from), sets.of(to));
            sets.0[a.max(b) as usize] = a.min(b);
        }
        sets
    }

    fn of_web(web: &Web<'_>) -> Self {
        let legs = (0..).zip(&web.legs);
        Self::new(web.legs.len(), legs.flat_map(|(from, legs)| legs.iter().map(move |&(to, _)| (from, to))))
    }

    pub(super) fn of(&mut self, beacon: u32) -> u32 {
        let mut root = beacon;
        while self.0[root as usize] != root {
            let next = self.0[root as usize];
            self.0[root as usize] = self.0[next as usize];
            root = next;
        }
        root
    }

    fn are_one(&mut self, a: u32, b: u32) -> bool {
        self.of(a) == self.of(b)
    }
}
