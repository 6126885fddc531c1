use alloc::vec::Vec;
use core::ops::ControlFlow;

use proptest::prelude::*;

use super::graphs::{Legs, graph, models, sparse_legs};
use super::labels::{assert_exact, build, streets};
use crate::hub_labels::{HubLabels, LabelUpdate, LegGraph};
use crate::space::CostModel;

fn updated(labels: &HubLabels, before: &LegGraph, after: &LegGraph, model: CostModel) -> HubLabels {
    let mut update = LabelUpdate::new(labels, after);
    while update.work_on(labels, before, after).is_some() {}
    update.finish(model)
}

/// The labels that are made anew in the order of those at hand, with new nodes last.
fn anew(labels: &HubLabels, after: &LegGraph, model: CostModel) -> HubLabels {
    let mut order = labels.order().to_vec();
    order.extend(labels.nodes() as u32..after.nodes() as u32);
    HubLabels::build_in_order(after, model, &order, |_| ControlFlow::Continue(())).expect("nothing stops it")
}

/// Changes of legs between nodes that may be new; no moves at all take a leg away.
type Changes = Vec<(u32, u32, u64, u64)>;

fn changes(most: u32) -> impl Strategy<Value = Changes> {
    prop::collection::vec((0..most, 0..most, 0..4_u64, 0..4_u64), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn updated_labels_are_those_made_anew(
        (mut nodes, mut legs) in sparse_legs(30),
        edits in prop::collection::vec((changes(34), any::<bool>()), 1..6),
        model in models(),
    ) {
        let mut before = graph(nodes, &legs, model);
        let mut labels = build(&before, model);
        for (changes, only_known) in edits {
            for (a, b, straight, diagonal) in changes {
                if a == b || (only_known && a.max(b) >= nodes) {
                    continue;
                }
                nodes = nodes.max(a.max(b) + 1);
                let leg = (a.min(b), a.max(b));
                match (straight, diagonal) {
                    (0, _) | (_, 0) if legs.contains_key(&leg) => _ = legs.remove(&leg),
                    (0, 0) => {}
                    steps => _ = legs.insert(leg, steps),
                }
            }
            let after = graph(nodes, &legs, model);
            labels = updated(&labels, &before, &after, model);
            assert_exact(&after, &labels);
            let order = labels.order().to_vec();
            prop_assert_eq!(&labels, &anew(&labels, &after, model));
            prop_assert_eq!(order.len(), nodes as usize);
            before = after;
        }
    }

    /// Ways of the same cost abound here.
    #[test]
    fn streets_that_change_are_labelled_as_anew(
        edits in prop::collection::vec(prop::collection::vec((0..64_u32, 0..3_usize), 1..6), 1..4),
    ) {
        let (nodes, mut legs): (u32, Legs) = streets(8);
        let model = CostModel::Diagonal14;
        let mut before = graph(nodes, &legs, model);
        let mut labels = build(&before, model);
        for edit in edits {
            for (node, way) in edit {
                let (step, steps) = [(1, (1, 0)), (8, (1, 0)), (9, (0, 1))][way];
                if node + step >= nodes || (node % 8 == 7 && step != 8) {
                    continue;
                }
                let leg = (node, node + step);
                if legs.remove(&leg).is_none() {
                    legs.insert(leg, steps);
                }
            }
            let after = graph(nodes, &legs, model);
            labels = updated(&labels, &before, &after, model);
            prop_assert_eq!(&labels, &anew(&labels, &after, model));
            before = after;
        }
    }
}

#[test]
fn little_is_labelled_again_where_little_changes() {
    let (nodes, mut legs) = streets(24);
    let before = graph(nodes, &legs, CostModel::Sqrt2);
    let labels = build(&before, CostModel::Sqrt2);
    let mut update = LabelUpdate::new(&labels, &before);
    while update.work_on(&labels, &before, &before).is_some() {}
    assert_eq!(update.relabelled(), 0);
    assert_eq!(update.finish(CostModel::Sqrt2), labels);
    legs.pop_last();
    let after = graph(nodes, &legs, CostModel::Sqrt2);
    let mut update = LabelUpdate::new(&labels, &after);
    while update.work_on(&labels, &before, &after).is_some() {}
    assert!(update.relabelled() < nodes as usize / 4, "{}", update.relabelled());
    assert_eq!(update.finish(CostModel::Sqrt2), anew(&labels, &after, CostModel::Sqrt2));
}
