//! `lrta*` in a roster.

use super::LrtaStar;
use crate::agent::parameters::{PAST_GOAL, TIES_LOW};
use crate::agent::{Bound, Entry, Parameter, Plain, Scale};
use crate::search::Horizon;

/// `lrta*`.
pub const ENTRY: Entry = Entry {
    name: "lrta*",
    summary: "looks a fixed horizon ahead, raises the value of the state it leaves, makes one move",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[
        Parameter { name: "d", default: "3", meaning: "lookahead in actions, 1 to 100" },
        Parameter {
            name: "gmax",
            default: "none",
            meaning: "lookahead by cost instead, as in the 2010 paper: 1.5 is all neighbours; up to 100",
        },
        PAST_GOAL,
        TIES_LOW,
    ],
    bound: Bound::PerMove("(2d - 1)^2 expansions; with gmax, d is gmax rounded down"),
    needs: "nothing",
    paper: "Korf 1990; d as in Bulitko et al. 2008 and 2009, gmax as in Bulitko, Bjornsson, Lawrence 2010",
    scale: Scale::Fixed,
    make: |arguments| {
        let horizon = match arguments.text("gmax") {
            "none" => Horizon::Plies(arguments.number("d", 1..=100)? as u32),
            _ => Horizon::Cost(arguments.millionths("gmax", 1.0..=100.0)?),
        };
        let agent = LrtaStar::new(horizon, arguments.ties()?);
        Plain::recipe(if arguments.flag("past-goal")? { agent.past_goals() } else { agent })
    },
};
