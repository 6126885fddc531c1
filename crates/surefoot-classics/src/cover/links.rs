//! Cheapest paths between the states that stand for regions, cut down to what a climb needs, and the cheapest
//! chains of them.

use alloc::collections::{BTreeSet, BinaryHeap};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use surefoot::search::{Dijkstra, JumpPoints, StatePath, climb};
use surefoot::space::{Cost, GridSpace, State, sorting};
use surefoot::store::parallel::in_parallel;

use super::CoverConfig;
use crate::knn::compress::{Fidelity, compress};
use crate::regions::partition::Regions;
use crate::regions::{RegionId, RegionSpan};

/// No link is known.
const NO_LINK: u32 = u32::MAX;

/// A path from the state of one region to that of another.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) from: RegionId,
    pub(super) to: RegionId,
    /// The states that a climb needs, both ends included.
    pub(super) states: Vec<State>,
    /// What it costs to climb from each to the next.
    pub(super) cost: Cost,
}

/// The links of pairs of regions, in both directions, sorted.
pub(super) fn link_all(
    space: &GridSpace,
    regions: &Regions,
    config: &CoverConfig,
    pairs: &[(RegionId, RegionId)],
) -> Vec<Link> {
    let state = |region: RegionId| regions.list.representatives[region.index()];
    let both = |(a, b): (RegionId, RegionId), mut path: StatePath| {
        let there = link(space, config, (a, b), &path);
        path.states.reverse();
        [there, link(space, config, (b, a), &path)]
    };
    // Regions with a move between them are in one component: there is a path.
    let mut links: Vec<Link> = if space.is_weighted() {
        // Without jump points one search for all paths of a region takes less than one for each.
        let groups: Vec<&[(RegionId, RegionId)]> = pairs.chunk_by(|one, next| one.0 == next.0).collect();
        let of_group = |search: &mut Dijkstra, pairs: &&[(RegionId, RegionId)]| {
            let Some(&(from, _)) = pairs.first() else { return Vec::new() };
            let paths = paths_from(space, search, state(from), pairs.iter().map(|&(_, to)| state(to)));
            pairs.iter().zip(paths).filter_map(|(&pair, path)| Some(both(pair, path?))).flatten().collect()
        };
        in_parallel(&groups, Dijkstra::new, of_group).into_iter().flatten().collect()
    } else {
        let of_pair = |planner: &mut JumpPoints, &(a, b): &(RegionId, RegionId)| {
            let answer = planner.find(space, state(a), state(b));
            answer.ok().and_then(|answer| answer.path).map(|path| both((a, b), path))
        };
        in_parallel(pairs, JumpPoints::new, of_pair).into_iter().flatten().flatten().collect()
    };
    sorting::sort_by_key(&mut links, |link| (link.from, link.to));
    links
}

/// Cheapest paths from a state to some others.
fn paths_from(
    space: &GridSpace,
    search: &mut Dijkstra,
    from: State,
    targets: impl Iterator<Item = State> + Clone,
) -> Vec<Option<StatePath>> {
    let mut left = BTreeSet::new();
    left.extend(targets.clone());
    let ways = search.tree(space, from, |settled| {
        left.remove(&settled);
        left.is_empty()
    });
    let path_to = |target: State| {
        let cost = ways.distance(target)?;
        let mut states = Vec::from([target]);
        let mut at = target;
        while at != from {
            at = ways.next(at);
            states.push(at);
        }
        states.reverse();
        Some(StatePath { states, cost })
    };
    targets.map(path_to).collect()
}

fn link(space: &GridSpace, config: &CoverConfig, (from, to): (RegionId, RegionId), path: &StatePath) -> Link {
    let fidelity = if config.lossless { Fidelity::Lossless } else { Fidelity::Arrives };
    let states = compress(space, path, fidelity, config.ties);
    let cost = states.windows(2).map(|leg| climb(space, leg[0], leg[1], u64::MAX, config.ties).cost).sum();
    Link { from, to, states, cost }
}

/// Regions and the links between them.
#[derive(Clone, Debug)]
pub(super) struct RegionGraph {
    /// Where the links of each region begin, and one more.
    pub(super) starts: Vec<u32>,
    /// Where each link leads, and what it costs.
    pub(super) links: Vec<(RegionId, Cost)>,
}

impl RegionGraph {
    /// The graph of so many regions with these links, which are sorted.
    pub(super) fn new(regions: u32, links: &[Link]) -> Self {
        let regions = regions as usize;
        let mut starts = vec![0; regions + 1];
        for link in links {
            starts[link.from.index() + 1] += 1;
        }
        for region in 0..regions {
            starts[region + 1] += starts[region];
        }
        Self { starts, links: links.iter().map(|link| (link.to, link.cost)).collect() }
    }

    fn links_of(&self, region: RegionId) -> &[(RegionId, Cost)] {
        &self.links[self.starts[region.index()] as usize..self.starts[region.index() + 1] as usize]
    }

    /// For each region of a component that one of them gets to, the place of the link that the cheapest chain
    /// there begins with, and what that chain costs. Of equally cheap ones the one with the earliest link is
    /// taken.
    pub(super) fn chains_from(&self, source: RegionId, component: RegionSpan) -> Vec<(u32, Cost)> {
        let place = |region: RegionId| component.place(region);
        let mut best = vec![(NO_LINK, Cost::MAX); component.len()];
        best[place(source)] = (0, 0);
        let mut open = BinaryHeap::from([Reverse((0, 0, source))]);
        while let Some(Reverse((cost, first, region))) = open.pop() {
            if (first, cost) != best[place(region)] {
                continue;
            }
            for (at, &(to, step)) in (0..).zip(self.links_of(region)) {
                let first = if region == source { at } else { first };
                let (known_first, known) = &mut best[place(to)];
                let cost = cost.saturating_add(step);
                if to != source && (cost, first) < (*known, *known_first) {
                    (*known_first, *known) = (first, cost);
                    open.push(Reverse((cost, first, to)));
                }
            }
        }
        best
    }
}
