//! `lrta*(dt,g)` and `lrta*(oracle,g)` in a roster.

use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;

use surefoot::agent::parameters::TIES_LOW;
use surefoot::agent::{Agent, Bound, Entry, Parameter, Plain, Scale, Spec, SpecError};

use super::{DepthLrtaStar, DepthTree};
use crate::ROSTER;

/// `lrta*(dt,g)`.
pub const WITH_TREE: Entry = Entry {
    name: "lrta*(dt,g)",
    summary: "LRTA* whose lookahead is as deep as a decision tree says for the agent's situation",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[
        Parameter {
            name: "dmax",
            default: "10",
            meaning: "the deepest lookahead, and with it the tree: 5, 10, 15 or 20; with a tree of one's own, its own",
        },
        TIES_LOW,
    ],
    bound: Bound::PerMove("(2 dmax - 1)^2 + 1 expansions"),
    needs: "nothing",
    paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
    scale: Scale::Fixed,
    make: |arguments| {
        let tree = arguments.number("dmax", 1..=100).ok().and_then(|dmax| DepthTree::built_in(dmax as u32));
        let tree = tree.ok_or_else(|| arguments.error("dmax", &"expected 5, 10, 15 or 20"))?;
        Plain::recipe(DepthLrtaStar::with_tree(Arc::new(tree), arguments.ties()?))
    },
};

/// The agent that a spec of `lrta*(dt,g)` calls for, with a tree of one's own.
///
/// # Errors
/// If the spec is of another algorithm or wrong, or says another dmax than the tree's.
pub fn agent_with_tree(spec: &Spec, tree: Arc<DepthTree>) -> Result<Box<dyn Agent>, SpecError> {
    let spec = ROSTER.with_star(spec);
    let arguments = ROSTER.arguments(&spec)?;
    if arguments.entry.name != WITH_TREE.name {
        let problem = format!("{} has no tree, only {} has", arguments.entry.name, WITH_TREE.name);
        return Err(SpecError::new(&spec, 1, problem));
    }
    let deepest = tree.settings().deepest;
    if arguments.gives("dmax") && arguments.number("dmax", 1..=100)? != u64::from(deepest) {
        return Err(arguments.error("dmax", &format!("the tree was made for {deepest}")));
    }
    Ok(Box::new(DepthLrtaStar::with_tree(tree, arguments.ties()?)))
}

/// `lrta*(oracle,g)`.
pub const WITH_ORACLE: Entry = Entry {
    name: "lrta*(oracle,g)",
    summary: "LRTA* that looks no further than it must to step as with the deepest lookahead; a measure, not for use",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[
        Parameter { name: "dmax", default: "10", meaning: "the deepest lookahead, 1 to 100" },
        TIES_LOW,
    ],
    bound: Bound::PerMove("(2 dmax - 1)^2 expansions; what it takes to choose the depth is not counted"),
    needs: "nothing",
    paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
    scale: Scale::Fixed,
    make: |arguments| {
        let deepest = arguments.number("dmax", 1..=100)? as u32;
        Plain::recipe(DepthLrtaStar::with_oracle(deepest, arguments.ties()?))
    },
};
