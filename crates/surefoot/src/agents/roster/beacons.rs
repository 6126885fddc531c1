//! The entry that needs beacons.

use alloc::boxed::Box;

use super::{Bound, Entry, Make, Parameter};
use crate::agents::beacons::BeaconAgent;
use crate::database::{BeaconConfig, Labelled};

pub(super) const BEACON: Entry = Entry {
    name: "beacon*",
    summary: "walks from corner to corner of the map by ways whose cost is known; optimal, learns nothing",
    optimal: true,
    complete: true,
    parameters: &[
        Parameter {
            name: "bound",
            default: "auto",
            meaning: "the most that a move looks up, 1 to 1000000000; auto: as much as a decision takes",
        },
        Parameter {
            name: "labels",
            default: "auto",
            meaning: "which corners have labels: all, core, or auto: all where these are few",
        },
    ],
    bound: Bound::PerMove(
        "2 expansions, and lookups as the database says: what two cells see and its labels, or bound",
    ),
    needs: "beacons",
    paper: "none: surefoot's own; from subgoal graphs (2013) and hub labels (2014)",
    make: Make::WithBeacons {
        config: |arguments| {
            let named = Labelled::NAMES.into_iter().find(|(name, _)| *name == arguments.text("labels"));
            let labels = named.ok_or_else(|| arguments.error("labels", &"expected auto, all or core"))?.1;
            let bound = arguments.number_unless("bound", "auto", 1..=1_000_000_000)?;
            Ok(BeaconConfig::default().with_bound(bound).with_labels(labels))
        },
        agent: |_| Ok(Box::new(|beacons| Box::new(BeaconAgent::new(beacons)))),
    },
};
