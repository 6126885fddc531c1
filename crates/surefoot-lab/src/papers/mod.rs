//! The experiments of the papers: what their results come to, beside what was published. Their plans are [built
//! in](crate::plan::BUILT_IN).

pub mod control;
pub mod refinement;
pub mod subgoals;
