//! PR LRTA*: LRTA* on a level of the clique abstraction, each of its moves refined by A* on the ground.
//!
//! "Dynamic Control in Real-Time Heuristic Search" (JAIR 2008), section 7.2 and Table 2; PR LRTS, of which it
//! refines one abstract move at a time, is from Bulitko, Sturtevant, Lu and Yau (2007). In PR LRTA*(X, Y) the
//! LRTA* is LRTA*(X, Y): X is how its depth is chosen, Y its goal. A level is a world like any other
//! (`corridor.rs`), so the LRTA* is the one that walks grids, and its databases are those of D LRTA*, built
//! for the level.
//!
//! Readings and deviations:
//! - The corridor of a move from one node to the next has the states under both. A* ends at the first state
//!   under the next node that it settles; its estimate goes by the middle of that node. (The paper only says
//!   that A* computes a path to "an intermediate goal". To go by the node at the rim of the lookahead instead
//!   gives paths 0.2 to 1 % shorter for a fifth to a half more expansions.) Under the goal's node A* goes to
//!   the goal itself, in the states under that node.
//! - So A* expands states under one node only, and each once: no more in a move than lie under the largest
//!   node of the level. There is no formula for that number, because orphans join a group without limit: the
//!   bound of a move is measured from the abstraction at hand, and changes with [another
//!   one](surefoot::agent::Agent::use_database). On open ground a node of level l has 4ˡ states. What it
//!   takes to list the states of the corridor is not charged.
//! - A node may have more than eight neighbours. So that (2d − 1)² is a bound there too, a lookahead ends one
//!   or more moves earlier where it would expand more nodes than that.
//! - γ is a weight on g where the LRTA* chooses a node of its frontier (Figure 1, line 5), and not where it
//!   learns: as in the paper.
//! - Abstract nodes lie at octile distances by default, the paper's at Euclidean ones: `distance=euclidean`.
//! - Appendix D heads for the global goal once a state of the ground is visited again. The forms with
//!   subgoals go by the LRTA* of the level, which knows nodes: they do so where a node is visited again.
//! - A component that is one node below the level is one region: A* plans the whole way.
//! - The paper has pattern databases that are built at level ℓ2 "above" the level ℓ of LRTA*; the regions are
//!   the nodes of level ℓ2 of the same abstraction, each represented by the node of level ℓ nearest to its
//!   place. With ℓ2 = ℓ, the paper's "single abstraction", each node is a region of its own. That is one
//!   parameter, `level2`, for all three forms with a database. PR LRTA*(F, PDB) is in the paper's figures,
//!   but not described there: it is LRTA*(F, PDB) on the level.
//! - These databases are not stored. They are made from the abstraction when the agent is made, on all cores
//!   with the feature `rayon`, always the same; copies of an agent share them. On a map of 512 × 512 cells at
//!   level 4 that takes a fraction of a second, but 20 s for depths if ℓ2 = ℓ. More than 2²⁵ pairs of regions
//!   are refused.
//! - On a map that is not that of the abstraction, because it was edited since, a corridor may be blocked.
//!   Then the agent waits for one move, and goes on as LRTA* on the ground, until it is given another goal or
//!   a repaired abstraction. There nodes are numbered anew, and patterns of a database would mean nothing:
//!   the forms with one go on over the level without it, each move a fallback.
//! - A tape has the number of abstract nodes that were expanded, and the states that A* expanded.

mod agent;
mod entry;
mod guide;
mod refiner;
#[cfg(test)]
mod tests;

pub(super) use agent::PrLrta;
pub use entry::{F_G, F_PDB, PDB_G, PDB_PDB};
pub(super) use guide::patterns_of;
