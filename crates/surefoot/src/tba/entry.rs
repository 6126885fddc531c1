//! `tba*` and `s-a*` in a roster.

use super::TbaStar;
use crate::agent::parameters::SLICE;
use crate::agent::{Bound, Entry, Plain, Scale};

/// `tba*`.
pub const TBA: Entry = Entry {
    name: "tba*",
    summary: "A* in slices; meanwhile walks along the most promising path, and back where it was wrong",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[SLICE],
    bound: Bound::PerMove("0.9 slice expansions, and slice trace steps"),
    needs: "moves that can be undone",
    paper: "Bjornsson, Bulitko, Sturtevant 2009",
    scale: Scale::Fixed,
    make: |arguments| Plain::recipe(TbaStar::new(arguments.number("slice", 1..=1_000_000_000)?, true)),
};

/// `s-a*`.
pub const SLICED: Entry = Entry {
    name: "s-a*",
    summary: "A* in slices; stands still until the goal is found, then walks a cheapest path",
    optimal: true,
    bound: Bound::PerMove("0.9 slice expansions, and slice trace steps, in each frame"),
    paper: "Sturtevant, Buro 2005",
    make: |arguments| Plain::recipe(TbaStar::new(arguments.number("slice", 1..=1_000_000_000)?, false)),
    ..TBA
};
