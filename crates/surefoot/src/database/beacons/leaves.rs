//! Beacons of the trunk that ways begin and end at, but never lead over.
//!
//! The middles of large regions are beacons so that every state has one. Few ways between other beacons lead over them: where none does they need no hub labels, and
//! become twigs. The labels of the others stay as they are.

use alloc::vec;
use alloc::vec::Vec;

use super::build::Found;
use super::hubs::HubCost;
use super::twigs::MOST_TWIGS;
use super::web::Leg;

/// Makes twigs of all beacons of the trunk that the others get along without.
pub(super) fn cut_leaves(found: Found) -> Found {
    let trunk = found.hubs.len();
    let outs = outs_of_leaves(&found);
    let is_leaf = |beacon: u32| outs.get(beacon as usize).is_some_and(Option::is_some);
    // The trunk, the leaves, the twigs: some of these may hang on leaves.
    let all = 0..found.states.len() as u32;
    let (leaves, kept): (Vec<u32>, Vec<u32>) = (0..trunk as u32).partition(|&beacon| is_leaf(beacon));
    let order: Vec<u32> = kept.iter().chain(&leaves).copied().chain(all.skip(trunk)).collect();
    let mut numbers = vec![0; order.len()];
    for (new, &old) in (0..).zip(&order) {
        numbers[old as usize] = new;
    }
    let number = |old: u32| numbers[old as usize];
    let kept_legs = |old: &u32| -> Vec<Leg> {
        let legs = found.legs[*old as usize].iter().filter(|&&(to, _)| !is_leaf(to));
        legs.map(|&(to, cost)| (number(to), cost)).collect()
    };
    let kept_views = |views: &Vec<u32>| -> Vec<u32> {
        views.iter().copied().filter(|&beacon| !is_leaf(beacon)).map(number).collect()
    };
    Found {
        of_region: found.of_region.iter().map(|own| own.map(number)).collect(),
        states: order.iter().map(|&old| found.states[old as usize]).collect(),
        legs: order.iter().map(kept_legs).collect(),
        out: outs.iter().flatten().chain(&found.out).map(|&out| number(out)).collect(),
        views: found.views.iter().map(kept_views).collect(),
        hubs: kept_labels(&found.hubs, &kept, number),
        regions: found.regions,
    }
}

/// The labels of the beacons that are kept, with new numbers and without gaps between the ranks.
fn kept_labels(hubs: &[Vec<HubCost>], kept: &[u32], number: impl Fn(u32) -> u32) -> Vec<Vec<HubCost>> {
    let mut ranks: Vec<u32> =
        kept.iter().filter_map(|&beacon| hubs[beacon as usize].last().map(|own| own.rank)).collect();
    ranks.sort_unstable();
    let rank = |old: u32| ranks.partition_point(|&rank| rank < old) as u32;
    let renewed = |hub: &HubCost| HubCost { rank: rank(hub.rank), cost: hub.cost, next: number(hub.next) };
    kept.iter().map(|&beacon| hubs[beacon as usize].iter().map(renewed).collect()).collect()
}

/// For each beacon of the trunk that is a leaf the one of the trunk that it hangs on then. A leaf is neither a hub of another, nor the next on the way from
/// another to one of its hubs.
fn outs_of_leaves(found: &Found) -> Vec<Option<u32>> {
    let Found { hubs, legs, .. } = found;
    let mut hub_of_rank = vec![0; hubs.len()];
    for (beacon, label) in (0..).zip(hubs) {
        if let Some(own) = label.last() {
            hub_of_rank[own.rank as usize] = beacon;
        }
    }
    let mut is_needed = vec![false; hubs.len()];
    for (beacon, label) in (0..).zip(hubs) {
        for hub in label.iter().filter(|hub| hub.next != beacon) {
            is_needed[hub.next as usize] = true;
            is_needed[hub_of_rank[hub.rank as usize] as usize] = true;
        }
    }
    let heights = heights(found);
    let mut outs = vec![None; hubs.len()];
    for beacon in 0..hubs.len() {
        if is_needed[beacon] || heights[beacon] == MOST_TWIGS {
            continue;
        }
        let others = legs[beacon].iter().filter(|&&(to, _)| outs[to as usize].is_none());
        if let Some(&(out, _)) = others.min_by_key(|&&(to, cost)| (cost, to)) {
            outs[beacon] = Some(out);
            // What hangs on the trunk needs it.
            is_needed[out as usize] = true;
        }
    }
    outs
}

/// How many twigs hang on each beacon of the trunk in a row, at most.
fn heights(found: &Found) -> Vec<usize> {
    let trunk = found.hubs.len();
    let mut heights = vec![0; found.states.len()];
    // A twig hangs on an earlier one, or on the trunk.
    for (twig, &out) in found.out.iter().enumerate().rev() {
        heights[out as usize] = heights[out as usize].max(heights[trunk + twig] + 1);
    }
    heights.truncate(trunk);
    heights
}
