use alloc::vec::Vec;

use proptest::prelude::*;

use super::graphs::{graph, models, sparse_legs};
use super::labels::{assert_exact, build, streets};
use crate::hub_labels::HubLabels;
use crate::space::CostModel;
use crate::store::codec::Reader;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn labels_read_back((nodes, legs) in sparse_legs(40), model in models()) {
        let graph = graph(nodes, &legs, model);
        let labels = build(&graph, model);
        let mut bytes = Vec::new();
        labels.write(&mut bytes);
        let mut reader = Reader::new(&bytes);
        prop_assert_eq!(HubLabels::read(&graph, model, u64::MAX, &mut reader), Ok(labels));
        prop_assert_eq!(reader.finish(), Ok(()));
    }

    /// What is read of any bytes is right, or an error.
    #[test]
    fn damaged_bytes_do_no_harm(
        (nodes, legs) in sparse_legs(12),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        length in any::<prop::sample::Index>(),
    ) {
        let graph = graph(nodes, &legs, CostModel::Sqrt2);
        let mut bytes = Vec::new();
        build(&graph, CostModel::Sqrt2).write(&mut bytes);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(labels) = HubLabels::read(&graph, CostModel::Sqrt2, 1000, &mut Reader::new(&bytes)) {
            assert_exact(&graph, &labels);
        }
        bytes.truncate(length.index(bytes.len()));
        prop_assert!(HubLabels::read(&graph, CostModel::Sqrt2, 1000, &mut Reader::new(&bytes)).is_err());
    }
}

#[test]
fn no_more_entries_are_made_than_may_be() {
    let (nodes, legs) = streets(12);
    let graph = graph(nodes, &legs, CostModel::Sqrt2);
    let labels = build(&graph, CostModel::Sqrt2);
    let mut bytes = Vec::new();
    labels.write(&mut bytes);
    let most = labels.entries() as u64;
    assert!(HubLabels::read(&graph, CostModel::Sqrt2, most, &mut Reader::new(&bytes)).is_ok());
    assert!(HubLabels::read(&graph, CostModel::Sqrt2, most - 1, &mut Reader::new(&bytes)).is_err());
}
