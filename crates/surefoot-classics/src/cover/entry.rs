//! `hcdps*` and `dba*` in a roster.

use alloc::boxed::Box;
use alloc::sync::Arc;

use surefoot::agent::parameters::TIES_HIGH;
use surefoot::agent::{Agent, Arguments, Bound, Entry, Parameter, Recipe, Scale, SpecError, WithDatabase};

use super::agent::{CoverAgent, CoverSettings};
use super::{CoverConfig, CoverDatabase, Partition};
use crate::knn::LOSSLESS;

/// `hcdps*`.
pub const HCDPS: Entry = Entry {
    name: "hcdps*",
    summary: "climbs from region to region that climbs get through, by paths between their middles; learns nothing",
    optimal: false,
    complete: true,
    takes_weights: true,
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
    scale: Scale::Fixed,
    make: |arguments| {
        let cutoff = arguments.number("cutoff", 0..=1_000_000)? as u32;
        let skip = arguments.number("skip", 0..=1000)?;
        let check = arguments.number_unless("check", "cutoff", 0..=1_000_000)?;
        recipe(arguments, Partition::Climbs { cutoff }, "cutoff", move |cover| {
            let cutoff = match cover.config().partition {
                Partition::Climbs { cutoff } => u64::from(cutoff),
                Partition::Sectors { .. } => 0,
            };
            Box::new(CoverAgent::new(cover, CoverSettings { check: check.unwrap_or(cutoff), skip }))
        })
    },
};

/// `dba*`.
pub const DBA: Entry = Entry {
    name: "dba*",
    summary: "climbs from sector to sector by paths between their middles; A* inside a sector where no climb gets through",
    optimal: false,
    complete: true,
    takes_weights: true,
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
    scale: Scale::Fixed,
    make: |arguments| {
        let side = arguments.number("sector", 1..=1000)? as u32;
        let check = arguments.number("check", 0..=1_000_000)?;
        let settings = CoverSettings { check, skip: arguments.number("skip", 0..=1000)? };
        recipe(arguments, Partition::Sectors { side }, "sector", move |cover| {
            Box::new(CoverAgent::new(cover, settings))
        })
    },
};

const SKIP: Parameter = Parameter {
    name: "skip",
    default: "0",
    meaning: "subgoals that may be skipped if a climb gets to a later one, 0 to 1000",
};

const CHECK: Parameter =
    Parameter { name: "check", default: "250", meaning: "steps of a check, 0 to 1000000" };

/// The recipe of agents that go by such a cover. `size` is the parameter that says how large its regions are.
fn recipe(
    arguments: &Arguments<'_>,
    partition: Partition,
    size: &str,
    agent: impl Fn(Arc<CoverDatabase>) -> Box<dyn Agent> + Send + Sync + 'static,
) -> Result<Box<dyn Recipe>, SpecError> {
    let config = CoverConfig { partition, lossless: arguments.flag("lossless")?, ties: arguments.ties()? };
    let [size, lossless, ties] = [size, "lossless", "ties"].map(|key| arguments.gives(key));
    WithDatabase::recipe(
        move |_| config,
        move |asked: &CoverConfig, built| {
            core::mem::discriminant(&asked.partition) == core::mem::discriminant(&built.partition)
                && (!size || asked.partition == built.partition)
                && (!lossless || asked.lossless == built.lossless)
                && (!ties || asked.ties == built.ties)
        },
        move |cover| Ok(agent(cover)),
    )
}
