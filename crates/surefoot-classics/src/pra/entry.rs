//! `pra*` and `s-pra*` in a roster.

use alloc::boxed::Box;

use surefoot::agent::parameters::SLICE;
use surefoot::agent::{Arguments, Bound, Entry, Parameter, Scale, SpecError};

use super::PraAgent;
use crate::abstraction::{ALIGNED, DISTANCE, recipe};

/// `pra*`.
pub const PRA: Entry = Entry {
    name: "pra*",
    summary: "plans on a coarse map and refines the path level by level; all at once, or k nodes at a time",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[
        Parameter {
            name: "k",
            default: "none",
            meaning: "nodes of each path that are refined at a time, 2 to 1000000; none: all, PRA*(infinity)",
        },
        CORRIDOR,
        ALIGNED,
        DISTANCE,
    ],
    bound: Bound::NotRealTime,
    needs: "a clique abstraction",
    paper: "Sturtevant, Buro 2005",
    scale: Scale::Fixed,
    make: |arguments| {
        let kept = arguments.number_unless("k", "none", 2..=1_000_000)?.map(|kept| kept as usize);
        let is_wide = is_wide(arguments)?;
        recipe(arguments, move |abstraction| Ok(Box::new(PraAgent::new(abstraction, kept, is_wide))))
    },
};

/// `s-pra*`.
pub const SLICED: Entry = Entry {
    name: "s-pra*",
    summary: "PRA* over whole paths, its planning spread over frames; stands still until it is done",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[SLICE, CORRIDOR, ALIGNED, DISTANCE],
    bound: Bound::PerMove("0.9 slice expansions, slice trace steps"),
    needs: "a clique abstraction",
    paper: "Sturtevant, Buro 2005",
    scale: Scale::Fixed,
    make: |arguments| {
        let slice = arguments.number("slice", 1..=1_000_000_000)?;
        let is_wide = is_wide(arguments)?;
        recipe(arguments, move |abstraction| Ok(Box::new(PraAgent::sliced(abstraction, slice, is_wide))))
    },
};

fn is_wide(arguments: &Arguments<'_>) -> Result<bool, SpecError> {
    match arguments.text("corridor") {
        "wide" => Ok(true),
        "narrow" => Ok(false),
        _ => Err(arguments.error("corridor", &"expected wide or narrow")),
    }
}

const CORRIDOR: Parameter = Parameter {
    name: "corridor",
    default: "wide",
    meaning: "where a path is refined: narrow: below the path alone; wide: below its neighbours too",
};
