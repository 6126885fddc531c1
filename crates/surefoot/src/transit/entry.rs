//! `transit*` in a roster.

use alloc::boxed::Box;

use super::config::{MOST_LEFT, MOST_REACH};
use super::{TransitAgent, TransitConfig, TransitDatabase};
use crate::agent::{Bound, Entry, Parameter, Scale, WithDatabase};

/// `transit*`.
pub const ENTRY: Entry = Entry {
    name: "transit*",
    summary: "walks from one transit node to the next, over ground of any weight; nearly optimal, learns nothing",
    optimal: false,
    complete: true,
    takes_weights: true,
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
    scale: Scale::Fixed,
    make: |arguments| {
        let config = TransitConfig {
            reach: arguments.number("reach", 1..=MOST_REACH)? as u32,
            left: arguments.number("left", 0..=MOST_LEFT)? as u32,
            bound: arguments.number_unless("bound", "auto", 1..=1_000_000_000)?,
        };
        let [reach, left, bound] = ["reach", "left", "bound"].map(|key| arguments.gives(key));
        WithDatabase::recipe(
            move |_| config,
            move |asked: &TransitConfig, built| {
                (!reach || asked.reach == built.reach)
                    && (!left || asked.left == built.left)
                    && (!bound || asked.bound == built.bound)
            },
            |nodes: alloc::sync::Arc<TransitDatabase>| Ok(Box::new(TransitAgent::new(nodes))),
        )
    },
};
