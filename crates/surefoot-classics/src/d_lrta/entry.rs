//! `d-lrta*` and the other forms of LRTA* with a pattern database in a roster.

use alloc::boxed::Box;
use alloc::string::ToString as _;
use alloc::sync::Arc;

use surefoot::agent::parameters::{PAST_GOAL, TIES_LOW};
use surefoot::agent::{Arguments, Bound, Entry, Parameter, Recipe, Scale, SpecError, WithDatabase};

use super::dynamic::{DynamicLrta, GoalChoice, Loops};
use super::patterns::{PatternConfig, PatternContents, PatternDatabase, Trace};
use crate::abstraction::ALIGNED;

/// `lrta*(f,pdb)`.
pub const F_PDB: Entry = Entry {
    name: "lrta*(f,pdb)",
    summary: "LRTA* from region to region of the map, by a database of where to enter the next one",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[LEVEL, DEPTH_1, CHOOSE, LOOPS, DEEPEN, TRACE, ALIGNED, PAST_GOAL, TIES_LOW],
    bound: Bound::PerMove("(2d - 1)^2 expansions; d is 100 if deepen is above 0"),
    needs: "a pattern database",
    paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
    scale: Scale::Regions,
    make: |arguments| {
        let config = patterns(arguments, PatternContents::Subgoals)?;
        let depth = arguments.number("d", 1..=100)? as u32;
        recipe(arguments, config, depth, goal_choice(arguments)?)
    },
};

/// `lrta*(pdb,g)`.
pub const PDB_G: Entry = Entry {
    name: "lrta*(pdb,g)",
    summary: "LRTA* whose lookahead is as deep as a database says for the regions of the agent and the goal",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[LEVEL, CAP, DEEPEN, ALIGNED, TIES_LOW],
    bound: Bound::PerMove("(2 cap - 1)^2 expansions; cap is 100 at least if deepen is above 0"),
    needs: "a pattern database",
    paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
    scale: Scale::Regions,
    make: |arguments| {
        let config = patterns(arguments, PatternContents::Depths { cap: cap(arguments)? })?;
        let deepen = arguments.number("deepen", 0..=100)? as u32;
        recipe(arguments, config, 1, GoalChoice { loops: Loops::State, keeps: false, deepen })
    },
};

/// `lrta*(pdb,pdb)`.
pub const PDB_PDB: Entry = Entry {
    name: "lrta*(pdb,pdb)",
    summary: "LRTA* from region to region, with a lookahead as deep as each way needs",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[LEVEL, CAP, ESCAPE, CHOOSE, LOOPS, DEEPEN, TRACE, ALIGNED, TIES_LOW],
    bound: Bound::PerMove("(2 cap - 1)^2 expansions; cap is 100 at least if deepen is above 0"),
    needs: "a pattern database",
    paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
    scale: Scale::Regions,
    make: |arguments| {
        let config = patterns(arguments, both(arguments)?)?;
        recipe(arguments, config, 1, goal_choice(arguments)?)
    },
};

/// `d-lrta*`.
pub const D_LRTA: Entry = Entry {
    name: "d-lrta*",
    summary: "D LRTA*: LRTA*(F, PDB) as the later papers call it",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[
        Parameter { name: "level", default: "5", meaning: LEVEL.meaning },
        Parameter { name: "d", default: "3", meaning: DEPTH_1.meaning },
        Parameter { default: "reached", ..CHOOSE },
        Parameter { default: "taboo", ..LOOPS },
        DEEPEN,
        TRACE,
        Parameter { default: "no", ..ALIGNED },
        PAST_GOAL,
        TIES_LOW,
    ],
    bound: Bound::PerMove("(2d - 1)^2 expansions; d is 100 if deepen is above 0"),
    needs: "a pattern database",
    paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008; d as in Bulitko, Bjornsson 2009",
    scale: Scale::Regions,
    make: |arguments| {
        let config = patterns(arguments, PatternContents::Subgoals)?;
        let depth = arguments.number("d", 1..=100)? as u32;
        recipe(arguments, config, depth, goal_choice(arguments)?)
    },
};

/// The recipe of agents that go by such patterns.
fn recipe(
    arguments: &Arguments<'_>,
    config: PatternConfig,
    depth: u32,
    choice: GoalChoice,
) -> Result<Box<dyn Recipe>, SpecError> {
    let [level, cap, escape, aligned, trace, ties] =
        ["level", "cap", "escape", "aligned", "trace", "ties"].map(|key| arguments.gives(key));
    let has_option = arguments.entry.parameters.iter().any(|parameter| parameter.name == PAST_GOAL.name);
    let past_goal = has_option && arguments.flag(PAST_GOAL.name)?;
    WithDatabase::recipe(
        move |_| config,
        move |asked: &PatternConfig, built| {
            let kind =
                |config: &PatternConfig| (config.contents.has_subgoals(), config.contents.cap().is_some());
            kind(asked) == kind(built)
                && (!level || asked.level == built.level)
                && (!cap || asked.contents == built.contents)
                && (!escape || asked.contents.has_goal_depths() == built.contents.has_goal_depths())
                && (!aligned || asked.aligned == built.aligned)
                && (!trace || asked.trace == built.trace)
                && (!ties || asked.ties == built.ties)
        },
        move |database: Arc<PatternDatabase>| {
            let agent = DynamicLrta::new(database, depth, choice);
            Ok(Box::new(if past_goal { agent.past_goals() } else { agent }))
        },
    )
}

/// What a pattern database with such contents is built from.
fn patterns(arguments: &Arguments<'_>, contents: PatternContents) -> Result<PatternConfig, SpecError> {
    let level = arguments.number("level", 0..=64)? as u32;
    let trace = if contents.has_subgoals() { trace(arguments)? } else { Trace::default() };
    let (aligned, ties) = (arguments.flag("aligned")?, arguments.ties()?);
    Ok(PatternConfig { level, aligned, contents, trace, ties })
}

/// Which path subgoals are read off.
pub(crate) fn trace(arguments: &Arguments<'_>) -> Result<Trace, SpecError> {
    let all = [Trace::DiagonalFirst, Trace::StraightFirst];
    let named = all.into_iter().find(|trace| trace.to_string() == arguments.text("trace"));
    named.ok_or_else(|| arguments.error("trace", &"expected diagonal-first or straight-first"))
}

/// How deep the lookahead is at most.
pub(crate) fn cap(arguments: &Arguments<'_>) -> Result<u32, SpecError> {
    arguments.number("cap", 1..=10_000).map(|cap| cap as u32)
}

/// Subgoals and depths, with those towards goals where they are asked for.
pub(crate) fn both(arguments: &Arguments<'_>) -> Result<PatternContents, SpecError> {
    let cap = cap(arguments)?;
    let is_stored = match arguments.text("escape") {
        "cap" => false,
        "stored" => true,
        "auto" => cap >= STORED_FROM,
        _ => return Err(arguments.error("escape", &"expected auto, cap or stored")),
    };
    Ok(match is_stored {
        true => PatternContents::SubgoalsAndBothDepths { cap },
        false => PatternContents::SubgoalsAndDepths { cap },
    })
}

/// How subgoals are chosen.
pub(crate) fn goal_choice(arguments: &Arguments<'_>) -> Result<GoalChoice, SpecError> {
    let loops = match arguments.text("loops") {
        "state" => Loops::State,
        "ever" => Loops::Ever,
        "region" => Loops::Region,
        "taboo" => Loops::Taboo,
        _ => return Err(arguments.error("loops", &"expected state, ever, region or taboo")),
    };
    let keeps = match arguments.text("choose") {
        "move" => false,
        "reached" => true,
        _ => return Err(arguments.error("choose", &"expected move or reached")),
    };
    let deepen = arguments.number("deepen", 0..=100)? as u32;
    if deepen > 0 && loops == Loops::Taboo {
        let problem = "it counts visits, and loops=taboo does not: add loops=state or loops=region";
        return Err(arguments.error("deepen", &problem));
    }
    Ok(GoalChoice { loops, keeps, deepen })
}

const LEVEL: Parameter = Parameter {
    name: "level",
    default: "3",
    meaning: "how often the map is abstracted into regions, 0 to 64",
};
const DEPTH_1: Parameter = Parameter { name: "d", default: "1", meaning: "lookahead in actions, 1 to 100" };
/// How deep the lookahead is at most.
pub(crate) const CAP: Parameter =
    Parameter { name: "cap", default: "20", meaning: "the deepest lookahead that is stored, 1 to 10000" };
/// From this cap on the paper stores depths towards goals.
const STORED_FROM: u32 = 1_000;
/// How deep it looks to get out of a loop.
pub(crate) const ESCAPE: Parameter = Parameter {
    name: "escape",
    default: "auto",
    meaning: "how far it looks where it heads for the goal itself: cap: as far as the cap; stored: as a third table of \
        the database says; auto: stored if the cap is 1000 or more, as in the paper",
};
/// Which path subgoals are read off.
pub(crate) const TRACE: Parameter = Parameter {
    name: "trace",
    default: "diagonal-first",
    meaning: "which of several cheapest paths subgoals are read off: diagonal-first or straight-first",
};
/// When a subgoal is chosen.
pub(crate) const CHOOSE: Parameter = Parameter {
    name: "choose",
    default: "move",
    meaning: "when a subgoal is chosen: move: for every move; reached: when the last one is reached",
};
/// How it gets out of loops.
pub(crate) const LOOPS: Parameter = Parameter {
    name: "loops",
    default: "state",
    meaning: "where it heads for the goal itself, to get out of loops: state: in states where it has been before; \
        ever: from the first such state on; region: in regions that it comes to for the third time; taboo: in regions \
        whose subgoal it has used before",
};
/// How much further it looks when it comes back.
pub(crate) const DEEPEN: Parameter = Parameter {
    name: "deepen",
    default: "0",
    meaning: "how many actions further it looks each time it comes back to a state or region, 0 to 100",
};
