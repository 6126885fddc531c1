//! The entries that need a cover.

use alloc::boxed::Box;

use super::entries::{LOSSLESS, TIES_HIGH};
use super::{Bound, Entry, Make, Parameter};
use crate::agents::cover::{CoverAgent, CoverSettings};
use crate::database::Partition;

pub(super) const HCDPS: Entry = Entry {
    name: "hcdps*",
    summary: "climbs from region to region that climbs get through, by paths between their middles; learns nothing",
    optimal: false,
    complete: true,
    parameters: &[
        Parameter {
            name: "cutoff",
            default: "20",
            meaning: "steps of a climb within a region, 0 to 1000000",
        },
        Parameter {
            name: "check",
            default: "250",
            meaning: "steps of a check, 0 to 1000000; cutoff: as many as within a region",
        },
        SKIP,
        LOSSLESS,
        TIES_HIGH,
    ],
    bound: Bound::PerMove("2 expansions, (4 + skip) check climbing steps, 2 + skip subgoals looked at"),
    needs: "a cover by climbs",
    paper: "after Lawrence, Bulitko 2013",
    make: Make::WithCover {
        config: |arguments| {
            let cutoff = arguments.number("cutoff", 0..=1_000_000)? as u32;
            arguments.cover(Partition::Climbs { cutoff })
        },
        agent: |arguments| {
            let skip = arguments.number("skip", 0..=1000)?;
            let check = arguments.number_unless("check", "cutoff", 0..=1_000_000)?;
            Ok(Box::new(move |cover| {
                let cutoff = match cover.config().partition {
                    Partition::Climbs { cutoff } => u64::from(cutoff),
                    Partition::Sectors { .. } => 0,
                };
                let settings = CoverSettings { check: check.unwrap_or(cutoff), skip };
                Box::new(CoverAgent::new(cover, settings))
            }))
        },
    },
};

pub(super) const DBA: Entry = Entry {
    name: "dba*",
    summary: "climbs from sector to sector by paths between their middles; A* inside a sector where no climb gets through",
    optimal: false,
    complete: true,
    parameters: &[
        Parameter { name: "sector", default: "32", meaning: "side of a sector in cells, 1 to 1000" },
        CHECK,
        SKIP,
        LOSSLESS,
        TIES_HIGH,
    ],
    bound: Bound::PerMove(
        "sector^2 + 2 expansions, (4 + skip) check climbing steps, 2 + skip subgoals looked at",
    ),
    needs: "a cover by sectors",
    paper: "after Lawrence 2013",
    make: Make::WithCover {
        config: |arguments| {
            let side = arguments.number("sector", 1..=1000)? as u32;
            arguments.cover(Partition::Sectors { side })
        },
        agent: |arguments| {
            let check = arguments.number("check", 0..=1_000_000)?;
            let settings = CoverSettings { check, skip: arguments.number("skip", 0..=1000)? };
            Ok(Box::new(move |cover| Box::new(CoverAgent::new(cover, settings))))
        },
    },
};

const SKIP: Parameter = Parameter {
    name: "skip",
    default: "0",
    meaning: "subgoals that may be skipped if a climb gets to a later one, 0 to 1000",
};

const CHECK: Parameter =
    Parameter { name: "check", default: "250", meaning: "steps of a check, 0 to 1000000" };
