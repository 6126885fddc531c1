//! The entry that needs transit nodes.

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::{Bound, Entry, Make, Parameter};
use crate::agents::Agent;
use crate::agents::transit::TransitAgent;
use crate::database::{MOST_LEFT, MOST_REACH, TransitConfig, TransitDatabase};

/// The agent that goes by some transit nodes.
pub(super) fn agent(nodes: Arc<TransitDatabase>) -> Box<dyn Agent> {
    Box::new(TransitAgent::new(nodes))
}

pub(super) const TRANSIT: Entry = Entry {
    name: "transit*",
    summary: "walks from one transit node to the next, over ground of any weight; nearly optimal, learns nothing",
    optimal: false,
    complete: true,
    parameters: &[
        Parameter {
            name: "reach",
            default: "1000",
            meaning: "how many states are looked at around either end of a way, 1 to 1000000",
        },
        Parameter {
            name: "left",
            default: "500",
            meaning: "ten-thousandths of the ways beyond that need not lead over a transit node, 0 to 10000",
        },
        Parameter {
            name: "bound",
            default: "auto",
            meaning: "how many states a move expands at most, 1 to 1000000000; auto: 256",
        },
    ],
    bound: Bound::PerMove(
        "bound + 2 expansions, as many steps back and a leg's, and lookups as the database says",
    ),
    needs: "transit nodes",
    paper: "none: surefoot's own; from transit nodes (2007) and hub labels (2014)",
    make: Make::WithTransit {
        config: |arguments| {
            Ok(TransitConfig::default()
                .with_reach(arguments.number("reach", 1..=MOST_REACH)? as u32)
                .with_left(arguments.number("left", 0..=MOST_LEFT)? as u32)
                .with_bound(arguments.number_unless("bound", "auto", 1..=1_000_000_000)?))
        },
        agent,
    },
};
