use alloc::vec::Vec;
use core::ops::ControlFlow;

use proptest::prelude::*;

use super::graphs::{Legs, costs_from, graph, models, sparse_legs};
use crate::hub_labels::costs::Costs;
use crate::hub_labels::{Hops, HubLabels, HubRank, Labelling, LegGraph, Stop};
use crate::space::{Cost, CostModel};

pub(super) fn build(graph: &LegGraph, model: CostModel) -> HubLabels {
    HubLabels::build(graph, model, |_| ControlFlow::Continue(())).expect("nothing stops it")
}

pub(super) fn assert_exact(graph: &LegGraph, labels: &HubLabels) {
    for a in 0..graph.nodes() as u32 {
        for (b, cost) in (0..).zip(costs_from(graph, a)) {
            assert_eq!(labels.cost(a, b), cost, "from {a} to {b}");
        }
    }
}

/// The labels as they are defined: a node has a hub if no node before the hub is on a cheapest way between
/// them.
fn defined(graph: &LegGraph, order: &[u32]) -> Vec<Vec<(HubRank, Cost)>> {
    let costs: Vec<_> = order.iter().map(|&hub| costs_from(graph, hub)).collect();
    let label = |node: usize| {
        let is_hub = |&rank: &usize| {
            let Some(cost) = costs[rank][node] else { return false };
            let over = |before: usize| Some(costs[before][node]? + costs[before][order[rank] as usize]?);
            (0..rank).all(|before| over(before) != Some(cost))
        };
        (0..order.len())
            .filter(is_hub)
            .filter_map(|rank| Some((HubRank::from_index(rank), costs[rank][node]?)))
            .collect()
    };
    (0..graph.nodes()).map(label).collect()
}

fn lists(labels: &HubLabels) -> Vec<Vec<(HubRank, Cost)>> {
    let list = |node| {
        let mut list = Vec::new();
        labels.for_each(node, |rank, cost| list.push((rank, cost)));
        let (hubs, costs) = labels.of(node);
        let read: Vec<_> = hubs.iter().enumerate().map(|(place, &hub)| (hub, costs.get(place))).collect();
        assert_eq!(read, list);
        list
    };
    (0..labels.nodes() as u32).map(list).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn labels_are_exact_and_as_defined((nodes, legs) in sparse_legs(40), model in models()) {
        let graph = graph(nodes, &legs, model);
        let labels = build(&graph, model);
        assert_exact(&graph, &labels);
        prop_assert_eq!(lists(&labels), defined(&graph, labels.order()));
        for (place, &node) in labels.order().iter().enumerate() {
            prop_assert_eq!(labels.rank(node), HubRank::from_index(place));
            prop_assert_eq!(labels.node(labels.rank(node)), node);
        }
    }

    #[test]
    fn pieces_make_the_same_labels((nodes, legs) in sparse_legs(40), model in models()) {
        let graph = graph(nodes, &legs, model);
        let mut labelling = Labelling::new(&graph);
        let mut pieces = 0;
        while let Some(work) = labelling.work_on() {
            prop_assert!(work > 0);
            pieces += 1;
        }
        prop_assert!(pieces >= nodes);
        prop_assert_eq!(labelling.finish(model), build(&graph, model));
    }
}

/// A square of streets with some missing: large enough for several batches, and full of ways of the same
/// cost.
pub(super) fn streets(side: u32) -> (u32, Legs) {
    let mut legs = Legs::new();
    let node = |x: u32, y: u32| y * side + x;
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        for (to_x, to_y, steps) in [(x + 1, y, (1, 0)), (x, y + 1, (1, 0)), (x + 1, y + 1, (0, 1))] {
            if to_x < side && to_y < side && !(x * 7 + y * 13 + to_x * 5).is_multiple_of(3) {
                legs.insert((node(x, y), node(to_x, to_y)), steps);
            }
        }
    }
    (side * side, legs)
}

/// Where the sample is filled up many times, too.
#[test]
fn pieces_make_the_same_labels_of_many_nodes() {
    let (nodes, legs) = streets(40);
    let graph = graph(nodes, &legs, CostModel::Sqrt2);
    let mut labelling = Labelling::new(&graph);
    while labelling.work_on().is_some() {}
    assert!(labelling.finish(CostModel::Sqrt2) == build(&graph, CostModel::Sqrt2));
}

#[test]
#[cfg(feature = "rayon")]
fn the_number_of_threads_makes_no_difference() {
    let (nodes, legs) = streets(24);
    let graph = graph(nodes, &legs, CostModel::Sqrt2);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| build(&graph, CostModel::Sqrt2))
    };
    let one = with(1);
    assert_exact(&graph, &one);
    for threads in [2, 3, 8] {
        assert_eq!(with(threads), one);
    }
}

#[test]
fn costs_are_wide_where_they_have_to_be() {
    for model in CostModel::ALL {
        let steps = [(70_000, 0), (0, 3), (65_000, 65_000), (400_000_000, 500_000_000)];
        for count in 1..=steps.len() {
            let legs: Legs = (0..).zip(steps).map(|(at, steps)| ((at, at + 1), steps)).take(count).collect();
            let graph = graph(count as u32 + 1, &legs, model);
            let labels = build(&graph, model);
            assert_exact(&graph, &labels);
            let is_narrow = model == CostModel::Diagonal14 && count < 4;
            assert_eq!(matches!(labels.costs(), Costs::Narrow { .. }), is_narrow, "{model}: {count}");
        }
    }
    let legs = Legs::from([((0, 1), (65_535, 1)), ((1, 2), (0, 65_534))]);
    let graph = graph(3, &legs, CostModel::Sqrt2);
    let labels = build(&graph, CostModel::Sqrt2);
    assert_exact(&graph, &labels);
    assert!(matches!(labels.costs(), Costs::Narrow { .. }));
}

#[test]
fn building_tells_how_far_it_is_and_can_be_stopped() {
    let (nodes, legs) = streets(10);
    let graph = graph(nodes, &legs, CostModel::Sqrt2);
    let mut last = None;
    let labels = HubLabels::build(&graph, CostModel::Sqrt2, |progress| {
        last = Some(progress);
        ControlFlow::Continue(())
    });
    let last = last.unwrap();
    assert_eq!((last.ranks_done, last.ranks), (nodes, nodes));
    assert_eq!(last.entries as usize, labels.unwrap().entries());
    let stop = |progress: super::super::LabelProgress| match progress.entries {
        0..300 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    assert_eq!(HubLabels::build(&graph, CostModel::Sqrt2, stop), None);
}

proptest! {
    #[test]
    fn hops_follow_cheapest_ways((nodes, legs) in sparse_legs(24), model in models()) {
        let graph = graph(nodes, &legs, model);
        let labels = build(&graph, model);
        let hops = Hops::find(&graph, &labels);
        for a in 0..nodes {
            for (b, cost) in (0..).zip(costs_from(&graph, a)) {
                let mut way = Vec::from([Stop::new(a)]);
                let top = labels.meet(a, b).map(|(_, of_a, _)| {
                    hops.climb(&graph, &labels, labels.hub(of_a), &mut way).expect("it is a hub of the first");
                    let top = way.len() - 1;
                    hops.descend(&graph, &labels, b, &mut way).expect("it is a hub of the last, too");
                    top
                });
                let up = |at: usize| {
                    let Stop { node, leg } = way[at];
                    Some(graph.leg(node, (leg as usize - graph.first_leg(node)) as u16)?.0)
                };
                for at in 1..top.map_or(0, |_| way.len()) {
                    // Legs lead up to the top, from both sides.
                    let is_before = Some(at) <= top;
                    let (lower, upper) = if is_before { (at - 1, at) } else { (at, at - 1) };
                    prop_assert_eq!(up(lower), Some(way[upper].node));
                }
                let way = top.map(|_| Vec::from_iter(way.iter().map(|stop| stop.node)));
                let sum = |way: &[u32]| way.windows(2).map(|ends| graph.leg_cost(ends[0], ends[1])).sum();
                prop_assert_eq!(way.as_deref().and_then(sum), cost);
                prop_assert!(way.is_none_or(|way| (way[0], way[way.len() - 1]) == (a, b)));
                // Leg by leg it is the same, and what is left is told.
                let (mut at, mut left) = (a, cost);
                while at != b && left.is_some() {
                    let (next, leg) = hops.next_leg(&graph, &labels, at, b).expect("there is a way");
                    prop_assert_eq!(graph.leg_cost(at, next), Some(leg));
                    prop_assert!(Some(leg) <= left);
                    (at, left) = (next, left.map(|left| left - leg));
                }
                prop_assert!(left.is_none() || left == Some(0));
            }
        }
    }
}
