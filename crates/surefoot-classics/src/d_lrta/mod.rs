//! D LRTA*: LRTA* from region to region, by a pattern database of where to enter the next one; and the forms
//! of the 2008 paper that choose goals, depths, or both by it.
//!
//! - `dynamic.rs` is the agent, `patterns/` the database and its builder.
//! - `database.rs`, `blocks.rs` and `entry.rs` put it beside the other kinds, and into the roster.

mod blocks;
mod database;
mod dynamic;
mod entry;
mod patterns;
#[cfg(test)]
mod tests;

pub use self::database::KIND;
pub(crate) use self::dynamic::{DynamicLrta, GoalChoice, Loops};
pub(crate) use self::entry::{CAP, CHOOSE, DEEPEN, ESCAPE, LOOPS, TRACE, both, cap, goal_choice, trace};
pub use self::entry::{D_LRTA, F_PDB, PDB_G, PDB_PDB};
pub use self::patterns::{
    Pattern, PatternBuilder, PatternColumn, PatternConfig, PatternContents, PatternDatabase, PatternFault,
    PatternFileInfo, PatternScratch, Trace,
};
pub use crate::regions::RegionId;
