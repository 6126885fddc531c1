//! What there is to say of the size of databases.

use surefoot::database::BeaconFileInfo;

use crate::table::thousands;

/// A label, and what there is to say.
pub(crate) type Line = (&'static str, String);

/// Of a database of subgoals.
pub(crate) fn record_sizes(records: u64, states: u64, bytes: u64) -> [Line; 3] {
    [
        ("records", thousands(records)),
        ("states", format!("{}, {:.2} a record", thousands(states), per(states, records))),
        ("bytes", format!("{}, {:.2} a state", thousands(bytes), per(bytes, states))),
    ]
}

/// Of a pattern database.
pub(crate) fn pattern_sizes(regions: u32, pairs: u64, bytes: u64) -> [Line; 3] {
    [
        ("regions", thousands(u64::from(regions))),
        ("pairs", format!("{}, of regions with a way between them", thousands(pairs))),
        ("bytes", format!("{}, {:.2} a pair", thousands(bytes), per(bytes, pairs))),
    ]
}

/// Of a cover, with the number of its paths and the states in them.
pub(crate) fn cover_sizes(regions: u32, (paths, states): (u64, u64), pairs: u64, bytes: u64) -> [Line; 4] {
    [
        ("regions", thousands(u64::from(regions))),
        (
            "paths",
            format!(
                "{} between neighbours, {:.2} states a path, both ends included",
                thousands(paths),
                per(states, paths)
            ),
        ),
        ("pairs", format!("{}, of regions with a way between them", thousands(pairs))),
        ("bytes", thousands(bytes)),
    ]
}

/// Of beacons.
pub(crate) fn beacon_sizes(file: &BeaconFileInfo) -> [Line; 6] {
    let (trunk, twigs) = (thousands(u64::from(file.trunk)), thousands(u64::from(file.twigs)));
    [
        ("regions", thousands(u64::from(file.regions))),
        ("beacons", format!("{trunk} of the trunk, and {twigs} twigs in nooks")),
        ("legs", format!("{}, each climbed both ways", thousands(file.legs))),
        (
            "hubs",
            format!(
                "{}, {:.1} a beacon of the trunk",
                thousands(file.hubs),
                per(file.hubs, u64::from(file.trunk))
            ),
        ),
        ("bytes", thousands(file.bytes)),
        ("memory", format!("{} bytes that agents look up, once it is opened", thousands(file.memory_bytes))),
    ]
}

pub(super) fn per(whole: u64, parts: u64) -> f64 {
    whole as f64 / parts.max(1) as f64
}
