//! The entry that needs beacons.

use alloc::boxed::Box;

use super::entries::TIES_HIGH;
use super::{Bound, Entry, Make, Parameter};
use crate::agents::beacons::BeaconAgent;
use crate::database::{BeaconConfig, MOST_PROBLEMS, MOST_SLACK};

pub(super) const BEACON: Entry = Entry {
    name: "beacon*",
    summary: "climbs from bend to bend of the map by ways whose cost is known; nearly optimal, learns nothing",
    optimal: false,
    complete: true,
    parameters: &[
        Parameter {
            name: "cutoff",
            default: "auto",
            meaning: "steps of a climb within a region, 1 to 1000000; auto: by the size of the map",
        },
        Parameter {
            name: "problems",
            default: "auto",
            meaning: "problems that the beacons are tried on, 0 to 10000000; auto: by the size of the map",
        },
        Parameter {
            name: "slack",
            default: "100",
            meaning: "ten-thousandths that a way may be too long before beacons are added, 0 to 80000",
        },
        TIES_HIGH,
    ],
    bound: Bound::PerMove(
        "2 expansions, 99504 climbing steps, 343 beacons and three times as many as legs meet in one place looked at",
    ),
    needs: "beacons",
    paper: "none: surefoot's own",
    make: Make::WithBeacons {
        config: |arguments, seed| {
            let cutoff = arguments.number_unless("cutoff", "auto", 1..=1_000_000)?;
            let problems = arguments.number_unless("problems", "auto", 0..=MOST_PROBLEMS)?;
            Ok(BeaconConfig {
                cutoff: cutoff.map(|cutoff| cutoff as u32),
                problems: problems.map(|problems| problems as u32),
                slack: arguments.number("slack", 0..=MOST_SLACK)? as u32,
                seed,
                ties: arguments.ties()?,
            })
        },
        agent: |_| Ok(Box::new(|beacons| Box::new(BeaconAgent::new(beacons)))),
    },
};
