//! PR LRTA* in its forms, in a roster.

use alloc::boxed::Box;
use alloc::string::ToString as _;

use surefoot::agent::{Arguments, Bound, Entry, Parameter, Recipe, Scale, SpecError};
use surefoot::lrta::LrtaStar;
use surefoot::search::{Gamma, Horizon, Ties};

use super::{PrLrta, patterns_of};
use crate::abstraction::{ALIGNED, DISTANCE, recipe};
use crate::d_lrta::{
    CAP, CHOOSE, DEEPEN, DynamicLrta, ESCAPE, GoalChoice, LOOPS, Loops, PatternContents, TRACE, Trace, both,
    cap, goal_choice, trace,
};

/// `pr-lrta*(f,g)`.
pub const F_G: Entry = Entry {
    name: "pr-lrta*(f,g)",
    summary: "LRTA* on a coarse map; each of its moves is refined by A* in the two regions that it joins",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[
        LEVEL,
        Parameter { name: "d", default: "5", meaning: DEPTH_MEANING },
        Parameter {
            name: "gamma",
            default: "1",
            meaning: "weight of the cost so far where the lookahead chooses a node, above 0 and at most 1",
        },
        ALIGNED,
        DISTANCE,
    ],
    bound: Bound::PerMove(
        "(2d - 1)^2 expansions of the coarse map, and one of each state of the largest region",
    ),
    needs: "a clique abstraction",
    paper: PAPER,
    scale: Scale::WalkedLevel,
    make: |arguments| {
        let level = arguments.number("level", 1..=64)? as usize;
        let depth = arguments.number("d", 1..=100)? as u32;
        let gamma = arguments.parse::<Gamma>("gamma")?;
        recipe(arguments, move |abstraction| {
            let guide = LrtaStar::new(Horizon::Plies(depth), Ties::Near).weighing(gamma);
            Ok(Box::new(PrLrta::new(abstraction, level, depth, guide)))
        })
    },
};

/// `pr-lrta*(pdb,g)`.
pub const PDB_G: Entry = Entry {
    name: "pr-lrta*(pdb,g)",
    summary: "PR LRTA* whose lookahead is as deep as a pattern database of the coarse map says",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[LEVEL, LEVEL2, CAP, ALIGNED, DISTANCE],
    bound: PDB_BOUND,
    needs: NEEDS,
    paper: PAPER,
    scale: Scale::TwoLevels,
    make: |arguments| {
        let choice = GoalChoice { loops: Loops::State, keeps: false, deepen: 0 };
        let contents = (PatternContents::Depths { cap: cap(arguments)? }, Trace::default());
        with_patterns(arguments, contents, 1, choice)
    },
};

/// `pr-lrta*(f,pdb)`.
pub const F_PDB: Entry = Entry {
    name: "pr-lrta*(f,pdb)",
    summary: "PR LRTA* from region to region of the coarse map, by a pattern database of it",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[
        LEVEL,
        LEVEL2,
        Parameter { name: "d", default: "1", meaning: DEPTH_MEANING },
        CHOOSE,
        LOOPS,
        DEEPEN,
        TRACE,
        ALIGNED,
        DISTANCE,
    ],
    bound: Bound::PerMove(
        "(2d - 1)^2 expansions of the coarse map, and one of each state of the largest region; d is 100 if deepen is above 0",
    ),
    needs: NEEDS,
    paper: PAPER,
    scale: Scale::TwoLevels,
    make: |arguments| {
        let depth = arguments.number("d", 1..=100)? as u32;
        with_patterns(
            arguments,
            (PatternContents::Subgoals, trace(arguments)?),
            depth,
            goal_choice(arguments)?,
        )
    },
};

/// `pr-lrta*(pdb,pdb)`.
pub const PDB_PDB: Entry = Entry {
    name: "pr-lrta*(pdb,pdb)",
    summary: "PR LRTA* from region to region of the coarse map, with a lookahead as deep as each way needs",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[LEVEL, LEVEL2, CAP, ESCAPE, CHOOSE, LOOPS, DEEPEN, TRACE, ALIGNED, DISTANCE],
    bound: Bound::PerMove(
        "(2 cap - 1)^2 expansions of the coarse map, and one of each state of the largest region; cap is 100 at least if \
        deepen is above 0",
    ),
    needs: NEEDS,
    paper: PAPER,
    scale: Scale::TwoLevels,
    make: |arguments| {
        let contents = (both(arguments)?, trace(arguments)?);
        with_patterns(arguments, contents, 1, goal_choice(arguments)?)
    },
};

/// An agent with a pattern database of its level, which is made on the spot.
fn with_patterns(
    arguments: &Arguments<'_>,
    contents: (PatternContents, Trace),
    depth: u32,
    choice: GoalChoice,
) -> Result<Box<dyn Recipe>, SpecError> {
    let level = arguments.number("level", 1..=64)?;
    let higher = match arguments.text("level2").strip_prefix('+').map(str::parse) {
        Some(Ok(higher @ 0..=64)) => higher,
        Some(_) => return Err(arguments.error("level2", &"expected +0 to +64, or a level")),
        None => (arguments.number("level2", level..=64)? - level) as u32,
    };
    recipe(arguments, move |abstraction| {
        let patterns =
            patterns_of(&abstraction, level as usize, higher, contents).map_err(|error| error.to_string())?;
        let guide = DynamicLrta::new(patterns, depth, choice);
        Ok(Box::new(PrLrta::new(abstraction, level as usize, depth, guide)))
    })
}

const NEEDS: &str = "a clique abstraction, from which it makes a pattern database";

const PAPER: &str = "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008";

const PDB_BOUND: Bound =
    Bound::PerMove("(2 cap - 1)^2 expansions of the coarse map, and one of each state of the largest region");

const DEPTH_MEANING: &str = "lookahead in moves on the coarse map, 1 to 100";

const LEVEL2: Parameter = Parameter {
    name: "level2",
    default: "+2",
    meaning: "the level whose nodes are the regions of the pattern database, from level to 64; +n: n levels above it",
};

const LEVEL: Parameter =
    Parameter { name: "level", default: "4", meaning: "the level of the abstraction that it walks, 1 to 64" };
