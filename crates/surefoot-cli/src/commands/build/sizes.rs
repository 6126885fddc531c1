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

/// Of beacons, and what a move by them takes at most.
pub(crate) fn beacon_sizes(file: &BeaconFileInfo) -> [Line; 7] {
    let figures = &file.figures;
    let corners = u64::from(figures.corners);
    let spread = match file.config.bound {
        Some(_) => "; one that takes more is spread over the first moves, while the unit waits",
        None => "",
    };
    let (decision, next_leg) = (thousands(figures.decision), thousands(figures.next_leg));
    [
        (
            "corners",
            match figures.is_thin {
                true => format!(
                    "{}; {} of them are the core and have labels",
                    thousands(corners),
                    thousands(figures.core.into())
                ),
                false => thousands(corners),
            },
        ),
        ("legs", format!("{}, {:.1} a corner", thousands(figures.legs), per(2 * figures.legs, corners))),
        (
            "hubs",
            format!(
                "{:.1} a corner, {} at most, {} in all",
                per(figures.hubs, corners),
                thousands(u64::from(figures.most_hubs)),
                thousands(figures.hubs)
            ),
        ),
        ("promise", "every walk costs what a cheapest path costs".to_string()),
        ("bytes", thousands(file.bytes)),
        ("memory", format!("{} bytes that agents look up, once it is opened", thousands(figures.memory))),
        ("a move", format!("a decision looks up at most {decision}, a corner at most {next_leg}{spread}")),
    ]
}

pub(super) fn per(whole: u64, parts: u64) -> f64 {
    whole as f64 / parts.max(1) as f64
}
